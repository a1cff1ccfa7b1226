"""The interval from limits alone: what it must equal, its definition sampled, its coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.stats.extremes import bounded_interval, doubt_of


@pytest.mark.parametrize(("successes", "n"), [(0, 5), (0, 30), (3, 10), (20, 100), (7, 7)])
def test_of_zeros_and_ones_it_is_the_exact_binomial_interval(successes: int, n: int) -> None:
    from scipy.stats import binomtest

    known = binomtest(successes, n).proportion_ci(0.95, "exact")
    found = bounded_interval([1] * successes + [0] * (n - successes), 0, 1)
    assert found == pytest.approx((known.low, known.high), abs=1e-7)


@pytest.mark.parametrize("n", [1, 10, 200])
def test_it_is_the_quantile_of_its_definition(n: int) -> None:
    rng = np.random.default_rng(n)
    x = rng.beta(0.8, 0.8, n) - 0.4
    draws = rng.exponential(size=(20_000, n + 1))
    weights = draws / draws.sum(axis=1, keepdims=True)
    low, high = bounded_interval(x, -1, 1, 0.9)
    # sampled chances of 20 000 are off by less than four standard errors
    assert np.mean(weights @ np.append(x, 1) > high) == pytest.approx(0.05, abs=0.0062)
    assert np.mean(weights @ np.append(x, -1) < low) == pytest.approx(0.05, abs=0.0062)


@given(st.lists(st.sampled_from([-0.7, -0.2, 0.0, 0.1, 0.6]), min_size=1, max_size=12))
def test_it_turns_with_the_values_and_knows_no_order(x: list[float]) -> None:
    low, high = bounded_interval(x, -1, 1)
    assert -1 <= low <= np.mean(x) <= high <= 1
    assert bounded_interval(x[::-1], -1, 1) == (low, high)
    turned = bounded_interval([-v for v in x], -1, 1)
    assert turned == pytest.approx((-high, -low), abs=1e-7)
    assert bounded_interval([3 * v + 1 for v in x], -2, 4) == pytest.approx(
        (3 * low + 1, 3 * high + 1), abs=1e-6
    )


def test_rare_values_that_a_sample_lacks_are_allowed_for() -> None:
    rng, held = np.random.default_rng(2), 0
    for _ in range(300):
        x = np.where(rng.random(20) < 0.05, 0.8, 0.0)
        low, high = bounded_interval(x, 0, 1)
        held += low <= 0.04 <= high
    assert held >= 285


def test_doubts() -> None:
    even = np.linspace(0, 1, 30)
    assert doubt_of(even, 0.1, 1.0) is None
    assert doubt_of(even, 0.03, 1.0) == "narrow"
    assert doubt_of(even, 0.03, math.inf) is None
    assert doubt_of(np.append(np.zeros(24), np.arange(1.0, 7)), 0.2, 1.0) == "few"
    assert doubt_of(np.append(np.zeros(24), np.arange(1.0, 8)), 0.2, 1.0) is None
    assert doubt_of(np.append(even / 100, 1.0), 0.2, 1.0) == "lone"
    assert doubt_of(np.zeros(3), 0.0, math.inf) == "few"


def test_refusals() -> None:
    for x, low, high in (([], 0, 1), ([2.0], 0, 1), ([0.0], 0, 0)):
        with pytest.raises(InputError):
            bounded_interval(x, low, high)
