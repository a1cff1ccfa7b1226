"""Ranks by counting, for a run whose lines stand in any order: two passes, and no sort of the run.

The first pass finds the judged documents and their scores. The second counts, for each of these
scores, the rows of its query above it and the rows at it. What is held is as large as the
judgments, with eight bytes a row beside for noticing repeated documents.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cranfield.data.columns import Floats, Ids, Index, Words, changes
from cranfield.scan.lines import hash_ids
from cranfield.scan.order import Ranked, Ties

if TYPE_CHECKING:
    from cranfield.scan.judged import JudgedIndex

_STEP = 1 << 20

# places in `Counts.between`, levels met, hits, rows that come before each
Counted: TypeAlias = tuple[Index, Index, Index, Index]


@dataclass(frozen=True, eq=False)
class Batch:
    """Some rows of a run: the number in the judgments of each row's query (-1: none), and a
    number that grows in file order."""

    query: Index
    docs: Ids
    score: Floats
    position: Index


@dataclass(frozen=True, eq=False)
class Found:
    """What the first pass makes of a batch."""

    row: Index  # of the judgments
    score: Floats
    position: Index
    size: Index  # rows of each judged query
    unlabelled: list[bytes]
    n: int


def find(batch: Batch, query: Ids, index: JudgedIndex) -> tuple[Found, Words]:
    """The first pass over a batch, and a hash of each row; `query` are the ids of the queries."""
    rows, judged = index.find(batch.query, batch.docs)
    labelled = batch.query >= 0
    others = query.take(~labelled)
    group = hash_ids(np.zeros(len(query), np.int64), query).view(np.int64)
    found = Found(
        judged,
        batch.score[rows],
        batch.position[rows],
        np.bincount(batch.query[labelled], minlength=len(index.number)),
        others.take(changes(others)).to_bytes(),
        len(batch.docs),
    )
    return found, hash_ids(group, batch.docs)


class Seen:
    """The hashes of all rows, to notice that a query may have a document twice."""

    def __init__(self) -> None:
        self._bytes = bytearray()  # grows where it stands; joining arrays would take twice as much

    def add(self, hashes: Words) -> None:
        self._bytes += hashes.tobytes()

    def has_repeats(self) -> bool:
        """Whether two rows have one hash. It ends the collecting."""
        hashes = np.frombuffer(self._bytes, np.uint64)
        hashes.sort()
        return any(
            (hashes[i + 1 : i + 1 + _STEP] == hashes[i : i + _STEP][: len(hashes) - 1 - i]).any()
            for i in range(0, len(hashes) - 1, _STEP)
        )


@dataclass(eq=False)
class Counts:
    """The second pass: levels are the distinct scores of judged documents, by (query, score).

    `between` has for each query one place more than it has levels: the rows below its lowest
    level, between two levels, and above its highest.
    """

    index: JudgedIndex
    ties: Ties
    row: Index  # hits, by (query, score)
    level: Index
    position: Index
    value: Floats  # [level]
    begin: Index  # [query + 1] its first level
    exact: Index = field(init=False)
    between: Index = field(init=False)
    before: Index = field(init=False)  # [hit] rows of its score that come before it

    def __post_init__(self) -> None:
        self.exact = np.zeros(len(self.value), np.int64)
        self.between = np.zeros(len(self.value) + len(self.begin) - 1, np.int64)
        self.before = np.zeros(len(self.row), np.int64)

    @classmethod
    def of(cls, found: list[Found], index: JudgedIndex, ties: Ties) -> Counts:
        row, score, position = (
            np.concatenate([getattr(f, name) for f in found])
            for name in ("row", "score", "position")
        )
        query = index.query[row]
        order = np.lexsort((score, query))
        row, score, position, query = row[order], score[order], position[order], query[order]
        new = np.ones(len(row), bool)
        new[1:] = (query[1:] != query[:-1]) | (score[1:] != score[:-1])
        begin = np.searchsorted(query[new], np.arange(len(index.number) + 1))
        return cls(index, ties, row, np.cumsum(new) - 1, position, score[new], begin)

    def count(self, batch: Batch) -> Counted:
        """The second pass over a batch; pure, so that several threads may count."""
        rows = np.flatnonzero(batch.query >= 0)
        query, score = batch.query[rows], batch.score[rows]
        level = bisect_within(self.value, self.begin[query], self.begin[query + 1], score)
        met = level < self.begin[query + 1]
        met[met] = self.value[level[met]] == score[met]
        hits, before = self._before(batch, rows[met], level[met])
        return (level + query)[~met], level[met], hits, before

    def add(self, counted: Counted) -> None:
        """Take in what a batch counted to."""
        between, exact, hits, before = counted
        self.between += np.bincount(between, minlength=len(self.between))
        self.exact += np.bincount(exact, minlength=len(self.exact))
        self.before[hits] += before

    def _before(self, batch: Batch, rows: Index, level: Index) -> tuple[Index, Index]:
        """Hits at these levels, and how many of the rows come before each in the tie order."""
        asked = np.zeros(len(self.value), bool)
        asked[level] = True
        hits = np.flatnonzero(asked[self.level])
        owner = np.concatenate((level, self.level[hits]))
        is_hit = np.arange(len(owner)) >= len(rows)
        keys: list[Index | Words]
        if self.ties == "file":
            keys = [np.concatenate((batch.position[rows], self.position[hits]))]
        else:
            mine, theirs = batch.docs.take(rows), self.index.docs.take(self.row[hits])
            keys = []
            for k in range(max(mine.n_words(), theirs.n_words())):
                word = np.concatenate((mine.word(k), theirs.word(k))).byteswap()
                keys.append(~word if self.ties == "docid-desc" else word)
        # a hit stands before its own row, so that it does not count itself
        order = np.lexsort([~is_hit, *keys[::-1], owner])
        returned, owner = ~is_hit[order], owner[order]
        passed: Index = np.cumsum(returned) - returned
        inside: Index = passed - passed[np.searchsorted(owner, owner)]
        at = np.flatnonzero(~returned)
        return hits[order[at] - len(rows)], inside[at]

    def ranked(self, tied_in_top: Index) -> tuple[Index, Index, Ranked]:
        """(row of the judgments, query, ranks) of every hit."""
        n_queries = len(self.begin) - 1
        query = np.repeat(np.arange(n_queries), np.diff(self.begin))  # [level]
        level = np.arange(len(query))
        exact, between = (np.concatenate(([0], np.cumsum(x))) for x in (self.exact, self.between))
        end = self.begin[query + 1]
        above = exact[end] - exact[level + 1]
        above += between[end + query + 1] - between[level + query + 1]
        above = above[self.level]
        size = self.exact[self.level]
        return self.row, query[self.level], Ranked(above + self.before, above, size, tied_in_top)


class TopScores:
    """The best k + 1 scores of each query, to see which of the first k share theirs."""

    def __init__(self, size: Index, k: int) -> None:
        self.k, self.held = k, np.minimum(size, k + 1)
        self.end = np.cumsum(self.held)
        self.score = np.full(int(self.held.sum()), -np.inf)
        self._query = np.repeat(np.arange(len(size)), self.held)

    def add(self, query: Index, score: Floats) -> None:
        """More rows; `query` may be -1."""
        rows = np.flatnonzero(query >= 0)
        query, score = query[rows], score[rows]
        better = score > self.score[self.end[query] - 1]
        if not better.any():
            return
        query, score = query[better], score[better]
        changed = np.zeros(len(self.held), bool)
        changed[query] = True
        slots = np.flatnonzero(changed[self._query])
        query = np.concatenate((self._query[slots], query))
        score = np.concatenate((self.score[slots], score))
        order = np.lexsort((-score, query))
        query = query[order]
        rank = np.arange(len(query)) - np.searchsorted(query, query)
        self.score[slots] = score[order[rank < self.held[query]]]

    def tied(self) -> Index:
        """Per query, how many of the first k share their score with another row."""
        same = np.zeros(len(self.score) + 1, bool)
        same[1:-1] = (self.score[1:] == self.score[:-1]) & (self._query[1:] == self._query[:-1])
        rank = np.arange(len(self.score)) - (self.end - self.held)[self._query]
        shared = (same[1:] | same[:-1]) & (rank < self.k)
        return np.bincount(self._query[shared], minlength=len(self.held))


def bisect_within(values: Floats, lo: Index, hi: Index, wanted: Floats) -> Index:
    """For each row the first index in lo .. hi with a value not below the wanted one, else hi."""
    lo, hi = lo.copy(), hi.copy()
    last = max(len(values) - 1, 0)
    while (open_ := lo < hi).any():
        middle = (lo + hi) >> 1
        below = values[np.minimum(middle, last)] < wanted
        lo = np.where(open_ & below, middle + 1, lo)
        hi = np.where(open_ & ~below, middle, hi)
    return lo
