"""The first ranks of many topics side by side, with their holes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cranfield.measures.hits import Bools, Floats, Hits, Ints, Judgments

CELLS = 1 << 16  # topics times ranks that are worked on at a time


@dataclass(frozen=True, eq=False)
class Heads:
    """The first ranks of some topics.

    Parameters
    ----------
    topic : [t] their numbers
    length : [t] documents read of each
    grade : [t, rank] of a judged document, 0 elsewhere
    hole : [t, rank] an unjudged document; judged : one with a grade of 0 or more
    counts : [t, level] judged documents of each level, returned or not
    levels : [level] the grades that a document may have, ascending from 0
    """

    topic: Ints
    length: Ints
    grade: Floats
    hole: Bools
    judged: Bools
    counts: Ints
    levels: Floats

    def relevant(self, rel: float) -> Bools:
        """[t, rank] judged and relevant."""
        found: Bools = self.judged & (self.grade >= rel)
        return found

    def num_rel(self, rel: float) -> Ints:
        """[t] relevant documents, returned or not."""
        found: Ints = self.counts[:, self.levels >= rel].sum(axis=1)
        return found

    def can_be(self, rel: float) -> Bools:
        """[t, rank] a hole that may be relevant."""
        return self.hole if self.levels[-1] >= rel else np.zeros_like(self.hole)


def lengths_of(hits: Hits, k: int | None) -> Ints:
    """[query] documents among the first k."""
    return hits.n_ret if k is None else np.minimum(hits.n_ret, k)


def holes_in(judgments: Judgments, hits: Hits, k: int | None) -> Ints:
    """[query] unjudged documents among the first k."""
    seen = judgments.grade[hits.row] >= 0
    if k is not None:
        seen &= hits.rank < k
    judged = np.bincount(hits.query[seen], minlength=judgments.n_queries)
    return lengths_of(hits, k) - judged


def heads_of(judgments: Judgments, hits: Hits, k: int | None, levels: Floats) -> Iterator[Heads]:
    """All topics of a run, in pieces of about the same size, the longest lists together."""
    n, length = judgments.n_queries, lengths_of(hits, k)
    kept = judgments.grade >= 0
    place = np.searchsorted(levels, judgments.grade[kept])
    cell = judgments.query[kept] * len(levels) + place
    counts = np.bincount(cell, minlength=n * len(levels)).reshape(n, len(levels))
    grade = judgments.grade[hits.row]
    counted = (grade >= 0) & (hits.rank < length[hits.query])
    query, rank, grade = hits.query[counted], hits.rank[counted], grade[counted]
    order = np.argsort(-length, kind="stable")
    start = 0
    while start < n:
        wide = max(int(length[order[start]]), 1)
        topic = order[start : start + max(CELLS // wide, 1)]
        start += len(topic)
        row = np.full(n, -1)
        row[topic] = np.arange(len(topic))
        mine = row[query] >= 0
        grades, judged = np.zeros((len(topic), wide)), np.zeros((len(topic), wide), np.bool_)
        at = row[query[mine]], rank[mine]
        grades[at], judged[at] = grade[mine], True
        hole = ~judged & (np.arange(wide) < length[topic, None])
        yield Heads(topic, length[topic], grades, hole, judged, counts[topic], levels)
