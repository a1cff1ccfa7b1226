"""The result lists of a few queries, taken out of a run of any size."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection

import numpy as np

from cranfield.data.columns import Ids, join
from cranfield.data.run import Run
from cranfield.evaluation.scattered import RowSource
from cranfield.formats.rows import Rows
from cranfield.formats.sources import Piece, RunSource, settle
from cranfield.kit.parallel import ordered_map
from cranfield.scan.lines import Lines
from cranfield.scan.order import Ties, rank_rows

Lists = dict[str, list[tuple[str, float]]]


def result_lists(
    source: RunSource,
    queries: Collection[str],
    k: int,
    *,
    ties: Ties = "docid-desc",
    single: bool = False,
    threads: int = 1,
) -> Lists:
    """{query: the first k (document, score)} for those of `queries` that the run answers.

    The run is read by pieces and only the rows asked for are kept. It should have been read
    before: what is wrong with its other rows is not looked for.
    """
    wanted = {query.encode() for query in queries}
    if not wanted:
        return {}
    found: Lists = {}

    def work(call: Callable[[], Piece]) -> Lines | None:
        piece = call()
        return None if piece.lines is None else segments(piece.lines, wanted)

    for lines in ordered_map(work, source.pieces(), threads):
        if lines is None or any(name.decode() in found for name in lines.names):
            gathered = _gathered(source, wanted, threads)
            return top_of(gathered, k, ties=ties, single=single)
        found |= top_of(lines, k, ties=ties, single=single)
    return found


def top_of(lines: Lines, k: int, *, ties: Ties = "docid-desc", single: bool = False) -> Lists:
    """The first k of each query of `lines`."""
    rank = rank_rows(lines, np.arange(len(lines)), ties=ties, single=single).rank
    rows = np.flatnonzero(rank < k)
    rows = rows[np.lexsort((rank[rows], lines.segment[rows]))]
    names = [name.decode() for name in lines.names]
    found: Lists = {name: [] for name in names}
    for segment, doc, score in zip(
        lines.segment[rows].tolist(),
        lines.docs.take(rows).to_list(),
        lines.score[rows].tolist(),
        strict=True,
    ):
        found[names[segment]].append((doc, score))
    return found


def segments(lines: Lines, wanted: Collection[bytes]) -> Lines:
    """The queries of `lines` that are wanted, with their rows."""
    mine = [s for s, name in enumerate(lines.names) if name in wanted]
    rows = np.flatnonzero(np.isin(lines.segment, mine))
    size = lines.size[mine]
    return Lines(
        [lines.names[s] for s in mine],
        np.cumsum(size) - size,
        lines.docs.take(rows),
        lines.score[rows],
    )


def _gathered(source: RunSource, wanted: Collection[bytes], threads: int) -> Lines:
    """The rows of the wanted queries wherever they stand."""
    if not isinstance(source, RowSource):
        whole = source.whole().lines
        assert whole is not None
        return segments(whole, wanted)

    def work(call: Callable[[], Rows]) -> tuple[Rows, list[int]]:
        rows = call()
        return rows, [i for i, q in enumerate(rows.query.to_bytes()) if q in wanted]

    parts = []
    for rows, kept in ordered_map(work, source.rows(), threads):
        if kept:
            here = np.array(kept, np.int64)
            parts.append((rows.query.take(here), rows.docs.take(here), rows.value[here]))
    if not parts:
        return Lines([], np.empty(0, np.int64), Ids.of([]), np.empty(0))
    query, docs, score = zip(*parts, strict=True)
    run = Run.from_columns(join(query), join(docs), np.concatenate(score))
    lines = settle(Lines.from_run(run), None, source.name, source.on_duplicate).lines  # type: ignore[attr-defined]
    assert lines is not None
    return lines


def same_results(a: RunSource, b: RunSource) -> bool:
    """Whether two runs return the same documents with the same scores, whatever else differs in
    their files."""
    return _fingerprint(a) == _fingerprint(b)


def _fingerprint(source: RunSource) -> dict[bytes, bytes]:
    """{query: a hash of its documents and scores in rank order}."""
    found: dict[bytes, bytes] = {}
    for call in source.pieces():
        lines = call().lines
        if lines is None or any(name in found for name in lines.names):
            lines = source.whole().lines
            assert lines is not None
            return _hashes(lines)
        found |= _hashes(lines)
    return found


def _hashes(lines: Lines) -> dict[bytes, bytes]:
    rank = rank_rows(lines, np.arange(len(lines))).rank
    rows = np.lexsort((rank, lines.segment))
    docs, score = lines.docs.take(rows).to_bytes(), lines.score[rows]
    found = {}
    for name, first, size in zip(
        lines.names, lines.first.tolist(), lines.size.tolist(), strict=True
    ):
        digest = hashlib.blake2b(score[first : first + size].tobytes(), digest_size=16)
        for doc in docs[first : first + size]:
            digest.update(len(doc).to_bytes(8, "little") + doc)
        found[name] = digest.digest()
    return found
