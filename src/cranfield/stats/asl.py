"""The bootstrap test of all pairs, with the difference of means that it takes to be significant."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.stats.arrays import (
    DECIMALS,
    NOISE,
    Advance,
    Floats,
    drawn,
    matrix,
    share,
    silent,
    times,
)
from cranfield.stats.bootstrap import TIED
from cranfield.stats.pairs import pair_blocks, paired_t_all
from cranfield.stats.resampling import multiplicities
from cranfield.stats.results import AllPairs

_CELLS = 1 << 21  # of resamples by pairs, so that scratch memory stays in the cache


@dataclass(frozen=True, eq=False)
class Achieved(AllPairs):
    """The bootstrap test of all pairs.

    Parameters
    ----------
    alpha : the level that `needed` belongs to.
    needed : [m, m] the absolute difference of means at which each pair would be significant.
    """

    alpha: float
    needed: Floats

    @property
    def required(self) -> float:
        """The estimated difference required (Sakai 2006): the largest over all pairs."""
        return float(self.needed.max())


def bootstrap_required(
    x: ArrayLike,
    alpha: float = 0.05,
    *,
    resamples: int = 1000,
    seed: int = 0,
    advance: Advance = silent,
) -> Achieved:
    """`bootstrap_asl_all` of x [m systems, n topics], and the difference required at `alpha`.

    The same samples and the same p. For each pair the samples are put in order of |t|, the largest
    first, and the |mean| of the one at place ceil(alpha B) is what a difference would have to be.
    All samples are held at once, 8 n bytes each.
    """
    x, alpha, resamples = matrix(x), share(alpha, "alpha"), times(resamples)
    m, n = x.shape
    seen = paired_t_all(x)
    least = np.abs(seen.statistic) * TIED
    weights = multiplicities(seed, 0, resamples, n).T.copy()
    place = resamples - math.ceil(alpha * resamples - 1e-9)
    p, needed = np.ones((m, m)), np.zeros((m, m))
    for one, two, done in pair_blocks(m, max(1, _CELLS // resamples)):
        d = np.round(x[one] - x[two], DECIMALS)
        d -= d.mean(axis=1)[:, None]
        mean, t = _studentised(d, weights)
        reached = np.count_nonzero(t >= least[one, two][:, None], axis=1)
        p[one, two] = p[two, one] = reached / resamples
        at = np.partition(t, place, axis=1)[:, place, None]
        there = (t >= at * TIED) & (t * TIED <= at)
        needed[one, two] = needed[two, one] = np.where(there, mean, 0.0).max(axis=1)
        advance(done)
    needed[needed <= NOISE] = 0.0
    p[seen.statistic == 0] = 1.0
    p[np.isinf(seen.statistic)] = 0.0
    how = drawn(resamples, seed)
    return Achieved("bootstrap", how, n, seen.difference, seen.statistic, p, alpha, needed)


def _studentised(d: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """|mean| and |t| of each row of d, whose means are 0, in each sample: [rows, samples]. A sample
    whose differences are all the same has t = 0."""
    n = d.shape[1]
    mean = d @ weights
    mean /= n
    squares = (d * d) @ weights
    rest = squares - n * mean * mean
    spread = rest > 1e-12 * squares
    np.abs(mean, out=mean)
    error = np.sqrt(np.maximum(rest, 0.0) / ((n - 1) * n))
    t = np.zeros_like(mean)
    np.divide(mean, error, out=t, where=spread)
    return mean, t
