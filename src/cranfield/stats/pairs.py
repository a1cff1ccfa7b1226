"""Every pair of systems at once, with the same resamples for all pairs.

`advance` is told after each step what share of the whole it was, for whoever shows progress.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cranfield.stats.arrays import (
    DECIMALS,
    NOISE,
    Advance,
    Floats,
    Index,
    drawn,
    lattice,
    matrix,
    share,
    silent,
    slack,
    times,
)
from cranfield.stats.bootstrap import TIED, place
from cranfield.stats.resampling import blocks, multiplicities, signs
from cranfield.stats.results import AllIntervals, AllPairs

_SCRATCH = 1 << 24  # numbers drawn at a time, for very many topics
_BLOCK = 1024  # resamples at a time: what one system is compared with stays in the cache


def paired_t_all(x: ArrayLike) -> AllPairs:
    """`paired_t` of every pair of rows of x [m systems, n topics]."""
    x = matrix(x)
    m, n = x.shape
    difference, t = np.zeros((m, m)), np.zeros((m, m))
    for i, mean, sd in _rows(x):
        difference[i, i + 1 :] = mean
        t[i, i + 1 :] = _studentise(mean, sd, n)
    from scipy.special import stdtr

    p = 2 * stdtr(n - 1, -np.abs(t + t.T))
    difference, t = difference - difference.T, t - t.T
    return AllPairs("paired t", "exact", n, difference, t, p)


def t_interval_all(x: ArrayLike, level: float = 0.95) -> AllIntervals:
    """`t_interval` of the differences of every pair of rows of x [m systems, n topics]."""
    x, level = matrix(x), share(level, "level")
    m, n = x.shape
    from scipy.special import stdtrit

    width = float(stdtrit(n - 1, (1 + level) / 2)) / math.sqrt(n)
    low, high = np.zeros((m, m)), np.zeros((m, m))
    for i, mean, sd in _rows(x):
        low[i, i + 1 :], high[i, i + 1 :] = mean - width * sd, mean + width * sd
    return AllIntervals(low - high.T, high - low.T, level, "t", n)


def pair_blocks(m: int, size: int = 2048) -> Iterator[tuple[Index, Index, float]]:
    """All pairs of m systems, some at a time: the numbers of the first and of the second, the first
    being the lower, and what share of all pairs they are."""
    one, two = np.triu_indices(m, 1)
    for begin in range(0, len(one), size):
        stretch = slice(begin, begin + size)
        yield one[stretch], two[stretch], len(one[stretch]) / len(one)


def _rows(x: Floats) -> Iterator[tuple[int, Floats, Floats]]:
    """For each row its difference from all later ones: mean and standard deviation, 0 where the
    differences are all the same. Sums of differences, not of squares of scores: those would lose
    what two close systems differ by."""
    for i in range(len(x) - 1):
        d = np.round(x[i] - x[i + 1 :], DECIMALS)
        mean, sd = d.mean(axis=1), d.std(axis=1, ddof=1)
        sd[sd <= NOISE * np.maximum(1.0, np.abs(d).max(axis=1))] = 0.0
        yield i, mean, sd


def _studentise(mean: Floats, sd: Floats, n: int) -> Floats:
    """t, 0 for equal systems and infinite for ones that differ by the same on every topic."""
    t = np.where(np.abs(mean) <= NOISE, 0.0, np.copysign(np.inf, mean))
    np.divide(mean * math.sqrt(n), sd, out=t, where=sd > 0)
    return t


def randomisation_all(
    x: ArrayLike, *, resamples: int = 100_000, seed: int = 0, advance: Advance = silent
) -> AllPairs:
    """The randomisation test of every pair of rows of x [m systems, n topics], by Monte Carlo.

    One set of signs serves all pairs: the signed sum of a difference is the difference of two
    signed sums. All sums are of whole numbers below 2^53 and therefore exact, so that p is the
    same to the last bit however the matrix product is blocked or threaded. p = (1 + c) / (B + 1).
    The statistic is the mean difference.
    """
    x, resamples = matrix(x), times(resamples)
    m, n = x.shape
    units, unit = lattice(x)
    total = units.sum(axis=1)
    seen = total[:, None] - total
    least = np.abs(seen) - slack(n)
    found = np.zeros((m, m), np.int64)
    for first, count in blocks(resamples, n, min(_BLOCK * n, _SCRATCH)):
        sums = units @ signs(seed, first, count, n).T
        for i in range(m - 1):
            away = sums[i + 1 :] - sums[i]
            np.abs(away, out=away)
            found[i, i + 1 :] += _true_in_rows(away >= least[i, i + 1 :, None])
        advance(count / resamples)
    p = (1 + found + found.T) / (resamples + 1)
    np.fill_diagonal(p, 1.0)
    how = f"Monte Carlo, {drawn(resamples, seed)}"
    mean = seen * unit / n
    return AllPairs("randomisation", how, n, mean, mean, p)


def _true_in_rows(marks: NDArray[np.bool_]) -> Index:
    """How many are true in each row; packed into words they are counted eight times as fast."""
    packed = np.packbits(marks, axis=1)
    return np.asarray(np.bitwise_count(packed).sum(axis=1, dtype=np.int64), np.int64)


def bootstrap_asl_all(
    x: ArrayLike, *, resamples: int = 1000, seed: int = 0, advance: Advance = silent
) -> AllPairs:
    """`bootstrap_asl` of every pair of rows of x [m systems, n topics], with the same samples of
    topics for all pairs (Sakai 2006). The statistic is t.

    The sums of squares are rounded floats. A resampled t counts as reaching the one seen from
    1 - 1e-9 of it on; the order of summation moves it by some 1e-14, which cannot reach across
    that margin to a tie.
    """
    x, resamples = matrix(x), times(resamples)
    m, n = x.shape
    seen = paired_t_all(x)
    least = np.abs(seen.statistic) * TIED
    found = np.zeros((m, m))
    for first, count in blocks(resamples, n, 1 << 22):
        weights = multiplicities(seed, first, count, n)
        for i, mean, _ in _rows(x):
            d = np.round(x[i] - x[i + 1 :], DECIMALS) - mean[:, None]
            reached = _resampled_t(weights, d) >= least[i, i + 1 :]
            found[i, i + 1 :] += np.count_nonzero(reached, axis=0)
        advance(count / resamples)
    p = (found + found.T) / resamples
    p[seen.statistic == 0] = 1.0
    p[np.isinf(seen.statistic)] = 0.0
    how = drawn(resamples, seed)
    return AllPairs("bootstrap", how, n, seen.difference, seen.statistic, p)


def _resampled_t(weights: Floats, d: Floats) -> Floats:
    """|t| of each sample and each row of d, whose means are 0: [samples, rows]. A sample whose
    differences are all the same has t = 0; what its sum of squares is off by is far below 1e-12
    of it."""
    n = d.shape[1]
    mean = weights @ d.T
    mean /= n
    squares = weights @ (d * d).T
    rest = squares - n * mean * mean
    np.abs(mean, out=mean)
    error = np.sqrt(np.maximum(rest, 0.0) / ((n - 1) * n))
    spread = rest > 1e-12 * squares
    t = np.zeros_like(mean)
    np.divide(mean, error, out=t, where=spread)
    return t


def bootstrap_interval_all(
    x: ArrayLike,
    level: float = 0.95,
    *,
    resamples: int = 10_000,
    seed: int = 0,
    advance: Advance = silent,
) -> AllIntervals:
    """The percentile interval of `bootstrap_interval` for the differences of every pair of rows
    of x [m systems, n topics], with the same samples of topics for all pairs. Sums are exact."""
    x, level, resamples = matrix(x), share(level, "level"), times(resamples)
    m, n = x.shape
    units, unit = lattice(x)
    parts = [units @ multiplicities(seed, a, b, n).T for a, b in blocks(resamples, n)]
    sums = np.concatenate(parts, axis=1)
    tail = (1 - level) / 2
    at = [place(tail, resamples), place(1 - tail, resamples)]
    low, high = np.zeros((m, m)), np.zeros((m, m))
    for i in range(m - 1):
        d = sums[i] - sums[i + 1 :]
        d.partition(at, axis=1)
        low[i, i + 1 :], high[i, i + 1 :] = d[:, at[0]], d[:, at[1]]
        advance((m - 1 - i) / (m * (m - 1) / 2))
    scale = unit / n
    how = f"percentile bootstrap, {drawn(resamples, seed)}"
    return AllIntervals((low - high.T) * scale, (high - low.T) * scale, level, how, n)
