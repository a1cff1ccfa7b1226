"""Standardised scores of a study, and of one run in several collections."""

from __future__ import annotations

import math
from statistics import NormalDist, mean, stdev

import numpy as np
import pytest

from cranfield import ScoreMatrix
from cranfield.metaeval.across import across, standard_scores


def matrix(values, runs, measures=("AP",), name="c"):
    values = np.asarray(values, float)
    if values.ndim == 2:
        values = values[:, :, None]
    queries = tuple(f"q{i}" for i in range(values.shape[1]))
    return ScoreMatrix(tuple(runs), queries, tuple(measures), values, name)


def test_by_hand():
    rows = [[0.1, 0.4, 0.5], [0.3, 0.2, 0.5], [0.8, 0.6, 0.5]]
    found = standard_scores(matrix(rows, "abc"))
    assert found.references == 3 and found.defined.tolist() == [2]  # q2 tells nothing
    z = [[(row[q] - mean(column)) / stdev(column) for row in rows]
         for q, column in enumerate(list(zip(*rows, strict=True))[:2])]  # fmt: skip
    for r, run in enumerate("abc"):
        assert found.of(run, "AP", "z") == pytest.approx(mean(column[r] for column in z))
        bounded = mean(NormalDist().cdf(column[r]) for column in z)
        assert found.of(run, "AP") == pytest.approx(bounded)
    assert found.of("c", "AP", "ecdf") == 1.0
    assert found.mean[0, 0] == pytest.approx(mean([0.1, 0.3, 0.8]))
    assert found.sd[0, 0] == pytest.approx(stdev([0.1, 0.3, 0.8]))


def test_z_has_mean_0_whatever_the_collection_and_its_scale():
    values = np.random.default_rng(1).random((7, 20))
    easy = standard_scores(matrix(0.5 + values / 2, "abcdefg"))
    hard = standard_scores(matrix(values / 10, "abcdefg"))
    assert easy.means["z"].mean() == pytest.approx(0, abs=1e-12)
    for form in ("z", "normal", "ecdf"):
        assert easy.means[form] == pytest.approx(hard.means[form])
    assert not np.allclose(easy.mean, hard.mean)


def test_a_measure_that_tells_nothing_has_no_value():
    values = np.random.default_rng(2).random((3, 4, 2))
    values[:, :, 1] = 0.25
    found = standard_scores(matrix(values, "abc", ("AP", "flat")))
    assert found.defined.tolist() == [4, 0]
    assert found.of("a", "flat") is None and found.of("a", "AP") is not None
    assert math.isnan(found.means["normal"][0, 1])


def test_runs_that_collections_share():
    rng = np.random.default_rng(3)
    first = standard_scores(matrix(rng.random((3, 5)), ["bm25", "dense", "only here"]))
    second = standard_scores(matrix(rng.random((3, 9)), ["dense", "bm25", "only there"]))
    other = standard_scores(matrix(rng.random((2, 9)), ["bm25", "x"], ("RR",)))
    rows = across([{"given": first}, {"given": second}])
    assert {row.run for row in rows} == {"bm25", "dense"}
    assert rows[0].mean >= rows[1].mean
    for row in rows:
        assert row.values == (first.of(row.run, "AP"), second.of(row.run, "AP"))
        assert row.mean == pytest.approx(mean(row.values))
    assert across([{"given": first}, {"given": other}]) == ()  # no measure in common
    # judgments with one relevant grade have one condition, and stand beside both of another
    assert across([{"binary": first}, {"graded": second}]) == rows
    both = across([{"binary": first, "graded": second}, {"graded": first}])
    assert [row.condition for row in both] == ["binary"] * 3 + ["graded"] * 2
    assert next(r for r in both if r.condition == "graded" and r.run == "bm25").values == (
        second.of("bm25", "AP"),
        first.of("bm25", "AP"),
    )
    lacking = across([{"given": first}, {"given": second}, {"given": other}], "z")
    assert [row.values[2] for row in lacking] == [None, None]
    assert all(row.mean is None for row in lacking)
