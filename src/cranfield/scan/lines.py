"""What a system returned for some whole queries, grouped by query: the one form that the kernel
reads, whether it came from bytes, columns or dictionaries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.columns import Floats, Ids, Index, Words, changes
from cranfield.data.run import Run

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, Knuth's multiplicative hash
_MIX2 = np.uint64(0xD6E8FEB86659FD93)


@dataclass(frozen=True, eq=False)
class Lines:
    """`names[s]` is the s-th query, its rows are `first[s] : first[s+1]` (the last up to the end)
    of `docs` and `score`; `line` is the line of the file a row stood on, where it came from one.
    """

    names: list[bytes]
    first: Index
    docs: Ids
    score: Floats
    line: Index | None = None

    def __len__(self) -> int:
        return len(self.docs)

    @property
    def size(self) -> Index:
        """Rows of each query."""
        return np.diff(self.first, append=len(self))

    @cached_property
    def segment(self) -> Index:
        """The query (index into `names`) of each row."""
        return np.repeat(np.arange(len(self.names)), self.size)

    @classmethod
    def from_columns(
        cls, query: Ids, docs: Ids, score: Floats, line: Index | None = None
    ) -> Lines | None:
        """From one query id a row; None where a query's rows are not adjacent."""
        first = changes(query)
        names = query.take(first).to_bytes()
        if len(set(names)) < len(names):
            return None
        return cls(names, first, docs, score, line)

    @classmethod
    def from_run(cls, run: Run, line: Index | None = None) -> Lines:
        """Rows brought together by query, otherwise in their stored order."""
        names = run.queries.to_bytes()
        query = run.query
        docs, score = run.docs, run.score
        if len(query) and (query[1:] < query[:-1]).any():
            order = np.argsort(query, kind="stable")
            query, docs, score = query[order], docs.take(order), score[order]
            line = None if line is None else line[order]
        return cls(names, np.searchsorted(query, np.arange(len(names))), docs, score, line)

    def take(self, keep: NDArray[np.bool_]) -> Lines:
        """The rows of a mask; queries stay, even those left without rows."""
        before = np.concatenate(([0], np.cumsum(keep)))
        return Lines(
            self.names,
            before[self.first],
            self.docs.take(keep),
            self.score[keep],
            None if self.line is None else self.line[keep],
        )


def repeats(group: Index, ids: Ids) -> list[tuple[int, int]]:
    """Rows that repeat an earlier (group, id): (first row, this row), in row order.

    All pairs are hashed to 64 bits at once; only where two hashes agree are ids compared.
    """
    if len(ids) < 2:
        return []
    hashes = hash_ids(group, ids)
    ordered = np.sort(hashes)
    equal = ordered[1:] == ordered[:-1]
    if not equal.any():
        return []
    again = ordered[1:][equal]
    seen: dict[tuple[int, bytes], int] = {}
    found = []
    for i in np.flatnonzero(np.isin(hashes, again)).tolist():
        key = (int(group[i]), ids.bytes_at(i))
        if (j := seen.setdefault(key, i)) != i:
            found.append((j, i))
    return found


def hash_ids(group: Index, ids: Ids) -> Words:
    """A 64-bit hash of each (group number, id).

    The last eight bytes stand for up to one word; only the words before that are read beside.
    """
    h = _stirred(group.view(np.uint64) + np.uint64(1), _MIX2)
    for k in range(ids.n_words() - 1):
        h = _stirred(h ^ ids.word(k), _MIX)
    # stirred alone as well: ids and groups that are numbers would else meet by their pattern
    h ^= _stirred(ids.last_word() + ids.length.view(np.uint64), _MIX)
    h *= _MIX2
    return h


def _stirred(word: Words, multiplier: np.uint64) -> Words:
    """One-to-one, each bit depending on many."""
    word = word * multiplier
    word ^= word >> np.uint64(32)
    return word


def keep_one(pairs: list[tuple[int, int]], policy: str, value: Floats, n: int) -> NDArray[np.bool_]:
    """A mask of n rows in which every repeated row but one is dropped.

    `policy`: `first` or `last` in file order, or `max`, the largest value (the first of equals).
    """
    keep = np.ones(n, bool)
    groups: dict[int, list[int]] = {}
    for first, row in pairs:
        groups.setdefault(first, [first]).append(row)
    for rows in groups.values():
        if policy == "first":
            best = rows[0]
        elif policy == "last":
            best = rows[-1]
        else:
            best = max(rows, key=lambda r: value[r])
        keep[rows] = False
        keep[best] = True
    return keep
