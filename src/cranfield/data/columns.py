"""Identifiers as columns: spans over one padded byte buffer, never a million Python strings.

A document id is a run of bytes. Seven million ids as Python strings would cost gigabytes; as
(start, end) pairs over the bytes they came in they cost sixteen bytes each and can be compared
eight bytes at a time. The buffer is padded at both ends so that an eight-byte word may be read
before the first id and after the last one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:  # numpy.typing takes as long to import as all of this room
    from numpy.typing import NDArray

Bytes: TypeAlias = "NDArray[np.uint8]"
Words: TypeAlias = "NDArray[np.uint64]"
Index: TypeAlias = "NDArray[np.int64]"
Floats: TypeAlias = "NDArray[np.float64]"

PAD = 64  # bytes of padding before and after the text

# KEEP_FIRST[n]: a mask that keeps the first n bytes in memory of a little-endian word;
# KEEP_LAST[n]: the last n.
KEEP_FIRST: Words = np.array([(1 << (8 * n)) - 1 for n in range(9)], dtype=np.uint64)
KEEP_LAST: Words = ~KEEP_FIRST[::-1]


def padded(size: int) -> Bytes:
    """An uninitialised buffer for `size` bytes of text with zeroed padding around it."""
    buffer = np.empty(PAD + size + PAD, np.uint8)
    buffer[:PAD] = 0
    buffer[PAD + size :] = 0
    return buffer


def pad(text: bytes) -> Bytes:
    """`text` in a padded buffer; its first byte is at index `PAD`."""
    buffer = padded(len(text))
    buffer[PAD : PAD + len(text)] = np.frombuffer(text, np.uint8)
    return buffer


def words_of(buffer: Bytes) -> Words:
    """A view: element i is the little-endian word of bytes i .. i+7."""
    return np.ndarray((len(buffer) - 7,), dtype="<u8", buffer=buffer, strides=(1,))


@dataclass(frozen=True, eq=False)
class Ids(Sequence[str]):
    """A column of n identifiers: `buffer[start[i]:end[i]]` are the UTF-8 bytes of the i-th.

    Two ids are the same when their bytes are; nothing is normalised.
    """

    buffer: Bytes
    start: Index
    end: Index

    @classmethod
    def of(cls, names: Iterable[str | bytes]) -> Ids:
        """From Python strings (or their UTF-8 bytes)."""
        names = list(names)
        if set(map(type, names)) <= {str} and (joined := "".join(names)).isascii():  # type: ignore[arg-type]
            lengths = np.fromiter(map(len, names), np.int64, len(names))
            return cls.from_lengths(joined.encode(), lengths)
        encoded = [n if isinstance(n, bytes) else n.encode() for n in names]
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        return cls.from_lengths(b"".join(encoded), lengths)

    @classmethod
    def holding(cls, names: list[str]) -> Ids:
        """`of`, and `to_list` gives back these very strings: for columns whose strings live on
        elsewhere anyway."""
        ids = cls.of(names)
        ids.__dict__["_given"] = names
        return ids

    @classmethod
    def from_lengths(cls, text: bytes, lengths: Index) -> Ids:
        """From the ids written one after another and the length in bytes of each."""
        end = np.cumsum(lengths) + PAD
        return cls(pad(text), end - lengths, end)

    @property
    def words(self) -> Words:
        return words_of(self.buffer)

    @property
    def pairs(self) -> NDArray[np.void]:
        """A view: element i is bytes i .. i+15, for two words at the price of one."""
        return np.ndarray((len(self.buffer) - 15,), "V16", self.buffer, strides=(1,))

    @property
    def length(self) -> Index:
        """Length in bytes of every id."""
        return self.end - self.start

    def __len__(self) -> int:
        return len(self.start)

    def bytes_at(self, i: int) -> bytes:
        return self.buffer[self.start[i] : self.end[i]].tobytes()

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return Ids(self.buffer, self.start[i], self.end[i])
        return self.bytes_at(i).decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_list())

    def take(self, rows: NDArray[Any] | slice) -> Ids:
        """The ids at these rows (indices, a mask or a slice); the bytes are shared."""
        return Ids(self.buffer, self.start[rows], self.end[rows])

    def spread(self, n: int) -> Ids:
        """The one id of this column as the id of n rows, in the room of one."""
        return Ids(self.buffer, np.broadcast_to(self.start, n), np.broadcast_to(self.end, n))

    @property
    def is_spread(self) -> bool:
        """Whether all rows are known to have the same id; a column of one row has."""
        return len(self) == 1 or self.start.strides == self.end.strides == (0,)

    def to_bytes(self) -> list[bytes]:
        if not len(self):
            return []
        view, start, end = self._view()
        return [view[a:b] for a, b in zip(start, end, strict=True)]

    def to_list(self) -> list[str]:
        if not len(self):
            return []
        if given := self.__dict__.get("_given"):
            return list(given)
        view, start, end = self._view()
        if view.isascii():
            text = view.decode()
            return [text[a:b] for a, b in zip(start, end, strict=True)]
        return [view[a:b].decode() for a, b in zip(start, end, strict=True)]

    def _view(self) -> tuple[bytes, list[int], list[int]]:
        """The bytes that all ids lie in, and where each begins and ends there."""
        lo, hi = int(self.start.min()), int(self.end.max())
        view = self.buffer[lo:hi].tobytes()
        return view, (self.start - lo).tolist(), (self.end - lo).tolist()

    def word(self, k: int, rows: Index | slice = slice(None)) -> Words:
        """The k-th group of eight bytes of each id, zero beyond its end."""
        at = self.start[rows] + 8 * k
        left = self.end[rows] - at
        return take_word(self.words, at) & KEEP_FIRST.take(left, mode="clip")

    def last_word(self) -> Words:
        """The last eight bytes of each id, zero before its beginning; computed once."""
        return self._last_word

    @cached_property
    def _last_word(self) -> Words:
        return self.words[self.end - 8] & KEEP_LAST.take(self.length, mode="clip")

    def n_words(self, rows: Index | slice = slice(None)) -> int:
        """How many words the longest of these ids takes."""
        return (int((self.end[rows] - self.start[rows]).max(initial=0)) + 7) // 8


def take_word(words: Words, at: Index) -> Words:
    """`words[at]`, where an index beyond the buffer (an id that has ended) reads its last word.

    Not `words.take`: it would first copy the overlapping view, eight times the buffer.
    """
    found: Words = words[np.minimum(at, len(words) - 1)]
    return found


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """The different values, ascending. (`np.unique` imports masked arrays, 20 ms, at its first
    call.)"""
    ordered = np.sort(values)
    new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return ordered[new]


def changes(ids: Ids) -> Index:
    """Rows whose id differs from the row before it: the first row of every run of equal ids."""
    if ids.is_spread:
        return np.zeros(min(len(ids), 1), np.int64)
    new = np.zeros(len(ids), bool)
    new[:1] = True
    np.not_equal(ids.length[1:], ids.length[:-1], out=new[1:])
    for k in range(ids.n_words()):
        word = ids.word(k)
        new[1:] |= word[1:] != word[:-1]
    return np.flatnonzero(new)


def encode(ids: Ids) -> tuple[list[bytes], Index]:
    """Distinct ids in order of first appearance, and for every row the number of its id."""
    first = changes(ids)
    names = ids.take(first).to_bytes()
    number: dict[bytes, int] = {}
    codes = np.fromiter((number.setdefault(n, len(number)) for n in names), np.int64, len(names))
    return list(number), np.repeat(codes, np.diff(first, append=len(ids)))


def join(parts: Sequence[Ids]) -> Ids:
    """One column after another (the bytes are copied into one buffer)."""
    lengths = np.concatenate([p.length for p in parts]) if parts else np.empty(0, np.int64)
    return Ids.from_lengths(b"".join(b"".join(p.to_bytes()) for p in parts), lengths)
