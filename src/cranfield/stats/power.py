"""How many queries a comparison needs, and what a given number of queries can show."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from cranfield.errors import UsageError
from cranfield.kit.arguments import not_negative, number, positive, share, whole
from cranfield.stats.studentised import t_power

_MOST = 1_000_000_000  # queries; beyond them a design is refused


@dataclass(frozen=True)
class Design:
    """The size of a topic set.

    Parameters
    ----------
    n : the smallest number of topics that does it.
    attained : the power with n topics, or the expected width of the interval.
    """

    n: int
    attained: float


def power(n: int, d_z: float, alpha: float = 0.05) -> float:
    """The chance that a two-sided paired t-test of n topics finds a true effect.

    Exact, from the noncentral t with noncentrality √n · d_z and n - 1 degrees of freedom.

    Parameters
    ----------
    n : topics, from 2 on.
    d_z : true mean difference over the standard deviation of the differences.
    alpha : the level of the test.
    """
    alpha = share("alpha", alpha)
    n = whole("n", n, 2, "must be two topics or more for a test")
    d_z = number("d_z", d_z, "must be a finite number", math.isfinite)
    return _power(n, math.sqrt(n) * abs(d_z), alpha)


def _power(n: int, shift: float, alpha: float) -> float:
    from scipy.special import stdtrit

    return t_power(shift, float(stdtrit(n - 1, 1 - alpha / 2)), n - 1)


def queries_needed(difference: float, sd: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """The fewest queries with which a two-sided paired t-test finds a difference of means.

    Parameters
    ----------
    difference : the smallest difference that matters, in the unit of the measure; not 0.
    sd : standard deviation of the differences by query, in the same unit.
    alpha, power : the level, and the chance of finding it.

    Returns
    -------
    int
        From 2 on.

    Raises
    ------
    UsageError
        A difference of 0 or an sd below 0; more than 1 000 000 000 queries.
    """
    alpha, power = share("alpha", alpha), share("power", power)
    difference = number("difference", difference, "must be a number above 0", _not_zero)
    if sd == 0:
        return 2
    d_z = abs(difference) / positive("sd", sd)
    return _smallest(lambda n: _power(n, math.sqrt(n) * d_z, alpha) >= power)


def detectable(n: int, sd: float = 1.0, *, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """The smallest true difference of means that n queries find with the chance `power`.

    Parameters
    ----------
    n : queries.
    sd : standard deviation of the differences by query; the answer has its unit. With 1 the
        answer is the smallest detectable d_z.
    alpha, power : the level (below the power), and the chance of finding it.

    Returns
    -------
    float or None
        None for fewer than two queries: they detect nothing.
    """
    alpha, power = share("alpha", alpha), share("power", power)
    sd, n = not_negative("sd", sd), whole("n", n, 0)
    if alpha >= power:
        raise UsageError(f"detectable: alpha {alpha} is not below the power {power}")
    if n < 2:
        return None
    low, high = 0.0, 1.0
    while _power(n, high, alpha) < power:
        low, high = high, 2 * high
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if _power(n, middle, alpha) < power else (low, middle)
    return sd * high / math.sqrt(n)


def design_t(min_d: float, *, alpha: float = 0.05, power: float = 0.8) -> Design:
    """Topics for the paired t-test to find a standardised difference `min_d` (d_z).

    Sakai (2016) approximates the noncentral t; here it is exact.
    """
    n = queries_needed(min_d, 1.0, alpha=alpha, power=power)
    return Design(n, _power(n, math.sqrt(n) * abs(min_d), alpha))


def design_anova(
    systems: int, difference: float, sd: float, *, alpha: float = 0.05, power: float = 0.8
) -> Design:
    """Topics for a one-way analysis of variance of several systems (Sakai 2016).

    Parameters
    ----------
    systems : how many are compared, from 2 on.
    difference : between the true means of the best and the worst. The others are taken to lie in
        the middle, where they are hardest to tell apart: the noncentrality is
        n · difference² / (2 sd²).
    sd : standard deviation of a score within a system, √VE.
    alpha, power : the level, and the chance of finding that the systems differ.
    """
    alpha, power = share("alpha", alpha), share("power", power)
    systems = whole("systems", systems, 2, "must be two systems or more")
    effect = (positive("difference", difference) / positive("sd", sd)) ** 2 / 2

    def attained(n: int) -> float:
        return _anova_power(systems, n, n * effect, alpha)

    n = _smallest(lambda n: attained(n) >= power)
    return Design(n, attained(n))


def _anova_power(systems: int, n: int, noncentrality: float, alpha: float) -> float:
    from scipy.special import fdtri, ncfdtr

    df, df_error = systems - 1, systems * (n - 1)
    critical = float(fdtri(df, df_error, 1 - alpha))
    return 1 - float(ncfdtr(df, df_error, noncentrality, critical))


def design_interval(width: float, sd: float, *, level: float = 0.95) -> Design:
    """Topics for the interval of a mean difference to be expected no wider than `width`.

    2 t · E(s) / √n <= width, with E(s) = sd · (1 - 1/(4 (n - 1))) (Sakai 2016 after Nagata).

    Parameters
    ----------
    width : of the whole interval, in the unit of the measure.
    sd : standard deviation of the differences by topic.
    level : the coverage of the interval.
    """
    level = share("level", level)
    width, sd = positive("width", width), positive("sd", sd)

    def expected(n: int) -> float:
        from scipy.special import stdtrit

        t = float(stdtrit(n - 1, (1 + level) / 2))
        return 2 * t * sd * (1 - 1 / (4 * (n - 1))) / math.sqrt(n)

    n = _smallest(lambda n: expected(n) <= width)
    return Design(n, expected(n))


def _smallest(enough: Callable[[int], bool]) -> int:
    """The least n from 2 on that is enough, where every larger one is, too: doubling, then
    halving."""
    low, high = 1, 2
    while not enough(high):
        if high >= _MOST:
            raise UsageError(f"more than {_MOST:,} queries would be needed")
        low, high = high, min(2 * high, _MOST)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _not_zero(x: float) -> bool:
    return 0 < abs(x) < math.inf
