"""What a diversity measure reads: which subtopics each document of the list is about.

A document counts less for a subtopic the more documents above it were about the same. Every
measure here is a sum over pairs (document, subtopic) with a weight for the rank and a weight for
the number of earlier documents on the subtopic; so one table of pairs serves them all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.measures.hits import (
    Aspects,
    Bools,
    Floats,
    Hits,
    Ints,
    Judgments,
    runs_of,
    sum_by_query,
)
from cranfield.measures.views import GradeView


class Pairs(NamedTuple):
    """The relevant (document, subtopic) pairs of a list, by query and rank."""

    query: Ints
    rank: Ints  # 0-based, of the document
    subtopic: Ints
    earlier: Ints  # documents above that are about the same subtopic


class SubtopicView:
    """Subtopics by rank, for every topic of a block.

    Parameters
    ----------
    judgments : judgments without subtopics are read as about one subtopic.
    hits, condensed, expected : as for a `GradeView`.
    """

    def __init__(
        self, judgments: Judgments, hits: Hits, condensed: bool = False, expected: bool = False
    ) -> None:
        self._list = GradeView(judgments, hits, condensed)
        self.judgments = judgments
        self.n_queries = judgments.n_queries

    def pairs(self, rel: float) -> Pairs:
        """The pairs of the returned list whose grade is at least `rel`."""
        view = self._list
        return view.keep(("pairs", rel), lambda: _pairs(self.judgments, rel, view.row, view.rank))

    def best(self, rel: float, alpha: float) -> Pairs:
        """The pairs of the greedy list: always the document next that adds most."""
        return self.judgments.keep(
            ("greedy", rel, alpha), lambda: _greedy_pairs(self.judgments, rel, alpha)
        )

    def count(self, rel: float) -> Ints:
        """[n_queries] S, the subtopics that a document is about."""
        return self.judgments.keep(("S", rel), lambda: self._count(rel))

    def most(self, rel: float, weights: Floats) -> Floats:
        """[n_queries] the sum of `weights` (one a rank) of a list whose documents are all about
        every subtopic."""
        return self.count(rel).astype(np.float64) * float(weights.sum())

    def total(self, weights: Floats, pairs: Pairs) -> Floats:
        """[n_queries] the sum of one weight a pair, in rank order."""
        return sum_by_query(pairs.query, weights, None, self.n_queries)

    def relevant_of(self, rel: float, pairs: Pairs) -> Ints:
        """[pair] the documents that are about the pair's subtopic, returned or not."""
        at = aspects_of(self.judgments)
        real = at.grade >= rel
        known = self.judgments.query[at.row[real]] * _width(at) + at.subtopic[real]
        keys = np.sort(known)
        wanted = pairs.query * _width(at) + pairs.subtopic
        return np.searchsorted(keys, wanted, "right") - np.searchsorted(keys, wanted)

    def _count(self, rel: float) -> Ints:
        at = aspects_of(self.judgments)
        real = at.grade >= rel
        keys = np.sort(self.judgments.query[at.row[real]] * _width(at) + at.subtopic[real])
        query = keys[runs_of(keys)] // _width(at)
        return np.bincount(query, minlength=self.n_queries).astype(np.int64, copy=False)


def aspects_of(judgments: Judgments) -> Aspects:
    """The grades by subtopic; plain judgments are about one."""
    if judgments.aspects is not None:
        return judgments.aspects
    rows = np.arange(len(judgments.grade))
    return Aspects(rows, np.zeros(len(rows), np.int64), judgments.grade)


def _width(at: Aspects) -> int:
    return int(at.subtopic.max(initial=0)) + 1


def _pairs(judgments: Judgments, rel: float, row: Ints, rank: Ints) -> Pairs:
    """The pairs of a list that has the documents of `row` at `rank`."""
    place = np.full(len(judgments.grade), -1)
    place[row] = rank
    at = aspects_of(judgments)
    real = (at.grade >= rel) & (place[at.row] >= 0)
    query, rank, subtopic = judgments.query[at.row[real]], place[at.row[real]], at.subtopic[real]
    order = np.lexsort((subtopic, rank, query))
    query, rank, subtopic = query[order], rank[order], subtopic[order]
    by_subtopic = np.lexsort((rank, subtopic, query))
    fresh = np.flatnonzero(runs_of(query[by_subtopic], subtopic[by_subtopic]))
    length = np.diff(fresh, append=len(query))
    earlier = np.empty(len(query), np.int64)
    earlier[by_subtopic] = np.arange(len(query)) - np.repeat(fresh, length)
    return Pairs(query, rank, subtopic, earlier)


def _greedy_pairs(judgments: Judgments, rel: float, alpha: float) -> Pairs:
    at = aspects_of(judgments)
    real = at.grade >= rel
    row, subtopic = at.row[real], at.subtopic[real]
    order = np.lexsort((row, judgments.query[row]))
    row, subtopic = row[order], subtopic[order]
    rows: list[Ints] = []
    for part in np.split(np.arange(len(row)), np.flatnonzero(runs_of(judgments.query[row]))[1:]):
        docs = row[part][runs_of(row[part])] if len(part) else row[part]
        topics = np.sort(subtopic[part])
        topics = topics[runs_of(topics)] if len(part) else topics
        about = np.zeros((len(docs), len(topics)), np.bool_)
        about[np.searchsorted(docs, row[part]), np.searchsorted(topics, subtopic[part])] = True
        rows.append(docs[_greedy(about, alpha)])
    ranks = [np.arange(len(docs)) for docs in rows]
    return _pairs(judgments, rel, np.concatenate(rows), np.concatenate(ranks))


def _greedy(about: Bools, alpha: float) -> list[int]:
    """The order in which each next document adds most; of equal ones the last comes first.

    Documents about the same subtopics are interchangeable, so only one of each kind is looked at.
    """
    kinds: dict[bytes, list[int]] = {}
    for doc, row in enumerate(about):
        kinds.setdefault(row.tobytes(), []).append(doc)
    waiting = list(kinds.values())
    table = np.array([about[docs[0]] for docs in waiting], np.float64)
    worth = np.ones(about.shape[1])
    order: list[int] = []
    while len(order) < len(about):
        added = np.cumsum(table * worth, axis=1)[:, -1].tolist()
        scored = enumerate(zip(added, waiting, strict=True))
        kind = max((score, docs[-1], kind) for kind, (score, docs) in scored if docs)[2]
        order.append(waiting[kind].pop())
        worth[table[kind] > 0] *= 1.0 - alpha
    return order
