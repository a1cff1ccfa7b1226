"""How far two orders of the same systems agree, and (`rbo`) two lists of any items."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError, UsageError
from cranfield.stats.arrays import DECIMALS, Floats, pair
from cranfield.stats.rbo import RBO, rbo

__all__ = ["RBO", "kendall_tau", "rbo", "tau_ap", "tau_ap_b"]

_CELLS = 1 << 20  # comparisons held at a time


def kendall_tau(x: ArrayLike, y: ArrayLike, variant: Literal["b", "a"] = "b") -> float | None:
    """Kendall's τ of two scores of the same items, over all n(n - 1)/2 pairs (Kendall 1945).

    Parameters
    ----------
    x, y : [n] scores, rounded to 12 decimals before ties are decided. Time grows with n².
    variant : "a" divides concordant less discordant pairs by all pairs; "b" by the geometric mean
        of the pairs that are not tied in x and of those that are not tied in y.

    Returns
    -------
    float or None
        From -1 to 1; None for fewer than two items, and for "b" where x or y is constant.
    """
    first, second = _rounded(x, y)
    if variant not in ("a", "b"):
        raise UsageError(f"kendall_tau: no variant {variant!r}", "a or b")
    n = len(first)
    if n < 2:
        return None
    agree = in_x = in_y = 0  # each pair is met twice
    for rows in _stretches(n):
        a = np.sign(first[rows, None] - first).astype(np.int8)
        b = np.sign(second[rows, None] - second).astype(np.int8)
        agree += int((a * b).sum(dtype=np.int64))
        in_x, in_y = in_x + int(np.count_nonzero(a)), in_y + int(np.count_nonzero(b))
    if variant == "a":
        return agree / (n * (n - 1))
    return agree / math.sqrt(in_x * in_y) if in_x and in_y else None


def tau_ap(truth: ArrayLike, estimate: ArrayLike) -> float | None:
    """τ_AP (Yilmaz, Aslam & Robertson 2008): τ with the weight on the top of `estimate`.

    2/(n-1) · Σ_{i=2..n} C(i)/(i-1) - 1, where C(i) of the items above the one at rank i of the
    estimate are above it in truth as well. It is not symmetric.

    Parameters
    ----------
    truth, estimate : [n] scores, higher is better.

    Returns
    -------
    float or None
        From -1 to 1; None for fewer than two items.

    Raises
    ------
    InputError
        Two items with the same score: it is not defined with ties.
    """
    first, second = _rounded(truth, estimate)
    if any(len(np.unique(scores)) < len(scores) for scores in (first, second)):
        raise InputError("tau_ap: two items have the same score", "tau_ap_b is defined with ties")
    return _one_way(first, second)


def tau_ap_b(x: ArrayLike, y: ArrayLike) -> float | None:
    """τ_AP,b (Urbano & Marrero 2017): the mean of both directions of τ_AP, with ties.

    Items with equal scores share the least of their ranks, and the sum runs over the items that
    are not in the top group.

    Returns
    -------
    float or None
        From -1 to 1; None for fewer than two items, or where x or y is constant.
    """
    first, second = _rounded(x, y)
    there, back = _one_way(first, second), _one_way(second, first)
    return None if there is None or back is None else (there + back) / 2


def _one_way(truth: Floats, estimate: Floats) -> float | None:
    total, below = 0.0, 0
    for rows in _stretches(len(truth)):
        above = estimate > estimate[rows, None]
        right = np.count_nonzero(above & (truth > truth[rows, None]), axis=1)
        rank = np.count_nonzero(above, axis=1)  # from 0
        total += float((right[rank > 0] / rank[rank > 0]).sum())
        below += int(np.count_nonzero(rank))
    return 2 * total / below - 1 if below else None


def _rounded(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    first, second = pair(x, y)
    return np.round(first, DECIMALS), np.round(second, DECIMALS)


def _stretches(n: int) -> Iterator[slice]:
    step = max(1, _CELLS // max(1, n))
    for begin in range(0, n, step):
        yield slice(begin, begin + step)
