"""Tests of two systems, against SciPy, statsmodels, and counting everything."""

from __future__ import annotations

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats import descriptivestats

from cranfield.errors import UsageError
from cranfield.stats.significance import (
    Test,
    bootstrap_asl,
    paired_t,
    randomisation,
    sign_test,
    wilcoxon,
)

Array = NDArray[np.float64]

differences = st.lists(st.floats(-1, 1, allow_nan=False), min_size=2, max_size=40)
few = st.lists(st.integers(-6, 6).map(lambda v: v / 10), min_size=2, max_size=10)
ALL = (paired_t, wilcoxon, sign_test, randomisation, bootstrap_asl)


def _enumerated(d: Array, statistic: object) -> float:
    """The share of all changes of sign with a statistic at least as far out."""
    seen = statistic(d)  # type: ignore[operator]
    every = itertools.product((1, -1), repeat=len(d))
    drawn = [statistic(d * np.array(s)) for s in every]  # type: ignore[operator]
    return float(np.mean([v >= seen - 1e-9 for v in drawn]))


@given(differences)
def test_t_is_scipys(values: list[float]) -> None:
    d = np.round(np.array(values), 6)
    found = paired_t(d)
    if np.ptp(d) == 0:
        assert found.p == (1.0 if d[0] == 0 else 0.0)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = stats.ttest_1samp(d, 0)
    if np.abs(d).max() > 1e4 * d.std():  # both lose digits where the spread is lost in the mean
        return
    assert found.statistic == pytest.approx(other.statistic, rel=1e-9, abs=1e-12)
    assert found.p == pytest.approx(other.pvalue, rel=1e-8)


@given(few)
def test_wilcoxon_counts_all_signs(values: list[float]) -> None:
    d = np.array(values)
    kept = d[d != 0]
    found = wilcoxon(d)
    ranks = stats.rankdata(np.abs(kept))

    def away(signed: Array) -> float:
        return abs(float((np.sign(signed) * ranks).sum()))

    assert found.p == pytest.approx(_enumerated(kept, away) if len(kept) else 1.0, abs=1e-12)
    assert found.details["W+"] == ranks[kept > 0].sum()
    assert found.details["W-"] == ranks[kept < 0].sum()
    assert found.details["zeros"] == len(d) - len(kept)


@given(st.lists(st.integers(-30, 30).map(lambda v: v / 100), min_size=12, max_size=60))
def test_wilcoxon_by_the_normal_is_scipys(values: list[float]) -> None:
    d = np.array(values)
    if np.count_nonzero(d) < 5:
        return
    for continuity in (False, True):
        other = stats.wilcoxon(d, method="approx", correction=continuity)
        found = wilcoxon(d, "normal", continuity)
        assert found.p == pytest.approx(min(1.0, other.pvalue), rel=1e-9, abs=1e-12)
        assert found.statistic == other.statistic


def test_wilcoxon_without_ties_is_scipys_exact() -> None:
    d = np.random.default_rng(5).normal(0.3, 1, 45)
    other = stats.wilcoxon(d, method="exact")
    assert wilcoxon(d).p == pytest.approx(other.pvalue, rel=1e-9)
    assert wilcoxon(d).method == "exact"
    longer = np.random.default_rng(6).normal(0.1, 1, 400)
    assert wilcoxon(longer).method == "normal approximation"
    exact = wilcoxon(longer, "exact")
    assert exact.p == pytest.approx(wilcoxon(longer, "normal").p, rel=0.02)


def test_wilcoxon_rounds_before_it_ranks() -> None:
    d = np.array([0.3 - 0.2, 0.2 - 0.1, 0.1 - 0.2, 0.5])
    assert wilcoxon(d).details == {"W+": 8.0, "W-": 2.0, "zeros": 0.0}


@given(few, st.sampled_from([0.0, 0.1, 0.25]))
def test_sign_is_the_binomial(values: list[float], least: float) -> None:
    d = np.array(values)
    found = sign_test(d, least)
    plus, minus = int((d > least).sum()), int((d < -least).sum())
    assert found.details == {
        "positive": plus,
        "negative": minus,
        "dropped": len(d) - plus - minus,
    }
    if plus + minus:
        assert found.p == pytest.approx(stats.binomtest(plus, plus + minus).pvalue, abs=1e-12)
        if least == 0:
            assert found.p == pytest.approx(descriptivestats.sign_test(d)[1], abs=1e-12)
    else:
        assert found.p == 1


def test_sign_with_very_many_topics() -> None:
    d = np.where(np.arange(5000) < 2560, 0.1, -0.1)
    assert sign_test(d).p == pytest.approx(stats.binomtest(2560, 5000).pvalue, rel=1e-9)
    assert sign_test(d[:1000]).p == 2 / 2**1000


def test_zero_spread(ab: Array) -> None:
    for test in (paired_t, bootstrap_asl):
        same, better, worse = test([0.0] * 5), test([0.1] * 5), test([-0.1] * 5)
        assert (same.statistic, same.p) == (0.0, 1.0)
        assert (better.statistic, better.p) == (math.inf, 0.0)
        assert (worse.statistic, worse.p) == (-math.inf, 0.0)
    noisy = [0.3 - 0.2, 0.2 - 0.1, 0.4 - 0.3]
    assert paired_t(noisy).p == 0


@pytest.mark.parametrize("test", ALL)
def test_too_few_topics_say_so(test: object) -> None:
    for d, why in (([], "no topic"), ([0.3], "one topic: nothing is known of the spread")):
        found = test(d)  # type: ignore[operator]
        assert isinstance(found, Test)
        assert (found.p, found.statistic, found.n, found.reason) == (None, None, len(d), why)


@given(differences, st.randoms())
def test_the_order_of_topics_does_not_matter(values: list[float], chance: object) -> None:
    d = np.array(values)
    other = d.copy()
    chance.shuffle(other)  # type: ignore[attr-defined]
    assert wilcoxon(d) == wilcoxon(other)
    assert sign_test(d) == sign_test(other)
    assert randomisation(d) == randomisation(other)
    assert paired_t(d).p == pytest.approx(paired_t(other).p, rel=1e-9, abs=1e-300)


@given(differences)
def test_exchanging_the_systems_changes_only_signs(values: list[float]) -> None:
    d = np.array(values)
    for test in ALL:
        there, back = test(d), test(-d)
        assert there.p == back.p and there.p is not None and 0 <= there.p <= 1
        if test in (paired_t, randomisation, bootstrap_asl):
            assert there.statistic == -(back.statistic or 0)
    found, other = wilcoxon(d).details, wilcoxon(-d).details
    assert (found["W+"], found["W-"]) == (other["W-"], other["W+"])


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match="no method 'best'"):
        wilcoxon([1, 2], "best")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="too many for the exact test"):
        wilcoxon(np.arange(1, 1002), "exact")
    with pytest.raises(UsageError, match="min_d must be"):
        sign_test([1, 2], -1)
