"""The randomisation test: three ways to count that must agree."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from cranfield.errors import UsageError
from cranfield.stats.flips import _halves_share, randomisation, subset_share

Array = NDArray[np.float64]


def _enumerated(d: Array) -> float:
    signs = np.array(list(itertools.product((1.0, -1.0), repeat=len(d))))
    return float(np.mean(np.abs(signs @ d) >= abs(d.sum()) - 1e-10))


@given(st.lists(st.integers(-40, 40).map(lambda v: v / 100), min_size=2, max_size=11))
def test_short_decimals_are_counted(values: list[float]) -> None:
    d = np.array(values)
    found = randomisation(d, method="exact")
    assert found.p == pytest.approx(_enumerated(d), abs=1e-12)
    assert found.method == "exact"


@given(st.lists(st.floats(-1, 1, allow_nan=False), min_size=2, max_size=11))
def test_any_numbers_are_counted(values: list[float]) -> None:
    d = np.round(np.array(values), 7)
    assert randomisation(d).p == pytest.approx(_enumerated(d), abs=1e-12)


def test_thirds_are_equal_to_thirds() -> None:
    """Multiples of 1/3 and 1/6 are no decimals; equal sums must count as equal all the same."""
    whole = np.array([1, 2, 1, -2, 3, 1, -1, 2, 2, 1, 1, -1])
    expected = randomisation(whole, method="exact").p
    assert expected == pytest.approx(_enumerated(whole.astype(float)), abs=1e-15)
    x, y = whole / 3 + 1 / 7, np.full(12, 1 / 7)
    assert randomisation(x - y, method="exact").p == expected
    drawn = randomisation(x - y, method="monte-carlo", resamples=20_000)
    assert drawn.p == randomisation(whole, method="monte-carlo", resamples=20_000).p


@given(
    st.lists(st.integers(1, 60), min_size=1, max_size=14),
    st.integers(0, 400),
)
def test_two_ways_to_count_subsets(values: list[int], reach: int) -> None:
    whole = np.array(values, np.int64)
    sums = np.array(list(itertools.product((0, 1), repeat=len(whole)))) @ whole
    expected = np.mean(sums <= reach)
    assert subset_share(whole, reach) == expected
    assert _halves_share(whole, reach) == expected


def test_forty_long_differences_are_counted() -> None:
    d = np.random.default_rng(3).normal(0.25, 1, 40)
    found = randomisation(d, method="exact")
    drawn = randomisation(d, method="monte-carlo")
    assert found.p is not None and drawn.p is not None
    assert drawn.p == pytest.approx(found.p, abs=4 * (found.p / 100_000) ** 0.5)
    # an independent count: the central limit is near at this size
    assert found.p == pytest.approx(stats.ttest_1samp(d, 0).pvalue, abs=0.01)


def test_long_and_many_are_drawn() -> None:
    d = np.random.default_rng(4).normal(0, 1, 60)
    assert randomisation(d).method == "Monte Carlo, 100000 resamples, seed 0"
    with pytest.raises(UsageError, match="too many for the exact test"):
        randomisation(d, method="exact")
    # four decimals make a unit: counted
    assert randomisation(np.round(d, 4)).method == "exact"


@settings(max_examples=20)
@given(
    st.lists(st.integers(-9, 9).map(lambda v: v / 20), min_size=2, max_size=30), st.integers(0, 9)
)
def test_monte_carlo_is_near(values: list[float], seed: int) -> None:
    d = np.array(values)
    exact = randomisation(d, method="exact").p
    drawn = randomisation(d, method="monte-carlo", resamples=4000, seed=seed).p
    assert exact is not None and drawn is not None
    assert abs(drawn - exact) <= 5.5 * (exact * (1 - exact) / 4000) ** 0.5 + 2 / 4001
    assert drawn >= 1 / 4001


def test_it_is_scipys(ab: Array) -> None:
    """SciPy enumerates too, for so few."""
    d = np.round(ab, 12)[:12]
    other = stats.permutation_test(
        (d,), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=True
    )
    assert randomisation(d).p == pytest.approx(other.pvalue, abs=1e-12)


def test_the_seed_is_recorded(ab: Array) -> None:
    first, second = (randomisation(ab, method="monte-carlo", seed=s) for s in (0, 1))
    assert first.p != second.p
    assert first == randomisation(ab, method="monte-carlo", seed=0)
    assert second.details["seed"] == 1 and "seed 1" in second.method
    with pytest.raises(UsageError, match="no method"):
        randomisation(ab, method="fast")  # type: ignore[arg-type]
