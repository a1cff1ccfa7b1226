"""Rank-biased overlap of two rankings that need not hold the same documents."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from itertools import accumulate
from typing import NamedTuple

from cranfield.errors import MeasureError


class RBO(NamedTuple):
    """What is known of the overlap of two rankings of which only the top has been seen.

    Parameters
    ----------
    min : the overlap if the unseen parts share nothing.
    res : how much more it is if they agree as much as they can.
    ext : the overlap if they go on as the seen parts do.
    """

    min: float
    res: float
    ext: float


def rbo(first: Sequence[Hashable], second: Sequence[Hashable], p: float = 0.9) -> RBO:
    """Rank-biased overlap (Webber, Moffat & Zobel 2010), (1 − p) · Σ_d p^(d−1) · overlap(d) / d.

    Parameters
    ----------
    first, second : ids, the best first; the lists may differ in length.
    p : the weight of each rank against the one before it, between 0 and 1.

    Returns
    -------
    RBO
        NaN three times when both lists are empty.

    Raises
    ------
    MeasureError
        An id twice in a list, or a p that is not between 0 and 1.

    Examples
    --------
    >>> round(rbo("12345", "23415").ext, 6)
    0.828
    """
    if not 0 < p < 1:
        raise MeasureError(f"rbo: p must be a number between 0 and 1, both left out, not {p!r}")
    for ids in (first, second):
        if len(set(ids)) < len(ids):
            raise MeasureError("rbo: an id stands twice in a list", "each may come once")
    if not first and not second:
        return RBO(math.nan, math.nan, math.nan)
    short, long = sorted((first, second), key=len)
    overlap = _overlaps(short, long)
    lowest = _lowest(overlap, p)
    highest = _highest(overlap, len(short), p)
    return RBO(lowest, highest - lowest, _extrapolated(overlap, len(short), p))


def _overlaps(short: Sequence[Hashable], long: Sequence[Hashable]) -> list[int]:
    """[d] how many ids the first d of both lists share, d from 0 to the longer length."""
    place = {item: rank for rank, item in enumerate(long)}
    joins = [0] * (len(long) + 1)
    for rank, item in enumerate(short):
        if item in place:
            joins[max(rank, place[item]) + 1] += 1
    return list(accumulate(joins))


def _lowest(overlap: list[int], p: float) -> float:
    """Equation 11 of the paper: the overlap stays what it is at the end."""
    end = overlap[-1]
    seen = sum((x - end) / d * p**d for d, x in enumerate(overlap) if d)
    return (1 - p) / p * (seen - end * math.log1p(-p))


def _highest(overlap: list[int], short: int, p: float) -> float:
    """Every unseen place agrees as much as it can; from depth `full` on the lists are the same."""
    long = len(overlap) - 1
    full = short + long - overlap[-1]
    total = 0.0
    for d in range(1, full + 1):
        unseen = max(d - short, 0) + max(d - long, 0)
        total += min(d, overlap[min(d, long)] + unseen) / d * p ** (d - 1)
    return (1 - p) * total + p**full


def _extrapolated(overlap: list[int], short: int, p: float) -> float:
    """Equation 32 of the paper: the agreement at the ends goes on below them."""
    long, at_short, at_long = len(overlap) - 1, overlap[short], overlap[-1]
    rate = at_short / short if short else 0.0
    total = sum(x / d * p**d for d, x in enumerate(overlap) if d)
    total += sum(rate * (d - short) / d * p**d for d in range(short + 1, long + 1))
    return (1 - p) / p * total + ((at_long - at_short) / long + rate) * p**long
