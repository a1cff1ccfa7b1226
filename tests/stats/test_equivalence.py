from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.weightstats import DescrStatsW

from cranfield.errors import UsageError
from cranfield.stats.equivalence import tost


@given(
    st.lists(st.integers(-20, 20).map(lambda v: v / 100), min_size=2, max_size=40),
    st.floats(0.01, 0.3),
    st.floats(0.01, 0.2),
)
def test_it_is_statsmodels(values: list[float], margin: float, alpha: float) -> None:
    d = np.array(values)
    found = tost(d, margin, alpha)
    assert found.p is not None and found.low is not None and found.high is not None
    if np.ptp(d) == 0:
        assert found.equivalent == (abs(d[0]) < margin)
        return
    p, _, _ = DescrStatsW(d).ttost_mean(-margin, margin)
    assert found.p == pytest.approx(p, rel=1e-7, abs=1e-14)
    if abs(found.p - alpha) > 1e-9:
        assert found.equivalent == (-margin < found.low and found.high < margin)


def test_no_difference_is_not_equivalence() -> None:
    """Five topics show nothing; they do not show that there is nothing."""
    d = [0.2, -0.2, 0.1, -0.1, 0.02]
    assert not tost(d, 0.05).equivalent
    assert tost(d * 100, 0.05).equivalent


def test_too_few_and_refused() -> None:
    found = tost([0.1], 0.05)
    assert (found.p, found.equivalent) == (None, False) and found.reason is not None
    for margin in (0, -0.1, float("nan"), float("inf")):
        with pytest.raises(UsageError, match="margin must be"):
            tost([0.1, 0.2], margin)
    with pytest.raises(UsageError, match=r"below 0\.5"):
        tost([0.1, 0.2], 0.1, 0.6)
