"""What trec_eval reads and prints: run files whose tag counts, means for z-scores, its lines."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import PAD, Ids, pad
from cranfield.data.run import Run
from cranfield.errors import FormatError
from cranfield.formats import trec
from cranfield.formats.complaints import is_number
from cranfield.formats.inputs import Input
from cranfield.formats.rows import Rows
from cranfield.formats.sources import Piece, settle
from cranfield.formats.text import read_lines
from cranfield.scan.chunks import Chunk, chunks, whole
from cranfield.scan.fields import HASH
from cranfield.scan.lines import Lines

# A line of more than six columns: the first six, and the rest.
_LONG = re.compile(rb"^([^\S\n]*(?:\S+[^\S\n]+){5}\S+)[^\S\n]+\S[^\n]*$", re.MULTILINE)
_TAIL = 1 << 16  # bytes at the end of a chunk in which its last line is looked for first

Zscores = dict[tuple[str, str], tuple[float, float]]  # {(topic, measure): (mean, deviation)}


class TaggedRun:
    """A run file as trec_eval reads it: six columns, and words behind the tag are passed over.

    Parameters
    ----------
    source : the file.
    comments : a line whose query begins with `#` is a comment, whatever else it holds (trec_eval
        10; in version 9 `#1` is a query).

    Attributes
    ----------
    tag : of the last line, once the file has been read.
    """

    def __init__(self, source: Input, *, comments: bool = True) -> None:
        self.source, self.comments = source, comments
        self.name, self.tag = source.stem, ""

    @property
    def size(self) -> int:
        """Bytes of the file, 0 for standard input."""
        try:
            return os.path.getsize(self.source.path)
        except OSError:
            return 0

    def pieces(self) -> Iterator[Callable[[], Piece]]:
        with self.source.open() as stream:
            for chunk in chunks(stream):
                self.tag = self._last_tag(chunk) or self.tag
                yield lambda chunk=chunk: self._read(chunk)  # type: ignore[misc]

    def whole(self) -> Piece:
        with self.source.open() as stream:
            chunk = whole(stream)
        self.tag = self._last_tag(chunk) or self.tag
        rows = self._rows(chunk)
        run = Run.from_columns(rows.query, rows.docs, rows.value)
        return settle(Lines.from_run(run, rows.line), rows, self.source.name, "error")

    def _read(self, chunk: Chunk) -> Piece:
        rows = self._rows(chunk)
        lines = Lines.from_columns(rows.query, rows.docs, rows.value, rows.line)
        if lines is None:
            return Piece(None, rows.skipped, rows.problems, chunk.hi - chunk.lo)
        piece = settle(lines, rows, self.source.name, "error")
        piece.size = chunk.hi - chunk.lo
        return piece

    def _rows(self, chunk: Chunk) -> Rows:
        rows = trec.run_rows(chunk, trec.RUN, self.source.name)
        if rows.problems and (text := _LONG.sub(_without_rest, chunk.text)) != chunk.text:
            shorter = Chunk(pad(text), PAD, PAD + len(text), chunk.first_line)
            rows = trec.run_rows(shorter, trec.RUN, self.source.name)
        return without_comments(rows) if self.comments else rows

    def _last_tag(self, chunk: Chunk) -> str:
        for start in (max(chunk.lo, chunk.hi - _TAIL), chunk.lo):
            lines = chunk.buffer[start : chunk.hi].tobytes().split(b"\n")
            for line in reversed(lines[start > chunk.lo :]):
                columns = line.split()
                if len(columns) >= trec.RUN and not (self.comments and line.startswith(b"#")):
                    return columns[5].decode("utf-8", "replace")
        return ""


def _without_rest(line: re.Match[bytes]) -> bytes:
    """The first six columns, where they are those of a run line: a rank, a score, and a tag that
    is no number (else a document id that holds a blank would have shifted them)."""
    columns = [c.decode("utf-8", "replace") for c in line[0].split()]
    fine = is_number(columns[3]) and is_number(columns[4]) and not is_number(columns[5])
    return line[1] if fine else line[0]


def without_comments(rows: Rows) -> Rows:
    """Without rows whose query begins with `#`."""
    comment = starts_with_hash(rows.query)
    if not comment.any():
        return rows
    rows.skipped["comment"] += int(np.count_nonzero(comment))
    keep = np.flatnonzero(~comment)
    return replace(
        rows,
        query=rows.query.take(keep),
        docs=rows.docs.take(keep),
        value=rows.value[keep],
        line=None if rows.line is None else rows.line[keep],
    )


def starts_with_hash(ids: Ids) -> NDArray[np.bool_]:
    """[row] whether the id begins with `#`."""
    found: NDArray[np.bool_] = ids.buffer[ids.start] == HASH
    return found


def read_zscores(source: Input) -> Zscores:
    """Lines `topic measure mean deviation`.

    Raises
    ------
    FormatError
        A line of another form.
    """
    found: Zscores = {}
    for number, line in enumerate(read_lines(source), 1):
        columns = line.split()
        if not columns:
            continue
        if len(columns) != 4 or not all(map(_is_mean, columns[2:])):
            raise FormatError(
                "this is no line of means",
                "a line is: topic measure mean standard-deviation",
                file=source.name,
                line=number,
                text=line,
            )
        found[columns[0], columns[1]] = float(columns[2]), float(columns[3])
    return found


def _is_mean(text: str) -> bool:
    return is_number(text) or text == "nan"  # as written where all runs have no value


def result_line(name: str, topic: str, value: str, *, z: bool = False) -> str:
    """A line as trec_eval prints it."""
    return f"{'Z' if z else ''}{name:<22}\t{topic}\t{value}\n"


def decimals(value: float) -> str:
    """Four decimals."""
    return f"{value:6.4f}"


def whole_number(value: float) -> str:
    """A count."""
    return str(int(value))


def quoted(text: str) -> str:
    """A text, as trec_eval prints a `relstring`."""
    return f"'{text}'"
