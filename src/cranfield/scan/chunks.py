"""A byte stream cut into chunks of whole lines, and where possible of whole queries.

Line ends are made plain newlines on the way (CRLF and bare CR are line ends too), a UTF-8 byte
order mark is dropped, and a missing final newline is added, so that what follows sees one form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, TypeAlias

import numpy as np

from cranfield.data.columns import PAD, Bytes, pad, padded

CHUNK = 1 << 20  # bytes; a chunk and the columns made of it stay in the second-level cache
_BOM = b"\xef\xbb\xbf"
_NEWLINE = 10
_LastCut: TypeAlias = Callable[[Bytes, int, int], int]
_WINDOW = 1 << 16  # bytes in which the last query's beginning is sought first


@dataclass(frozen=True)
class Chunk:
    """Whole lines `buffer[lo:hi]`, the last one ending in a newline. `first_line` is the number
    (from 1) of the first line in the file."""

    buffer: Bytes
    lo: int
    hi: int
    first_line: int

    @property
    def text(self) -> bytes:
        return self.buffer[self.lo : self.hi].tobytes()


def chunks(stream: BinaryIO, size: int = CHUNK) -> Iterator[Chunk]:
    """Chunks of about `size` bytes whose cuts lie between two lines with different first words.

    A query's lines are usually adjacent, so a chunk then holds whole queries; the reader must
    still notice a query that comes back in a later chunk.
    """
    yield from _cut(stream, size, _last_boundary)


def line_chunks(stream: BinaryIO, size: int = CHUNK) -> Iterator[Chunk]:
    """Chunks of about `size` bytes of whole lines, whatever their queries."""
    yield from _cut(stream, size, _last_line_end)


def whole(stream: BinaryIO) -> Chunk:
    """Everything as one chunk."""
    text = b"".join(_plain_lines(stream, 2 * CHUNK))
    text = text if text.endswith(b"\n") or not text else text + b"\n"
    return Chunk(pad(text), PAD, PAD + len(text), 1)


def _cut(stream: BinaryIO, size: int, last_cut: _LastCut) -> Iterator[Chunk]:
    line = 1
    held: list[bytes | Bytes] = []  # text that is not given out yet
    length, enough = 0, 1
    for piece in _plain_lines(stream, size):
        held.append(piece)
        length += len(piece)
        if length < enough:
            continue
        buffer, end = _joined(held), PAD + length
        cut = last_cut(buffer, PAD, end)
        if cut == PAD:  # one query so far: come back when there is twice as much
            held, enough = [buffer[PAD:end]], 2 * length
            continue
        yield Chunk(buffer, PAD, cut, line)
        line += int(np.count_nonzero(buffer[PAD:cut] == _NEWLINE))
        held, length, enough = [buffer[cut:end].copy()], end - cut, 1
    if length:
        if held[-1][-1] != _NEWLINE:
            held.append(b"\n")
            length += 1
        yield Chunk(_joined(held), PAD, PAD + length, line)


def _joined(parts: list[bytes | Bytes]) -> Bytes:
    buffer = padded(sum(map(len, parts)))
    at = PAD
    for part in parts:
        buffer[at : at + len(part)] = np.frombuffer(part, np.uint8)
        at += len(part)
    return buffer


def _plain_lines(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """Pieces of the stream with every line end a newline and no byte order mark."""
    held = b""  # a final CR: the next piece tells whether it is half of a CRLF
    start = True
    while piece := stream.read(size):
        if start:
            while len(piece) < len(_BOM) and (more := stream.read(size)):
                piece += more
            piece = piece.removeprefix(_BOM)
            start = False
        if held:
            piece, held = held + piece, b""
        if b"\r" in piece:
            if piece.endswith(b"\r"):
                piece, held = piece[:-1], b"\r"
            piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if piece:
            yield piece
    if held:
        yield b"\n"


def _last_line_end(buffer: Bytes, lo: int, hi: int) -> int:
    """Behind the last newline, `lo` where there is none."""
    window = _WINDOW
    while True:
        begin = max(lo, hi - window)
        newline = np.flatnonzero(buffer[begin:hi] == _NEWLINE)
        if len(newline) or begin == lo:
            return begin + int(newline[-1]) + 1 if len(newline) else lo
        window *= 8


def _last_boundary(buffer: Bytes, lo: int, hi: int) -> int:
    """Where the last query's lines begin (a line start), `lo` where no other query comes before.

    A last line without its newline is taken to belong to the query before it.
    """
    window = _WINDOW
    while True:
        begin = max(lo, hi - window)
        cut = _boundary_within(buffer[begin:hi], whole_lines=begin == lo)
        if cut or begin == lo:
            return begin + cut
        window *= 8


def _boundary_within(view: Bytes, whole_lines: bool) -> int:
    """`_last_boundary` of a view; 0 where there is none. Its first line may be cut in two."""
    newline = np.flatnonzero(view == _NEWLINE)
    start = np.concatenate(([0], newline[:-1] + 1))  # of every line that ends
    if not whole_lines:
        start, newline = start[1:], newline[1:]
    if len(newline) < 2:
        return 0
    text = view.tobytes()
    word = _first_word(text, int(start[-1]), int(newline[-1]))
    # Lines that do not begin with the word and the byte behind it are looked at one by one. There
    # are none but the boundary, unless blanks stand before the word or differ behind it.
    begins = text[int(start[-1]) :][: len(word) + 1]
    spot = np.minimum(start[:-1, None] + np.arange(len(begins)), len(view) - 1)
    same = (view[spot] == np.frombuffer(begins, np.uint8)).all(axis=1)
    for i in np.flatnonzero(~same)[::-1].tolist():
        if _first_word(text, int(start[i]), int(newline[i])) != word:
            return int(start[i + 1])
    return 0


def _first_word(text: bytes, start: int, end: int) -> bytes:
    words = text[start:end].split(None, 1)
    return words[0] if words else b""
