"""`cranfield demo`: the report, and everything left open."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cranfield.data.show import width


def test_the_report_has_every_line_of_a_baseline(cranfield, tmp_path):
    ended = cranfield("demo", tmp_path / "d")
    assert ended.code == 0
    for line in (
        r"run +sequential-scan",
        r"queries +30",
        r"nDCG@10 \(gain=exp\) +0\.\d{4}",
        r"MRR@10 \(rel≥1\) +0\.\d{4}",
        r"no-answer queries +5/30",
        r"queries with an empty result +\d+/30 +\(\d+ rightly, \d+ missed\)",
        r"results, but nDCG = 0 +\d+/30",
        r"false recalls on no-answer queries +\d/5",
    ):
        assert re.search(line, ended.out), line
    for kind in ("exact keyword", "paraphrase", "several conditions", "no answer"):
        assert re.search(rf"^{kind} +5 ", ended.out, re.MULTILINE), kind


def test_everything_is_left_in_the_folder(cranfield, tmp_path):
    folder = tmp_path / "d"
    cranfield("demo", folder)
    names = {p.name for p in folder.iterdir()}
    assert names >= {"corpus.jsonl", "queries.jsonl", "qrels.txt", "docs", "report.md"}
    assert names >= {"report.html", "sequential-scan.run", "judgments.tsv"}
    assert names >= {"sequential-scan.run.card.json", "terms.run", "terms.run.card.json"}
    assert len(list((folder / "docs").iterdir())) == 64


def test_the_printed_commands_work_as_they_stand(cranfield, tmp_path, monkeypatch):
    import shlex

    monkeypatch.chdir(tmp_path)
    ended = cranfield("demo")
    commands = re.findall(r"^  cranfield (.+)$", ended.out, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        assert cranfield(*shlex.split(command)).code == 0, command


def test_the_report_agrees_with_evaluate(cranfield, tmp_path):
    folder = tmp_path / "d"
    report = cranfield("demo", folder).out
    run = folder / "sequential-scan.run"
    ended = cranfield("evaluate", folder, run, "-m", 'nDCG(gain="exp")@10', "--format", "md")
    (mean,) = re.findall(r"\| all \| 30 \| (0\.\d{4}) \|", ended.out)
    assert f"nDCG@10 (gain=exp)                  {mean}" in report


def test_chinese(cranfield, tmp_path):
    out = cranfield("demo", tmp_path / "d", "--lang", "zh").out
    assert "评测报告" in out
    assert "无答案查询上的误召回" in out
    table = out.split("--- 按查询类型 ---")[1].split("---")[0].strip().splitlines()
    assert len({width(line) for line in table[:2]}) == 1  # header and rule end together
    assert 'lang="zh-CN"' in (tmp_path / "d" / "report.html").read_text()


def test_two_demos_are_the_same_bytes(cranfield, tmp_path):
    def content(folder: Path) -> dict[str, bytes]:
        return {
            str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()
        }

    cranfield("demo", tmp_path / "a")
    cranfield("demo", tmp_path / "b")
    first = content(tmp_path / "a")
    assert first == content(tmp_path / "b")
    cranfield("demo", tmp_path / "a")  # again over its own folder
    assert content(tmp_path / "a") == first


def test_a_folder_with_other_things_is_left_alone(cranfield, tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    ended = cranfield("demo", tmp_path)
    assert ended.code == 2
    assert "holds other files" in ended.err
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_missing_label_experiment_is_on_the_data(cranfield, tmp_path, lang):
    out = cranfield("demo", tmp_path / "d", "--lang", lang).out
    assert "answerable_with_holes" in out
