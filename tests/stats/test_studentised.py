from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from cranfield.stats.studentised import range_quantile, range_tail, t_power, t_powers

Q = np.array([0.0, 0.1, 1.0, 2.0, 3.5, 5.0, 8.0, 30.0])


@pytest.mark.parametrize(("m", "df"), [(2, 1), (3, 2), (3, 38), (10, 7), (40, 1000)])
def test_the_range_is_scipys(m: int, df: int) -> None:
    assert range_tail(Q, m, df) == pytest.approx(stats.studentized_range.sf(Q, m, df), abs=2e-9)
    critical = range_quantile(0.05, m, df)
    assert range_tail(np.array([critical]), m, df)[0] == pytest.approx(0.05, abs=1e-11)


@pytest.mark.parametrize("df", [1, 2, 3, 10, 200, 100_000, 10**8])
def test_the_range_of_two_is_student(df: int) -> None:
    expected = 2 * special.stdtr(df, -Q / np.sqrt(2))
    assert range_tail(Q, 2, df) == pytest.approx(expected, abs=1e-11)


def test_the_range_of_known_spread() -> None:
    """Very many degrees of freedom, a thousand means: the maximum less the minimum of normals."""
    drawn = np.ptp(np.random.default_rng(0).normal(size=(4000, 1000)), axis=1)
    for q in (6.0, 6.5, 7.0):
        p = float(range_tail(np.array([q]), 1000, 10**8)[0])
        assert abs(np.mean(drawn > q) - p) < 4 * (p * (1 - p) / 4000) ** 0.5


def test_ten_thousand_are_each_by_itself() -> None:
    q = np.linspace(0, 12, 10_000).reshape(100, 100)
    found = range_tail(q, 130, 32_121)
    assert found.shape == q.shape
    assert (np.diff(found.ravel()) <= 1e-11).all()
    assert found[50, 50] == range_tail(q[50, 50:51], 130, 32_121)[0]


@pytest.mark.parametrize("df", [1, 2, 5, 14, 49, 248, 100_000])
@pytest.mark.parametrize("shift", [0.0, 0.5, 2.8, 4.0])
def test_power_is_the_noncentral_t(df: int, shift: float) -> None:
    critical = float(special.stdtrit(df, 0.975))
    other = stats.nct.sf(critical, df, shift) + stats.nct.cdf(-critical, df, shift)
    assert t_power(shift, critical, df) == pytest.approx(other, abs=1e-9)


@pytest.mark.parametrize("df", [1, 2, 3, 9, 30, 1000, 10**9])
def test_power_rises(df: int) -> None:
    for alpha in (0.2, 0.05, 1e-3, 1e-6):
        critical = float(special.stdtrit(df, 1 - alpha / 2))
        values = [t_power(shift, critical, df) for shift in np.linspace(0, 60, 241)]
        assert values[0] == pytest.approx(alpha, rel=1e-6)
        assert (np.diff(values) >= -1e-12).all() and values[-1] <= 1


@pytest.mark.parametrize("df", [1, 2, 3, 9, 30, 248, 10_000])
def test_many_powers_are_those_of_one_by_one(df: int) -> None:
    """Few degrees of freedom with far critical values, and more shifts than one block."""
    shifts = np.concatenate([np.linspace(0, 8, 150), [20.0, 60.0, 300.0]])
    for critical in (0.05, 1.0, 3.7, 31.6, 636.0 if df < 3 else 40.0):
        found = t_powers(shifts, critical, df)
        one_by_one = [t_power(float(shift), critical, df) for shift in shifts]
        assert found == pytest.approx(one_by_one, abs=1e-12)
