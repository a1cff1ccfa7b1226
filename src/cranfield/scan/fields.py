"""Lines of blank-separated columns, split where the separators are and nowhere else.

Two ways that give the same answer: the fast one is taken only when the text is *proved* to hold
the same number of columns on every line with one blank or tab between them; any other text
(several blanks, leading blanks, empty lines, other column counts) takes the general way.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.data.columns import Bytes, Ids, Index

NEWLINE, TAB, BLANK, VTAB, FORMFEED, HASH = 10, 9, 32, 11, 12, 35


@dataclass(frozen=True)
class Fields:
    """The wanted columns of the regular lines, and the lines that are not regular.

    `columns[c]` are the texts of the c-th wanted column, one a regular line; `line` the 0-based
    line each stands on; `odd` the line numbers of non-empty lines with another number of columns.
    """

    columns: list[Ids]
    line: Index
    odd: Index


def split_fields(buffer: Bytes, lo: int, hi: int, width: int, wanted: tuple[int, ...]) -> Fields:
    """Split `buffer[lo:hi]` (which ends with a newline) into lines of `width` columns."""
    if hi <= lo:
        none = np.empty(0, np.int64)
        return Fields([Ids(buffer, none, none) for _ in wanted], none, none)
    return _regular(buffer, lo, hi, width, wanted) or _general(buffer, lo, hi, width, wanted)


def _regular(buffer: Bytes, lo: int, hi: int, width: int, wanted: tuple[int, ...]) -> Fields | None:
    """The fast way, or None where its conditions do not hold."""
    text = buffer[lo:hi]
    separator = text <= BLANK
    if separator[0] or (separator[1:] & separator[:-1]).any():  # an empty column or line
        return None
    at = np.flatnonzero(separator)
    n = len(at)
    if n % width:
        return None
    kind = text.take(at).reshape(-1, width)
    lines = len(kind)
    proved = (
        np.count_nonzero(kind[:, -1] == NEWLINE) == lines
        and np.count_nonzero(kind == BLANK) + np.count_nonzero(kind == TAB) == n - lines
    )
    if not proved:
        return None
    by_column = at.reshape(-1, width).T
    end = {c: by_column[c] + lo for c in wanted}
    start = {c: by_column[c - 1] + (lo + 1) for c in wanted if c}
    if 0 in wanted:
        start[0] = np.empty(lines, np.int64)
        start[0][0] = lo
        np.add(by_column[-1, :-1], lo + 1, out=start[0][1:])
    columns = [Ids(buffer, start[c], end[c]) for c in wanted]
    return Fields(columns, np.arange(lines), np.empty(0, np.int64))


def _general(buffer: Bytes, lo: int, hi: int, width: int, wanted: tuple[int, ...]) -> Fields:
    text = buffer[lo:hi]
    blank = (text == BLANK) | ((text >= TAB) & (text <= FORMFEED))  # includes the newline
    inside = ~blank
    edge = np.diff(inside.astype(np.int8), prepend=np.int8(0))
    start = np.flatnonzero(edge == 1)
    end = np.flatnonzero(edge == -1)
    newline = np.flatnonzero(text == NEWLINE)
    upto = np.searchsorted(start, newline)  # columns before the end of each line
    first = np.concatenate(([0], upto[:-1]))
    count = upto - first
    regular = np.flatnonzero(count == width)
    odd = np.flatnonzero((count > 0) & (count != width))
    columns = [
        Ids(buffer, start[first[regular] + c] + lo, end[first[regular] + c] + lo) for c in wanted
    ]
    return Fields(columns, regular, odd)


def line_text(buffer: Bytes, lo: int, hi: int, number: int) -> bytes:
    """The `number`-th line (from 0) of `buffer[lo:hi]`, without its newline."""
    return buffer[lo:hi].tobytes().split(b"\n", number + 1)[number]
