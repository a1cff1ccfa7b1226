"""Columns of a run in Arrow taken over by their buffers, where these are proved to be plain.

Plain is: query ids as text, usually by way of a dictionary, or whole numbers; document ids as
text; scores as floats; no null, no empty id, no NaN. Nothing is cast or computed by Arrow, whose
functions take a tenth of a second to import, and no row becomes a Python object. Everything else
is None here, and the general reader reads it or says what is wrong.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.data.columns import PAD, Bytes, Floats, Ids, Index, changes, padded
from cranfield.scan.lines import Lines

_WIDTH = {"string": np.int32, "large_string": np.int64}  # of offsets
_INTEGERS = {
    name: np.dtype(name) for name in "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
}
_FLOATS = {"double": np.float64, "float": np.float32}


def plain_lines(batches: list[Any], places: tuple[int, int, int]) -> Lines | None:
    """The rows of some record batches whose columns at `places` are query, document and score,
    the rows of a query adjacent; None where they are not, or not plain."""
    query, doc, score = ([batch.column(i) for batch in batches] for i in places)
    docs, scores = plain_ids(doc), _scores(score)
    if docs is None or scores is None or len(docs) != len(scores):
        return None
    names: list[bytes] = []
    first: list[int] = []
    begin = 0
    for chunk in query:
        found = segments(chunk)
        if found is None:
            return None
        for name, row in zip(*found, strict=True):
            if not names or name != names[-1]:
                names.append(name)
                first.append(begin + row)
        begin += len(chunk)
    if begin != len(docs) or len(set(names)) < len(names) or b"" in names:
        return None
    return Lines(names, np.array(first, np.int64), docs, scores)


def segments(column: Any) -> tuple[list[bytes], list[int]] | None:
    """Where the queries of an array of ids begin, and their names; neighbours may be the same
    where a dictionary holds a text twice."""
    kind = str(column.type)
    if kind in _WIDTH:
        ids = plain_ids([column])
        if ids is None:
            return None
        first = changes(ids)
        return ids.take(first).to_bytes(), first.tolist()
    names = None
    if kind.startswith("dictionary<"):
        names = plain_ids([column.dictionary])
        if names is None or column.null_count:
            return None
        column = column.indices
    width = _INTEGERS.get(str(column.type))
    if width is None or column.null_count:
        return None
    number = _values(column, width)
    new = np.ones(len(number), bool)
    np.not_equal(number[1:], number[:-1], out=new[1:])
    first = np.flatnonzero(new)
    used = number[first]
    if not len(used):
        return [], []
    if names is None:  # whole numbers are ids as they are written
        return [b"%d" % i for i in used.tolist()], first.tolist()
    if used.min() < 0 or used.max() >= len(names):
        return None
    return names.take(used).to_bytes(), first.tolist()


def plain_ids(chunks: list[Any]) -> Ids | None:
    """The ids of some text arrays, one after the other, in a buffer of their own; None where one
    is null, empty or no UTF-8."""
    parts: list[tuple[Bytes, Index]] = []
    for chunk in chunks:
        width = _WIDTH.get(str(chunk.type))
        if width is None or chunk.null_count:
            return None
        _, offsets, data = chunk.buffers()
        if not len(chunk):
            continue
        if data is None or offsets is None:
            return None
        ends = np.frombuffer(offsets, width)[chunk.offset : chunk.offset + len(chunk) + 1]
        text = np.frombuffer(data, np.uint8)
        if len(ends) != len(chunk) + 1 or ends[0] < 0 or ends[-1] > len(text):
            return None
        if (ends[1:] <= ends[:-1]).any():  # an empty id, or offsets that lead anywhere
            return None
        text = text[ends[0] : ends[-1]]
        if int(text.max()) > 127 and not _is_utf8(text, ends[:-1] - ends[0]):
            return None
        parts.append((text, ends))
    buffer = padded(sum(len(text) for text, _ in parts))
    rows = sum(len(ends) - 1 for _, ends in parts)
    start, end = np.empty(rows, np.int64), np.empty(rows, np.int64)
    at, row = PAD, 0
    for text, ends in parts:
        buffer[at : at + len(text)] = text
        here = slice(row, row + len(ends) - 1)
        np.add(ends[:-1], at - int(ends[0]), out=start[here])
        np.add(ends[1:], at - int(ends[0]), out=end[here])
        at, row = at + len(text), here.stop
    return Ids(buffer, start, end)


def _is_utf8(text: Bytes, start: Index) -> bool:
    """Whether ids that begin at `start` are UTF-8, each of them: no character is cut in two."""
    try:
        text.tobytes().decode()
    except UnicodeDecodeError:
        return False
    return not bool((text[start] & 0xC0 == 0x80).any())


def _scores(chunks: list[Any]) -> Floats | None:
    parts = []
    for chunk in chunks:
        width = _FLOATS.get(str(chunk.type))
        if width is None or chunk.null_count:
            return None
        parts.append(_values(chunk, width))
    score = np.concatenate(parts, dtype=np.float64) if parts else np.empty(0)
    return None if np.isnan(score).any() else score


def _values(chunk: Any, width: Any) -> Any:
    """The values of an array of numbers without nulls, as a view."""
    data = chunk.buffers()[1]
    if data is None:
        return np.empty(0, width)
    return np.frombuffer(data, width)[chunk.offset : chunk.offset + len(chunk)]
