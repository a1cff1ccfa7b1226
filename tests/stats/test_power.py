from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import FTestAnovaPower, TTestPower

from cranfield.errors import UsageError
from cranfield.stats.power import (
    design_anova,
    design_interval,
    design_t,
    detectable,
    power,
    queries_needed,
)


@given(st.integers(2, 400), st.floats(0, 1), st.sampled_from([0.01, 0.05, 0.1]))
def test_power_is_statsmodels(n: int, d: float, alpha: float) -> None:
    other = TTestPower().power(d, n, alpha) if d else alpha
    if np.isnan(other):  # it gives up far above the critical value
        assert power(n, d, alpha) > 0.9999
        return
    assert power(n, d, alpha) == pytest.approx(other, abs=1e-7)
    assert power(n, -d, alpha) == power(n, d, alpha)


@settings(max_examples=60)
@given(st.floats(0.01, 4), st.sampled_from([0.001, 0.05, 0.2]), st.floats(0.3, 0.99))
def test_the_fewest_queries(d: float, alpha: float, wanted: float) -> None:
    n = queries_needed(d, 1, alpha=alpha, power=wanted)
    assert power(n, d, alpha) >= wanted
    assert n == 2 or power(n - 1, d, alpha) < wanted
    assert queries_needed(-d * 3, 3, alpha=alpha, power=wanted) in (n - 1, n, n + 1)
    if wanted > alpha:
        least = detectable(n, alpha=alpha, power=wanted)
        assert least is not None and least <= d * (1 + 1e-9)
        assert power(n, least, alpha) == pytest.approx(wanted, abs=1e-9)


def test_what_small_sets_detect() -> None:
    found = [detectable(n) for n in (15, 25, 30, 50, 100, 249)]
    assert [round(v or 0, 3) for v in found] == [0.778, 0.584, 0.529, 0.404, 0.283, 0.178]
    assert detectable(30, sd=0.2) == pytest.approx(0.2 * (detectable(30) or 0))
    assert detectable(1) is None and detectable(0) is None
    assert (detectable(5) or 0) > 1.6 and (detectable(2) or 0) > 11


def test_millions_do_not_hang() -> None:
    begun = time.monotonic()
    assert queries_needed(0.0005, 1) == pytest.approx(31_395_444, rel=1e-6)
    assert design_interval(1e-4, 0.2).n == pytest.approx(61_463_344, rel=1e-6)
    assert design_anova(20, 0.0005, 0.2).n > 1_000_000
    normal = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert detectable(10**7) == pytest.approx(normal / 10**3.5, rel=3e-6)  # + one tail
    assert time.monotonic() - begun < 5
    with pytest.raises(UsageError, match="more than 1,000,000,000 queries"):
        queries_needed(1e-6, 1)


@pytest.mark.parametrize(
    ("m", "difference", "sd"),
    [(2, 0.1, 0.2), (3, 1.0, 0.9), (10, 0.1, 0.2), (50, 0.05, 0.25), (100, 0.02, 0.2)],
)
def test_designs_by_variance_are_statsmodels(m: int, difference: float, sd: float) -> None:
    found = design_anova(m, difference, sd)
    f = difference / sd / math.sqrt(2 * m)
    theirs = FTestAnovaPower()
    assert found.attained == pytest.approx(theirs.power(f, m * found.n, 0.05, m), abs=1e-9)
    assert found.attained >= 0.8 > theirs.power(f, m * (found.n - 1), 0.05, m)


def test_designs_by_variance_by_simulation() -> None:
    """The best and the worst differ by the least difference, the others lie in the middle."""
    m, difference, sd = 4, 0.15, 0.2
    found = design_anova(m, difference, sd)
    means = np.array([difference / 2, 0, 0, -difference / 2])
    x = np.random.default_rng(0).normal(means[:, None], sd, (2000, m, found.n))
    p = stats.f_oneway(*np.moveaxis(x, 1, 0), axis=1).pvalue
    attained = found.attained
    assert abs(np.mean(p < 0.05) - attained) < 4 * (attained * (1 - attained) / 2000) ** 0.5


def test_designs_by_width() -> None:
    for width, sd in ((0.1, 0.2), (0.05, 0.3), (10, 0.1)):
        found = design_interval(width, sd)
        assert found.attained <= width
        if found.n > 2:
            df = found.n - 2
            one_less = 2 * stats.t.ppf(0.975, df) * sd / math.sqrt(df + 1)
            assert one_less * (1 - 1 / (4 * df)) > width
    assert design_t(0.5).n == 34


def test_a_difference_without_spread_needs_two() -> None:
    assert queries_needed(0.1, 0) == 2
    assert power(2, 1e6) == pytest.approx(1, abs=1e-12) and power(10**6, 0.5) == 1
    assert power(30, 0) == pytest.approx(0.05, abs=1e-12)


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: power(1, 0.5), "two topics or more"),
        (lambda: power(5, math.nan), "d_z must be a finite number"),
        (lambda: power(5, 1, 0), "alpha must lie"),
        (lambda: queries_needed(0, 1), "difference must be a number above 0"),
        (lambda: queries_needed(0.1, -1), "sd must be a number above 0"),
        (lambda: detectable(5, -1), "sd must be a number from 0 on"),
        (lambda: detectable(5, alpha=0.5, power=0.4), "not below the power"),
        (lambda: design_anova(1, 0.1, 1), "two systems or more"),
        (lambda: design_interval(0, 1), "width must be"),
    ],
)
def test_what_is_refused(call: object, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        call()  # type: ignore[operator]
