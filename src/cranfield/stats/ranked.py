"""The tests by signs and by ranks, for every pair of systems at once."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import UsageError
from cranfield.stats.arrays import DECIMALS, Advance, Floats, Index, matrix, silent
from cranfield.stats.flips import subset_share
from cranfield.stats.pairs import pair_blocks
from cranfield.stats.results import AllPairs
from cranfield.stats.significance import EXACT_RANKS, MOST_RANKS, binomial_p

_PAIRS = 512  # at a time: with 1275 angles each, what fits the cache


def sign_test_all(x: ArrayLike, min_d: float = 0.0) -> AllPairs:
    """`sign_test` of every pair of rows of x [m systems, n topics]. The statistic is the number of
    topics that row i wins less those that row j wins."""
    x = matrix(x)
    if not (min_d >= 0 and math.isfinite(min_d)):
        raise UsageError(f"sign_test: min_d must be a number from 0 on, not {min_d!r}")
    m, n = x.shape
    difference, lead = np.zeros((m, m)), np.zeros((m, m))
    low, both = np.zeros((m, m), np.int64), np.zeros((m, m), np.int64)
    for i in range(m - 1):
        d = np.round(x[i] - x[i + 1 :], DECIMALS)
        plus = np.count_nonzero(d > min_d, axis=1)
        minus = np.count_nonzero(d < -min_d, axis=1)
        difference[i, i + 1 :], lead[i, i + 1 :] = d.mean(axis=1), plus - minus
        low[i, i + 1 :], both[i, i + 1 :] = np.minimum(plus, minus), plus + minus
    p = np.ones((m, m))
    for count in np.unique(both).tolist():
        here = both == count
        p[here] = _sign_p(count)[low[here]]
    p = np.minimum(p, p.T)  # below and on the diagonal nothing was counted: p is 1 there
    return AllPairs("sign", "exact", n, difference - difference.T, lead - lead.T, p)


@lru_cache(maxsize=1024)
def _sign_p(count: int) -> Floats:
    """`binomial_p` by the smaller count, from 0 to the half."""
    if count > MOST_RANKS:
        return np.array([binomial_p(low, count) for low in range(count // 2 + 1)])
    ways, total, found = 1, 0, []
    for low in range(count // 2 + 1):
        total += ways
        found.append(min(1.0, 2 * total / 2**count))  # whole numbers, divided once
        ways = ways * (count - low) // (low + 1)
    return np.array(found)


def wilcoxon_all(
    x: ArrayLike,
    method: Literal["auto", "exact", "normal"] = "auto",
    continuity: bool = False,
    advance: Advance = silent,
) -> AllPairs:
    """`wilcoxon` of every pair of rows of x [m systems, n topics].

    The statistic is W+ less W-. For up to 50 topics the exact distributions of all pairs, each
    with its own ties, are computed together; p is then within about 1e-13.
    """
    x = matrix(x)
    if method not in ("auto", "exact", "normal"):
        raise UsageError(f"wilcoxon: no method {method!r}", "auto, exact or normal")
    m, n = x.shape
    if method == "exact" and n > MOST_RANKS:
        raise UsageError(
            f"wilcoxon: {n} differences are too many for the exact test", "method='normal'"
        )
    difference, lead, p = np.zeros((m, m)), np.zeros((m, m)), np.ones((m, m))
    exact = False
    for one, two, done in pair_blocks(m, _PAIRS):
        d = np.round(x[one] - x[two], DECIMALS)
        ranks, ties, kept = _ranks(np.abs(d))
        plus = (ranks * (d > 0)).sum(axis=1)
        low = np.minimum(plus, kept * (kept + 1) / 2 - plus)
        found = _normal(low, kept, ties, continuity)
        counted = kept > 0 if method == "exact" else (kept > 0) & (kept <= EXACT_RANKS)
        if method != "normal" and counted.any():
            exact = True
            found[counted] = _exact(ranks[counted], low[counted], kept[counted])
        found[kept == 0] = 1.0
        difference[one, two], lead[one, two] = d.mean(axis=1), 2 * plus - kept * (kept + 1) / 2
        p[one, two] = p[two, one] = np.minimum(1.0, found)
        advance(done)
    approximate = "normal approximation" + (", continuity corrected" if continuity else "")
    how = approximate
    if method == "exact" or (exact and n <= EXACT_RANKS):
        how = "exact"
    elif exact:
        how = f"exact up to {EXACT_RANKS} differences, {approximate} beyond"
    return AllPairs("Wilcoxon", how, n, difference - difference.T, lead - lead.T, p)


def _ranks(sizes: Floats) -> tuple[Floats, Floats, Index]:
    """For each row of sizes [rows, n]: mean ranks of those above 0, and 0 for the others; Σ(t³ - t)
    over groups of t equal ones; and how many are above 0."""
    rows, n = sizes.shape
    order = np.argsort(sizes, axis=1, kind="stable")
    ordered = np.take_along_axis(sizes, order, axis=1)
    zeros = np.count_nonzero(ordered == 0, axis=1)
    begins = np.ones((rows, n), bool)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    place = np.arange(n)
    first = np.maximum.accumulate(np.where(begins, place, 0), axis=1)
    ends = np.ones((rows, n), bool)
    ends[:, :-1] = begins[:, 1:]
    last = np.minimum.accumulate(np.where(ends, place, n)[:, ::-1], axis=1)[:, ::-1]
    mean = (first + last) / 2 + 1 - zeros[:, None]
    mean[ordered == 0] = 0.0
    t = (last - first + 1).astype(np.float64)
    ties = np.where(ordered == 0, 0.0, t * t - 1).sum(axis=1)  # t³ - t, shared by t places
    out = np.empty_like(mean)
    np.put_along_axis(out, order, mean, axis=1)
    return out, ties, n - zeros


def _normal(low: Floats, kept: Index, ties: Floats, continuity: bool) -> Floats:
    from scipy.special import erfc

    n = kept.astype(np.float64)
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    variance[kept == 0] = 1.0
    z = (low - n * (n + 1) / 4 + (0.5 if continuity else 0.0)) / np.sqrt(variance)
    return np.asarray(erfc(-z / math.sqrt(2)), np.float64)


def _exact(ranks: Floats, low: Floats, kept: Index) -> Floats:
    """Twice the chance of a rank sum up to `low` under random signs, for each row of ranks; ties
    make no difference to it. A mean rank is a multiple of a half, so all are doubled."""
    twice, most = np.rint(2 * ranks).astype(np.int64), np.rint(2 * low).astype(np.int64)
    if ranks.shape[1] <= EXACT_RANKS:
        found = 2 * _sums_up_to(twice, most)
        return np.clip(found, 2.0 ** (1.0 - kept), 1.0)  # no p is smaller than that of no sum
    return np.array(
        [2 * subset_share(row[row > 0], reach) for row, reach in zip(twice, most, strict=True)]
    )


def _sums_up_to(values: Index, reach: Index) -> Floats:
    """[rows] the share of all subsets of a row's whole numbers whose sum is at most `reach`.

    The characteristic function of such a sum V of total T is exp(iθT/2) · Π cos(θ r/2), and the
    distribution of a whole number below N follows from its values at θ = 2πk/N. The product over a
    row is a sum of logarithms by how often each number occurs: a matrix product does all rows. The
    result is within about 1e-13.
    """
    rows, n = values.shape
    logs, negative, half_sines, sines = _cosines(n)
    flat = values + (np.arange(rows) * (2 * n + 1))[:, None]
    counts = np.bincount(flat.ravel(), minlength=rows * (2 * n + 1)).astype(np.float64)
    counts = counts.reshape(rows, 2 * n + 1)
    product = counts @ logs
    np.exp(product, out=product)
    odd = (counts @ negative).astype(np.int16) & 1
    np.negative(product, out=product, where=odd.astype(bool))
    # Σ_{v <= reach} cos(θ (T/2 - v)) = (sin(θ (T + 1)/2) + sin(θ (2 reach + 1 - T)/2)) / 2 sin(θ/2)
    total = values.sum(axis=1)
    ends = np.sin((2 * reach + 1 - total)[:, None] * half_sines[0])
    ends += sines[np.count_nonzero(values, axis=1)]
    product *= ends
    product *= half_sines[1]
    return np.asarray((product.sum(axis=1) + reach + 1) / (n * (n + 1) + 1), np.float64)


@lru_cache(maxsize=4)
def _cosines(n: int) -> tuple[Floats, Floats, Floats, Floats]:
    """For the angles θ up to π: the logarithm of |cos(θ r/2)| for r from 0 to 2n, and where it is
    negative; θ/2 and 1 / sin(θ/2); and sin(θ (T + 1)/2) by the number k of differences, whose
    doubled ranks sum to T = k(k + 1)."""
    n_points = n * (n + 1) + 1
    half = np.pi * np.arange(1, (n_points + 1) // 2) / n_points
    cosine = np.cos(np.arange(2 * n + 1)[:, None] * half)
    k = np.arange(n + 1)[:, None]
    logs = np.log(np.maximum(np.abs(cosine), 1e-300))
    negative = (cosine < 0).astype(np.float64)
    return logs, negative, np.stack([half, 1 / np.sin(half)]), np.sin((k * (k + 1) + 1) * half)
