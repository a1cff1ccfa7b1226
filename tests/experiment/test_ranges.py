"""The ranges of unjudged documents in the ledger: kept, read back, joined; and an older ledger."""

from __future__ import annotations

import math
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from cranfield.data.card import RunCard
from cranfield.evaluation.evaluate import evaluate
from cranfield.experiment.entries import About
from cranfield.experiment.ledger import Ledger
from cranfield.experiment.references import merged
from cranfield.experiment.schema import APPLICATION, MIGRATIONS
from cranfield.kit.store import Store
from cranfield.report.grid import means, per_query
from cranfield.report.history import entry_page, log_grid, log_notes

QRELS = {"q1": {"a": 1, "b": 0, "c": 1}, "查询2": {"c": 2}, "q3": {"d": 1}}
RUNS = {
    "one": {"q1": {"x": 3.0, "a": 2.0}, "查询2": {"c": 1.0, "y": 0.5}, "q3": {"d": 1.0}},
    "two": {"q1": {"a": 2.0, "b": 1.0}, "查询2": {"c": 1.0}, "q3": {"z": 2.0, "d": 1.0}},
}
MEASURES = ["nDCG@10", "AP", "NumRet", "GMAP", "Judged@10"]


def about(scores) -> About:
    n = len(scores.runs)
    cards = tuple(RunCard(name) for name in scores.runs)
    return About("qrels", "abc", (None,) * n, tuple("fg"[:n]), cards)


def recorded(path: Path, runs=RUNS, measures=MEASURES, **options):
    scores = evaluate(QRELS, runs, measures, **options)
    ledger = Ledger(path / "l.sqlite")
    ledger.record(scores, about(scores))
    ledger.store.close()
    return scores, Ledger(path / "l.sqlite")


def same_ranges(a, b) -> bool:
    return (
        (a.world, a.runs, a.queries, a.measures, a.dear)
        == (b.world, b.runs, b.queries, b.measures, b.dear)
        and np.array_equal(a.low, b.low, equal_nan=True)
        and np.array_equal(a.high, b.high, equal_nan=True)
        and np.array_equal(a.exact, b.exact)
    )


@pytest.mark.parametrize("options", [{}, {"bounds": "open"}, {"missing": "skip"}])
def test_ranges_come_back_as_they_were(tmp_path, options):
    scores, ledger = recorded(tmp_path, **options)
    again = ledger.scores(1)
    assert scores.ranges is not None and same_ranges(again.ranges, scores.ranges)
    assert means(again) == means(scores) and per_query(again) == per_query(scores)
    entry = ledger.entry(1)
    assert entry.bounds == scores.ranges.world
    for run in entry.runs:
        for label in scores.measures:
            kept = run.ranges[label.text]
            low, high = scores.bounds(label.text, run.name)
            assert kept.holes == scores.holes(label.text, run.name)
            assert (kept.low, kept.high) == ((None, None) if math.isnan(low) else (low, high))
    ndcg = entry.run("one").ranges["nDCG@10"]
    assert ndcg.holes == 2 and ndcg.low <= entry.run("one").means["nDCG@10"][0] < ndcg.high


def test_what_is_outer_is_remembered_as_outer(tmp_path):
    holes = {"q1": {f"x{i}": 30.0 - i for i in range(20)}}
    scores, ledger = recorded(tmp_path, {"one": holes}, ["AP", "Q@10"])
    assert scores.ranges.exact.tolist() == [[True, False]]
    ranges = ledger.entry(1).runs[0].ranges
    assert (ranges["AP"].exact, ranges["Q@10"].exact) == (True, False)
    text = entry_page(ledger.entry(1), tmp_path).to_text()
    assert f"the bounds of {scores.measures[1].full} are outer ones" in text


def test_without_a_hole_nothing_is_said_and_the_ends_are_the_mean(tmp_path):
    judged = {"two": {"q1": {"a": 2.0, "b": 1.0}, "查询2": {"c": 1.0}}}
    scores, ledger = recorded(tmp_path, judged)
    assert scores.ranges is None and ledger.scores(1).ranges is None
    again = ledger.scores(1)
    assert again.bounds("AP") == (scores.mean("AP"), scores.mean("AP"))
    kept = ledger.entry(1).runs[0].ranges["AP"]
    assert (kept.holes, kept.low, kept.high) == (0, scores.mean("AP"), scores.mean("AP"))
    text = entry_page(ledger.entry(1), tmp_path).to_text()
    assert "at least" not in text and "range" not in text


