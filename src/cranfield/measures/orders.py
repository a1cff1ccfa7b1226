"""Orders of documents that people gave, and how many of their preferences a list respects.

Documents of a topic are numbered in the order of the list; those that it lacks come after. One
order of levels is counted by its levels; what follows from several needs a matrix of all pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.measures.hits import Bools, Floats, Ints, runs_of


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
    def of_matrix(cls, prefers: Bools, n_ret: int) -> Areas:
        """Of the pairs that a matrix marks; the list has the first `n_ret` documents."""
        inside = prefers[:n_ret, :n_ret]
        return cls(
            int(np.count_nonzero(np.triu(inside, 1))),
            int(np.count_nonzero(inside)),
            int(np.count_nonzero(prefers[:n_ret, n_ret:])),
            int(np.count_nonzero(prefers[n_ret:, :n_ret])),
            int(np.count_nonzero(prefers[n_ret:, n_ret:])),
        )

    @classmethod
    def of_levels(cls, level: Floats, n_ret: int) -> Areas:
        """Of one order: the document of each higher level against that of each lower one.

        Parameters
        ----------
        level : of each document, NaN for one that is not in the order.
        """
        ordered = np.sort(level[~np.isnan(level)])
        levels = ordered[runs_of(ordered)]
        listed, others = level[:n_ret], level[n_ret:]
        kept, both, implied, missed, neither = 0, 0, 0, 0, 0
        for low in levels.tolist():  # each preference is counted at the level of its lesser side
            here, above = listed == low, listed > low
            n_here, n_above = int(np.count_nonzero(here)), int(np.count_nonzero(above))
            m_here = int(np.count_nonzero(others == low))
            m_above = int(np.count_nonzero(others > low))
            kept += int(np.cumsum(above)[here].sum())
            both += n_here * n_above
            implied += m_here * n_above
            missed += n_here * m_above
            neither += m_here * m_above
        return cls(kept, both, implied, missed, neither)

    @classmethod
    def of_product(cls, better: Bools, worse: Bools, n_ret: int) -> Areas:
        """Of all pairs of a document that `better` marks with one that `worse` marks."""
        a, b = int(np.count_nonzero(better[:n_ret])), int(np.count_nonzero(worse[:n_ret]))
        c, d = int(np.count_nonzero(better[n_ret:])), int(np.count_nonzero(worse[n_ret:]))
        before: Ints = np.cumsum(better[:n_ret]) - better[:n_ret]
        return cls(int(before[worse[:n_ret]].sum()), a * b, a * d, c * b, c * d)

    def with_(self, other: Areas) -> Areas:
        """These preferences and others."""
        return Areas(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def over(self, pairs: str) -> Count:
        """Over pairs of which the list has both (`ret`), at least one (`imp`), or any (`all`)."""
        if pairs == "ret":
            return Count(self.kept, self.both)
        everything = self.both + self.implied + self.missed
        return Count(self.kept + self.implied, everything + self.neither * (pairs == "all"))


@dataclass(frozen=True, eq=False)
class Group:
    """What one person says of the n documents of a topic.

    Parameters
    ----------
    level : [n] the level that the document was given, 0 not relevant, NaN not judged in this group.
    joined : [n, n] where the person gave several orders: whether the first document is preferred
        to the second. None: there is one order, that of the levels.
    """

    level: Floats
    joined: Bools | None = None

    @classmethod
    def of(cls, n: int, parts: Sequence[tuple[Ints, Floats]]) -> Group:
        """From partial orders, each (document numbers, levels); what follows from several of them
        together is a preference too.

        Raises
        ------
        InputError
            They contradict one another.
        """
        level = np.full(n, np.nan)
        for docs, given in parts:
            before = level[docs]
            if (((before > 0) & (given == 0)) | ((before == 0) & (given > 0))).any():
                raise InputError("a document is relevant in one part of a group and not in another")
            level[docs] = given
        if len(parts) == 1:
            return cls(level)
        prefers = np.zeros((n, n), np.bool_)
        for docs, given in parts:
            prefers[np.ix_(docs, docs)] |= given[:, None] > given
        for k in np.flatnonzero(prefers.any(axis=0) & prefers.any(axis=1)).tolist():
            prefers |= prefers[:, k, None] & prefers[k]
        if (prefers & prefers.T).any():
            raise InputError("the preferences of a group contradict one another")
        return cls(level, prefers)

    @cached_property
    def prefers(self) -> Bools:
        """[n, n] whether the first document is preferred to the second."""
        if self.joined is not None:
            return self.joined
        matrix: Bools = self.level[:, None] > self.level
        return matrix

    def areas(self, n_ret: int) -> Areas:
        """Its preferences against a list that has the first `n_ret` documents."""
        if self.joined is not None:
            return Areas.of_matrix(self.joined, n_ret)
        return Areas.of_levels(self.level, n_ret)


@dataclass(frozen=True, eq=False)
class Ordered:
    """The groups of one topic against a list.

    Parameters
    ----------
    n_ret : how many of the n judged documents the list has (the first ones).
    groups : in the order in which they are averaged.
    """

    n_ret: int
    groups: Sequence[Group]

    @property
    def areas(self) -> list[Areas]:
        return [group.areas(self.n_ret) for group in self.groups]
