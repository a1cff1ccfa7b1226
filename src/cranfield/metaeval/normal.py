"""Swap rates from the normal distribution, without drawing anything (Lin & Hauptmann 2005)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import UsageError
from cranfield.stats.arrays import DECIMALS, NOISE, Floats, matrix

_STANDARD = NormalDist()


@dataclass(frozen=True, eq=False)
class NormalSwaps:
    """The swap rates that the normal model gives for the pairs of systems of a matrix.

    Parameters
    ----------
    sizes : topics a set, as asked for.
    rates : [sizes] the mean over all pairs of the chance of a swap between two sets of that size.
    difference, sd : [pairs] absolute mean difference and standard deviation by topic, which stand
        for the true ones; the rates are therefore a little low.
    """

    sizes: tuple[int, ...]
    rates: Floats
    difference: Floats
    sd: Floats


def swap_chance(difference: float, sd: float, n: int) -> float:
    """The chance that two independent sets of n topics order two systems differently.

    2 p (1 - p), with p = Φ(-|μ| √n / σ) the chance that one set has them the wrong way round.

    Parameters
    ----------
    difference, sd : μ, the true mean difference, and σ, its standard deviation by topic.
    n : topics a set.
    """
    if n < 1 or not (sd >= 0 and math.isfinite(sd)) or not math.isfinite(difference):
        raise UsageError(
            f"swap_chance: {n} topics, a difference of {difference!r}, an sd of {sd!r}"
        )
    if sd == 0:
        return 0.0
    p = _STANDARD.cdf(-abs(difference) * math.sqrt(n) / sd)
    return 2 * p * (1 - p)


def topics_for(difference: float, sd: float, rate: float = 0.05) -> int | None:
    """The fewest topics with a chance of a swap of at most `rate`: the same solved for n.

    Returns
    -------
    int or None
        None for a difference of 0, whose chance is a half however many there are.
    """
    if not 0 < rate < 0.5:
        raise UsageError(f"topics_for: rate must lie between 0 and 0.5, not {rate!r}")
    if difference == 0:
        return None
    p = (1 - math.sqrt(1 - 2 * rate)) / 2
    return max(1, math.ceil((_STANDARD.inv_cdf(p) * sd / difference) ** 2 * (1 - NOISE)))


def normal_swaps(x: ArrayLike, sizes: Sequence[int]) -> NormalSwaps:
    """The mean chance of a swap over all pairs of rows of x [m systems, n topics], at each size.

    A pair without any difference is never a swap here, as it is none in `swaps`.
    """
    found = matrix(x)
    m = len(found)
    means, spreads = [], []
    for i in range(m - 1):
        d = np.round(found[i] - found[i + 1 :], DECIMALS)
        means.append(np.abs(d.mean(axis=1)))
        spreads.append(d.std(axis=1, ddof=1))
    difference, sd = np.concatenate(means), np.concatenate(spreads)
    sd[sd <= NOISE] = 0.0
    some = sd > 0
    ratio = difference[some] / sd[some]
    from scipy.special import ndtr

    rates = []
    for n in sizes:
        if n < 1:
            raise UsageError(f"normal_swaps: {n} topics")
        p = ndtr(-ratio * math.sqrt(n))
        rates.append(float((2 * p * (1 - p)).sum() / len(sd)))
    return NormalSwaps(tuple(sizes), np.array(rates), difference, sd)
