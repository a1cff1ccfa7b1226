"""Pools and samples of them."""

from __future__ import annotations

import random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield
from cranfield.errors import FormatError, NothingToEvaluate, UsageError
from cranfield.judging.poolfile import pool_text, read_pool
from cranfield.judging.pools import fill, inferred_ap, pool_of, pool_qrels, sampled_lines
from cranfield.judging.sets import label_set

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
    known = {q: {d: g for s in whole.strata(q) for d, g in s.items()} for q in whole.queries}
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


def test_mistakes() -> None:
    runs, _ = made(7)
    for depths, rates in (([], []), ([10, 5], [1, 1]), ([5], [0]), ([5], [1.5]), ([5], [1, 1])):
        with pytest.raises(UsageError):
            pool_of(runs, depths, rates)
    with pytest.raises(UsageError):
        pool_of([])
    with pytest.raises(NothingToEvaluate):
        pool_of(runs, queries=["nobody"])
