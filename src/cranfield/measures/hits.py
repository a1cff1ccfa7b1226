"""What is left of a block of topics once its document ids have done their work.

A measure needs no ids. It needs the grades that were given (`Judgments`) and, of every returned
document that somebody looked at, the place where it came (`Hits`). A returned document without a
row in the qrels is only a gap in the ranks, so a block stays small however long the run is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

T = TypeVar("T")


def sum_by_query(query: Ints, weights: Floats, mask: Bools | None, n_queries: int) -> Floats:
    """The sum of `weights` in each query, added one after the other in the order given.

    Every sum of this room is made here. `np.bincount` adds like a plain loop in C, while
    `np.sum` and `np.add.reduceat` add in pairs and would give other last bits; and no query's
    sum can depend on its neighbours.

    Parameters
    ----------
    query : [n] the query of each weight, 0 to n_queries - 1.
    weights : [n]; mask : [n] or None (all of them) says which weights count.

    Returns
    -------
    [n_queries], 0 for a query without weights.
    """
    if mask is not None:
        query, weights = query[mask], weights[mask]
    return np.bincount(query, weights, minlength=n_queries).astype(np.float64, copy=False)


def runs_of(*columns: Ints | Floats) -> Bools:
    """[n] true where an entry differs from the one before it in any of the columns."""
    fresh = np.ones(len(columns[0]), np.bool_)
    if len(fresh) > 1:
        fresh[1:] = np.logical_or.reduce([c[1:] != c[:-1] for c in columns])
    return fresh


class Ideal(NamedTuple):
    """The judged documents of positive grade in their best order; one entry a document."""

    query: Ints  # ascending
    rank: Ints  # 0-based, within the query
    row: Ints  # of the Judgments
    grade: Floats  # descending within the query


class Aspects(NamedTuple):
    """Grades by subtopic; an entry says what a document was given for one of them."""

    row: Ints  # of the Judgments
    subtopic: Ints  # numbered from 0, in any way
    grade: Floats


class Opinions(NamedTuple):
    """What several people gave to documents; an entry is what one of them gave to one document.

    A part is one of the orders that a person (trec_eval: a judgment group) gave; levels of one
    part can be compared, those of two cannot.
    """

    row: Ints  # of the Judgments
    group: Ints  # numbered from 0 by ascending name, the order in which means are added up
    part: Ints  # numbered from 0
    level: Floats  # 0 is not relevant, below 0 not judged


@dataclass(frozen=True, eq=False)
class Judgments:
    """The judged side of a block of topics: the rows of its qrels.

    Parameters
    ----------
    n_queries : how many topics the block has; a topic may have no row.
    query : [row] topic, 0 to n_queries - 1, in any order.
    grade : [row]; below 0 means that the document was pooled but not judged. Fractions are exact.
    aspects : grades by subtopic, where that is how the documents were judged; `grade` then is
        the largest of a document, and rows of a topic stand by ascending document id.
    opinions : levels by person, where several judged; `grade` and rows as for `aspects`.
    stratum : [row] of a pool that was sampled by strata, numbered from 0 by ascending name, the
        order in which they are added up.
    """

    n_queries: int
    query: Ints
    grade: Floats
    aspects: Aspects | None = None
    opinions: Opinions | None = None
    stratum: Ints | None = None
    _kept: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def num_rel(self, rel: float = 1.0) -> Ints:
        """[n_queries] documents with grade >= rel, retrieved or not."""
        return self.keep(("num_rel", rel), lambda: self._count(self.grade >= rel))

    def num_nonrel(self, rel: float = 1.0) -> Ints:
        """[n_queries] documents that were judged and found wanting: 0 <= grade < rel."""
        return self.keep(
            ("num_nonrel", rel), lambda: self._count((self.grade >= 0) & (self.grade < rel))
        )

    @cached_property
    def max_grade(self) -> float:
        """The largest grade of the block, 0 when it has no judged row."""
        return max(0.0, float(self.grade.max(initial=0.0)))

    @cached_property
    def largest_grade(self) -> Floats:
        """[n_queries] the largest grade of the topic, 0 without a judged row."""
        largest = np.zeros(self.n_queries)
        np.maximum.at(largest, self.query, self.grade)
        return largest

    @cached_property
    def levels(self) -> tuple[Floats, Ints]:
        """([level] the distinct grades, ascending; [row] which of them a row has)."""
        ordered = np.sort(self.grade)  # not np.unique: its first call imports numpy.ma, 20 ms
        grades = ordered[runs_of(ordered)]
        return grades, np.searchsorted(grades, self.grade)

    @cached_property
    def ideal(self) -> Ideal:
        """The best order of each topic: by grade, highest first, only grades above 0."""
        grades, level = self.levels
        row = np.flatnonzero(self.grade > 0)
        # by query, then grade, then place: one key of whole numbers, nearly in order as it stands
        key = self.query[row] * len(grades) - level[row]
        row = row[np.argsort(key, kind="stable")]
        query = self.query[row]
        first = np.flatnonzero(runs_of(query))
        rank = np.arange(len(row)) - np.repeat(first, np.diff(first, append=len(row)))
        return Ideal(query, rank, row, self.grade[row])

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` returns, made once per block: many runs and measures share it."""
        if key not in self._kept:
            made = make()
            if isinstance(made, np.ndarray):
                made.setflags(write=False)
            self._kept[key] = made
        kept: T = self._kept[key]
        return kept

    def _count(self, mask: Bools) -> Ints:
        counted = np.bincount(self.query[mask], minlength=self.n_queries)
        return counted.astype(np.int64, copy=False)


@dataclass(frozen=True, eq=False)
class Hits:
    """Every returned document that has a row in the qrels (rows below 0 too).

    Entries are sorted by (query, rank). Ranks are 0-based and count the whole returned list.

    Parameters
    ----------
    query, rank : [hit].
    row : [hit] index into the rows of the Judgments.
    tie_start, tie_len : [hit] the group of documents with the hit's score, judged or not: the
        rank of its first member and its size (the hit's own rank and 1 where nothing is tied).
    n_ret : [n_queries] documents returned; 0 for an empty result and for a query that the run
        does not have.
    """

    query: Ints
    rank: Ints
    row: Ints
    tie_start: Ints
    tie_len: Ints
    n_ret: Ints
