"""A run whose queries are scattered over its lines, read twice and never held."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from cranfield.data.columns import Index, Words
from cranfield.formats.problems import Problems
from cranfield.formats.rows import Rows
from cranfield.kit.parallel import ordered_map
from cranfield.scan.counting import Batch, Counted, Counts, Found, Seen, TopScores, find
from cranfield.scan.judged import JudgedIndex
from cranfield.scan.order import Ranked, Ties

if TYPE_CHECKING:
    from numpy.typing import NDArray


@runtime_checkable
class RowSource(Protocol):
    """A run that can be read twice by rows in any order."""

    def rows(self) -> Iterator[Callable[[], Rows]]: ...


@dataclass(frozen=True, eq=False)
class Matched:
    """Hits: their rows of the judgments, queries and ranks. Per judged query its rows in the run,
    and whether the run names it; the run's other queries; all its rows."""

    row: Index
    query: Index
    ranked: Ranked
    size: Index
    answered: NDArray[np.bool_]
    unlabelled: list[bytes]
    n: int


def count(
    source: RowSource,
    index: JudgedIndex,
    *,
    ties: Ties,
    single: bool,
    k: int,
    threads: int,
    problems: Problems,
    skipped: Counter[str],
) -> Matched | None:
    """The two passes; None where a document may be returned twice for a query, for which the
    rows have to be seen together."""

    def batch_of(rows: Rows) -> Batch:
        assert rows.line is not None
        score = rows.value
        if single:
            with np.errstate(over="ignore"):
                score = score.astype(np.float32).astype(np.float64)
        return Batch(index.queries_of_rows(rows.query), rows.docs, score, rows.line)

    def first(call: Callable[[], Rows]) -> tuple[Rows, Found, Words]:
        rows = call()
        return rows, *find(batch_of(rows), rows.query, index)

    found = []
    seen = Seen()
    for rows, part, hashes in ordered_map(first, source.rows(), threads):
        problems.add(rows.problems)
        skipped.update(rows.skipped)
        found.append(part)
        seen.add(hashes)
    if problems.found or seen.has_repeats():  # repeats are listed among the other problems
        problems.found.clear()
        skipped.clear()
        return None
    del seen
    counts = Counts.of(found, index, ties)
    size = sum((f.size for f in found), np.zeros(len(index.number), np.int64))
    top = TopScores(size, k)

    def second(call: Callable[[], Rows]) -> tuple[Batch, Counted]:
        batch = batch_of(call())
        return batch, counts.count(batch)

    for batch, counted in ordered_map(second, source.rows(), threads):
        counts.add(counted)
        top.add(batch.query, batch.score)
    unlabelled = dict.fromkeys(name for f in found for name in f.unlabelled)
    row, query, ranked = counts.ranked(top.tied())
    return Matched(row, query, ranked, size, size > 0, list(unlabelled), sum(f.n for f in found))
