"""Whether a second half of the topics confirms what is significant on the first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cranfield.errors import UsageError
from cranfield.metaeval.topicsets import subsets, weights
from cranfield.stats.arrays import (
    DECIMALS,
    NOISE,
    Advance,
    Floats,
    Index,
    matrix,
    share,
    silent,
)
from cranfield.stats.pairs import pair_blocks
from cranfield.stats.ranked import sign_test_all, wilcoxon_all
from cranfield.stats.results import AllPairs

HalfTest = Literal["t", "wilcoxon", "sign"]


@dataclass(frozen=True)
class SplitHalves:
    """Zobel's measure of a test's power and reliability.

    Parameters
    ----------
    test, alpha : what was asked of the first half.
    sizes : topics in the two halves.
    trials, seed : how many random splits, and how they were drawn.
    compared : pairs of systems times trials.
    significant : those that are significant on the first half.
    contradicted : those of them whose difference on the second half has the other sign.
    equal : those of them without a difference on the second half.
    """

    test: HalfTest
    alpha: float
    sizes: tuple[int, int]
    trials: int
    seed: int
    compared: int
    significant: int
    contradicted: int
    equal: int

    @property
    def power(self) -> float:
        """The share of comparisons that are significant on the first half."""
        return self.significant / self.compared

    @property
    def error(self) -> float | None:
        """The share of the significant ones that the second half contradicts; None where nothing
        is significant."""
        return self.contradicted / self.significant if self.significant else None

    @property
    def unconfirmed(self) -> float | None:
        """The same, with those that are equal on the second half counted as well."""
        missed = self.contradicted + self.equal
        return missed / self.significant if self.significant else None


def split_halves(
    x: ArrayLike,
    alpha: float = 0.05,
    *,
    test: HalfTest = "t",
    trials: int = 200,
    seed: int = 0,
    advance: Advance = silent,
) -> SplitHalves:
    """Topics are split at random, and the second half checks the first (Zobel 1998).

    Parameters
    ----------
    x : [m systems, n topics], from 4 topics on. Of an odd number the second half has one more.
    alpha : p < alpha is significant, two-sided.
    test : "t", "wilcoxon" (signed ranks, in the normal approximation) or "sign".
    trials, seed : how many splits, and how they are drawn.
    """
    found, alpha = matrix(x, topics=4), share(alpha, "alpha")
    if test not in ("t", "wilcoxon", "sign"):
        raise UsageError(f"split halves: no test {test!r}", "t, wilcoxon or sign")
    m, n = found.shape
    half = n // 2
    order = subsets(n, n, trials, seed)
    first = weights(order[:, :half], n)
    if test == "t":
        counts = _by_t(found, first, half, alpha, advance)
    else:
        counts = _by_ranks(found, order, half, alpha, test, advance)
    sizes, compared = (half, n - half), trials * m * (m - 1) // 2
    return SplitHalves(test, alpha, sizes, trials, seed, compared, *counts.tolist())


def _by_t(x: Floats, first: Floats, half: int, alpha: float, advance: Advance) -> Index:
    """All trials of many pairs at once: [trials, pairs]. The differences are taken from their mean
    over all topics, so that a sum of squares loses nothing to it."""
    from scipy.special import stdtrit

    critical = float(stdtrit(half - 1, 1 - alpha / 2))
    n = x.shape[1]
    counts = np.zeros(3, np.int64)
    for one, two, done in pair_blocks(len(x)):
        d = np.round(x[one] - x[two], DECIMALS)
        centre = d.mean(axis=1)
        d -= centre[:, None]
        mean = first @ d.T
        rest = np.maximum(first @ (d * d).T - mean * mean / half, 0.0)
        rest[rest <= (half - 1) * NOISE * NOISE] = 0.0
        other = -mean / (n - half) + centre  # the rest of the topics; all sum to 0
        mean = mean / half + centre
        mean[np.abs(mean) <= NOISE] = other[np.abs(other) <= NOISE] = 0.0
        found = np.abs(mean) * math.sqrt(half) > critical * np.sqrt(rest / (half - 1))
        counts += _counted(found, np.sign(mean), np.sign(other))
        advance(done)
    return counts


def _by_ranks(
    x: Floats, order: Index, half: int, alpha: float, test: HalfTest, advance: Advance
) -> Index:
    def every(part: Floats) -> AllPairs:
        return wilcoxon_all(part, "normal") if test == "wilcoxon" else sign_test_all(part)

    upper = np.triu_indices(len(x), 1)
    counts = np.zeros(3, np.int64)
    for one in order:
        seen = every(x[:, one[:half]])
        mean = x[:, one[half:]].mean(axis=1)
        other = np.round(mean[:, None] - mean, DECIMALS)[upper]
        found = seen.p[upper] < alpha
        side = np.sign(np.round(seen.difference, DECIMALS)[upper])
        counts += _counted(found, side, np.sign(other))
        advance(1 / len(order))
    return counts


def _counted(found: NDArray[np.bool_], first: Floats, second: Floats) -> list[int]:
    """Significant pairs, those of the other sign on the second half, and those equal there."""
    other, none = found & (first * second < 0), found & (second == 0)
    return [int(np.count_nonzero(marks)) for marks in (found, other, none)]
