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
    assert "Unjudged documents stand in the results of 1 of the queries" in ended.out
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
