"""Decimal texts to float64, eight digits at a time, always correctly rounded.

A text of up to sixteen characters with an optional sign and point is an integer below 2^53
divided by a power of ten up to 10^15; both are exact in float64, so one division rounds once and
correctly. All other texts (exponents, infinities, seventeen digits, and whatever is no number)
go one by one through Python's own `float`, behind a grammar that is stricter than Python's.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import KEEP_LAST, Floats, Ids, Index, Words

_NUMBER = re.compile(rb"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|(?i:inf|infinity))\Z")
_TEN: Floats = np.array([10.0**n for n in range(23)])

_ZEROS = np.uint64(0x3030303030303030)
_NOT_DIGIT = np.uint64(0x1010101010101010)  # set in '.' ^ '0', clear in every digit ^ '0'
_ABOVE_NINE = np.uint64(0x7676767676767676)  # added to a byte 0-9 leaves its top bit clear
_TOP = np.uint64(0x8080808080808080)
_POINT = np.uint64(ord(".") ^ ord("0"))
_BYTE = np.uint64(255)
_ONE, _FOUR, _EIGHT = np.uint64(1), np.uint64(4), np.uint64(8)


def parse_numbers(texts: Ids) -> tuple[Floats, Index]:
    """The values of `texts`, and the rows that are no number (NaN there).

    Integers, decimals, scientific notation and `inf`/`infinity` with a sign are numbers;
    `nan`, hexadecimal, `1_0` and the empty text are not.
    """
    if not len(texts):
        return np.empty(0), np.empty(0, np.int64)
    negative = texts.buffer[texts.start] == ord("-")
    if negative.any():
        texts = Ids(texts.buffer, texts.start + negative, texts.end)
    values, rare = _short_decimals(texts)
    bad = _others(texts, np.flatnonzero(rare), negative, values)
    np.negative(values, out=values, where=negative)
    return values, bad


def _others(texts: Ids, rows: Index, signed: NDArray[np.bool_], values: Floats) -> Index:
    """Fill in `values[rows]` by Python's `float`; the rows that are no number (NaN there).

    `signed` rows have lost a minus sign, so that another sign (`--1`) must not pass.
    """
    found = texts.take(rows).to_bytes() if len(rows) > 64 else list(map(texts.bytes_at, rows))
    try:
        values[rows] = list(map(float, found))
    except ValueError:
        pass
    else:
        joined = b"".join(found)  # float also takes 1_0, blanks around a number, and nan
        strict = joined.translate(None, b"_ \t\n\r\v\f") == joined
        strict = strict and not np.isnan(values[rows]).any()
        second_sign = np.isin(texts.buffer[texts.start[rows]], (ord("+"), ord("-"))) & signed[rows]
        if strict and not second_sign.any():
            return np.empty(0, np.int64)
    bad: list[int] = []
    for i, text in zip(rows.tolist(), found, strict=True):
        if _NUMBER.match(text) and not (signed[i] and text[:1] in b"+-"):
            values[i] = float(text)
        else:
            values[i] = np.nan
            bad.append(i)
    return np.array(bad, np.int64)


def _short_decimals(texts: Ids) -> tuple[Floats, NDArray[np.bool_]]:
    """Values of unsigned decimals of 1 to 16 characters; a mask of the rows that are not that."""
    length = texts.length
    words, end = texts.words, texts.end
    low = (words[end - 8] ^ _ZEROS) & KEEP_LAST.take(length, mode="clip")
    long = int(length.max()) > 8
    high = (
        (words[end - 16] ^ _ZEROS) & KEEP_LAST.take(length - 8, mode="clip")
        if long
        else np.zeros_like(low)
    )
    low_mark, high_mark = (low & _NOT_DIGIT) >> _FOUR, (high & _NOT_DIGIT) >> _FOUR
    points = np.bitwise_count(low_mark) + np.bitwise_count(high_mark)
    rare = (points > 1) | (length - points < 1) | (length > 16)
    rare |= (low & (low_mark * _BYTE)) != low_mark * _POINT
    if long:
        rare |= (high & (high_mark * _BYTE)) != high_mark * _POINT
    after = np.zeros(len(length), np.int64)  # digits after the point
    in_low, in_high = low_mark != 0, high_mark != 0
    if in_low.any():
        closed, digits = _without_point(low, low_mark)
        # the gap is closed from below: earlier digits move up, one comes over from the high word
        low = np.where(in_low, closed | (high >> np.uint64(56)), low)
        high = np.where(in_low, high << _EIGHT, high)
        after = np.where(in_low, digits, after)
    if in_high.any():
        closed, digits = _without_point(high, high_mark)
        high = np.where(in_high, closed, high)
        after = np.where(in_high, digits + 8, after)
    rare |= (((low + _ABOVE_NINE) | low) | ((high + _ABOVE_NINE) | high)) & _TOP != 0
    mantissa = _digits(low)
    if long:
        mantissa += _digits(high) * np.uint64(100_000_000)
        rare |= mantissa >= np.uint64(1 << 53)
    values: Floats = mantissa.astype(np.float64)
    if after.any():
        values /= _TEN.take(after, mode="clip")
    return values, rare


def _without_point(word: Words, mark: Words) -> tuple[Words, Index]:
    """The digits of a word with its point taken out (earlier ones moved up by one place), and how
    many follow the point. Rows without a point give nonsense; the caller masks them."""
    earlier = mark - _ONE  # all bits below the marked byte's lowest
    closed = (word & ~(earlier | (mark * _BYTE))) | ((word & earlier) << _EIGHT)
    return closed, 7 - (np.bitwise_count(earlier) >> 3).astype(np.int64)


def _digits(word: Words) -> Words:
    """Eight digits 0-9, the first in the lowest byte, as one integer: pairs, fours, eight."""
    word = word * np.uint64(10) + (word >> _EIGHT)
    fours = (word & np.uint64(0x000000FF000000FF)) * np.uint64(100 + (1_000_000 << 32))
    fours += ((word >> np.uint64(16)) & np.uint64(0x000000FF000000FF)) * np.uint64(
        1 + (10_000 << 32)
    )
    return fours >> np.uint64(32)
