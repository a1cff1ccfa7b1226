"""`cranfield judge estimate`."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Twelve queries that a model graded, six of which people graded too."""
    monkeypatch.chdir(tmp_path)
    human, model, one, two = [], [], [], []
    for q in range(12):
        for d in range(4):
            grade = int((q * 7 + d * 3) % 5 < 2)
            human += [f"q{q} 0 d{d} {grade}\n"] if q < 6 else []
            model.append(f"q{q} 0 d{d} {int(grade or (q + d) % 4 == 0)}\n")
            one.append(f"q{q} Q0 d{d} 1 {(q * 5 + d * 2) % 7} one\n")
            two.append(f"q{q} Q0 d{d} 1 {(q + d) % 4 + 2 * grade} two\n")
    for name, lines in (("h.qrels", human), ("m.qrels", model), ("1.run", one), ("2.run", two)):
        (tmp_path / name).write_text("".join(lines))
    return tmp_path


def test_a_difference_as_a_page_and_as_data(cranfield, files):
    args = ("judge", "estimate", "h.qrels", "m.qrels", "1.run", "2.run", "-m", "P@2", "-m", "AP")
    shown = cranfield(*args, "--width", "0.5")
    assert shown.code == 0, shown.err
    assert "Difference of 2 less 1: P@2" in shown.out
    assert "both, power-tuned" in shown.out
    data = json.loads(cranfield(*args, "--format", "json").out)
    assert data["schema"] == "cranfield.estimate/1"
    assert [(r["measure"], r["tuned"]["n"], r["tuned"]["others"]) for r in data["rows"]] == [
        ("P@2", 6, 6), ("AP", 6, 6),
    ]  # fmt: skip
    rows = cranfield(*args, "--format", "tsv").out.splitlines()
    assert len(rows) == 7
    assert rows[0].startswith("measure\trun\tbase\tfrom\tvalue")


def test_in_chinese_and_to_a_file(cranfield, files):
    args = ("judge", "estimate", "h.qrels", "m.qrels", "1.run", "--lang", "zh", "-o", "e.html")
    assert cranfield(*args).code == 0
    assert "调优估计" in (files / "e.html").read_text(encoding="utf-8")


def test_mistakes(cranfield, files):
    both = cranfield("judge", "estimate", "m.qrels", "m.qrels", "1.run")
    assert both.code == 6 and "label 12 queries both" in both.err
    assert cranfield("judge", "estimate", "h.qrels", "m.qrels", "1.run", "-o", "1.run").code == 2
    assert cranfield("judge", "estimate", "h.qrels", "m.qrels", "no.run").code == 4
    assert cranfield("judge", "estimate", "h.qrels", "m.qrels", "1.run", "--width", "0").code == 2
