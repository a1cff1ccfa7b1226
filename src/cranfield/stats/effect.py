"""Effect sizes: a mean difference in units of a standard deviation, which the name says.

All are None for fewer than two topics and where the standard deviation is 0.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from cranfield.stats.arrays import NOISE, Floats, constant, pair, vector


def d_z(d: ArrayLike) -> float | None:
    """mean(d) / sd(d) = t / √n: in standard deviations of the differences."""
    d = vector(d)
    if len(d) < 2 or constant(d):
        return None
    return math.fsum(d) / len(d) / float(d.std(ddof=1))


def d_av(x: ArrayLike, y: ArrayLike) -> float | None:
    """mean(x - y) / √((sd(x)² + sd(y)²) / 2): in the average spread of the two systems' scores."""
    first, second = pair(x, y)
    if len(first) < 2:
        return None
    return _divided(_mean(first, second), math.sqrt((_variance(first) + _variance(second)) / 2))


def d_rm(x: ArrayLike, y: ArrayLike) -> float | None:
    """d_z · √(2 (1 - r)), with r the correlation of x and y (Morris & DeShon 2002): d_z brought
    to the scale of the scores. None also where a system's scores are all the same."""
    first, second = pair(x, y)
    in_differences = d_z(first - second)
    if in_differences is None or not (_variance(first) and _variance(second)):
        return None
    r = float(np.corrcoef(first, second)[0, 1])
    return in_differences * math.sqrt(max(0.0, 2 * (1 - r)))


def glass(x: ArrayLike, baseline: ArrayLike) -> float | None:
    """mean(x - baseline) / sd(baseline) (Glass 1976): in the baseline's spread."""
    first, second = pair(x, baseline)
    if len(first) < 2:
        return None
    return _divided(_mean(first, second), math.sqrt(_variance(second)))


def hedges_g(d: ArrayLike) -> float | None:
    """d_z less its bias in small samples (Hedges 1981): J(n - 1) · d_z. For another effect size
    multiply it by `correction_j` yourself."""
    found = d_z(d)
    return None if found is None else correction_j(np.size(d) - 1) * found


def correction_j(df: float) -> float:
    """J = Γ(df/2) / (√(df/2) Γ((df-1)/2)), about 1 - 3/(4 df - 1); 0 for one degree of freedom,
    where the expectation of d is not finite."""
    if df <= 1:
        return 0.0
    return math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)


def _mean(x: Floats, y: Floats) -> float:
    return math.fsum(vector(x - y)) / len(x)


def _variance(x: Floats) -> float:
    """0 where all are the same, apart from rounding."""
    return 0.0 if constant(x) else float(x.var(ddof=1))


def _divided(mean: float, sd: float) -> float | None:
    return None if sd <= NOISE else mean / sd
