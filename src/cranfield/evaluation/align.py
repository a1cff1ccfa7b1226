"""Where a run meets its judgments: pieces of lines in, hits out, no document id left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Index
from cranfield.formats.dicts import RunDict
from cranfield.formats.problems import Problems
from cranfield.formats.sources import Piece, RunSource
from cranfield.kit.memory import keep_scratch
from cranfield.kit.parallel import ordered_map
from cranfield.measures import Hits
from cranfield.scan.judged import JudgedIndex
from cranfield.scan.lines import Lines
from cranfield.scan.order import Ties, rank_rows

if TYPE_CHECKING:
    from cranfield.evaluation.scattered import Matched


@dataclass(frozen=True, eq=False)
class Aligned:
    """A run against its judgments.

    Parameters
    ----------
    hits : every returned document with a judgment row.
    answered : bool [n_queries]; the run names the query, perhaps with an empty list.
    unlabelled : queries of the run that have no judgments.
    tied : int64 [n_queries]; of the first k, how many share their score with another row.
    n_returned : rows of the run, those of unlabelled queries too.
    skipped : what the reader passed over.
    """

    hits: Hits
    answered: NDArray[np.bool_]
    unlabelled: tuple[str, ...]
    tied: Index
    n_returned: int
    skipped: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class _Part:
    names: list[bytes]
    number: Index  # of each query in the judgments, -1 without any
    size: Index
    tied: Index
    query: Index  # of each hit, as the next four
    rank: Index
    row: Index
    tie_start: Index
    tie_len: Index


class _Scattered(Exception):
    """A query came back after another: its lines are not adjacent."""


def align(
    source: RunSource,
    index: JudgedIndex,
    *,
    ties: Ties = "docid-desc",
    single: bool = False,
    k: int = 10,
    threads: int = 1,
    keep_going: bool = False,
    advance: Callable[[float], None] = lambda amount: None,
) -> Aligned:
    """Rank a run and keep what has been judged.

    A run whose queries are adjacent is read once, in pieces, on `threads` threads; a file whose
    queries are scattered is read twice more and counted. Only what has a document twice for a
    query is then read whole.
    """
    keep_scratch()
    if isinstance(source, RunDict):
        from cranfield.evaluation.lookup import look_up

        return _aligned(look_up(source, index, ties=ties, single=single, k=k), Counter())
    problems = Problems(keep_going)
    skipped: Counter[str] = Counter()

    def work(call: Callable[[], Piece]) -> tuple[Piece, _Part | None]:
        piece = call()
        if piece.lines is None:
            return piece, None
        return piece, _part(piece.lines, index, ties, single, k)

    def take(result: tuple[Piece, _Part | None]) -> _Part:
        piece, part = result
        problems.add(piece.problems)
        skipped.update(piece.skipped)
        advance(piece.size)
        if part is None:
            raise _Scattered
        return part

    parts: list[_Part] = []
    try:
        known: set[bytes] = set()
        for result in ordered_map(work, source.pieces(), threads):
            part = take(result)
            before = len(known)
            known.update(part.names)
            if len(known) < before + len(part.names):
                raise _Scattered
            parts.append(part)
    except _Scattered:
        problems.found.clear()
        skipped.clear()
        from cranfield.evaluation.scattered import RowSource, count

        if isinstance(source, RowSource):
            counted = count(
                source,
                index,
                ties=ties,
                single=single,
                k=k,
                threads=threads,
                problems=problems,
                skipped=skipped,
            )
            if counted is not None:
                return _aligned(counted, skipped)
        parts = [take(work(source.whole))]
    problems.done()
    return _together(parts, len(index.number), skipped)


def answered_empty(found: Aligned, index: JudgedIndex, queries: Iterable[str]) -> Aligned:
    """With these queries answered, by an empty list where the run has no line of them."""
    answered, unknown = found.answered.copy(), list(found.unlabelled)
    for query in queries:
        number = index.number.get(query.encode())
        if number is not None:
            answered[number] = True
        elif query not in unknown:
            unknown.append(query)
    return replace(found, answered=answered, unlabelled=tuple(unknown))


def _part(lines: Lines, index: JudgedIndex, ties: Ties, single: bool, k: int) -> _Part:
    number = index.queries_of(lines)
    query = number[lines.segment]
    rows, judged = index.find(query, lines.docs)
    ranked = rank_rows(lines, rows, ties=ties, single=single, k=k)
    return _Part(
        lines.names,
        number,
        lines.size,
        ranked.tied_in_top,
        query[rows],
        ranked.rank,
        judged,
        ranked.tie_start,
        ranked.tie_len,
    )


def _aligned(found: Matched, skipped: Counter[str]) -> Aligned:
    ranked = found.ranked
    order = _by_query_and_rank(found.query, ranked.rank)
    return Aligned(
        Hits(
            query=found.query[order],
            rank=ranked.rank[order],
            row=found.row[order],
            tie_start=ranked.tie_start[order],
            tie_len=ranked.tie_len[order],
            n_ret=found.size,
        ),
        found.answered,
        tuple(name.decode() for name in found.unlabelled),
        ranked.tied_in_top,
        found.n,
        skipped,
    )


def _by_query_and_rank(query: Index, rank: Index) -> Index:
    """As `np.lexsort((rank, query))`, and quick on what is nearly in that order."""
    return np.argsort(query * (int(rank.max(initial=0)) + 1) + rank, kind="stable")


def _together(parts: list[_Part], n_queries: int, skipped: Counter[str]) -> Aligned:
    """The parts joined, column by column; they are given up, so that none is held twice."""
    names = [name for part in parts for name in part.names]
    held = {f.name: [getattr(part, f.name) for part in parts] for f in fields(_Part)}
    parts.clear()

    def column(name: str) -> Index:
        found = held.pop(name)
        return np.concatenate(found) if found else np.empty(0, np.int64)

    number, size, tied = column("number"), column("size"), column("tied")
    query, rank = column("query"), column("rank")
    sorted_to = _by_query_and_rank(query, rank)
    stands = bool((sorted_to[1:] > sorted_to[:-1]).all())
    order: Index | slice = slice(None) if stands else sorted_to
    labelled = number >= 0
    n_ret, ties = np.zeros(n_queries, np.int64), np.zeros(n_queries, np.int64)
    n_ret[number[labelled]] = size[labelled]
    ties[number[labelled]] = tied[labelled]
    answered = np.zeros(n_queries, bool)
    answered[number[labelled]] = True
    hits = Hits(
        query=query[order],
        rank=rank[order],
        row=column("row")[order],
        tie_start=column("tie_start")[order],
        tie_len=column("tie_len")[order],
        n_ret=n_ret,
    )
    return Aligned(
        hits,
        answered,
        tuple(names[i].decode() for i in np.flatnonzero(~labelled).tolist()),
        ties,
        int(size.sum()),
        skipped,
    )
