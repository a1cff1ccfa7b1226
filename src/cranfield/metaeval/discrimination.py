"""The share of pairs of runs that a paired t-test tells apart, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.data.columns import Floats
from cranfield.data.matrix import ScoreMatrix
from cranfield.metaeval.counting import significant
from cranfield.metaeval.results import Discrimination, ShareBootstrap
from cranfield.stats.arrays import Advance, share, silent, times
from cranfield.stats.resampling import multiplicities

# The fifteen of Wu, Tan & Shi 2015.
LEVELS = (
    *(0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008, 0.009, 0.010),
    *(0.015, 0.020, 0.025, 0.050, 0.100),
)


def discriminate(
    matrix: ScoreMatrix,
    levels: Sequence[float] = LEVELS,
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    threads: int = 1,
    advance: Advance = silent,
) -> Discrimination:
    """Test every pair of runs under every measure at every level (Wu, Tan & Shi 2015).

    Parameters
    ----------
    matrix : two runs and two queries or more.
    levels : of significance, ascending; a pair counts where p is strictly below.
    resamples : samples of the queries for intervals and the sureness of the order; 0: none.
    confidence, seed : of the intervals, and which samples; the same for every measure.
    threads : change no number.
    """
    n = len(matrix.queries)
    pairs = len(matrix.runs) * (len(matrix.runs) - 1) // 2
    ones = np.ones((1, n))
    seen = np.stack([significant(matrix.of(name), ones, levels)[0] for name in matrix.measures])
    sureness = None
    if resamples:
        weights = multiplicities(seed, 0, times(resamples), n)
        drawn = shares_by_measure(matrix, weights, levels, threads, advance)
        sureness = _bootstrap(_with_mean(seen / pairs), _with_mean(drawn), confidence, seed)
    return Discrimination(matrix.measures, tuple(levels), len(matrix.runs), n, seen, sureness)


def shares_by_measure(
    matrix: ScoreMatrix,
    weights: Floats,
    levels: Sequence[float],
    threads: int = 1,
    advance: Advance = silent,
) -> Floats:
    """[B, s, L] the share of significant pairs for each sample, [B, n] of weights, and measure."""
    pairs = len(matrix.runs) * (len(matrix.runs) - 1) // 2
    s = len(matrix.measures)
    found = [
        significant(
            matrix.of(name),
            weights,
            levels,
            threads=threads,
            advance=lambda done: advance(done / s),
        )
        for name in matrix.measures
    ]
    return np.stack(found, axis=1) / pairs


def _with_mean(shares: Floats) -> Floats:
    """The mean over levels as one more level."""
    return np.concatenate([shares, shares.mean(axis=-1, keepdims=True)], axis=-1)


def _bootstrap(seen: Floats, drawn: Floats, confidence: float, seed: int) -> ShareBootstrap:
    """From shares [s, L + 1] and resampled ones [B, s, L + 1]."""
    tail = (1 - share(confidence, "confidence")) / 2
    shift = drawn.mean(axis=0) - seen
    moved = drawn - shift
    low, high = np.clip(np.quantile(moved, [tail, 1 - tail], axis=0), 0.0, 1.0)
    difference = moved[:, :, None] - moved[:, None]  # [B, s, s, L + 1]
    noise = 1e-12
    above = (difference > noise).mean(axis=0) + (np.abs(difference) <= noise).mean(axis=0) / 2
    dlow, dhigh = np.quantile(difference, [tail, 1 - tail], axis=0)
    return ShareBootstrap(
        confidence, len(drawn), seed, low, high, shift, dlow, dhigh, above, _same_order(seen, moved)
    )


def _same_order(seen: Floats, moved: Floats) -> Floats:
    """[L + 1] how often each measure is at or above the next one in the order seen, all at once."""
    best = np.argsort(-seen, axis=0, kind="stable")
    ordered = np.take_along_axis(moved, best[None], axis=1)
    kept = np.all(ordered[:, :-1] >= ordered[:, 1:] - 1e-12, axis=1)
    return np.asarray(kept.mean(axis=0), np.float64)