def test_none_wanted_is_not_the_same_as_not_kept(tmp_path):
    _, ledger = recorded(tmp_path, bounds=None)
    assert ledger.entry(1).bounds == "none" and ledger.scores(1).open_ends is None
    assert "were not worked out" in entry_page(ledger.entry(1), tmp_path).to_text()


def test_ends_stand_below_the_means_or_beside_them(tmp_path):
    scores, ledger = recorded(tmp_path)
    entry = ledger.entry(1)
    low, high = scores.bounds("AP", "one")
    lines = entry_page(entry, tmp_path).to_text().splitlines()
    below = [line for line in lines if line.startswith(("  at least", "  at most"))]
    assert len(below) == 4 and f"{low:.4f}" in below[0] and f"{high:.4f}" in below[1]
    assert "no range of NumRet, GMAP:" in "\n".join(lines)
    beside = entry_page(entry, tmp_path, beside=True).blocks[1].grid.records()
    assert beside[0]["low AP"] == low and beside[0]["high AP"] == high and len(beside) == 2
    assert "至少" in entry_page(entry, tmp_path, "zh").to_text()


def first_version(path: Path, scores) -> None:
    """A ledger with one evaluation, as it was before it kept ranges."""
    ledger = Ledger(path)
    ledger.record(scores, about(scores))
    ledger.store.close()
    new = sqlite3.connect(path)
    rows = {
        table: new.execute(f"SELECT * FROM {table}").fetchall()
        for table in ("query_sets", "evaluations", "runs", "scores")
    }
    new.close()
    path.unlink()
    store = Store(path, MIGRATIONS[:1], application_id=APPLICATION, what="the ledger")
    with store.transaction() as db:
        for table, own in rows.items():
            for row in own:
                db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
    store.close()


def test_an_older_ledger_is_opened_and_says_what_it_did_not_keep(tmp_path, lab):
    here = lab()
    path = here.ledger.store.path
    scores = evaluate(QRELS, RUNS, MEASURES)
    path.parent.mkdir(exist_ok=True)
    first_version(path, scores)
    old = here.ledger.entry(1)
    assert old.bounds is None and old.runs[0].ranges == {}
    again = here.ledger.scores(1)
    assert again.open_ends is None and np.array_equal(again.values, scores.values)
    assert "were not kept when this was recorded" in entry_page(old, tmp_path).to_text()
    assert "at least" not in log_grid(here.history()).columns
    assert here.ledger.record(scores, about(scores)) == 2
    assert here.ledger.entry(2).bounds == "closed" and here.ledger.entry(1).bounds is None
    grid = log_grid(here.history("AP"))
    ends = [(r["at least"], r["at most"]) for r in grid.records()]
    assert ends[0] == (None, None) and ends[2] == scores.bounds("AP", "one")
    assert any("empty where that was not kept" in note for note in log_notes(here.history("AP")))


def test_an_older_ledger_that_may_not_be_written_is_read(tmp_path, monkeypatch):
    path = tmp_path / "l.sqlite"
    scores = evaluate(QRELS, RUNS, MEASURES)
    first_version(path, scores)
    ledger = Ledger(path)
    monkeypatch.setattr(Store, "_prepared", _refused)
    assert ledger.entry(1).bounds is None
    assert np.array_equal(ledger.scores(1).values, scores.values)


def _refused(self, uri):
    raise sqlite3.OperationalError("attempt to write a readonly database")


def test_evaluations_brought_together_bring_their_ranges(tmp_path):
    ledger = Ledger(tmp_path / "l.sqlite")
    parts = [evaluate(QRELS, {name: RUNS[name]}, MEASURES) for name in RUNS]
    for scores in [*parts, parts[0]]:
        ledger.record(scores, about(scores))
    both, _, _ = merged(ledger, ["@1", "@2"], ["AP", "nDCG@10"])
    assert same_ranges(both.ranges, evaluate(QRELS, RUNS, ["AP", "nDCG@10"]).ranges)
    twice, _, _ = merged(ledger, ["@1", "@3"])
    assert twice.runs == ("one @1", "one @3")
    assert twice.bounds("AP", "one @3") == parts[0].bounds("AP")
    assert twice.holes("AP", "one @1") == 2
    bare = evaluate(QRELS, {"two": RUNS["two"]}, MEASURES, bounds=None)
    ledger.record(bare, about(bare))
    assert merged(ledger, ["@1", "@4"])[0].open_ends is None


def test_ranges_are_only_added_to(tmp_path):
    recorded(tmp_path)
    db = sqlite3.connect(tmp_path / "l.sqlite")
    for table in ("ranges", "bounded"):
        with pytest.raises(sqlite3.IntegrityError, match="only added to"):
            db.execute(f"DELETE FROM {table}")
    db.close()
