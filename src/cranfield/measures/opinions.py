"""What is read where several people judged: the preferences of each, or the grades of each.

People who judge preferences say which of two documents is better, not how good one is. Grades say
it too: of two documents that one person gave different grades, the higher one is preferred. So
every kind of judgments has preferences, and plain judgments are those of one person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from cranfield.errors import InputError
from cranfield.measures.declaration import Formula
from cranfield.measures.hits import Bools, Floats, Hits, Ints, Judgments, Opinions, runs_of
from cranfield.measures.views import GradeView

T = TypeVar("T")


def opinions_of(judgments: Judgments) -> Opinions:
    """The levels by person; plain judgments are those of one person, in one part."""
    if judgments.opinions is not None:
        return judgments.opinions
    rows = np.arange(len(judgments.grade))
    return Opinions(rows, np.zeros_like(rows), np.zeros_like(rows), judgments.grade)


@dataclass(frozen=True, eq=False)
class Group:
    """What one person says of the n documents of a topic.

    Parameters
    ----------
    prefers : [n, n] whether the first document is preferred to the second.
    level : [n] the level that the document was given, 0 not relevant, NaN not judged in this group.
    ranked : all judged documents stand in one order of levels (not in several partial ones).
    """

    prefers: Bools
    level: Floats
    ranked: bool

    @classmethod
    def of(cls, n: int, parts: Sequence[tuple[Ints, Floats]]) -> Group:
        """From partial orders, each (document numbers, levels); what follows from several of them
        together is a preference too.

        Raises
        ------
        InputError
            They contradict one another.
        """
        prefers = np.zeros((n, n), np.bool_)
        level = np.full(n, np.nan)
        for docs, given in parts:
            before = level[docs]
            if (((before > 0) & (given == 0)) | ((before == 0) & (given > 0))).any():
                raise InputError("a document is relevant in one part of a group and not in another")
            level[docs] = given
            prefers[np.ix_(docs, docs)] |= given[:, None] > given
        if len(parts) > 1:
            for k in np.flatnonzero(prefers.any(axis=0) & prefers.any(axis=1)).tolist():
                prefers |= prefers[:, k, None] & prefers[k]
            if (prefers & prefers.T).any():
                raise InputError("the preferences of a group contradict one another")
        return cls(prefers, level, len(parts) == 1)


class Count(NamedTuple):
    """Preferences that a list respects, and all that count."""

    kept: int
    all: int

    @property
    def share(self) -> float:
        return self.kept / self.all if self.all else 0.0


class Areas(NamedTuple):
    """The preferences of one person, by how many of their two documents the list has."""

    kept: int  # both, the preferred one first
    both: int
    implied: int  # only the preferred one
    missed: int  # only the other
    neither: int

    @classmethod
    def of(cls, prefers: Bools, n_ret: int) -> Areas:
        """Of a matrix whose first `n_ret` documents are in the list, in its order."""
        inside = prefers[:n_ret, :n_ret]
        return cls(
            int(np.triu(inside, 1).sum()),
            int(inside.sum()),
            int(prefers[:n_ret, n_ret:].sum()),
            int(prefers[n_ret:, :n_ret].sum()),
            int(prefers[n_ret:, n_ret:].sum()),
        )

    def over(self, pairs: str) -> Count:
        """Over pairs of which the list has both (`ret`), at least one (`imp`), or any (`all`)."""
        if pairs == "ret":
            return Count(self.kept, self.both)
        everything = self.both + self.implied + self.missed
        return Count(self.kept + self.implied, everything + self.neither * (pairs == "all"))


@dataclass(frozen=True, eq=False)
class Ordered:
    """The groups of one topic against a list.

    Documents are numbered in the order of the list; those that it lacks come after, in the order
    of their rows.

    Parameters
    ----------
    n_ret : how many of the n judged documents the list has (the first ones).
    groups : in the order in which they are averaged.
    """

    n_ret: int
    groups: Sequence[Group]

    @property
    def areas(self) -> list[Areas]:
        return [Areas.of(group.prefers, self.n_ret) for group in self.groups]


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

        One topic is looked at after the other: its preferences take n² bytes.
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
