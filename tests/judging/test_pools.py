"""Pools and samples of them."""

from __future__ import annotations

import random
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield
from cranfield.errors import FormatError, NothingToEvaluate, UsageError
from cranfield.judging.poolfile import pool_text, read_pool
from cranfield.judging.pools import (
    Pool,
    fill,
    inferred_ap,
    pool_of,
    pool_qrels,
    sampled_lines,
)
from cranfield.judging.sets import LabelSet, label_set

Run = dict[str, dict[str, float]]


def made(seed: int, n: int = 3, depth: int = 30) -> tuple[list[Run], dict[str, dict[str, int]]]:
    rng = random.Random(seed)
    docs = [f"d{i:03}" for i in range(60)]
    truth = {f"q{q}": {d: int(rng.random() < 0.3) for d in docs} for q in range(n)}
    runs = [
        {q: {d: truth[q][d] + skill * rng.random() for d in rng.sample(docs, depth)} for q in truth}
        for skill in (1.2, 2.0)
    ]
    return runs, truth


def top(run: Run, query: str, k: int) -> list[str]:
    return sorted(run[query], key=lambda d: (-run[query][d], d))[:k]


@settings(max_examples=20)
@given(st.integers(0, 50), st.integers(1, 12))
def test_a_pool_is_the_union_of_the_first_documents(seed: int, k: int) -> None:
    runs, _ = made(seed)
    pool = pool_of(runs, [k])
    for q in runs[0]:
        mine = [r for r in pool.rows if r.query == q]
        assert {r.doc for r in mine} == {d for run in runs for d in top(run, q, k)}
        assert all(r.sampled and r.stratum == 1 for r in mine)
        first = {r.doc: r.rank for r in mine}
        assert all(first[top(run, q, k)[0]] == 1 for run in runs)


@settings(max_examples=20)
@given(st.integers(0, 50), st.integers(0, 3))
def test_a_sample_has_its_rate_in_each_stratum(seed: int, draw: int) -> None:
    runs, _ = made(seed)
    pool = pool_of(runs, [3, 10, 20], [1, 0.5, 0.2], seed=draw)
    for q in pool.queries:
        for s, rate in enumerate(pool.rates, 1):
            mine = [r for r in pool.rows if r.query == q and r.stratum == s]
            n = sum(r.sampled for r in mine)
            assert rate * len(mine) <= n + 1e-9 and n < rate * len(mine) + 1
    assert pool_of(runs[::-1], [3, 10, 20], [1, 0.5, 0.2], seed=draw).rows == pool.rows


def test_another_query_or_seed() -> None:
    runs, _ = made(1)
    design = {"depths": [5, 20], "rates": [1, 0.3]}
    whole = pool_of(runs, **design)
    one = pool_of(runs, **design, queries=["q1"])
    assert one.rows == tuple(r for r in whole.rows if r.query == "q1")
    assert pool_of(runs, **design, seed=1).rows != whole.rows


def test_a_pool_comes_back_from_its_file(tmp_path) -> None:
    runs, _ = made(2)
    pool = pool_of(runs, [5, 20], [1, 0.25], seed=3)
    (tmp_path / "p.tsv").write_text(pool_text(pool), encoding="utf-8")
    assert read_pool(tmp_path / "p.tsv") == pool
    (tmp_path / "bad.tsv").write_text(pool_text(pool) + "q\td\t7\t1\t1\t1\n")
    with pytest.raises(FormatError, match="stratum 7 of 2"):
        read_pool(tmp_path / "bad.tsv")
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    with pytest.raises(FormatError, match="no pool"):
        read_pool(tmp_path / "qrels.txt")


def test_filled_it_gives_both_forms() -> None:
    runs = [{"q": {"a": 3.0, "b": 2.0, "c": 1.0}}]
    pool = pool_of(runs, [1, 3], [1, 0.5])
    chosen = next(r.doc for r in pool.rows if r.stratum == 2 and r.sampled)
    other = next(r.doc for r in pool.rows if not r.sampled)
    found = fill(pool, label_set({"q": {"a": 1, chosen: 2, other: 1, "z": 1}}))
    assert (found.labelled, found.missing, found.unused) == (2, 0, 2)
    assert pool_qrels(found.pool).to_dict() == {"q": {"a": 1, chosen: 2, other: -1}}
    lines = sampled_lines(found.pool).splitlines()
    assert sorted(lines) == sorted(["q 0 a 1 1", f"q 0 {chosen} 2 2", f"q 0 {other} 2 -1"])
    unlabelled = fill(pool, label_set({"q": {"a": 1}}))
    assert (unlabelled.labelled, unlabelled.missing) == (1, 1)


