from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.stats.effect import correction_j, d_av, d_rm, d_z, glass, hedges_g
from cranfield.stats.significance import paired_t

scores = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=2, max_size=20).map(
    lambda rows: (np.array(rows, np.float64) / 20).T
)


@given(scores)
def test_by_the_definitions(rows: np.ndarray) -> None:
    x, y = rows
    d, n = x - y, len(x)
    t = paired_t(d)
    if np.ptp(d.round(9)) == 0:
        assert d_z(d) is None and hedges_g(d) is None and d_rm(x, y) is None
    else:
        assert d_z(d) == pytest.approx((t.statistic or 0) / math.sqrt(n), abs=1e-12)
        assert hedges_g(d) == pytest.approx(correction_j(n - 1) * (d_z(d) or 0))
    both = math.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 2)
    if both > 1e-9:
        assert d_av(x, y) == pytest.approx(d.mean() / both, abs=1e-12)
    else:
        assert d_av(x, y) is None
    if y.std() > 1e-9:
        assert glass(x, y) == pytest.approx(d.mean() / y.std(ddof=1), abs=1e-12)
    else:
        assert glass(x, y) is None and d_rm(x, y) is None


def test_independent_scores_of_one_spread_agree() -> None:
    """With r = 0 and equal variances d_av is d_rm; the correlation takes d_z away from them."""
    x = np.array([1.0, 1.0, -1.0, -1.0]) + 0.3
    y = np.array([1.0, -1.0, 1.0, -1.0])
    assert d_rm(x, y) == pytest.approx(d_av(x, y))
    assert d_z(x - y) == pytest.approx((d_av(x, y) or 0) / math.sqrt(2))


@pytest.mark.parametrize("df", [2, 3, 10, 100, 10_000])
def test_correction(df: int) -> None:
    assert correction_j(df) == pytest.approx(1 - 3 / (4 * df - 1), abs=0.25 / df**2)
    # E(d) · J = δ, where E(d) is that of the noncentral t
    from scipy import stats

    mean = float(stats.nct.mean(df, 0.5 * math.sqrt(df + 1))) / math.sqrt(df + 1)
    assert mean * correction_j(df) == pytest.approx(0.5, rel=1e-6)


def test_too_few_and_unequal() -> None:
    assert correction_j(1) == 0 == correction_j(0)
    assert d_z([0.1]) is None and d_av([0.1], [0.2]) is None and glass([], []) is None
    with pytest.raises(InputError, match="2 scores against 3"):
        d_av([1, 2], [1, 2, 3])
