"""The ledger: what goes in comes out, and nothing else can happen to it."""

from __future__ import annotations

import importlib.util
import json
import random
import sqlite3
import time
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from cranfield.data.card import RunCard
from cranfield.errors import UnknownName, UsageError
from cranfield.evaluation.evaluate import evaluate
from cranfield.experiment.entries import About
from cranfield.experiment.ledger import Ledger
from cranfield.experiment.packing import pack, pack_mask, unpack, unpack_mask
from cranfield.kit.clock import now


def _load(name: str) -> ModuleType:
    """A file of helpers beside the rooms of the tests, which are no package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


killed = _load("killed")
QRELS = {"q1": {"a": 1, "b": 0}, "查询2": {"c": 2}, "q3": {"d": 0}}
RUNS = {
    "one": {"q1": {"a": 2.0, "x": 1.0}, "q9": {"z": 1.0}},
    "two": {"查询2": {"c": 1.0}, "q1": {}},
}
SETTINGS = {"no_relevant": "nan", "missing": "skip"}


def about(scores, **more) -> About:
    n = len(scores.runs)
    cards = tuple(RunCard(name) for name in scores.runs)
    plain = {"paths": (None,) * n, "fingerprints": tuple("f" * n), "cards": cards}
    return About("qrels", "abc", **{**plain, **more})


def same(a, b) -> bool:
    """Whether two scores are the same in every field."""
    return (
        (a.runs, a.queries, a.measures, a.reports, a.k, dict(a.settings), dict(a.slices), a.notes)
        == (
            b.runs,
            b.queries,
            b.measures,
            b.reports,
            b.k,
            dict(b.settings),
            dict(b.slices),
            b.notes,
        )
        and np.array_equal(a.values, b.values)
        and np.array_equal(a.valid, b.valid)
        and np.array_equal(a.answerable, b.answerable)
    )


def test_scores_come_back_as_they_were(tmp_path):
    measures = ["nDCG@10", "AP", "NumRet", "GMAP", "RR(judged_only=True)"]
    scores = evaluate(QRELS, RUNS, measures, **SETTINGS)
    assert not scores.valid.all() and scores.valid.any()
    scores = scores.with_slices({"lang": ("en", "zh", None)})
    ledger = Ledger(tmp_path / "l.sqlite")
    card = RunCard(
        "one", {"k": {"x": 1}, "名": "值"}, {"q1": 3.0, "查询2": 5.0}, {"q1": 0.5}, ("q3",), "EUR"
    )
    number = ledger.record(
        scores, about(scores, cards=(card, RunCard("two")), note="第一次", seed=7)
    )
    assert number == 1
    ledger.store.close()
    again = Ledger(tmp_path / "l.sqlite")
    assert same(again.scores(1), scores)
    assert again.cards(1) == (card, RunCard("two"))
    entry = again.entry(1)
    assert (entry.note, entry.seed, entry.n_queries) == ("第一次", 7, 3)
    one, two = entry.runs
    assert (one.latency_median, one.latency_p95, one.cost_mean) == (4.0, 4.9, 0.5)
    assert two.latency_median is None and two.judged is not None
    for measure in scores.measures:
        mean, n = one.means[measure.text]
        assert mean == pytest.approx(scores.mean(measure.text, "one"), abs=0)
        assert n == scores.n(measure.text, "one")


def test_a_mean_over_no_query_is_none(tmp_path):
    scores = evaluate(
        {"q": {"a": 0}}, {"r": {"q": {"a": 1.0}}}, ["AP", "NumRet"], no_relevant="nan"
    )
    ledger = Ledger(tmp_path / "l.sqlite")
    ledger.record(scores, about(scores))
    assert ledger.entry(1).runs[0].means["AP"] == (None, 0)


def test_queries_are_kept_once_for_many_evaluations(tmp_path):
    ledger = Ledger(tmp_path / "l.sqlite")
    scores = evaluate(QRELS, RUNS, "AP")
    for _ in range(3):
        ledger.record(scores, about(scores))
    assert ledger.store.rows("SELECT count(*) FROM query_sets")[0][0] == 1
    assert [e.id for e in ledger.entries()] == [1, 2, 3]
    assert [e.id for e in ledger.entries(2, 2)] == [2]


def test_it_is_only_added_to(tmp_path):
    ledger = Ledger(tmp_path / "l.sqlite")
    scores = evaluate(QRELS, RUNS, "AP")
    ledger.record(scores, about(scores), look="t")
    db = sqlite3.connect(tmp_path / "l.sqlite")
    for table in ("evaluations", "runs", "scores", "query_sets", "looks"):
        with pytest.raises(sqlite3.IntegrityError, match="only added to"):
            db.execute(f"DELETE FROM {table}")
    with pytest.raises(sqlite3.IntegrityError, match="only added to"):
        db.execute("UPDATE scores SET mean = 1")
    db.close()


def dump(path) -> list[str]:
    db = sqlite3.connect(path)
    try:
        return list(db.iterdump())
    finally:
        db.close()


def test_the_same_evaluation_at_the_same_time_is_the_same_content(tmp_path, monkeypatch):
    monkeypatch.setenv("CRANFIELD_CLOCK", "2026-01-31T12:00:00+08:00")
    for name in ("a", "b"):
        scores = evaluate(QRELS, RUNS, "AP")
        ledger = Ledger(tmp_path / name)
        ledger.record(scores, about(scores))
        ledger.store.close()
    assert dump(tmp_path / "a") == dump(tmp_path / "b")
    assert Ledger(tmp_path / "a").entry(1).at == "2026-01-31T04:00:00Z"


def test_a_clock_that_is_no_time_is_an_error(monkeypatch):
    monkeypatch.setenv("CRANFIELD_CLOCK", "noon")
    with pytest.raises(UsageError, match="noon"):
        now()
    monkeypatch.setenv("CRANFIELD_CLOCK", "2026-01-31T12:00:00")
    assert now().utcoffset() is not None


def test_an_evaluation_that_is_not_there_is_named(tmp_path):
    ledger = Ledger(tmp_path / "l.sqlite")
    with pytest.raises(UnknownName, match="no evaluation @1"):
        ledger.entry(1)
    assert ledger.last() == 0 and ledger.entries() == ()
    assert not (tmp_path / "l.sqlite").exists()


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 100])
def test_packing_loses_nothing(n):
    rng = np.random.default_rng(n)
    values, mask = rng.random(n), rng.random(n) < 0.5
    assert np.array_equal(unpack(pack(values)), values)
    assert np.array_equal(unpack_mask(pack_mask(mask), n), mask)
    assert pack_mask(np.ones(n, bool)) is None


def test_a_large_evaluation_is_small(tmp_path):
    """A hundred thousand queries under two measures in well under the bytes of their floats."""
    n = 100_000
    qrels = {f"q{i}": {"d": 1} for i in range(n)}
    run = {f"q{i}": {"x": 2.0, "d": 1.0} if i % 3 else {"d": 1.0} for i in range(n)}
    scores = evaluate(qrels, {"r": run}, ["RR", "P@1"])
    ledger = Ledger(tmp_path / "l.sqlite")
    ledger.record(scores, about(scores))
    ledger.store.close()
    assert (tmp_path / "l.sqlite").stat().st_size < 1_500_000
    assert np.array_equal(Ledger(tmp_path / "l.sqlite").scores(1).values, scores.values)


# Records until it is killed. Each evaluation has as many runs as its note says, so that one that
# is not whole would be seen.
RECORDER = """
import sys
import time
from pathlib import Path
from cranfield.data.card import RunCard
from cranfield.evaluation.evaluate import evaluate
from cranfield.experiment.entries import About
from cranfield.experiment.ledger import Ledger
ledger = Ledger(Path(sys.argv[1]))
n = 0
end = time.monotonic() + 120  # should nobody come to kill it
while time.monotonic() < end:
    runs = {f"r{i}": {"q1": {"a": 1.0, "b": 0.5}} for i in range(1 + n % 4)}
    scores = evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, runs, ["AP", "nDCG@10", "P@5"])
    k = len(runs)
    cards = tuple(RunCard(name) for name in runs)
    note = f"{sys.argv[2]} {n} {k}"
    about = About("q", "q", (None,) * k, ("f",) * k, cards, note=note)
    ledger.record(scores, about, look="test")
    print(n, flush=True)
    n += 1
