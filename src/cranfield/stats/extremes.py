"""An interval for the mean of values that lie within known limits, whatever their distribution.

Student's t takes the spread of the sample for that of the population. Where a few rare values make
most of the mean, as when a judge is nearly always right, a sample may hold none of them and look
as if it had no spread at all. The bound of Gaffke (2005; Learned-Miller and Thomas 2020) adds the
value that could do most harm and did not come: with weights from the flat Dirichlet distribution
(as in the Bayesian bootstrap of Rubin 1981) on the sample and on the upper limit, the upper bound
is the 1 - α quantile of the weighted mean, and the lower bound likewise with the lower limit. For
values that are 0 or 1 it is the interval of Clopper and Pearson (1934).

That it holds for every distribution is a conjecture that no search has found an exception to; its
coverage in simulations is in the benchmarks. It pays with width: half of it is never less than
about 3.7 / n of the range at 95 %.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError
from cranfield.kit.arguments import share
from cranfield.stats.arrays import NOISE, Floats, vector

Doubt = Literal["few", "lone", "narrow"]

OFF = 7  # values that differ from the commonest one; fewer, and the spread is that of a handful
LONE = 3.0  # values that carry the spread, in effect
ENOUGH = 20  # values from which on that number says something
STEP = 0.1  # of the logarithm of the frequency; the error of the sum falls with exp(-1 / step)


def bounded_interval(
    values: ArrayLike, low: float, high: float, level: float = 0.95
) -> tuple[float, float]:
    """An interval of the mean of the population, from a random sample of values in [low, high].

    Raises
    ------
    InputError
        No value, or one outside the limits.
    """
    x = vector(values, "values")
    if not len(x) or x.min() < low - NOISE or x.max() > high + NOISE or not low < high:
        raise InputError(f"values that are not between {low:g} and {high:g}")
    tail = (1 - share("level", level)) / 2
    upper = _upper(np.clip(x, low, high), high, tail)
    return -_upper(np.clip(-x, -high, -low), -low, tail), upper


def doubt_of(values: Floats, half: float, reach: float) -> Doubt | None:
    """Why a t interval of these values is not to be trusted; None where nothing speaks against it.

    "few": most are alike, and fewer than seven differ. "lone": of twenty or more, fewer than three
    in effect ((Σ d²)² / Σ d⁴ of the distances d from the median) carry the spread. "narrow": half
    the interval is less than one value more at the end of what is possible would move the mean.

    Parameters
    ----------
    half : half the width of the t interval.
    reach : how far from the others one value can be; infinite where no limit is known.
    """
    n = len(values)
    found = np.unique(np.round(values, 9), return_counts=True)[1]
    commonest = int(found.max())
    if commonest > n / 2 and n - commonest < OFF:
        return "few"
    square = (values - np.median(values)) ** 2
    fourth = math.fsum(square**2)
    if n >= ENOUGH and (fourth <= NOISE**4 or math.fsum(square) ** 2 / fourth < LONE):
        return "lone"
    return "narrow" if math.isfinite(reach) and half < reach / (n + 1) else None


def _upper(x: Floats, top: float, tail: float) -> float:
    """The m that the weighted mean of x and `top` exceeds with probability `tail`."""
    z, counts = np.unique(np.append(x, top), return_counts=True)
    least, n = float(z[0]), counts.astype(np.float64)
    if top - least <= NOISE:
        return top
    z = (z - least) / (top - least)
    low, high = 0.0, 1.0
    above, below = 1 - tail, -tail  # of the chance to lie above, what it has more than `tail`
    for turn in range(200):
        # by turns along the chord and in the middle: few steps, and never stuck
        part = above / (above - below) if turn % 3 else 0.5
        m = low + (high - low) * min(max(part, 0.01), 0.99)
        off = _above(z, n, m) - tail
        low, high, above, below = (m, high, off, below) if off > 0 else (low, m, above, off)
        if high - low < 1e-9 or abs(off) < 1e-8:
            break
    return least + (top - least) * m


def _above(z: Floats, n: Floats, m: float) -> float:
    """P(Σ w z > m) for flat Dirichlet weights: P(Σ e (z - m) > 0) for exponential e, by inversion
    of its characteristic function (Gil-Pelaez 1951) over the logarithm of the frequency."""
    c = z - m
    c, n = c[c != 0], n[c != 0]
    size = np.abs(c)
    first = math.log(1e-9 / float(n @ size))
    last = math.log(1e3 / float(size.min())) + 30 / float(n.sum())
    coarse = np.arange(first, last + 1, 1.0)
    gone = np.flatnonzero(_decay(np.exp(coarse)[:, None] * c, n) < 1e-12)
    s = np.arange(first, coarse[gone[0]] if len(gone) else last, STEP)
    total = 0.0
    for part in np.array_split(s, 1 + len(s) * len(c) // 1_000_000):
        ct = np.exp(part)[:, None] * c
        total += float((_decay(ct, n) * np.sin(np.arctan(ct) @ n)).sum())
    return 0.5 + STEP * total / math.pi


def _decay(ct: Floats, n: Floats) -> Floats:
    """The modulus of the characteristic function."""
    found: Floats = np.exp(-0.5 * (np.log1p(ct * ct) @ n))
    return found
