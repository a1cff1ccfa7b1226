"""The swap method: how large a difference must be before another set of topics confirms it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import UsageError
from cranfield.metaeval.topicsets import disjoint, samples, weights
from cranfield.stats.arrays import Advance, Floats, Index, lattice, matrix, share, silent, slack

_EDGE = 1e-9  # a mean that is the edge of a bin but for rounding is in the bin above


@dataclass(frozen=True, eq=False)
class Swaps:
    """How often the sign of a difference changed between two topic sets, by its size on the first.

    Parameters
    ----------
    size, trials, seed : topics a set, and how many pairs of sets were drawn, and how.
    replacement : whether topics were drawn with replacement (Sakai 2006); otherwise the two sets
        of a trial share none.
    width : of a bin, in the unit of the measure; the last bin is open.
    compared, swapped : [bins] comparisons, and those of them whose sign changed.
    """

    size: int
    trials: int
    seed: int
    replacement: bool
    width: float
    compared: Index
    swapped: Index

    @property
    def rates(self) -> tuple[float | None, ...]:
        """The swap rate of each bin, None for one without a comparison."""
        pairs = zip(self.swapped.tolist(), self.compared.tolist(), strict=True)
        return tuple(s / c if c else None for s, c in pairs)

    @property
    def rate(self) -> float:
        """The swap rate of all comparisons."""
        return float(self.swapped.sum() / self.compared.sum())

    def required(self, level: float = 0.05) -> float | None:
        """The least difference from which on the sign holds: the lower edge of the first bin such
        that it and every higher one have a rate up to `level`, those without a comparison left
        out of account. None if there is no such bin."""
        return _required(self.rates, self.width, level)

    def sensitivity(self, level: float = 0.05) -> float | None:
        """The share of comparisons that reach the difference required; None without one."""
        least = self.required(level)
        if least is None:
            return None
        first = round(least / self.width)
        return float(self.compared[first:].sum() / self.compared.sum())


@dataclass(frozen=True, eq=False)
class SwapForecast:
    """Swap rates beyond half of the topics, from exponentials fitted below it.

    Parameters
    ----------
    measured : the swaps at each size that was tried.
    size : topics that is extrapolated to.
    start, decay : [bins] a and b of rate = a · exp(-b · size); 0 where a bin is not `fitted`.
    fitted : [bins] whether a bin has swaps at two sizes or more, and so a curve. A bin that was
        compared and never swapped has the rate 0 and counts as fitted.
    differences : [pairs] the absolute differences of means over all topics.
    """

    measured: tuple[Swaps, ...]
    size: int
    start: Floats
    decay: Floats
    fitted: tuple[bool, ...]
    differences: Floats

    @property
    def rates(self) -> tuple[float | None, ...]:
        """The forecast of each bin, at most 1; None without a curve."""
        made = np.minimum(1.0, self.start * np.exp(-self.decay * self.size)).tolist()
        return tuple(r if ok else None for r, ok in zip(made, self.fitted, strict=True))

    def required(self, level: float = 0.05) -> float | None:
        """As `Swaps.required`, by the forecast rates."""
        return _required(self.rates, self.measured[0].width, level)

    def sensitivity(self, level: float = 0.05) -> float | None:
        """The share of pairs whose difference over all topics reaches the one required."""
        least = self.required(level)
        if least is None:
            return None
        return float(np.count_nonzero(self.differences >= least - _EDGE) / len(self.differences))


def _required(rates: Sequence[float | None], width: float, level: float) -> float | None:
    level = share(level, "level")
    first: int | None = None
    for at in range(len(rates) - 1, -1, -1):
        rate = rates[at]
        if rate is not None:
            if rate > level:
                break
            first = at
    return None if first is None else round(first * width, 12)


def swaps(
    x: ArrayLike,
    *,
    size: int | None = None,
    trials: int = 1000,
    seed: int = 0,
    replacement: bool = False,
    width: float = 0.01,
    bins: int = 21,
    sets: tuple[ArrayLike, ArrayLike] | None = None,
    advance: Advance = silent,
) -> Swaps:
    """The swap method (Voorhees & Buckley 2002).

    In each trial every pair of systems is compared on two sets of topics. The difference of means
    on the first says in which bin it counts, and it is a swap if the difference on the second has
    the other sign.

    Parameters
    ----------
    x : [m systems, n topics].
    size : topics a set. Without it the half of n, rounded down; with replacement n.
    trials, seed : how many pairs of sets, and how they are drawn.
    replacement : draw both sets with replacement (Sakai 2006), so that they may be of size n; they
        then share topics, and rates are lower than between disjoint sets of that size.
    width, bins : of a bin in the unit of the measure, and how many; the last one is open.
    sets : the sets themselves, [trials, size] twice, in place of drawn ones.
    """
    found = matrix(x)
    m, n = found.shape
    if not (width > 0 and math.isfinite(width)) or bins < 1:
        raise UsageError(f"{bins} bins of a width of {width!r}", "one at least, wider than 0")
    if sets is None:
        size = (n if replacement else n // 2) if size is None else size
        one, two = (samples if replacement else disjoint)(n, size, trials, seed)
    else:
        one, two = (np.asarray(given, np.int64) for given in sets)
        trials, size = one.shape
    units, unit = lattice(found)
    first, second = units @ weights(one, n).T, units @ weights(two, n).T
    compared, swapped = np.zeros(bins, np.int64), np.zeros(bins, np.int64)
    scale, noise = unit / (size * width), slack(n)
    for i in range(m - 1):
        here, there = first[i] - first[i + 1 :], second[i] - second[i + 1 :]
        apart = np.abs(here)
        at = np.minimum((apart * scale + _EDGE).astype(np.int64), bins - 1)
        other = (np.sign(here) != np.sign(there)) & (apart > noise) & (np.abs(there) > noise)
        compared += np.bincount(at.ravel(), minlength=bins)
        swapped += np.bincount(at[other], minlength=bins)
        advance((m - 1 - i) / (m * (m - 1) / 2))
    return Swaps(size, trials, seed, replacement, width, compared, swapped)


def forecast(
    x: ArrayLike,
    *,
    sizes: Sequence[int] | None = None,
    size: int | None = None,
    trials: int = 200,
    seed: int = 0,
    width: float = 0.01,
    bins: int = 21,
    advance: Advance = silent,
) -> SwapForecast:
    """The swap rates of more topics than the half, extrapolated (Voorhees & Buckley 2002).

    Two disjoint sets can be no larger than n/2. For each bin rate = a · exp(-b · size) is fitted
    to the rates at several sizes: least squares of its logarithm, each rate weighed by its number
    of swaps, since the variance of the logarithm of a count is about 1 / count.

    Parameters
    ----------
    x, trials, seed, width, bins : as for `swaps`.
    sizes : topics a set that are tried; without them ten or fewer, spread evenly from 5 (or 1) to
        n/2.
    size : extrapolated to; n without it.
    """
    found = matrix(x)
    n = found.shape[1]
    half = n // 2
    tried = sorted(set(sizes or np.linspace(min(5, half), half, 10).round().astype(int).tolist()))
    if len(tried) < 2:
        raise UsageError("swap rates at two sizes or more make a curve", "more topics, or sizes")
    made = []
    for c in tried:
        one = swaps(found, size=c, trials=trials, seed=seed, width=width, bins=bins)
        made.append(one)
        advance(1 / len(tried))
    start, decay, fitted = _exponentials(made)
    means = found.mean(axis=1)
    upper = np.triu_indices(len(means), 1)
    differences = np.abs(means[:, None] - means)[upper]
    return SwapForecast(tuple(made), n if size is None else size, start, decay, fitted, differences)


def _exponentials(made: Sequence[Swaps]) -> tuple[Floats, Floats, tuple[bool, ...]]:
    bins = len(made[0].compared)
    c = np.array([one.size for one in made], np.float64)
    compared = np.stack([one.compared for one in made])
    swapped = np.stack([one.swapped for one in made])
    start, decay, fitted = np.zeros(bins), np.zeros(bins), [False] * bins
    for b in range(bins):
        some = swapped[:, b] > 0
        if np.count_nonzero(some) < 2:
            fitted[b] = bool(compared[:, b].any() and not some.any())
            continue
        weight = swapped[some, b].astype(np.float64)
        weight /= weight.sum()
        rate = np.log(swapped[some, b] / compared[some, b])
        centre, height = weight @ c[some], weight @ rate
        off = c[some] - centre
        slope = (weight * off) @ (rate - height) / ((weight * off) @ off)
        start[b], decay[b], fitted[b] = math.exp(height - slope * centre), -slope, True
    return start, decay, tuple(fitted)
