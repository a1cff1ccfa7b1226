"""A run as the kernel reads it: pieces of whole queries from a file or from columns in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, Protocol

import numpy as np

from cranfield.data.columns import Ids, join
from cranfield.data.run import Run
from cranfield.errors import FormatError, InputError
from cranfield.formats import trec
from cranfield.formats.inputs import Input
from cranfield.formats.problems import Problems
from cranfield.formats.rows import BEYOND, Rows
from cranfield.scan.chunks import CHUNK, Chunk, chunks, line_chunks, whole
from cranfield.scan.lines import Lines, keep_one, repeats

OnDuplicate = Literal["error", "first", "last", "max"]
HOW_DUPLICATE = "say which to keep: --on-duplicate first|last|max (on_duplicate= in Python)"


@dataclass
class Piece:
    """Some queries of a run (None: their lines are not adjacent), and what reading them showed."""

    lines: Lines | None
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[FormatError] = field(default_factory=list)
    size: int = 0  # bytes read, for progress


class RunSource(Protocol):
    """What the kernel asks of a run."""

    name: str

    def pieces(self) -> Iterator[Callable[[], Piece]]:
        """Calls that each read some whole queries; they may be made on several threads."""

    def whole(self) -> Piece:
        """All queries at once, for a run whose queries are not adjacent."""


class RunFile:
    """A TREC run file, read by chunks as often as asked, never held whole unless its queries are
    scattered."""

    def __init__(
        self, source: Input, *, on_duplicate: OnDuplicate = "error", chunk_size: int = CHUNK
    ) -> None:
        self.source, self.on_duplicate, self.chunk_size = source, on_duplicate, chunk_size
        self.name = source.stem

    def pieces(self) -> Iterator[Callable[[], Piece]]:
        width = 0
        with self.source.open() as stream:
            for chunk in chunks(stream, self.chunk_size):
                width = width or trec.run_width(chunk)
                yield partial(self._read, chunk, width)

    def rows(self) -> Iterator[Callable[[], Rows]]:
        """Calls that each read some rows, in file order, for a run whose queries are scattered."""
        width = 0
        with self.source.open() as stream:
            for chunk in line_chunks(stream, self.chunk_size):
                width = width or trec.run_width(chunk)
                yield partial(trec.run_rows, chunk, width, self.source.name)

    def whole(self) -> Piece:
        with self.source.open() as stream:
            chunk = whole(stream)
        rows = trec.run_rows(chunk, trec.run_width(chunk), self.source.name)
        run = Run.from_columns(rows.query, rows.docs, rows.value)
        lines = Lines.from_run(run, rows.line)
        return settle(lines, rows, self.source.name, self.on_duplicate)

    def _read(self, chunk: Chunk, width: int) -> Piece:
        rows = trec.run_rows(chunk, width, self.source.name)
        lines = Lines.from_columns(rows.query, rows.docs, rows.value, rows.line)
        if lines is None:
            return Piece(None, rows.skipped, rows.problems, chunk.hi - chunk.lo)
        piece = settle(lines, rows, self.source.name, self.on_duplicate)
        piece.size = chunk.hi - chunk.lo
        return piece

    def load(self, problems: Problems) -> Run:
        """The whole run as columns."""
        piece = self.whole()
        problems.add(piece.problems)
        problems.done()
        assert piece.lines is not None
        lines = piece.lines
        return Run(
            Ids.of(lines.names),
            lines.segment,
            lines.docs,
            lines.score,
            name=self.name,
            notes=notes_of(piece.skipped),
        )


class RunColumns:
    """A run in memory."""

    def __init__(
        self, run: Run, *, on_duplicate: OnDuplicate = "error", skipped: Counter[str] | None = None
    ) -> None:
        self.run, self.on_duplicate, self.name = run, on_duplicate, run.name
        self.skipped = skipped or Counter()

    def pieces(self) -> Iterator[Callable[[], Piece]]:
        yield self.whole

    def whole(self) -> Piece:
        if np.isnan(self.run.score).any():
            i = int(np.flatnonzero(np.isnan(self.run.score))[0])
            raise InputError(
                f"run {self.name!r}: the score of document {self.run.docs[i]!r} is NaN, "
                "which cannot be ranked",
                "give the document a number, or drop it",
            )
        piece = settle(Lines.from_run(self.run), None, self.name, self.on_duplicate)
        piece.skipped.update(self.skipped)
        return piece


def settle(lines: Lines, rows: Rows | None, file: str, policy: OnDuplicate) -> Piece:
    """Repeated documents of a query: problems, or all but one dropped and counted."""
    piece = Piece(
        lines,
        Counter() if rows is None else rows.skipped,
        [] if rows is None else rows.problems,
    )
    pairs = repeats(lines.segment, lines.docs)
    if not pairs:
        return piece
    if policy == "error":
        piece.problems += [_repeated(lines, i, j, file) for i, j in pairs]
        pairs_policy: OnDuplicate = "first"
    else:
        piece.skipped[f"repeated document ({policy} kept)"] += len(pairs)
        pairs_policy = policy
    piece.lines = lines.take(keep_one(pairs, pairs_policy, lines.score, len(lines)))
    return piece


def _repeated(lines: Lines, first: int, again: int, file: str) -> FormatError:
    query = lines.names[int(lines.segment[again])].decode()
    doc = lines.docs[again]
    before = "" if lines.line is None else f" (first on line {lines.line[first]})"
    return FormatError(
        f"document {doc!r} is returned twice for query {query!r}{before}",
        HOW_DUPLICATE,
        file=file,
        line=None if lines.line is None else int(lines.line[again]),
    )


def run_from_rows(rows: Rows, name: str) -> Run:
    """A run in memory from what a reader found."""
    run = Run.from_columns(rows.query, rows.docs, rows.value, name=name)
    if rows.empty:
        known = set(run.queries.to_list())
        more = Ids.of(q for q in rows.empty if q not in known)
        run = Run(join([run.queries, more]), run.query, run.docs, run.score, name=name)
    return run


def notes_of(skipped: Counter[str]) -> tuple[str, ...]:
    """What was skipped, in words: `2 comment lines skipped`."""
    notes = []
    for what, count in skipped.items():
        if what == "comment":
            notes.append(f"{count} comment line{'s' if count != 1 else ''} skipped")
        elif what.startswith("header"):
            notes.append(f"the first line is a {what}, skipped")
        elif what == BEYOND:
            notes.append(
                f"{count} score{'s' if count != 1 else ''} too large for float64 read as infinite"
            )
        elif what.startswith("repeated"):
            notes.append(f"{count} × {what}")
        else:
            notes.append(f"{what} ignored" if count == 1 else f"{what} ignored ({count})")
    return tuple(notes)
