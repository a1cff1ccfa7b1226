"""Samples of topics drawn with replacement: a test and three intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import UsageError
from cranfield.kit.arguments import share, whole
from cranfield.stats.arrays import NOISE, Floats, constant, drawn, lattice, vector
from cranfield.stats.resampling import blocks, indices
from cranfield.stats.results import Interval, Test, few, too_few

TIED = 1 - 1e-9  # a resampled t this close to the one seen is as large

Method = Literal["percentile", "bca", "studentised"]


def bootstrap_asl(d: ArrayLike, *, resamples: int = 10_000, seed: int = 0) -> Test:
    """The studentised paired bootstrap test (Sakai 2006): the achieved significance level.

    The differences are shifted to mean 0 and topics are drawn with replacement; the ASL is the
    share of samples whose |t| reaches the one seen. A sample without spread has t = 0.

    Parameters
    ----------
    d : differences by topic, [n].
    resamples, seed : how many samples, and which.

    Returns
    -------
    Test
        The statistic is t. Details: `mean`, `resamples`, `seed`. As published, p is c/B, which
        may be 0.
    """
    d, resamples = vector(d), whole("resamples", resamples, 1)
    n = len(d)
    if n < 2:
        return too_few("bootstrap", n)
    mean = math.fsum(d) / n
    how = drawn(resamples, seed)
    details = {"mean": mean, "resamples": float(resamples), "seed": float(seed)}
    if constant(d):
        t = 0.0 if abs(mean) <= NOISE else math.copysign(math.inf, mean)
        return Test("bootstrap", how, t, 1.0 if t == 0 else 0.0, n, details)
    seen = mean / (float(d.std(ddof=1)) / math.sqrt(n))
    found = 0
    for means, errors in _samples(d - mean, resamples, seed):
        t_drawn = np.divide(np.abs(means), errors, out=np.zeros_like(means), where=errors > NOISE)
        found += int(np.count_nonzero(t_drawn >= abs(seen) * TIED))
    return Test("bootstrap", how, seen, found / resamples, n, details)


def _samples(d: Floats, resamples: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """Mean and standard error of the mean of each sample."""
    n = len(d)
    for first, count in blocks(resamples, n):
        sample = d[indices(seed, first, count, n)]
        yield sample.mean(axis=1), sample.std(axis=1, ddof=1) / math.sqrt(n)


def bootstrap_interval(
    d: ArrayLike,
    level: float = 0.95,
    *,
    method: Method = "percentile",
    resamples: int = 10_000,
    seed: int = 0,
) -> Interval:
    """A bootstrap interval for a mean (Efron & Tibshirani 1993).

    Parameters
    ----------
    d : scores of one system or differences of two, by topic, [n].
    level : the coverage aimed at.
    method : "percentile", the quantiles of the resampled means; "bca", the same with bias and
        acceleration corrected; "studentised" (bootstrap t), from the quantiles of the resampled t.
    resamples, seed : how many samples, and which.

    Returns
    -------
    Interval
        None twice for fewer than two topics, and where samples without spread are so frequent
        that the studentised interval has no end.

    Raises
    ------
    UsageError
        A method that does not exist.
    """
    d, level, resamples = (
        vector(d, "scores"),
        share("level", level),
        whole("resamples", resamples, 1),
    )
    if method not in ("percentile", "bca", "studentised"):
        raise UsageError(
            f"bootstrap_interval: no method {method!r}", "percentile, bca, studentised"
        )
    n, how = len(d), f"{method} bootstrap, {drawn(resamples, seed)}"
    if n < 2:
        return Interval(None, None, level, how, n, few(n))
    if constant(d):
        return Interval(float(d[0]), float(d[0]), level, how, n)
    if method == "studentised":
        return _studentised(d, level, resamples, seed, how)
    means = np.sort(_means(d, resamples, seed))
    tail = (1 - level) / 2
    low, high = (tail, 1 - tail) if method == "percentile" else _bca(d, means, tail)
    return Interval(_quantile(means, low), _quantile(means, high), level, how, n)


def _means(d: Floats, resamples: int, seed: int) -> Floats:
    """The means of all samples, summed exactly."""
    units, unit = lattice(d)
    sums = [units[indices(seed, a, b, len(d))].sum(axis=1) for a, b in blocks(resamples, len(d))]
    return np.asarray(np.concatenate(sums) * unit / len(d), np.float64)


def place(quantile: float, count: int) -> int:
    """Where a quantile stands among `count` sorted numbers: a number that was drawn is given, no
    mixture of two."""
    return min(count - 1, max(0, math.floor(quantile * (count - 1) + 0.5)))


def _quantile(ordered: Floats, quantile: float) -> float:
    return float(ordered[place(quantile, len(ordered))])


def _bca(d: Floats, means: Floats, tail: float) -> tuple[float, float]:
    """The two quantiles that the bias-corrected and accelerated interval reads off."""
    normal, count, n = NormalDist(), len(means), len(d)
    mean = math.fsum(d) / n
    below = np.count_nonzero(means < mean - NOISE) + np.count_nonzero(means <= mean + NOISE)
    bias = normal.inv_cdf(min(max(below / 2 / count, 0.5 / count), 1 - 0.5 / count))
    off = d - mean  # the jackknife's deviations are these by -1/(n - 1)
    acceleration = math.fsum(off**3) / (6 * math.fsum(off**2) ** 1.5)

    def corrected(quantile: float) -> float:
        z = bias + normal.inv_cdf(quantile)
        return normal.cdf(bias + z / (1 - acceleration * z))

    return corrected(tail), corrected(1 - tail)


def _studentised(d: Floats, level: float, resamples: int, seed: int, how: str) -> Interval:
    n = len(d)
    mean, error = math.fsum(d) / n, float(d.std(ddof=1)) / math.sqrt(n)
    drawn_t = []
    for means, errors in _samples(d - mean, resamples, seed):
        t = np.where(np.abs(means) <= NOISE, 0.0, np.copysign(np.inf, means))
        drawn_t.append(np.divide(means, errors, out=t, where=errors > NOISE))
    ordered = np.sort(np.concatenate(drawn_t))
    tail = (1 - level) / 2
    low, high = (mean - error * _quantile(ordered, q) for q in (1 - tail, tail))
    if not (math.isfinite(low) and math.isfinite(high)):
        why = f"too many samples of {n} topics have no spread"
        return Interval(None, None, level, how, n, why)
    return Interval(low, high, level, how, n)
