"""What is read where several people judged: the preferences of each, or the grades of each.

People who judge preferences say which of two documents is better, not how good one is. Grades say
it too: of two documents that one person gave different grades, the higher one is preferred. So
every kind of judgments has preferences, and plain judgments are those of one person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from cranfield.measures.declaration import Formula
from cranfield.measures.hits import Bools, Floats, Hits, Ints, Judgments, Opinions, runs_of
from cranfield.measures.orders import Areas, Group, Ordered
from cranfield.measures.views import GradeView

T = TypeVar("T")


def opinions_of(judgments: Judgments) -> Opinions:
    """The levels by person; plain judgments are those of one person, in one part."""
    if judgments.opinions is not None:
        return judgments.opinions
    rows = np.arange(len(judgments.grade))
    return Opinions(rows, np.zeros_like(rows), np.zeros_like(rows), judgments.grade)


class PreferenceView:
    """Preferences against lists, for every topic of a block.

    Parameters
    ----------
    judgments, hits : the block.
    condensed, expected : without effect: unjudged documents play no part, and no measure here has
        an expectation over ties.
    """

    def __init__(
        self, judgments: Judgments, hits: Hits, condensed: bool = False, expected: bool = False
    ) -> None:
        self.judgments, self.hits = judgments, hits
        self.n_queries = judgments.n_queries

    @cached_property
    def areas(self) -> list[list[Areas]]:
        """[n_queries] those of each group."""
        return self.each(lambda topic: topic.areas, [])

    def each(self, formula: Callable[[Ordered], T], empty: T) -> list[T]:
        """[n_queries] the formula's value of each topic, `empty` for one without judgments.

        One topic is looked at after the other: its preferences may take n² bytes.
        """
        values = [empty] * self.n_queries
        for query, topic in self._topics():
            values[query] = formula(topic)
        return values

    def _topics(self) -> Iterator[tuple[int, Ordered]]:
        at = opinions_of(self.judgments)
        said = np.flatnonzero(at.level >= 0)
        row = at.row[said]
        number, n, n_ret = self._numbers(row)
        query = self.judgments.query[row]
        order = np.lexsort((at.part[said], at.group[said], query))
        query, said = query[order], said[order]
        group, part, level = at.group[said], at.part[said], at.level[said]
        doc = number[at.row[said]]
        first = np.flatnonzero(runs_of(query, group, part))  # of each part
        ends = first + np.diff(first, append=len(query))
        parts: dict[int, dict[int, list[tuple[Ints, Floats]]]] = {}
        for begin, end in zip(first.tolist(), ends.tolist(), strict=True):
            mine = parts.setdefault(int(query[begin]), {}).setdefault(int(group[begin]), [])
            mine.append((doc[begin:end], level[begin:end]))
        for q, groups in parts.items():
            made = [Group.of(int(n[q]), own) for own in groups.values()]
            yield q, Ordered(int(n_ret[q]), made)

    def _numbers(self, row: Ints) -> tuple[Ints, Ints, Ints]:
        """([row of the judgments] the number of its document in the topic; [query] how many
        documents there are, and how many of them the list has)."""
        rows = self.judgments.query
        known = np.zeros(len(rows), np.bool_)
        known[row] = True
        place = np.full(len(rows), len(self.hits.row))  # what the list lacks comes last
        place[self.hits.row] = np.arange(len(self.hits.row))
        listed = np.zeros(len(rows), np.bool_)
        listed[self.hits.row] = True
        mine = np.flatnonzero(known)
        mine = mine[np.lexsort((place[mine], rows[mine]))]
        number = np.zeros(len(rows), np.int64)
        number[mine] = np.arange(len(mine)) - np.searchsorted(rows[mine], rows[mine])
        n = np.bincount(rows[known], minlength=self.n_queries)
        n_ret = np.bincount(rows[known & listed], minlength=self.n_queries)
        return number, n, n_ret


class GroupView:
    """The grades of each person by rank, for every topic of a block.

    Parameters are those of a `GradeView`.
    """

    def __init__(
        self, judgments: Judgments, hits: Hits, condensed: bool = False, expected: bool = False
    ) -> None:
        at = opinions_of(judgments)
        n = judgments.n_queries
        self.n_queries = n
        self.views: list[tuple[GradeView, Bools]] = []
        for group in range(int(at.group.max(initial=-1)) + 1):
            entry = np.flatnonzero(at.group == group)
            own = Judgments(n, judgments.query[at.row[entry]], at.level[entry])
            place = np.full(len(judgments.grade), -1)
            place[at.row[entry]] = np.arange(len(entry))
            seen = place[hits.row] >= 0
            mine = Hits(
                query=hits.query[seen],
                rank=hits.rank[seen],
                row=place[hits.row[seen]],
                tie_start=hits.tie_start[seen],
                tie_len=hits.tie_len[seen],
                n_ret=hits.n_ret,
            )
            judged = np.bincount(own.query, minlength=n) > 0
            self.views.append((GradeView(own, mine, condensed, expected), judged))

    def mean(self, formula: Formula, **params: Any) -> Floats:
        """[n_queries] the mean of a measure over the groups that judged a topic (and where it is
        defined)."""
        total, groups = np.zeros(self.n_queries), np.zeros(self.n_queries)
        for view, judged in self.views:
            found = formula(view, **params)
            value, valid = found if isinstance(found, tuple) else (found, True)
            total += np.where(judged & valid, value, 0.0)
            groups += judged & valid
        return np.divide(total, groups, out=np.zeros(self.n_queries), where=groups > 0)
