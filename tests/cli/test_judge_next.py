"""`cranfield judge next`."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CRANFIELD_LABELS", raising=False)
    (tmp_path / "a.run").write_text("q1 Q0 x 1 3 a\nq1 Q0 y 2 2 a\nq2 Q0 x 1 1 a\n")
    (tmp_path / "b.run").write_text("q1 Q0 y 1 3 b\nq1 Q0 z 2 2 b\nq2 Q0 x 1 1 b\n")
    (tmp_path / "known.qrels").write_text("q1 0 y 1\n")
    return tmp_path


def test_the_documents_and_how_it_stands(cranfield, files):
    args = ("judge", "next", "a.run", "b.run", "-m", "P@2", "--qrels", "known.qrels")
    shown = cranfield(*args)
    assert shown.code == 0, shown.err
    assert "What to label for b against a" in shown.out
    assert "between -0.2500 and +0.2500" in shown.out
    rows = cranfield(*args, "--all", "--format", "tsv").out.splitlines()
    assert rows == [
        "query\tdocument\trank_base\trank_run\tinfluence\thelps",
        "q1\tx\t1\t\t0.25\tbase",
        "q1\tz\t\t2\t0.25\trun",
        "q2\tx\t1\t1\t0.0\tequal",
    ]
    data = json.loads(cranfield(*args, "-n", 1, "--prior", "0.25", "--format", "json").out)
    assert data["schema"] == "cranfield.next/1"
    assert (data["holes"], len(data["documents"]), data["answer"]) == (3, 1, None)
    assert data["prior"] == [{"grade": 0.0, "share": 0.75}, {"grade": 1.0, "share": 0.25}]


def test_labels_of_a_store(cranfield, files):
    assert cranfield("judge", "import", "known.qrels", "--labels", "l.sqlite").code == 0
    args = ("judge", "next", "a.run", "b.run", "--qrels", "@all", "--labels", "l.sqlite")
    done = cranfield(*args, "--lang", "zh")
    assert done.code == 0, done.err
    assert "接下来标注" in done.out


def test_mistakes(cranfield, files):
    no_bounds = cranfield("judge", "next", "a.run", "b.run", "-m", "infAP")
    assert no_bounds.code == 2 and "no bounds" in no_bounds.err
    assert cranfield("judge", "next", "a.run", "no.run").code == 4
    assert cranfield("judge", "next", "a.run", "b.run", "--level", "1").code == 2
    assert cranfield("judge", "next", "a.run", "b.run", "-o", "a.run").code == 2
    store = cranfield("judge", "next", "a.run", "b.run", "--qrels", "@human")
    assert store.code in (2, 4) and "label" in store.err


def test_a_pool_sampled_by_strata_is_called_so(cranfield, files):
    (files / "pool.sampled").write_text("q1 0 x 1 1\nq1 0 y 1 0\nq1 0 z 1 -1\n")
    for call in (("next", "a.run", "b.run", "--qrels"), ("import", "--labels", "l.sqlite")):
        done = cranfield("judge", *call, "pool.sampled")
        assert done.code == 3 and "pool.sampled: a pool sampled by strata" in done.err
        assert "preferences" not in done.err and "xinfAP" in done.err
