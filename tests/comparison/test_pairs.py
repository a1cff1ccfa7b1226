"""All pairs, and the groups that cannot be told apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import compare_scores, evaluate
from cranfield.comparison.pairs import draws, groups


def test_three_published_systems(scores, sakai):
    """Randomised Tukey HSD of Sakai 2018, table 5.1: about .306, .108 and .892."""
    (pairs,) = compare_scores(scores(sakai)).pairs
    assert pairs.runs == ("A", "B", "C")
    assert pairs.p[0, 1] == pytest.approx(0.306, abs=0.006)
    assert pairs.p[0, 2] == pytest.approx(0.108, abs=0.006)
    assert pairs.p[1, 2] == pytest.approx(0.892, abs=0.006)
    assert pairs.groups == ((0, 1, 2),)
    assert (pairs.n, pairs.p[0, 0]) == (20, 1.0)


def test_two_systems_have_no_matrix(scores, sakai):
    assert compare_scores(scores({k: sakai[k] for k in "AB"})).pairs == ()


def test_systems_far_apart_are_told_apart(scores):
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 0.02, (4, 40))
    runs = {f"s{i}": (level + noise[i]) for i, level in enumerate((0.8, 0.79, 0.5, 0.2))}
    (pairs,) = compare_scores(scores(runs), resamples=2000).pairs
    assert set(pairs.runs[:2]) == {"s0", "s1"}
    assert [len(g) for g in pairs.groups] in ([2, 1, 1], [1, 1, 1, 1])
    assert pairs.groups[-2:] == ((2,), (3,))
    assert list(pairs.means) == sorted(pairs.means, reverse=True)


def test_runs_without_a_verdict_are_not_paired(scores, sakai):
    silent = {"C": {"missing": tuple(f"q{i:03}" for i in range(5))}}
    found = compare_scores(scores(sakai, reports=silent), resamples=200)
    assert found.pairs == ()
    (remark,) = [c for c in found.cautions if c.key == "not_paired"]
    assert remark.values == {"measure": "AP", "n": 1, "runs": ("C",)}
    four = {**sakai, "D": sakai["A"][::-1]}
    (pairs,) = compare_scores(scores(four, reports=silent), resamples=200).pairs
    assert set(pairs.runs) == {"A", "B", "D"}


@given(st.lists(st.integers(0, 100), min_size=1, max_size=8), st.integers(1, 60))
def test_groups_are_the_largest_sets_without_a_pair_told_apart(values, reach):
    means = np.array(sorted(values, reverse=True), float)
    p = np.where(np.abs(means[:, None] - means) > reach, 0.01, 0.5)
    sets = [
        set(some)
        for size in range(1, len(means) + 1)
        for some in combinations(range(len(means)), size)
        if all(p[i, j] >= 0.05 for i, j in combinations(some, 2))
    ]
    largest = [s for s in sets if not any(s < other for other in sets)]
    found = [set(g) for g in groups(p, 0.05)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, largest))


@pytest.mark.slow
def test_all_pairs_of_143_real_runs(shared):
    folder = shared / "runs" / "trec-covid-r1"
    runs = sorted(map(str, (folder / "runs").iterdir()))
    scored = evaluate(folder / "qrels.covid-round1.txt", runs, "nDCG@10")
    found = compare_scores(scored, resamples=5000)
    (pairs,) = found.pairs
    assert (len(pairs.runs), pairs.n, found.choices.hypotheses) == (143, 30, 142)
    assert (pairs.p == pairs.p.T).all() and (pairs.p > 0).all()
    assert {s for group in pairs.groups for s in group} == set(range(143))
    assert 10 < len(pairs.groups) < 100
    for group in pairs.groups:
        assert (pairs.p[np.ix_(group, group)] >= 0.05).all()
    # the family-wise test of all pairs finds less than each pair does alone
    base = pairs.runs.index(found.base)
    alone = {row.run: row.p for row in found.differences}
    weaker = [
        alone[run] <= pairs.p[base, i] + 0.02 for i, run in enumerate(pairs.runs) if i != base
    ]
    assert all(weaker)
    kinds = {row.verdict.kind for row in found.differences}
    assert kinds == {"better", "worse", "undecided"}


def test_several_measures_are_paired_as_each_would_be_alone():
    rng = np.random.default_rng(4)
    queries = [f"q{i}" for i in range(12)]
    qrels = {q: {f"d{j}": int(rng.integers(0, 3)) for j in range(6)} for q in queries}
    qrels["q0"] = {"d0": 0}  # left out of one measure below and kept in the other
    runs = {
        name: {q: {f"d{j}": float(rng.random()) for j in range(6)} for q in queries}
        for name in "abcd"
    }
    measures = ["AP", "P@2", "nDCG@3"]

    def pairs(asked):
        scores = evaluate(qrels, runs, asked)
        scores.valid[:, 3, 1:2] = False
        return compare_scores(scores, resamples=300, seed=2).pairs

    together = pairs(measures)
    assert [p.n for p in together] == [12, 11, 12]
    assert len({p.p.tobytes() for p in together}) == 3
    for i in (0, 2):
        scores = evaluate(qrels, runs, [measures[i]])
        (alone,) = compare_scores(scores, resamples=300, seed=2).pairs
        assert np.array_equal(alone.p, together[i].p) and alone.groups == together[i].groups


def test_many_systems_are_drawn_less_often_and_few_as_asked():
    assert draws(100_000, (3, 20)) == 100_000
    assert draws(100_000, (143, 250)) == 11_188
    assert draws(100_000, (500, 1000)) == 10_000
    assert draws(500, (500, 1000)) == 500
