"""A byte stream cut into chunks of whole lines, and where possible of whole queries.

Line ends are made plain newlines on the way (CRLF and bare CR are line ends too), a UTF-8 byte
order mark is dropped, and a missing final newline is added, so that what follows sees one form.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from cranfield.data.columns import PAD, Bytes, pad

CHUNK = 2 << 20  # bytes; a few chunks in flight stay inside the second-level cache's reach
_BOM = b"\xef\xbb\xbf"


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
    line = 1
    carry = b""
    for text in _plain_lines(stream, size):
        text = carry + text if carry else text
        cut = _last_boundary(text)
        if cut == 0:  # one query so far: read on
            carry = text
            continue
        carry = text[cut:]
        yield _chunk(text[:cut], line)
        line += text.count(b"\n", 0, cut)
    if carry:
        yield _chunk(carry if carry.endswith(b"\n") else carry + b"\n", line)


def whole(stream: BinaryIO) -> Chunk:
    """Everything as one chunk."""
    text = b"".join(_plain_lines(stream, CHUNK))
    return _chunk(text if text.endswith(b"\n") or not text else text + b"\n", 1)


def _chunk(text: bytes, line: int) -> Chunk:
    return Chunk(pad(text), PAD, PAD + len(text), line)


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
        piece = held + piece
        held = b""
        if b"\r" in piece:
            if piece.endswith(b"\r"):
                piece, held = piece[:-1], b"\r"
            piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if piece:
            yield piece
    if held:
        yield b"\n"


def _last_boundary(text: bytes) -> int:
    """Where the last query's lines begin (a line start), 0 where no other query comes before."""
    end = text.rfind(b"\n")
    if end < 0:
        return 0
    at = text.rfind(b"\n", 0, end) + 1
    word = _first_word(text, at, end)
    while at > 0:
        before = text.rfind(b"\n", 0, at - 1) + 1
        if _first_word(text, before, at - 1) != word:
            return at
        at = before
    return 0


def _first_word(text: bytes, start: int, end: int) -> bytes:
    words = text[start:end].split(None, 1)
    return words[0] if words else b""
