"""`cranfield report`: the baseline report on one's own data."""

from __future__ import annotations

import pytest


@pytest.fixture
def folder(cranfield, tmp_path):
    cranfield("demo", tmp_path / "d")
    return tmp_path / "d"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_is_the_report_of_the_demo(cranfield, folder, lang):
    run = folder / "sequential-scan.run"
    again = cranfield("report", folder, run, "--exhaustive", "--lang", lang)
    assert again.code == 0
    assert again.out in cranfield("demo", folder, "--lang", lang).out


def test_markdown_and_html(cranfield, folder, tmp_path):
    run = folder / "sequential-scan.run"
    out = tmp_path / "r.html"
    ended = cranfield("report", folder, run, "--exhaustive", "--format", "html", "-o", out)
    assert (ended.code, ended.out) == (0, "")
    assert out.read_bytes() == (folder / "report.html").read_bytes()
    ended = cranfield("report", folder, run, "--exhaustive", "--format", "md")
    assert ended.out == (folder / "report.md").read_text()


def test_missing_labels_make_the_scores_lower_bounds(cranfield, folder):
    qrels = folder / "qrels.txt"
    kept = [line for line in qrels.read_text().splitlines(True) if not line.startswith("q27 ")]
    qrels.write_text("".join(kept))
    ended = cranfield("report", folder, folder / "sequential-scan.run")
    assert "Labels are missing for 1 of the queries" in ended.out
    assert "q27: " in ended.out
    assert "1 cannot be judged (q27)" in ended.out


def test_a_file_is_no_collection(cranfield, folder):
    ended = cranfield("report", folder / "qrels.txt", folder / "sequential-scan.run")
    assert ended.code == 2
    assert "a collection is a folder" in ended.err


def test_an_unknown_field_is_an_error_and_not_a_missing_table(cranfield, folder):
    ended = cranfield("report", folder, folder / "sequential-scan.run", "--by", "nosuch")
    assert ended.code == 2
    assert "fields: type, lang" in ended.err


@pytest.fixture
def other(folder):
    lines = (folder / "sequential-scan.run").read_text().splitlines(True)
    (folder / "half.run").write_text("".join(lines[::2]))
    return folder / "half.run"


def test_several_runs_make_a_comparison_and_compare_writes_the_same(
    cranfield, folder, other, tmp_path
):
    run = folder / "sequential-scan.run"
    for ending in ("html", "md", "json", "txt"):
        one, two = tmp_path / f"1.{ending}", tmp_path / f"2.{ending}"
        ended = cranfield("report", folder, run, other, "--by", "type", "-o", one)
        assert (ended.code, ended.out) == (0, ""), ended.err
        ended = cranfield("compare", folder, run, other, "--by", "type", "--report", two)
        assert ended.code == 0, ended.err
        assert one.read_bytes() == two.read_bytes()
    text = cranfield("report", folder, run, other, "--lang", "zh").out
    assert "half 对比 sequential-scan" in text
    assert "方法说明" in text


def test_json_of_the_baseline_report(cranfield, folder):
    import json

    ended = cranfield("report", folder, folder / "sequential-scan.run", "--format", "json")
    assert json.loads(ended.out)["schema"] == "cranfield.page/1"


def test_wrong_calls_are_said(cranfield, folder, other, tmp_path):
    run = folder / "sequential-scan.run"
    assert cranfield("report").code == 2
    assert cranfield("report", folder).code == 2
    assert cranfield("report", "--lab", folder).code == 2
    assert cranfield("report", folder, run, "--by", "type", "--by", "lang").code == 2
    ended = cranfield("compare", folder, run, other, "--report", tmp_path / "x.pdf")
    assert ended.code == 2
    assert ".html" in ended.err
    assert cranfield("compare", folder, run, other, "--report", run).code == 2
