"""How many pairs of runs a paired t-test tells apart, for many samples of the queries at once.

With sample weights w (how often each query is in a sample of n) a pair of runs has

    t² = (n - 1) r / (1 - r),    r = (Σ w d)² / (n Σ w d²),

so that |t| is beyond the critical value c of a level exactly where r > c² / (n - 1 + c²). No
p-value is needed, no difference of two nearly equal sums is taken, and pairs without spread need
no case of their own: r is 1 where all differences are the same and not 0, and 0 where all are 0.
Scores are whole numbers of units of 10^-12, so that Σ w d is exact; Σ w d² of many samples and a
block of pairs is one matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.kit.parallel import ordered_map
from cranfield.stats.arrays import Advance, Floats, Index, lattice, matrix, silent

_PAIRS = 1024  # pairs and samples of one product, large enough for the threads of BLAS
_SAMPLES = 1024
_CONSTANT = 1e-14  # r this close to 1 has no spread
_TILE = 128  # pairs looked at together, below 256; what is made of them stays in the cache


def critical(levels: Sequence[float], n: int) -> Floats:
    """[L] what r must exceed for p to be below each level, with n queries from 2 on."""
    from scipy.special import stdtrit

    t = stdtrit(n - 1, 1 - np.asarray(levels, np.float64) / 2)
    return np.asarray(1 / (1 + (n - 1) / t**2), np.float64)


def significant(
    x: Floats,
    weights: Floats,
    levels: Sequence[float],
    *,
    threads: int = 1,
    advance: Advance = silent,
) -> Index:
    """Pairs with p below each level, for each sample of the queries.

    Parameters
    ----------
    x : [m runs, n queries] scores.
    weights : [B samples, n] whole numbers; the queries of a sample are the sum of its row, from 2
        to n. A row of ones is the whole set, a row of 0 and 1 a part of it.
    levels : L levels of significance.
    threads : change nothing but the time.

    Returns
    -------
    Index
        int64 [B, L].
    """
    x = matrix(x)
    first, second = np.triu_indices(len(x), 1)
    least = _least(weights, levels)
    units, _ = lattice(x)
    sums = units @ weights.T  # [m, B], exact
    found = np.zeros((len(levels), len(weights)), np.int64)

    def count(block: tuple[int, int]) -> tuple[slice, Index]:
        at, start = block
        i, j = first[at : at + _PAIRS], second[at : at + _PAIRS]
        some = slice(start, start + _SAMPLES)
        squares = _squares(units, i, j) @ weights[some].T
        inside = np.zeros((len(levels), squares.shape[1]), np.int64)
        for tile in range(0, len(i), _TILE):
            part = slice(tile, tile + _TILE)
            difference = sums[i[part], some] - sums[j[part], some]
            inside += _beyond(difference, squares[part], least[:, some])
        advance(len(i) * squares.shape[1] / (len(first) * len(weights)))
        return some, inside

    blocks = [
        (at, start)
        for start in range(0, len(weights), _SAMPLES)
        for at in range(0, len(first), _PAIRS)
    ]
    for some, inside in ordered_map(count, blocks, threads):
        found[:, some] += inside
    return np.ascontiguousarray(found.T)


def statistics(x: Floats, weights: Floats) -> Floats:
    """|t| of every pair of runs in each sample, [B, pairs], in the order of `np.triu_indices`;
    infinite where all differences of a sample are the same and not 0. For few samples: all are
    held at once. `x` and `weights` are those of `significant`."""
    x = matrix(x)
    first, second = np.triu_indices(len(x), 1)
    units, _ = lattice(x)
    sums = units @ weights.T
    sizes = weights.sum(axis=1)
    found = np.empty((len(weights), len(first)))
    for at in range(0, len(first), _PAIRS):
        i, j = first[at : at + _PAIRS], second[at : at + _PAIRS]
        difference = sums[i] - sums[j]
        squares = np.maximum(_squares(units, i, j) @ weights.T, 1.0)
        r = difference * difference / (squares * sizes)
        with np.errstate(divide="ignore"):
            t = np.sqrt((sizes - 1) * r / np.maximum(1 - r, 0.0))
        t[r >= 1 - _CONSTANT] = np.inf
        found[:, at : at + _PAIRS] = t.T
    return found


def _least(weights: Floats, levels: Sequence[float]) -> Floats:
    """[L, B] what r / n must exceed in each sample, as n Σ w d² is not formed."""
    sizes = weights.sum(axis=1)
    bounds = {n: critical(levels, int(n)) * n for n in np.unique(sizes).tolist()}
    return np.array([bounds[n] for n in sizes.tolist()]).reshape(-1, len(levels)).T.copy()


def _squares(units: Floats, i: Index, j: Index) -> Floats:
    d = units[i] - units[j]
    d *= d
    return d


def _beyond(difference: Floats, squares: Floats, least: Floats) -> Index:
    """[L, B] how many pairs are beyond `least` [L, B], given Σ w d and Σ w d² [pairs, B]."""
    difference *= difference
    difference /= np.maximum(squares, 1.0)  # whole numbers: 0 over 0 becomes 0
    found = np.empty(least.shape, np.int64)
    for level, bound in enumerate(least):
        found[level] = np.add.reduce((difference > bound).view(np.uint8), axis=0, dtype=np.uint8)
    return found
