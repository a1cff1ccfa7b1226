"""The queries cut into parts, as if there had been fewer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from cranfield.data.columns import Floats, Index
from cranfield.data.matrix import ScoreMatrix
from cranfield.errors import UsageError
from cranfield.metaeval.discrimination import LEVELS, shares_by_measure
from cranfield.metaeval.sizes_results import PartCurve
from cranfield.stats.arrays import Advance, silent
from cranfield.stats.resampling import orders

How = Literal["random", "contiguous"]


def part_sizes(n: int, parts: int) -> tuple[int, ...]:
    """Sizes that differ by one at most, the larger first: 249 into 2 gives 125 and 124.

    Raises
    ------
    UsageError
        Fewer than two queries would be in a part: there is no test of one.
    """
    if parts < 1 or n < 2 * parts:
        raise UsageError(
            f"{n} queries cannot be cut into {parts} parts of two or more",
            f"from 1 to {n // 2} parts",
        )
    return tuple(n // parts + (i < n % parts) for i in range(parts))


def part_curve(
    matrix: ScoreMatrix,
    parts: int,
    levels: Sequence[float] = LEVELS,
    *,
    how: How = "random",
    repeats: int = 50,
    seed: int = 0,
    threads: int = 1,
    advance: Advance = silent,
) -> PartCurve:
    """The curve of each part of the queries, averaged over parts (Wu, Tan & Shi 2015).

    Parameters
    ----------
    parts : into how many the queries are cut.
    how : "random", from a random order; "contiguous", in the order of the queries.
    repeats, seed : how many random orders, and which; the same for all measures.
    threads : change no number.
    """
    n = len(matrix.queries)
    sizes = part_sizes(n, parts)
    if how == "contiguous":
        order = np.arange(n)[None]
    elif how == "random":
        if repeats < 1:
            raise UsageError(f"repeats must be a whole number from 1 on, not {repeats!r}")
        order = permutations(seed, repeats, n)
    else:
        raise UsageError(f"how is {how!r}", "random or contiguous")
    weights = np.concatenate([_members(row, sizes) for row in order])
    shares = shares_by_measure(matrix, weights, levels, threads, advance)
    curves = shares.reshape(len(order), parts, *shares.shape[1:]).mean(axis=1)
    return PartCurve(parts, sizes, how, seed if how == "random" else None, curves)


def permutations(seed: int, count: int, n: int) -> Index:
    """[count, n] random orders of the numbers below n."""
    return orders(seed, 0, count, 1, n)[:, 0]


def _members(order: Index, sizes: Sequence[int]) -> Floats:
    """[parts, n] 1 where a query is in a part."""
    found = np.zeros((len(sizes), len(order)))
    found[np.repeat(np.arange(len(sizes)), sizes), order] = 1.0
    return found
