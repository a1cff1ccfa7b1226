"""A TREC qrels file read by chunks, on several threads where it is large, into columns."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from cranfield.data.columns import PAD, Bytes, Floats, Ids, Index, changes
from cranfield.data.qrels import Qrels
from cranfield.errors import FormatError
from cranfield.formats import trec
from cranfield.formats.inputs import Input
from cranfield.formats.rows import Rows
from cranfield.kit.files import STDIN
from cranfield.kit.memory import keep_scratch
from cranfield.kit.parallel import ordered_map
from cranfield.scan.chunks import CHUNK, Chunk, chunks, whole
from cranfield.scan.lines import repeats

SMALL = 4 << 20  # bytes; less is read before threads have been started


@dataclass(frozen=True, eq=False)
class Found:
    """Judgments, before anything is decided about repeated ones.

    Parameters
    ----------
    qrels : the rows, in the order of the file
    lines : the line (from 1) of each row, in parts
    pairs : (row, later row) of one query and document
    skipped, problems : as in `Rows`
    """

    qrels: Qrels
    lines: list[Index]
    pairs: list[tuple[int, int]]
    skipped: Counter[str]
    problems: list[FormatError]


@dataclass(frozen=True, eq=False)
class _Part:
    """The rows of a chunk; the names and sizes of its runs of one query; (row, later row) of one
    query and document, or None where a query comes back."""

    chunk: Chunk
    rows: Rows
    names: list[bytes]
    size: Index
    iteration: Ids
    pairs: list[tuple[int, int]] | None


def read_trec_qrels(
    source: Input, name: str, *, threads: int | None = None, chunk_size: int = CHUNK
) -> Found:
    """The judgments of a TREC file.

    Parameters
    ----------
    threads : None for one below four megabytes, else as many as processors, at most four
    """
    keep_scratch()
    with source.open() as stream:
        found = _together(source, name, chunks(stream, chunk_size), threads or _threads(source))
    if found is None:
        with source.open() as stream:
            found = _together(source, name, [whole(stream)], 1)
        assert found is not None
    return found


def _together(source: Input, name: str, pieces: Iterable[Chunk], threads: int) -> Found | None:
    """None where the first chunk holds no row, so that the next may still begin with a header."""
    text = bytearray(PAD)  # the buffer of all ids; it grows where it stands
    number: dict[bytes, int] = {}
    code = number.setdefault
    query: list[Index] = []
    grade: list[Floats] = []
    docs, iteration = _Spans(), _Spans()
    rows: list[Rows] = []
    pairs: list[tuple[int, int]] = []
    adjacent, n = True, 0
    work = partial(_read, file=source.name)
    for part in ordered_map(work, pieces, threads):
        if rows and not n:
            return None
        known = len(number)
        codes = np.array([code(q, len(number)) for q in part.names], np.int64)
        adjacent &= part.pairs is not None and len(number) == known + len(codes)
        pairs += [(i + n, j + n) for i, j in part.pairs or ()]
        query.append(np.repeat(codes, part.size))
        shift = len(text) - part.chunk.lo
        docs.add(part.rows.docs, shift)
        iteration.add(part.iteration, shift)
        text += part.chunk.buffer[part.chunk.lo : part.chunk.hi].data
        grade.append(part.rows.value)
        rows.append(_without_columns(part.rows))
        n += len(part.size) and int(part.size.sum())
    text += bytes(PAD)
    buffer = np.frombuffer(text, np.uint8)
    qrels = Qrels(
        Ids.of(number),
        _joined(query),
        docs.ids(buffer),
        _joined(grade, np.float64),
        iteration=iteration.ids(buffer),
        name=name,
    )
    return Found(
        qrels,
        [r.line for r in rows if r.line is not None],
        pairs if adjacent else repeats(qrels.query, qrels.docs),
        sum((r.skipped for r in rows), Counter()),
        [p for r in rows for p in r.problems],
    )


def _read(chunk: Chunk, file: str) -> _Part:
    rows = trec.qrels_rows(chunk, file)
    first = changes(rows.query)
    names = rows.query.take(first).to_bytes()
    size = np.diff(first, append=len(rows.docs))
    pairs = None
    if len(set(names)) == len(names):
        pairs = repeats(np.repeat(np.arange(len(names)), size), rows.docs)
    iteration = rows.extra.get("iteration", rows.docs)  # none where there is no row
    if len(changes(iteration)) == 1:
        iteration = iteration.take(slice(0, 1)).spread(len(iteration))
    return _Part(chunk, rows, names, size, iteration, pairs)


def _without_columns(rows: Rows) -> Rows:
    return replace(Rows.none(rows.problems), line=rows.line, skipped=rows.skipped)


def _joined(parts: list[Any], kind: type = np.int64) -> Any:
    """The parts as one array; they are given up."""
    joined = np.concatenate(parts) if parts else np.empty(0, kind)
    parts.clear()
    return joined


class _Spans:
    """A column of ids that is put together from parts with their places in the whole text."""

    def __init__(self) -> None:
        self.start: list[Index] = []
        self.end: list[Index] = []
        self.one: set[bytes | None] = set()  # the different ids, while all of a part are the same

    def add(self, ids: Ids, shift: int) -> None:
        if not len(ids):
            return
        self.one.add(ids.bytes_at(0) if ids.is_spread else None)
        if ids.is_spread:
            spread = Ids(ids.buffer, ids.start[:1] + shift, ids.end[:1] + shift).spread(len(ids))
            self.start.append(spread.start)
            self.end.append(spread.end)
        else:
            self.start.append(ids.start + shift)
            self.end.append(ids.end + shift)

    def ids(self, buffer: Bytes) -> Ids:
        if len(self.one) == 1 and None not in self.one:
            n = sum(map(len, self.start))
            return Ids(buffer, self.start[0][:1], self.end[0][:1]).spread(n)
        return Ids(buffer, _joined(self.start), _joined(self.end))


def _threads(source: Input) -> int:
    try:
        size = 0 if source.path == STDIN else os.path.getsize(source.path)
    except OSError:
        size = 0
    return min(4, os.cpu_count() or 1) if size >= SMALL else 1
