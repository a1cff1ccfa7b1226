"""Decimal texts to float64, eight digits at a time, always correctly rounded.

A text of up to sixteen characters with an optional sign and point is an integer below 2^53
divided by a power of ten up to 10^15; both are exact in float64, so one division rounds once and
correctly. Longer decimals (`longdecimals`) are divided with twice the digits. What is left
(exponents, infinities, twenty digits, and whatever is no number) goes one by one through Python's
own `float`, behind a grammar that is stricter than Python's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.columns import KEEP_LAST, Floats, Ids, Index, Words
from cranfield.scan.digits import (
    ABOVE_NINE,
    BYTE,
    EIGHT,
    FOUR,
    NOT_DIGIT,
    POINT,
    TEN,
    TOP,
    ZEROS,
    eight_digits,
    without_point,
)
from cranfield.scan.longdecimals import long_decimals

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NUMBER = re.compile(rb"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|(?i:inf|infinity))\Z")
_SAMPLE = 16  # texts looked at to guess the common form


def parse_numbers(texts: Ids) -> tuple[Floats, Index]:
    """The values of `texts`, and the rows that are no number (NaN there).

    Integers, decimals, scientific notation and `inf`/`infinity` with a sign are numbers;
    `nan`, hexadecimal, `1_0` and the empty text are not.
    """
    if not len(texts):
        return np.empty(0), np.empty(0, np.int64)
    negative = texts.buffer.take(texts.start) == ord("-")
    signed = bool(negative.any())
    if signed:
        texts = Ids(texts.buffer, texts.start + negative, texts.end)
    values, left = _uniform(texts)
    if len(left):
        rare = np.empty(len(left), bool)
        short = texts.end[left] - texts.start[left] <= 16
        for way, mask in ((_short_decimals, short), (long_decimals, ~short)):
            if mask.any():
                values[left[mask]], rare[mask] = way(texts.take(left[mask]))
        left = left[rare]
    bad = _others(texts, left, negative, values) if len(left) else left
    if signed:
        np.negative(values, out=values, where=negative)
    return values, bad


def beyond_range(texts: Ids, values: Floats) -> int:
    """How many of the infinite `values` stand as digits: numbers too large for float64."""
    rows = np.flatnonzero(np.isinf(values)).tolist()
    return sum(any(48 <= byte <= 57 for byte in texts.bytes_at(i)) for i in rows)


def _uniform(texts: Ids) -> tuple[Floats, Index]:
    """The usual case: up to fifteen digits, and the point at one distance from the end in nearly
    all texts, so that one mask takes it out of all of them. The values, and the rows that are not
    of that form.
    """
    point = _common_point(texts)
    length = texts.length
    # both words at once, the earlier one in column 0
    pair = texts.pairs[texts.end - 16].view("<u8").reshape(-1, 2)
    low = (pair[:, 1] ^ ZEROS) & KEEP_LAST.take(length, mode="clip")
    high = (pair[:, 0] ^ ZEROS) & KEEP_LAST.take(length - 8, mode="clip")
    wrong = np.zeros(len(length), bool)
    if point >= 8:
        high, wrong = _take_out(high, point - 8)
    elif point >= 0:
        low, wrong = _take_out(low, point)
        low |= high >> np.uint64(56)  # the gap is closed by the digit before
        high <<= EIGHT
    wrong |= (((low + ABOVE_NINE) | low) | ((high + ABOVE_NINE) | high)) & TOP != 0
    wrong |= length - (point >= 0) < 1
    wrong |= length > 15 + (point >= 0)
    mantissa = eight_digits(high)
    mantissa *= np.uint64(100_000_000)
    mantissa += eight_digits(low)
    values: Floats = mantissa.astype(np.float64)
    if point > 0:
        values /= TEN[point]
    return values, np.flatnonzero(wrong) if wrong.any() else np.empty(0, np.int64)


def _common_point(texts: Ids) -> int:
    """Digits after the point in most of a few texts; -1 where most have none."""
    some = map(texts.bytes_at, range(0, len(texts), max(1, len(texts) // _SAMPLE)))
    found = sorted(t[::-1].find(b".") for t in some if len(t) <= 16)
    return found[len(found) // 2] if found else -1


def _take_out(word: Words, after: int) -> tuple[Words, NDArray[np.bool_]]:
    """A word without the byte that `after` bytes follow, earlier ones moved up by one place; and
    the rows whose byte there is no point."""
    place = np.uint64(8 * (7 - after))
    earlier = (np.uint64(1) << place) - np.uint64(1)
    wrong = word & (BYTE << place) != POINT << place
    later = ~earlier << EIGHT
    return (word & later) | ((word & earlier) << EIGHT), wrong


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
    low = (words[end - 8] ^ ZEROS) & KEEP_LAST.take(length, mode="clip")
    long = int(length.max()) > 8
    high = (
        (words[end - 16] ^ ZEROS) & KEEP_LAST.take(length - 8, mode="clip")
        if long
        else np.zeros_like(low)
    )
    low_mark, high_mark = (low & NOT_DIGIT) >> FOUR, (high & NOT_DIGIT) >> FOUR
    points = np.bitwise_count(low_mark) + np.bitwise_count(high_mark)
    rare = (points > 1) | (length - points < 1) | (length > 16)
    rare |= (low & (low_mark * BYTE)) != low_mark * POINT
    if long:
        rare |= (high & (high_mark * BYTE)) != high_mark * POINT
    after = np.zeros(len(length), np.int64)  # digits after the point
    in_low, in_high = low_mark != 0, high_mark != 0
    if in_low.any():
        closed, digits = without_point(low, low_mark)
        # the gap is closed from below: earlier digits move up, one comes over from the high word
        low = np.where(in_low, closed | (high >> np.uint64(56)), low)
        high = np.where(in_low, high << EIGHT, high)
        after = np.where(in_low, digits, after)
    if in_high.any():
        closed, digits = without_point(high, high_mark)
        high = np.where(in_high, closed, high)
        after = np.where(in_high, digits + 8, after)
    rare |= (((low + ABOVE_NINE) | low) | ((high + ABOVE_NINE) | high)) & TOP != 0
    mantissa = eight_digits(low)
    if long:
        mantissa += eight_digits(high) * np.uint64(100_000_000)
        rare |= mantissa >= np.uint64(1 << 53)
    values: Floats = mantissa.astype(np.float64)
    if after.any():
        values /= TEN.take(after, mode="clip")
    return values, rare
