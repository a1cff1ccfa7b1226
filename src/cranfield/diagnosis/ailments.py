"""Each thing that makes a run score 0, or oddly low, though the system may be good: how it is told.

All of it is evidence: how many ids fit before and after, how many relevant documents a run finds
for its own queries, and how many it finds by chance (for the next query of the judgments).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import Any

from cranfield.diagnosis.finding import Finding, Said
from cranfield.diagnosis.idforms import LEAST
from cranfield.diagnosis.repair import RUN_COLUMNS, Repair
from cranfield.evaluation.lists import Lists
from cranfield.formats.sources import RunFile, RunSource

HALF = 0.5  # share of ids that fit below which the numbers mean nothing
SAMPLE = 5_000  # lines of a file that are looked at as they stand
SHIFTS = 3  # queries further on, over which chance is averaged
RARELY = 0.1  # share of judged documents that must be gained where there is no corpus
Relevant = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Reference:
    """What ids there are.

    Parameters
    ----------
    judged : queries with judgments; asked : all queries of the collection, none if not known.
    documents : of the corpus, in order, or the judged ones; whole : whether it is the corpus.
    relevant : {query: its relevant documents}.
    splits : {other qrels of the collection: the queries judged there}.
    """

    judged: frozenset[str]
    asked: tuple[str, ...]
    documents: tuple[str, ...]
    whole: bool
    relevant: Relevant
    splits: Mapping[str, frozenset[str]] = field(default_factory=dict)
    known: frozenset[str] = frozenset()  # `documents` as a set

    @property
    def queries(self) -> frozenset[str]:
        return self.judged | frozenset(self.asked)


def share(names: Collection[str], known: Collection[str]) -> float:
    """Of the names, how many are known; 1 of none."""
    return sum(n in known for n in names) / len(names) if names else 1.0


def hits(lists: Lists, relevant: Relevant, k: int, meant: Callable[[str], str]) -> int:
    """Relevant documents in the first k of their own queries, as `meant` names these."""
    return sum(
        doc in relevant.get(meant(query), ())
        for query, docs in lists.items()
        for doc, _ in docs[:k]
    )


def chance(lists: Lists, relevant: Relevant, k: int) -> float:
    """The same for other queries of the judgments, the next ones: what a run finds by chance."""
    names = [q for q in relevant if q in lists]
    n = min(SHIFTS, len(names) - 1)
    if n < 1:
        return 0.0
    total = 0
    for shift in range(1, n + 1):
        other = dict(zip(names, names[shift:] + names[:shift], strict=True))
        total += hits({q: lists[q] for q in names}, relevant, k, other.__getitem__)
    return total / n


def swapped(of: str, lists: Lists, known: Reference) -> Iterator[tuple[Finding, Repair]]:
    """Queries stand where documents should, and documents where queries should."""
    docs = {doc for results in lists.values() for doc, _ in results}
    if (
        share(lists, known.judged) < HALF
        and share(docs, known.queries) >= HALF
        and share(lists, known.known) > (HALF if known.whole else 0)
    ):
        yield Finding("columns_swapped", "error", {"of": of}, "likely"), Repair("swap")


def other_columns(
    of: str, source: RunSource, lists: Lists, known: Reference
) -> Iterator[tuple[Finding, Repair]]:
    """A file whose query or document stands in another column than the first and the third."""
    if not isinstance(source, RunFile):
        return
    docs = {doc for results in lists.values() for doc, _ in results}
    if _are_ranks(lists):
        yield from columns_of(of, source, known, (2,))
    elif share(docs, known.known) <= RARELY:
        yield from columns_of(of, source, known)


def _are_ranks(lists: Lists) -> bool:
    """Whether every query has the documents 1, 2, 3, ..., which are ranks."""
    some = [{doc for doc, _ in docs} for docs in lists.values() if len(docs) > 1]
    return bool(some) and all({str(i + 1) for i in range(len(docs))} == docs for docs in some)


def columns_of(
    of: str, source: RunFile, known: Reference, never: tuple[int, ...] = ()
) -> Iterator[tuple[Finding, Repair]]:
    """The columns of a file of six in which known queries and known documents stand, where these
    are not the first and the third; `never`: columns that hold neither."""
    lines = _lines(source)
    table = [line for line in lines if len(line) == RUN_COLUMNS]
    if not table or len(table) < len(lines):
        return
    columns = [set() if i in never else set(c) for i, c in enumerate(zip(*table, strict=True))]
    queries = [share(c, known.judged) if c else 0.0 for c in columns]
    fits = [share(c, known.known) if len(c) > 1 else 0.0 for c in columns]
    q, d = max(range(6), key=queries.__getitem__), max(range(6), key=fits.__getitem__)
    if q == d or {q, d} == {0, 2}:  # as it should be, or swapped
        return
    if queries[q] < HALF or fits[d] <= (HALF if known.whole else 0):
        return
    values = {"of": of, "query": q + 1, "document": d + 1, "share": fits[d]}
    score = next(i for i in (4, 3, 5) if i not in (q, d))
    yield Finding("column_wrong", "error", values, "likely"), Repair("columns", None, (q, d, score))


def falling(of: str, source: RunSource) -> Iterator[tuple[Finding, Repair]]:
    """Scores that rise with the rank of the file, as distances do."""
    if not isinstance(source, RunFile):
        return
    rows: dict[str, list[tuple[float, float]]] = {}
    for cells in _lines(source):
        if len(cells) == RUN_COLUMNS:
            try:
                rows.setdefault(cells[0], []).append((float(cells[3]), float(cells[4])))
            except ValueError:
                return
    some = [sorted(r) for r in rows.values() if len({rank for rank, _ in r}) > 1]
    against = sum(r[0][1] < r[-1][1] and _rises([s for _, s in r]) for r in some)
    if some and against >= 0.9 * len(some):
        values = {"of": of, "n": against, "all": len(some)}
        yield Finding("scores_reversed", "warning", values, "likely"), Repair("negate")


def _rises(scores: Sequence[float]) -> bool:
    return all(a <= b for a, b in pairwise(scores))


def _lines(source: RunFile) -> list[list[str]]:
    with source.source.open() as stream:
        found = [line.decode("utf-8", "replace").split() for line in islice(stream, SAMPLE)]
    return [cells for cells in found if cells]


def other_queries(of: str, lists: Lists, known: Reference) -> Iterator[Finding]:
    """Most queries of a run are not judged here: another part of the collection, or another
    collection."""
    fits = share(lists, known.judged)
    if fits >= HALF:
        return
    n = sum(q in known.judged for q in lists)
    values: dict[str, Any] = {"of": of, "n": n, "all": len(lists)}
    best = max(known.splits, key=lambda s: share(lists, known.splits[s]), default=None)
    if best is not None and share(lists, known.splits[best]) > max(fits, HALF):
        there = sum(q in known.splits[best] for q in lists)
        yield Finding("split_wrong", "error", {**values, "split": best, "there": there}, "likely")
    elif lists and n == 0:
        mine, theirs = min(lists), min(known.judged)
        asked = sum(q in known.asked for q in lists)
        values = {**values, "mine": mine, "theirs": theirs, "asked": asked}
        yield Finding("queries_other", "error", values)


def moved_queries(
    of: str, lists: Lists, known: Reference, k: int
) -> Iterator[tuple[Finding, Repair | None]]:
    """Query ids that are all known and yet mean others: counted from 0, or by their places."""
    own, luck = hits(lists, known.relevant, k, str), chance(lists, known.relevant, k)
    if own >= max(LEAST, 2 * luck):
        return
    best: tuple[int, Said | None, dict[str, str]] = (0, None, {})
    for said, table in _moves(list(lists), known):
        there = hits(lists, known.relevant, k, lambda q, table=table: table.get(q, ""))  # type: ignore[misc]
        if there > best[0]:
            best = (there, said, table)
    values: dict[str, Any] = {"of": of, "own": own, "chance": luck, "k": k}
    if best[1] is not None and best[0] >= max(LEAST, 3 * own, 3 * luck):
        repair = Repair("queries", lambda q, table=best[2]: table.get(q, q))  # type: ignore[misc]
        more = {"how": best[1], "then": best[0]}
        yield Finding("queries_moved", "error", {**values, **more}, "likely"), repair
        return
    every = frozenset().union(*known.relevant.values()) if known.relevant else frozenset()
    some = sum(doc in every for docs in lists.values() for doc, _ in docs[:k])
    if luck >= LEAST and own <= luck and some >= len(lists):
        yield Finding("queries_mixed", "warning", values, "possible"), None


def _moves(names: Sequence[str], known: Reference) -> Iterator[tuple[Said, dict[str, str]]]:
    numbers = {q: int(q) for q in names if q.isascii() and q.isdigit()}
    if len(numbers) < HALF * len(names):
        return
    for by in (1, -1):
        yield Said("moved.shift", {"by": f"{by:+d}"}), {q: str(n + by) for q, n in numbers.items()}
    for first in (1, 0):
        table = {
            q: known.asked[n - first]
            for q, n in numbers.items()
            if 0 <= n - first < len(known.asked)
        }
        yield Said("moved.place", {"first": first}), table


def moved_documents(
    of: str, lists: Lists, known: Reference, k: int
) -> Iterator[tuple[Finding, Repair]]:
    """Documents that are named by their places in the corpus, as an index of vectors numbers
    them."""
    names = {doc for docs in lists.values() for doc, _ in docs}
    if not known.whole or not all(n.isascii() and n.isdigit() for n in names):
        return
    own, luck = hits(lists, known.relevant, k, str), chance(lists, known.relevant, k)
    if own >= max(LEAST, 2 * luck):
        return
    for first in (0, 1):
        table = {
            n: known.documents[int(n) - first]
            for n in names
            if 0 <= int(n) - first < len(known.documents)
        }
        meant = {q: [(table.get(d, d), s) for d, s in docs] for q, docs in lists.items()}
        then = hits(meant, known.relevant, k, str)
        if len(table) == len(names) and then >= max(
            LEAST, 3 * own, 3 * chance(meant, known.relevant, k)
        ):
            values = {"of": of, "own": own, "then": then, "k": k, "first": first}
            yield (
                Finding("documents_moved", "error", values, "likely"),
                Repair("documents", lambda d, table=table: table.get(d, d)),  # type: ignore[misc]
            )
            return
