"""Confidence intervals for a mean, a mean difference and a share."""

from __future__ import annotations

import math
from statistics import NormalDist

from numpy.typing import ArrayLike

from cranfield.errors import UsageError
from cranfield.kit.arguments import share
from cranfield.stats.arrays import constant, vector
from cranfield.stats.bootstrap import bootstrap_interval
from cranfield.stats.pairs import bootstrap_interval_all, t_interval_all
from cranfield.stats.results import AllIntervals, Interval, few

__all__ = [
    "AllIntervals",
    "Interval",
    "bootstrap_interval",
    "bootstrap_interval_all",
    "t_interval",
    "t_interval_all",
    "wilson",
]


def t_interval(d: ArrayLike, level: float = 0.95) -> Interval:
    """mean(d) ± t · sd(d) / √n, with the quantile of Student's t with n - 1 degrees of freedom.

    Parameters
    ----------
    d : scores of one system or differences of two, by topic, [n].
    level : the coverage aimed at.

    Returns
    -------
    Interval
        None twice for fewer than two topics.
    """
    d, level = vector(d, "scores"), share("level", level)
    n = len(d)
    if n < 2:
        return Interval(None, None, level, "t", n, few(n))
    mean = math.fsum(d) / n
    if constant(d):
        return Interval(float(d[0]), float(d[0]), level, "t", n)
    from scipy.special import stdtrit

    half = float(stdtrit(n - 1, (1 + level) / 2)) * float(d.std(ddof=1)) / math.sqrt(n)
    return Interval(mean - half, mean + half, level, "t", n)


def wilson(successes: int, n: int, level: float = 0.95) -> Interval:
    """Wilson's interval for a share of n trials (Wilson 1927), within 0 and 1.

    Returns
    -------
    Interval
        None twice without a trial.
    """
    level = share("level", level)
    if not 0 <= successes <= n:
        raise UsageError(f"wilson: {successes} successes in {n} trials")
    if n == 0:
        return Interval(None, None, level, "Wilson", 0, "no trial")
    z = NormalDist().inv_cdf((1 + level) / 2)
    rate, wide = successes / n, 1 + z * z / n
    middle = (rate + z * z / (2 * n)) / wide
    half = z * math.sqrt(rate * (1 - rate) / n + (z / (2 * n)) ** 2) / wide
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == n else min(1.0, middle + half)
    return Interval(low, high, level, "Wilson", n)
