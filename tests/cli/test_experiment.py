"""`cranfield experiment` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

MATRIX = """\
[experiment]
k = 10

[[experiment.collection]]
name = "one"
path = "one"
task = "ad hoc"

[[experiment.collection]]
name = "two"
path = "two"
task = "ad hoc"

[[experiment.system]]
name = "terms"
system = "terms"

[[experiment.system]]
name = "bm25"
system = "bm25"
parameters = {k1 = [0.9, 1.2]}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    from tests.experiment.matrices import write_collection

    write_collection(tmp_path / "one")
    write_collection(tmp_path / "two", 5, seed=1)
    (tmp_path / "cranfield.toml").write_text(MATRIX)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_dry_run_makes_nothing(folder: Path, cranfield) -> None:
    done = cranfield("experiment", "--dry-run", "--format", "tsv")
    assert done.code == 0
    lines = [line.split("\t") for line in done.out.splitlines()]
    assert lines[0] == ["collection", "run", "queries", "state", "run file"]
    assert [line[1:4] for line in lines[1:4]] == [
        ["terms", "6", "to do"],
        ["bm25[k1=0.9]", "6", "to do"],
        ["bm25[k1=1.2]", "6", "to do"],
    ]
    assert "6 cells: 6 to do, 0 there already, 0 fail" in done.err
    assert not (folder / "runs").exists() and not (folder / ".cranfield").exists()
    cranfield("experiment")
    again = cranfield("experiment", "--dry-run", "--lang", "zh")
    assert "待做 0，已有 6" in again.err and "runs/one/terms-" in again.out


def test_tables_on_the_terminal(folder: Path, cranfield) -> None:
    done = cranfield("experiment")
    assert done.code == 0
    for words in (
        "6 runs on 2 collections: up to 10 documents a query, seed 0",
        "--- nDCG@10 and judge rate at 10 ---",
        "as Elastic computes it for BEIR",
        "An average over collections can mislead",
        "task: ad hoc",
    ):
        assert words in done.out
    assert "note: 6 cells: 6 made, 0 there already" in done.err
    assert "note: 6 evaluations recorded, @1 to @6" in done.err
    again = cranfield("experiment")
    assert again.out == done.out and "0 made, 6 there already" in again.err
    assert "recorded" not in again.err


def test_every_form(folder: Path, cranfield, tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    assert cranfield("experiment", "-o", page).code == 0
    text = page.read_text()
    assert text.startswith("<!doctype html>") and "<svg" in text and "<script" not in text
    data = json.loads(cranfield("experiment", "--format", "json").out)
    assert len(data["results"]) == 6 and data["failed"] == []
    lines = cranfield("experiment", "--format", "tsv").out.splitlines()
    assert len(lines) == 7 and lines[0].startswith("collection\ttask\tdomain\tgroup\tsystem")
    lines = cranfield("experiment", "--format", "tsv", "--table", "collections").out.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["collection", "one", "two"]
    table = tmp_path / "means.tsv"
    cranfield("experiment", "--table", "averages", "-o", table)
    assert table.read_text().startswith("scope\tname\trun\tcollections\tof\tnDCG@10\tjudge_rate")
    assert cranfield("experiment", "--format", "md", "--lang", "zh").out.startswith("# 实验\n")


def test_only(folder: Path, cranfield) -> None:
    done = cranfield("experiment", "--only", "two", "--only", "terms", "--format", "tsv")
    assert [line.split("\t")[0] for line in done.out.splitlines()[1:]] == ["two"]
    wrong = cranfield("experiment", "--only", "three")
    assert wrong.code == 2 and "nothing in the experiment is called 'three'" in wrong.err


def test_a_failed_cell_ends_with_8_after_the_tables(folder: Path, cranfield) -> None:
    path = folder / "cranfield.toml"
    more = '[[experiment.collection]]\nname = "three"\npath = "three"\n'
    path.write_text(MATRIX.replace("[[experiment.system]]", f"{more}\n[[experiment.system]]", 1))
    done = cranfield("experiment")
    assert done.code == 8
    assert "Not carried out: 3" in done.out and "6 runs on 2 collections" in done.out
    assert "error: 3 of 9 cells failed; three, terms: " in done.err and "Traceback" not in done.err


def test_wrong_tables_and_no_lab(folder: Path, cranfield) -> None:
    path = folder / "cranfield.toml"
    path.write_text(MATRIX.replace("k1 = ", "k3 = "))
    done = cranfield("experiment")
    assert done.code == 3
    assert "cranfield.toml: experiment.system[2].parameters.k3: bm25 takes no such" in done.err
    assert "hint: parameters: k1, b, method" in done.err
    path.write_text("")
    done = cranfield("experiment")
    assert done.code == 2 and "has no [experiment]" in done.err
    path.unlink()
    assert cranfield("experiment").code == 4


def test_what_is_recorded_is_in_the_log(folder: Path, cranfield) -> None:
    cranfield("experiment")
    lines = cranfield("log", "--format", "tsv").out.splitlines()
    assert len(lines) == 7 and "terms" in lines[1]
    shown = cranfield("show", "@2")
    assert "runs/one/bm25_k1=0.9_-" in shown.out and '"k1": 0.9' in shown.out
