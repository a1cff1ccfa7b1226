"""What a measure reads: a block of hits with its conventions already applied.

A measure that reads a `GradeView` never asks whether the list was condensed. It asks for grades,
ranks and sums, and gets those of the list that the reader is meant to see.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache
from itertools import repeat
from typing import Any, TypeVar

import numpy as np

from cranfield.measures.hits import Bools, Floats, Hits, Ints, Judgments, runs_of, sum_by_query

T = TypeVar("T")


class GradeView:
    """Grades by rank, for every topic of a block.

    Parameters
    ----------
    judgments, hits : the block.
    condensed : leave unjudged documents (no row, or a grade below 0) out of the list and number
        the others afresh (Sakai 2007, "Alternatives to bpref").
    expected : the caller wants expectations over random orders of equal scores, not the value of
        the one order that the run was put in.

    Attributes
    ----------
    n_queries : int
    query, rank, row, grade, judged, tie_start, tie_len : [hit], sorted by (query, rank)
    n_ret : [n_queries] length of the list
    """

    def __init__(
        self, judgments: Judgments, hits: Hits, condensed: bool = False, expected: bool = False
    ) -> None:
        self.judgments = judgments
        self.expected = expected
        self.n_queries = judgments.n_queries
        self.query, self.rank, self.row = hits.query, hits.rank, hits.row
        self.tie_start, self.tie_len, self.n_ret = hits.tie_start, hits.tie_len, hits.n_ret
        self.grade: Floats = judgments.grade[hits.row]
        self.judged: Bools = self.grade >= 0
        self._kept: dict[Hashable, Any] = {}
        if condensed:
            self._condense()

    def _condense(self) -> None:
        keep = self.judged
        self.query, self.row, self.grade = self.query[keep], self.row[keep], self.grade[keep]
        self.judged = self.judged[keep]
        self.rank = np.arange(len(self.query)) - np.searchsorted(self.query, self.query)
        self.n_ret = self.count(self.judged)
        fresh = runs_of(self.query, self.tie_start[keep])
        group = np.cumsum(fresh) - 1
        self.tie_start = self.rank[fresh][group]
        self.tie_len = np.bincount(group).astype(np.int64, copy=False)[group]

    # ------------------------------------------------------------------ sums and shares

    def sum(self, weights: Floats, mask: Bools | None = None) -> Floats:
        """[n_queries] the sum of `weights` (one a hit) where `mask` holds, in rank order."""
        return sum_by_query(self.query, weights, mask, self.n_queries)

    def count(self, mask: Bools) -> Ints:
        """[n_queries] how many hits `mask` marks."""
        counted = np.bincount(self.query[mask], minlength=self.n_queries)
        return counted.astype(np.int64, copy=False)

    def largest(self, values: Floats, mask: Bools | None = None) -> Floats:
        """[n_queries] the largest of `values` (one a hit) where `mask` holds, 0 at least."""
        out = np.zeros(self.n_queries)
        if mask is None:
            np.maximum.at(out, self.query, values)
        else:
            np.maximum.at(out, self.query[mask], values[mask])
        return out

    # ------------------------------------------------------------------ hits

    def relevant(self, rel: float) -> Bools:
        """[hit] grade >= rel."""
        return self.keep(("relevant", rel), lambda: self.grade >= rel)

    def nonrelevant(self, rel: float) -> Bools:
        """[hit] judged, and below rel."""
        return self.keep(("nonrelevant", rel), lambda: self.judged & (self.grade < rel))

    def relevant_so_far(self, rel: float) -> Ints:
        """[hit] relevant hits of the query down to this one, itself included."""
        return self.keep(("so far", rel), lambda: self._running(self.relevant(rel)))

    def nonrelevant_so_far(self, rel: float) -> Ints:
        """[hit] judged non-relevant hits of the query down to this one, itself included."""
        return self.keep(("non so far", rel), lambda: self._running(self.nonrelevant(rel)))

    def so_far(self, mask: Bools) -> Ints:
        """[hit] how many hits of the query `mask` marks down to this one, itself included."""
        return self._running(mask)

    def within(self, k: int | None) -> Bools:
        """[hit] true for the first k of the list (for all of it when k is None)."""
        if k is None:
            return np.ones(len(self.rank), np.bool_)
        return self.rank < k

    def inside(self, k: int | None) -> Floats:
        """[hit] the probability of a place among the first k: 1 or 0, unless scores are tied.

        A group of L equal scores from rank s on (0-based) has min(max(k - s, 0), L) places
        there, and each member is as likely as the next to take one.
        """
        if k is None or not self.expected:
            return self.within(k).astype(np.float64)
        return np.clip(k - self.tie_start, 0, self.tie_len) / self.tie_len

    def _running(self, mask: Bools) -> Ints:
        counted = np.concatenate(([0], np.cumsum(mask, dtype=np.int64)))
        return counted[1:] - counted[self.keep("first", self._first_of_query)]

    def _first_of_query(self) -> Ints:
        return np.searchsorted(self.query, self.query)

    # ------------------------------------------------------------------ shared tables

    def log2(self) -> Floats:
        """Discounts by 0-based rank, log2(rank + 2), for every rank that the list or the ideal
        list gives to a judged document (or, tied, could give)."""
        deepest = max(int(self.rank.max(initial=0)), int(self.judgments.ideal.rank.max(initial=0)))
        if self.expected:
            deepest = max(deepest, int((self.tie_start + self.tie_len).max(initial=0)))
        return log2_table(deepest + 1)

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` returns, made once per view: measures share it."""
        if key not in self._kept:
            self._kept[key] = make()
        kept: T = self._kept[key]
        return kept


