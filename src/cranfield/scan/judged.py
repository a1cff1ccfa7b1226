"""Which returned documents are judged: a hash of the judged pairs, probed with the documents'
last eight bytes and confirmed byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.columns import Ids, Index, Words
from cranfield.data.qrels import Qrels
from cranfield.scan.lines import Lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MIX = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_ROOM = 8  # slots for a judged document


class JudgedIndex:
    """Rows of the judgments by (query, document).

    Each query has a stretch of the table of its own, eight times as long as its judgments: almost
    every unjudged document meets an empty slot, and the rows of one query, which come one after
    the other, probe a stretch that is still in the cache. Rows that share a slot are chained.
    """

    def __init__(self, qrels: Qrels) -> None:
        self.query, self.docs = qrels.query, qrels.docs
        self.number = {name: i for i, name in enumerate(qrels.queries.to_bytes())}
        n, n_queries = len(self.docs), len(self.number)
        # one stretch of one empty slot more, which the number -1 (no judgments) means
        size = np.bincount(self.query, minlength=n_queries + 1) * _ROOM + 1
        self._begin = np.cumsum(size) - size
        self._size = size.astype(np.uint64)
        slot = self._slot(self.query, self.docs.last_word)
        order = np.argsort(slot, kind="stable")
        in_order = slot[order]
        same = in_order[1:] == in_order[:-1]
        self._next = np.full(n, -1, np.int64)
        self._next[order[:-1][same]] = order[1:][same]
        self._head = np.full(int(size.sum()), -1, np.int32)
        opens = np.concatenate((np.ones(min(n, 1), bool), ~same))
        self._head[in_order[opens]] = order[opens]

    def _slot(self, query: Index, last_word: Words) -> Index:
        mixed = last_word * _MIX
        mixed >>= _HALF
        mixed *= self._size.take(query, mode="wrap")  # 0 <= mixed < 2^32, scaled to the stretch
        mixed >>= _HALF
        slot: Index = mixed.view(np.int64)
        slot += self._begin.take(query, mode="wrap")
        return slot

    def queries_of(self, lines: Lines) -> Index:
        """The number in the judgments of each query of `lines`, -1 for one without judgments."""
        get = self.number.get
        return np.fromiter((get(n, -1) for n in lines.names), np.int64, len(lines.names))

    def find(self, query: Index, docs: Ids) -> tuple[Index, Index]:
        """(row of `docs`, row of the judgments) of the judged ones, by ascending row of `docs`.

        `query` gives each row's number in the judgments, or -1.
        """
        head = self._head.take(self._slot(query, docs.last_word), mode="clip")
        row = np.flatnonzero(head >= 0)
        candidate = head[row].astype(np.int64)
        found: list[tuple[Index, Index]] = []
        while len(row):
            same = _equal(docs, row, self.docs, candidate)
            found.append((row[same], candidate[same]))
            row, candidate = row[~same], self._next[candidate[~same]]
            more = candidate >= 0
            row, candidate = row[more], candidate[more]
        if not found:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        rows, judged = (np.concatenate(x) for x in zip(*found, strict=True))
        if len(found) > 1:
            order = np.argsort(rows, kind="stable")
            rows, judged = rows[order], judged[order]
        return rows, judged


def _equal(a: Ids, i: Index, b: Ids, j: Index) -> NDArray[np.bool_]:
    same: NDArray[np.bool_] = a.end[i] - a.start[i] == b.end[j] - b.start[j]
    for k in range(a.n_words(i)):
        same &= a.word(k, i) == b.word(k, j)
    return same
