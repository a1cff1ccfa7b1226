"""Which returned documents are judged: a hash of the judged pairs, probed with the documents'
last eight bytes and confirmed byte for byte."""

from __future__ import annotations

from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.columns import Ids, Index, Words
from cranfield.data.qrels import Qrels
from cranfield.scan.lines import Lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MIX = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_ROOM = 8  # slots for an id


class IdIndex:
    """Rows of a column of ids by (group, id).

    Each group has a stretch of the table of its own, eight times as long as its ids: almost every
    other id meets an empty slot, and the rows of one query, which come one after the other, probe
    a stretch that is still in the cache. Rows that share a slot are chained.
    """

    def __init__(self, group: Index, ids: Ids, n_groups: int) -> None:
        self.ids = ids
        # one stretch of one empty slot more, which the group -1 means
        size = np.bincount(group, minlength=n_groups + 1) * _ROOM + 1
        self._begin = np.cumsum(size) - size
        self._size = size.astype(np.uint64)
        slot = self._slot(group, ids.take(slice(None)).last_word())  # not kept with the ids
        row = np.arange(len(ids), dtype=np.int32)
        self._head = np.full(int(size.sum()), -1, np.int32)
        self._head[slot[::-1]] = row[::-1]  # of the rows of a slot the first, written last, stays
        later = np.flatnonzero(self._head[slot] != row)
        self._next = self._chained(slot[later], later)

    def _chained(self, slot: Index, later: Index) -> Index:
        """For each row the next one of its slot, or -1; `later` are all but the first ones."""
        chain = np.full(len(self.ids), -1, np.int64)
        order = np.argsort(slot, kind="stable")
        slot, later = slot[order], later[order]
        opens = np.ones(len(slot), bool)
        np.not_equal(slot[1:], slot[:-1], out=opens[1:])
        before = np.empty_like(later)
        before[1:] = later[:-1]
        before[opens] = self._head[slot[opens]]
        chain[before] = later
        return chain

    def _slot(self, group: Index, last_word: Words) -> Index:
        mixed = last_word * _MIX
        mixed >>= _HALF
        mixed *= self._size.take(group, mode="wrap")  # 0 <= mixed < 2^32, scaled to the stretch
        mixed >>= _HALF
        slot: Index = mixed.view(np.int64)
        slot += self._begin.take(group, mode="wrap")
        return slot

    def find(self, group: Index, ids: Ids) -> tuple[Index, Index]:
        """(row of `ids`, row here) of the ids that are here, by ascending row of `ids`.

        `group` gives each row's group, or -1 for none.
        """
        head = self._head.take(self._slot(group, ids.last_word()), mode="clip")
        row = np.flatnonzero(head >= 0)
        candidate = head[row].astype(np.int64)
        found: list[tuple[Index, Index]] = []
        while len(row):
            same = _equal(ids, row, self.ids, candidate)
            found.append((row[same], candidate[same]))
            row, candidate = row[~same], self._next[candidate[~same]]
            more = candidate >= 0
            row, candidate = row[more], candidate[more]
        if not found:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        rows, here = (np.concatenate(x) for x in zip(*found, strict=True))
        if len(found) > 1:
            order = np.argsort(rows, kind="stable")
            rows, here = rows[order], here[order]
        return rows, here


class JudgedIndex:
    """Rows of the judgments by (query, document), and the numbers of their queries."""

    def __init__(self, qrels: Qrels) -> None:
        self.query, self.docs, self.queries = qrels.query, qrels.docs, qrels.queries
        self.number = {name: i for i, name in enumerate(qrels.queries.to_bytes())}
        self._pairs = IdIndex(qrels.query, qrels.docs, len(self.number))

    @cached_property
    def _names(self) -> IdIndex:
        return IdIndex(np.zeros(len(self.queries), np.int64), self.queries, 1)

    @cached_property
    def by_query(self) -> tuple[Index, Index]:
        """(rows by query, where each query's begin and the last one's end)."""
        rows = np.argsort(self.query, kind="stable")
        return rows, np.searchsorted(self.query[rows], np.arange(len(self.number) + 1))

    @cached_property
    def texts(self) -> list[str]:
        """The document ids in the order of `by_query`, for dictionaries."""
        rows = self.by_query[0]
        if (rows[1:] > rows[:-1]).all():  # they stand so
            return self.docs.to_list()
        return self.docs.take(rows).to_list()

    def queries_of(self, lines: Lines) -> Index:
        """The number in the judgments of each query of `lines`, -1 for one without judgments."""
        found = map(self.number.get, lines.names, repeat(-1))
        return np.fromiter(found, np.int64, len(lines.names))

    def queries_of_rows(self, query: Ids) -> Index:
        """The same for one query id a row, without a Python object for any."""
        rows, number = self._names.find(np.zeros(len(query), np.int64), query)
        out = np.full(len(query), -1, np.int64)
        out[rows] = number
        return out

    def find(self, query: Index, docs: Ids) -> tuple[Index, Index]:
        """(row of `docs`, row of the judgments) of the judged ones, by ascending row of `docs`.

        `query` gives each row's number in the judgments, or -1.
        """
        return self._pairs.find(query, docs)


def _equal(a: Ids, i: Index, b: Ids, j: Index) -> NDArray[np.bool_]:
    same: NDArray[np.bool_] = a.end[i] - a.start[i] == b.end[j] - b.start[j]
    for k in range(a.n_words(i)):
        same &= a.word(k, i) == b.word(k, j)
    return same