def share(part: Floats | Ints, whole: Floats | Ints) -> Floats:
    """part / whole elementwise, 0 where the whole is 0."""
    out = np.zeros(np.broadcast(part, whole).shape)
    with np.errstate(over="ignore", invalid="ignore"):  # compute() refuses what is not finite
        np.divide(part, whole, out=out, where=np.asarray(whole) != 0)
    return out


def arrival(stop: Floats, segment: Ints) -> Floats:
    """The probability that a reader who goes down the list arrives at each entry.

    The reader starts at the first entry of a segment and stops at an entry with probability
    `stop`; arriving at one means not having stopped at any before it in the same segment. The
    products run down the segments, one position at a time over all of them, so that none can
    leak into the next.

    Parameters
    ----------
    stop : [n] probabilities; segment : [n] ascending numbers, equal within a segment.

    Returns
    -------
    [n], 1 at the start of a segment.
    """
    arrive = np.ones(len(stop))
    for here in down(segment):
        arrive[here] = arrive[here - 1] * (1.0 - stop[here - 1])
    return arrive


def running(weights: Floats, segment: Ints) -> Floats:
    """The sum of `weights` from the start of its segment down to each entry, itself included.

    Added one after the other, as a loop would: no segment's sums depend on its neighbours.
    """
    if (weights == np.floor(weights)).all() and np.abs(weights).sum() < 2.0**53:
        total = np.concatenate(([0.0], np.cumsum(weights)))  # whole numbers: exact in any order
        return total[1:] - total[np.searchsorted(segment, segment)]
    total = weights.astype(np.float64)
    for here in down(segment):
        total[here] += total[here - 1]
    return total


def down(segment: Ints) -> Iterator[Ints]:
    """The entries in second place of each segment, then those in third place, and so on."""
    start = np.flatnonzero(runs_of(segment))
    length = np.diff(start, append=len(segment))
    step = 1
    while len(start := start[length > step]):
        length = length[length > step]
        yield start + step
        step += 1


def log2_table(size: int) -> Floats:
    """log2(rank + 2) for ranks 0 to at least size - 1, each rounded as C rounds it."""
    return _log2_table(_roomy(size))


def power_table(base: float, size: int) -> Floats:
    """base ** rank for ranks 0 to at least size - 1."""
    return _power_table(base, _roomy(size))


def _roomy(size: int) -> int:
    return max(1024, 1 << (size - 1).bit_length()) if size > 0 else 1024


@lru_cache(maxsize=4)
def _log2_table(size: int) -> Floats:
    table = np.fromiter(map(math.log2, range(2, size + 2)), np.float64, size)
    table.setflags(write=False)
    return table


@lru_cache(maxsize=16)
def _power_table(base: float, size: int) -> Floats:
    table = np.fromiter(map(pow, repeat(base), range(size)), np.float64, size)
    table.setflags(write=False)
    return table
