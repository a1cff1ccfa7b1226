"""Which returned documents are judged: a hash of the judged pairs, probed with the documents'
last eight bytes and confirmed byte for byte."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Ids, Index, Words
from cranfield.data.qrels import Qrels
from cranfield.scan.lines import Lines

_MIX = np.uint64(0x9E3779B97F4A7C15)
_QUERY = np.uint64(0xC2B2AE3D27D4EB4F)  # an odd constant of xxHash, to spread the query numbers


class JudgedIndex:
    """Rows of the judgments by (query, document).

    A table with eight times as many slots as rows, so that almost every unjudged document meets
    an empty slot; rows that share a slot are chained.
    """

    def __init__(self, qrels: Qrels) -> None:
        self.query, self.docs = qrels.query, qrels.docs
        self.number = {name: i for i, name in enumerate(qrels.queries.to_bytes())}
        n = len(self.docs)
        bits = max(12, (8 * n).bit_length())
        self._shift = np.uint64(64 - bits)
        slot = self._slot(self.query, self.docs.last_word())
        order = np.argsort(slot, kind="stable")
        in_order = slot[order]
        same = in_order[1:] == in_order[:-1]
        self._next = np.full(n, -1, np.int64)
        self._next[order[:-1][same]] = order[1:][same]
        self._head = np.full(1 << bits, -1, np.int32)
        opens = np.concatenate((np.ones(min(n, 1), bool), ~same))
        self._head[in_order[opens]] = order[opens]

    def _slot(self, query: Index, last_word: Words) -> Index:
        mixed = (last_word ^ ((query.astype(np.uint64) + np.uint64(1)) * _QUERY)) * _MIX
        return (mixed >> self._shift).astype(np.int64)

    def queries_of(self, lines: Lines) -> Index:
        """The number in the judgments of each query of `lines`, -1 for one without judgments."""
        get = self.number.get
        return np.fromiter((get(n, -1) for n in lines.names), np.int64, len(lines.names))

    def find(self, query: Index, docs: Ids) -> tuple[Index, Index]:
        """(row of `docs`, row of the judgments) of the judged ones, by ascending row of `docs`.

        `query` gives each row's number in the judgments, or -1.
        """
        candidate = self._head[self._slot(query, docs.last_word())].astype(np.int64)
        row = np.flatnonzero((candidate >= 0) & (query >= 0))
        candidate = candidate[row]
        found: list[tuple[Index, Index]] = []
        while len(row):
            same = (self.query[candidate] == query[row]) & _equal(docs, row, self.docs, candidate)
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
    same: NDArray[np.bool_] = (a.end[i] - a.start[i]) == (b.end[j] - b.start[j])
    for k in range(a.n_words(i)):
        same &= a.word(k, i) == b.word(k, j)
    return same