def test_one_stratum_infers_what_infap_does() -> None:
    runs, truth = made(5)
    pool = fill(pool_of(runs, [20], [0.4]), label_set(truth)).pool
    for run in runs:
        by_query = cranfield.evaluate(pool_qrels(pool), run, "infAP").per_query()
        assert inferred_ap(pool, run) == pytest.approx(by_query, abs=1e-9)


def test_samples_infer_the_average_precision_of_the_pool() -> None:
    """Over many draws the mean of the estimates comes close; with all labelled it is AP."""
    runs, truth = made(6, n=8)
    whole = fill(pool_of(runs, [30]), label_set(truth)).pool
    known = pool_qrels(whole).to_dict()
    exact = cranfield.evaluate(known, runs[0], "AP").mean()
    assert fmean(inferred_ap(whole, runs[0]).values()) == pytest.approx(exact, abs=1e-4)
    drawn = [
        fmean(
            inferred_ap(
                fill(pool_of(runs, [5, 30], [1, 0.3], seed=s), label_set(truth)).pool, runs[0]
            ).values()
        )
        for s in range(12)
    ]
    assert fmean(drawn) == pytest.approx(exact, rel=0.06)


COVID_SEEDS = 10


@pytest.fixture(scope="module")
def covid(shared) -> tuple[list[Any], LabelSet, Any]:
    """Six runs of TREC-COVID round 1, the labels of their whole pool to depth 100 (what TREC did
    not judge is 0), and AP by these."""
    folder = shared / "runs" / "trec-covid-r1"
    names = sorted(path.name for path in (folder / "runs").iterdir())
    runs = [
        cranfield.read_run(folder / "runs" / name, on_duplicate="first")
        for name in random.Random(0).sample(names, 6)
    ]
    judged = cranfield.read_qrels(folder / "qrels.covid-round1.txt", on_duplicate="first")
    grades = label_set(judged).grades()
    known: dict[str, dict[str, float]] = {}
    for row in pool_of(runs, [100]).rows:
        known.setdefault(row.query, {})[row.doc] = max(0, grades.get((row.query, row.doc), 0))
    return runs, label_set(known), cranfield.evaluate(known, runs, "AP")


@pytest.mark.parametrize(
    ("depths", "rates"), [([10, 50, 100], [1, 0.3, 0.1]), ([5, 20, 100], [1, 0.5, 0.2])]
)
def test_real_runs_keep_their_average_precision(covid, depths, rates) -> None:
    """A third of the pool: over the seeds the estimate of every run stands within 6 % of AP or
    .002, far nearer than AP that takes the rest for not relevant; and the number of relevant
    documents, which is estimated without a ratio, has no bias at all."""
    runs, labels, exact = covid
    at = {q: i for i, q in enumerate(exact.queries)}
    truth = exact.values[:, :, 0]
    drawn, naive, found = [], [], []
    for seed in range(COVID_SEEDS):
        pool = fill(pool_of(runs, depths, rates, seed=seed), labels).pool
        estimates = np.zeros_like(truth)
        scores = cranfield.evaluate(pool_qrels(pool), runs, "xinfAP")
        estimates[:, [at[q] for q in scores.queries]] = scores.values[:, :, 0]
        drawn.append(estimates.mean(axis=1))
        plain = {q: {} for q in exact.queries}
        for row in pool.rows:
            plain[row.query][row.doc] = row.grade or 0
        naive.append(cranfield.evaluate(plain, runs, "AP").values[:, :, 0].mean(axis=1))
        found.append(relevant(pool))
    off = np.mean(drawn, axis=0) - truth.mean(axis=1)
    assert (np.abs(off) < np.maximum(0.06 * truth.mean(axis=1), 0.002)).all(), off
    assert np.abs(off).sum() < np.abs(np.mean(naive, axis=0) - truth.mean(axis=1)).sum() / 3
    R = sum(grade >= 1 for grade in labels.grades().values())
    assert abs(np.mean(found) - R) < 3 * np.std(found, ddof=1) / COVID_SEEDS**0.5
    best = truth.mean(axis=1).argsort()
    assert all((estimate.argsort() == best).all() for estimate in drawn)


def relevant(pool: Pool) -> float:
    """Of the whole pool, estimated from its sample."""
    strata: dict[tuple[str, int], list[float | None]] = {}
    for row in pool.rows:
        strata.setdefault((row.query, row.stratum), []).append(row.grade)
    total = 0.0
    for grades in strata.values():
        known = [g for g in grades if g is not None]
        total += len(grades) * sum(g >= 1 for g in known) / len(known)
    return total


def test_mistakes() -> None:
    runs, _ = made(7)
    for depths, rates in (([], []), ([10, 5], [1, 1]), ([5], [0]), ([5], [1.5]), ([5], [1, 1])):
        with pytest.raises(UsageError):
            pool_of(runs, depths, rates)
    with pytest.raises(UsageError):
        pool_of([])
    with pytest.raises(NothingToEvaluate):
        pool_of(runs, queries=["nobody"])
