"""`cranfield judge plan`."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    qrels, one, two = [], [], []
    for q in range(8):
        for d in range(6):
            grade = int((q * 5 + d * 3) % 4 == 0)
            qrels.append(f"q{q} 0 d{d} {grade}\n")
            one.append(f"q{q} Q0 d{d} 1 {(q + d * 2) % 7} one\n")
            two.append(f"q{q} Q0 d{d} 1 {(q + d) % 4 + 2 * grade} two\n")
    for name, lines in (("p.qrels", qrels), ("1.run", one), ("2.run", two)):
        (tmp_path / name).write_text("".join(lines))
    return tmp_path


def test_a_plan(cranfield, files):
    args = ("judge", "plan", "p.qrels", "1.run", "2.run", "-m", "P@4", "--budget", 40)
    shown = cranfield(*args, "--depth", "1,4", "--per-query", 1)
    assert shown.code == 0, shown.err
    assert "A pilot of 8 queries says little" in shown.out
    assert "Nearest to the value under full labels" in shown.out
    data = json.loads(cranfield(*args, "--format", "json").out)
    assert data["schema"] == "cranfield.budget/1"
    assert [d["depth"] for d in data["depths"]] == [1, 2, 3, 4]
    assert data["depths"][-1]["error"] == 0
    rows = cranfield(*args, "--format", "csv").out.splitlines()
    assert rows[0].startswith("depth,labels,queries,spread") and len(rows) == 5
    assert "广标注" in cranfield(*args, "--lang", "zh").out


def test_mistakes(cranfield, files):
    assert cranfield("judge", "plan", "p.qrels", "1.run").code == 2
    assert cranfield("judge", "plan", "p.qrels", "1.run", "--budget", 0).code == 2
    assert cranfield("judge", "plan", "p.qrels", "1.run", "--budget", 9, "--depth", "a").code == 2
    assert cranfield("judge", "plan", "p.qrels", "no.run", "--budget", 9).code == 4
