"""Significant pairs counted without p-values, against t-tests made one by one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats as scipy_stats
from tests.metaeval.conftest import TOY

from cranfield.metaeval.counting import critical, significant, statistics
from cranfield.metaeval.discrimination import LEVELS
from cranfield.stats.pairs import paired_t_all
from cranfield.stats.resampling import multiplicities

X = np.array(TOY)


def upper(p):
    return p[np.triu_indices(len(p), 1)]


def test_the_toy():
    p = paired_t_all(X).p
    assert p[0, 1] == pytest.approx(0.0583293028, abs=1e-10)
    assert p[0, 2] == pytest.approx(0.2037134966, abs=1e-10)
    assert p[1, 2] == pytest.approx(0.3906840165, abs=1e-10)
    assert p[1, 3] == 1
    assert significant(X, np.ones((1, 6)), LEVELS).tolist() == [[0] * 14 + [2]]


def test_the_critical_value_is_that_of_t():
    for n in (2, 6, 50, 249):
        t = scipy_stats.t.ppf(1 - np.array(LEVELS) / 2, n - 1)
        assert critical(LEVELS, n) == pytest.approx(t**2 / (n - 1 + t**2), rel=1e-10)


scores = arrays(
    np.float64,
    st.tuples(st.integers(2, 7), st.integers(2, 12)),
    elements=st.sampled_from([0.0, 0.1, 0.2, 0.3, 1 / 3, 0.5, 0.9, 1.0]),
)


@given(scores)
def test_counts_are_those_of_p_values(x):
    p = upper(paired_t_all(x).p)
    expected = [int(np.count_nonzero(p < level)) for level in LEVELS]
    assert significant(x, np.ones((1, x.shape[1])), LEVELS)[0].tolist() == expected


@given(scores)
def test_statistics_are_those_of_t_tests(x):
    t = np.abs(upper(paired_t_all(x).statistic))
    found = statistics(x, np.ones((1, x.shape[1])))[0]
    assert found[np.isinf(t)].tolist() == t[np.isinf(t)].tolist()
    assert found == pytest.approx(t, rel=1e-6, abs=1e-9)


def test_samples_are_as_if_their_queries_stood_there_several_times():
    rng = np.random.default_rng(1)
    x = rng.normal(0, 0.1, (9, 20)) + rng.normal(0, 0.05, (9, 1))
    weights = multiplicities(5, 0, 30, 20)
    weights[0, :] = np.arange(20) < 7  # a part of the queries, of another size
    found = significant(x, weights, LEVELS)
    t = statistics(x, weights)
    for b, row in enumerate(weights):
        sample = np.repeat(x, row.astype(int), axis=1)
        pairs = list(itertools.combinations(range(9), 2))
        tests = [scipy_stats.ttest_rel(sample[i], sample[j]) for i, j in pairs]
        p = np.array([test.pvalue for test in tests])
        assert found[b].tolist() == [int((p < level).sum()) for level in LEVELS]
        assert t[b] == pytest.approx(np.abs([test.statistic for test in tests]), rel=1e-9)


def test_equal_runs_and_constant_differences():
    x = np.array([[0.3, 0.2, 0.9], [0.2, 0.1, 0.8], [0.3, 0.2, 0.9]])
    # .3 - .2 and .2 - .1 are different floats; the difference is .1 on every query all the same
    assert significant(x, np.ones((1, 3)), (0.001, 0.1)).tolist() == [[2, 2]]
    assert statistics(x, np.ones((1, 3))).tolist() == [[np.inf, 0, np.inf]]


def test_threads_and_blocks_change_nothing():
    rng = np.random.default_rng(2)
    x = rng.random((60, 15))  # 1770 pairs: two blocks
    weights = multiplicities(0, 0, 1100, 15)  # and two of samples
    one = significant(x, weights, LEVELS)
    assert (significant(x, weights, LEVELS, threads=3) == one).all()
    assert (significant(x, weights[1050:1060], LEVELS) == one[1050:1060]).all()


def test_progress_comes_to_the_whole():
    told = []
    significant(
        np.random.default_rng(3).random((60, 5)), np.ones((3, 5)), (0.05,), advance=told.append
    )
    assert len(told) > 1 and sum(told) == pytest.approx(1)