"""


def whole(ledger: Ledger) -> list[str]:
    """The notes of all evaluations, once each is known to be whole."""
    assert ledger.store.rows("PRAGMA integrity_check")[0][0] == "ok"
    assert ledger.store.rows("PRAGMA foreign_key_check") == []
    entries = ledger.entries()
    assert [e.id for e in entries] == list(range(1, len(entries) + 1))
    looks = ledger.store.rows("SELECT evaluation, runs FROM looks ORDER BY id")
    assert [row["evaluation"] for row in looks] == [e.id for e in entries]
    cells = ledger.store.rows("SELECT count(*) FROM scores")[0][0]
    assert cells == 3 * sum(len(e.runs) for e in entries)
    for entry, look in zip(entries, looks, strict=True):
        k = int(str(entry.note).split()[2])
        assert len(entry.runs) == len(json.loads(look["runs"])) == k
        assert all(set(r.means) == {"AP", "nDCG@10", "P@5"} for r in entry.runs)
    return [str(e.note) for e in entries]


def test_a_kill_at_any_moment_leaves_whole_evaluations(tmp_path):
    path = tmp_path / "l.sqlite"
    rng = random.Random(1)
    for attempt in range(8):
        recorder = killed.Worker(RECORDER, path, f"w{attempt}", said=tmp_path / "said")
        recorder.wait_for(1)
        time.sleep(rng.uniform(0, 0.25))
        done = recorder.kill()
        ledger = Ledger(path)
        mine = [note for note in whole(ledger) if note.startswith(f"w{attempt} ")]
        assert len(mine) in (done, done + 1), "a finished evaluation is lost"
        ledger.store.close()
    scores = Ledger(path).scores(1)
    assert scores.mean("AP") == 0.5


def test_two_processes_that_record_at_once_lose_nothing(tmp_path):
    path = tmp_path / "l.sqlite"
    recorders = {
        name: killed.Worker(RECORDER, path, name, said=tmp_path / name) for name in ("one", "two")
    }
    for recorder in recorders.values():
        recorder.wait_for(10)
    done = {name: recorder.kill() for name, recorder in recorders.items()}
    notes = whole(Ledger(path))
    for name, n in done.items():
        mine = [int(note.split()[1]) for note in notes if note.startswith(f"{name} ")]
        assert mine == list(range(len(mine))) and len(mine) in (n, n + 1)
