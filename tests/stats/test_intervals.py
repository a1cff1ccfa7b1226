from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from cranfield.errors import UsageError
from cranfield.stats.intervals import t_interval, wilson
from cranfield.stats.significance import paired_t


@given(
    st.lists(st.integers(-50, 50).map(lambda v: v / 50), min_size=2, max_size=30),
    st.floats(0.5, 0.99),
)
def test_t_is_scipys_and_the_tests(values: list[float], level: float) -> None:
    d = np.array(values)
    found = t_interval(d, level)
    assert found.low is not None and found.high is not None
    if np.ptp(d) == 0:
        assert found.low == found.high == d[0]
        return
    other = stats.t.interval(level, len(d) - 1, d.mean(), stats.sem(d))
    assert (found.low, found.high) == pytest.approx(other, rel=1e-9, abs=1e-12)
    p = paired_t(d).p
    assert p is not None
    if abs(p - (1 - level)) > 1e-9:  # zero lies outside exactly where the test rejects
        assert (p < 1 - level) == (not found.low <= 0 <= found.high)


@given(st.integers(0, 40), st.integers(0, 40), st.floats(0.5, 0.999))
def test_wilson_is_statsmodels(successes: int, failures: int, level: float) -> None:
    n = successes + failures
    found = wilson(successes, n, level)
    if n == 0:
        assert (found.low, found.high, found.reason) == (None, None, "no trial")
        return
    other = proportion_confint(successes, n, 1 - level, method="wilson")
    assert (found.low, found.high) == pytest.approx(other, abs=1e-12)


def test_too_few_and_refused() -> None:
    assert t_interval([0.1]).reason == "one topic: nothing is known of the spread"
    assert t_interval([]).low is None
    with pytest.raises(UsageError, match="3 successes in 2 trials"):
        wilson(3, 2)
    with pytest.raises(UsageError, match="level must lie between"):
        t_interval([0.1, 0.2], 1)


def test_scores_of_one_system(abc: NDArray[np.float64]) -> None:
    found = t_interval(abc[0])
    assert found.low is not None and found.high is not None
    assert (found.low + found.high) / 2 == pytest.approx(abc[0].mean())
