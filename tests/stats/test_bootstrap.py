from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from cranfield.errors import UsageError
from cranfield.stats.bootstrap import Method, bootstrap_asl, bootstrap_interval
from cranfield.stats.resampling import indices

Array = NDArray[np.float64]
METHODS: tuple[Method, ...] = ("percentile", "bca", "studentised")


def test_the_level_word_by_word(ab: Array) -> None:
    """The definition, sample by sample, with the samples that are drawn."""
    d = np.round(ab, 12)
    n, mean = len(d), d.mean()
    seen = abs(mean) / (d.std(ddof=1) / math.sqrt(n))
    found = 0
    for sample in indices(7, 0, 500, n):
        w = (d - mean)[sample]
        spread = w.std(ddof=1) / math.sqrt(n)
        found += spread > 0 and abs(w.mean()) / spread >= seen
    assert bootstrap_asl(d, resamples=500, seed=7).p == found / 500


@pytest.mark.parametrize("method", METHODS)
def test_intervals_are_near_scipys(method: Method) -> None:
    d = np.random.default_rng(8).exponential(1, 60)
    found = bootstrap_interval(d, method=method, resamples=40_000)
    assert found.low is not None and found.high is not None
    if method == "studentised":  # not in SciPy
        t = stats.t.interval(0.95, 59, d.mean(), d.std(ddof=1) / math.sqrt(60))
        assert found.high - found.low > t[1] - t[0]  # a long tail to the right
        assert found.high - d.mean() > d.mean() - found.low
        return
    other = stats.bootstrap(
        (d,), np.mean, n_resamples=40_000, method={"bca": "BCa"}.get(method, method), rng=1
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx(tuple(other), abs=0.012)


def test_bca_word_by_word(ab: Array) -> None:
    d, n, normal = np.round(ab, 12), 20, NormalDist()
    means = np.sort(np.round(d[indices(0, 0, 2000, n)].mean(axis=1), 12))
    mean = round(float(d.mean()), 12)
    bias = normal.inv_cdf(((means < mean).mean() + (means <= mean).mean()) / 2)
    left_out = np.array([np.delete(d, i).mean() for i in range(n)])
    off = left_out.mean() - left_out
    pull = (off**3).sum() / (6 * (off**2).sum() ** 1.5)
    expected = []
    for tail in (0.05, 0.95):
        z = bias + normal.inv_cdf(tail)
        place = normal.cdf(bias + z / (1 - pull * z)) * 1999
        expected.append(means[math.floor(place + 0.5)])
    found = bootstrap_interval(d, 0.9, method="bca", resamples=2000)
    assert [found.low, found.high] == pytest.approx(expected, abs=1e-12)


@settings(max_examples=30)
@given(st.lists(st.floats(-1, 1, allow_nan=False), min_size=2, max_size=25))
def test_intervals_nest_and_turn_round(values: list[float]) -> None:
    d = np.array(values)
    for method in METHODS:
        wide = bootstrap_interval(d, 0.99, method=method, resamples=400)
        narrow = bootstrap_interval(d, 0.8, method=method, resamples=400)
        if wide.low is None or wide.high is None:
            assert wide.reason and method == "studentised"
            continue
        assert narrow.low is not None and narrow.high is not None
        assert wide.low <= narrow.low <= narrow.high <= wide.high
        back = bootstrap_interval(-d, 0.99, method=method, resamples=400)
        assert back.low == pytest.approx(-wide.high, abs=1e-9)


def test_samples_without_spread() -> None:
    """Three topics: one sample in nine has one value, and the studentised interval no end."""
    found = bootstrap_interval([0.1, 0.2, 0.4], method="studentised")
    assert found.low is None and found.high is None
    assert found.reason == "too many samples of 3 topics have no spread"
    # one topic of fifty differs: in a third of the samples it is missing, and t is 0; t reaches
    # the one seen, 1, in the samples that hold the topic three times or more
    one = np.zeros(50)
    one[7] = 0.3
    assert bootstrap_asl(one).p == pytest.approx(stats.binom.sf(2, 50, 1 / 50), abs=0.01)


@pytest.mark.parametrize("method", METHODS)
def test_without_spread_or_topics(method: Method) -> None:
    found = bootstrap_interval([0.2] * 4, method=method)
    assert (found.low, found.high) == (0.2, 0.2)
    for d in ([], [0.2]):
        nothing = bootstrap_interval(d, method=method)
        assert nothing.low is None and nothing.reason is not None


def test_what_is_refused() -> None:
    with pytest.raises(UsageError, match="no method 'normal'"):
        bootstrap_interval([1, 2], method="normal")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="level must lie"):
        bootstrap_interval([1, 2], 95)
    with pytest.raises(UsageError, match="resamples must be"):
        bootstrap_asl([1, 2], resamples=0)
