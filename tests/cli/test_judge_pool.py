"""`cranfield judge pool` and `fill`."""

from __future__ import annotations

import pytest


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, docs in (("a", "xyzv"), ("b", "yxwu")):
        lines = (f"q1 Q0 {d} {i} {9 - i} {name}\n" for i, d in enumerate(docs, 1))
        (tmp_path / f"{name}.run").write_text("".join(lines))
    (tmp_path / "l.qrels").write_text(
        "q1 0 x 1\nq1 0 y 0\nq1 0 z 1\nq1 0 w 1\nq1 0 v 1\nq1 0 u 0\n"
    )
    return tmp_path


def test_pool_label_fill_and_infer(cranfield, files):
    args = ("judge", "pool", "a.run", "b.run", "--depth", "2,4", "--rate", "1,0.5", "--seed", 4)
    done = cranfield(*args, "-o", "pool.tsv")
    assert done.code == 0, done.err
    assert (
        "4 documents to label in 1 query (2 of 2 to depth 2, 2 of 4 to depth 4), seed 4" in done.err
    )
    first = (files / "pool.tsv").read_text().splitlines()
    assert first[:3] == [
        "# pool: depths 2,4; rates 1,0.5; seed 4; runs a,b",
        "query\tdocument\tstratum\tsampled\trank\truns",
        "q1\tx\t1\t1\t1\t2",
    ]
    filled = cranfield("judge", "fill", "pool.tsv", "l.qrels", "-o", "pool.qrels")
    assert filled.code == 0, filled.err
    assert "4 of 4 documents to label have a grade" in filled.err
    assert "2 labels of documents that are not sampled left out" in filled.err
    grades = [line.split()[3] for line in (files / "pool.qrels").read_text().splitlines()]
    assert len(grades) == 6 and grades.count("-1") == 2
    scored = cranfield("evaluate", "pool.qrels", "a.run", "-m", "infAP")
    assert scored.code == 0, scored.err
    sampled = cranfield("judge", "fill", "pool.tsv", "l.qrels", "--format", "sampled").out
    assert "q1 0 x 1 1\n" in sampled and sampled.count(" 2 -1\n") == 2


def test_from_a_pool_and_a_store_to_an_estimate(cranfield, files, monkeypatch):
    """Pool, labels of people in a store, and extended infAP by `evaluate`, from files alone."""
    monkeypatch.delenv("CRANFIELD_LABELS", raising=False)
    drawn = cranfield("judge", "pool", "a.run", "b.run", "--depth", "2,4", "--rate", "1,0.5",
                      "--seed", 4, "-o", "pool.tsv")  # fmt: skip
    assert drawn.code == 0, drawn.err
    kept = cranfield("judge", "import", "l.qrels", "--source", "human", "--labels", "l.sqlite")
    assert kept.code == 0, kept.err
    filled = cranfield("judge", "fill", "pool.tsv", "@human", "--labels", "l.sqlite", "--format",
                       "sampled", "-o", "pool.sampled")  # fmt: skip
    assert filled.code == 0, filled.err
    scored = cranfield("evaluate", "pool.sampled", "a.run", "-m", "xinfAP", "--format", "csv")
    assert scored.code == 0, scored.err
    assert "read as a pool sampled by strata" in scored.err
    # a: x y z v; x, y judged (1, 0); of z, v, w, u two are
    rows = [line.split() for line in (files / "pool.sampled").read_text().splitlines()]
    grade = {doc: int(g) for _, _, doc, _, g in rows}
    two = [d for d in "zvwu" if grade[d] >= 0]
    estimated = 1 + 2 * sum(grade[d] for d in two)
    total, seen = 1.0, []
    for rank, doc in enumerate("zv", 3):
        if doc in two and grade[doc]:
            known = [grade[d] for d in seen if d in two]
            share = sum(known) / len(known) if known else 0.5
            total += 2 * (1 + 2 * 0.5 + len(seen) * share) / rank
        seen.append(doc)
    value = float(scored.out.splitlines()[1].split(",")[3])
    assert value == pytest.approx(total / estimated, abs=1e-4)
    refused = cranfield("evaluate", "pool.sampled", "a.run", "-m", "AP")
    assert refused.code == 3 and "xinfAP" in refused.err


def test_mistakes(cranfield, files):
    assert cranfield("judge", "pool", "a.run", "--depth", "ten").code == 2
    assert cranfield("judge", "pool", "a.run", "--depth", "10", "--rate", "1,1").code == 2
    assert cranfield("judge", "pool", "no.run").code == 4
    wrong = cranfield("judge", "fill", "a.run", "l.qrels")
    assert wrong.code == 3 and "no pool" in wrong.err
    assert cranfield("judge", "fill", "no.tsv", "l.qrels").code == 4
