"""Decimals of seventeen to nineteen digits, as `repr` writes doubles, correctly rounded."""

from __future__ import annotations

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

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SPLIT = 2.0**27 + 1  # Veltkamp's, to cut a double into two halves of its digits
_WORDS = 3


def long_decimals(texts: Ids) -> tuple[Floats, NDArray[np.bool_]]:
    """Values of unsigned decimals of up to 24 characters and 19 digits; a mask of the rows that
    are not that, or too near the middle between two doubles to be sure.

    The digits are an integer below 2^64 = h + l, two doubles; the divisor p is a power of ten up
    to 10^22 and exact. The quotient is q0 + q1 with q0 = h / p and q1 the remainder over p, good
    to twice the digits of a double; adding the two rounds once.
    """
    mantissa, after, rare = _digits_of(texts)
    h = mantissa.astype(np.float64)
    rare |= (h >= 1.8e19) | (after > 22)
    h[rare] = 0.0
    low = (mantissa - h.astype(np.uint64)).view(np.int64).astype(np.float64)
    low[rare] = 0.0
    p = TEN.take(after, mode="clip")
    q0 = h / p
    product, error = _product(q0, p)
    q1 = ((h - product) - error + low) / p
    q: Floats = q0 + q1
    rest = np.abs(q1 - (q - q0))  # what rounding left out
    ulp = np.spacing(q)
    for middle in (0.5, 0.25):  # below a power of two doubles are twice as close
        rare |= np.abs(rest - middle * ulp) < ulp * 2.0**-40
    return q, rare


def _product(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """a * b and what its rounding left out (Dekker)."""
    product = a * b
    t = _SPLIT * a
    a1 = t - (t - a)
    a2 = a - a1
    t = _SPLIT * b
    b1 = t - (t - b)
    b2 = b - b1
    return product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2


def _digits_of(texts: Ids) -> tuple[Words, Index, NDArray[np.bool_]]:
    """The digits as one integer, how many follow the point, and the rows that have no such form."""
    length = texts.length
    zero = np.zeros(len(texts), np.uint64)
    # word[0] is the last; a fourth of zeros gives what the third takes over
    word = [
        (texts.words[texts.end - 8 * (k + 1)] ^ ZEROS) & KEEP_LAST.take(length - 8 * k, mode="clip")
        for k in range(_WORDS)
    ] + [zero]
    mark = [(w & NOT_DIGIT) >> FOUR for w in word]
    points = sum((np.bitwise_count(m) for m in mark), np.zeros(len(texts), np.uint8))
    rare = (points > 1) | (length - points < 1) | (length > 8 * _WORDS)
    after = np.zeros(len(texts), np.int64)
    closed = list(word)
    for k in range(_WORDS):
        rare |= (word[k] & (mark[k] * BYTE)) != mark[k] * POINT
        here = mark[k] != 0
        shut, digits = without_point(word[k], mark[k])
        after = np.where(here, digits + 8 * k, after)
        closed[k] = np.where(here, shut | (word[k + 1] >> np.uint64(56)), closed[k])
        for j in range(k + 1, _WORDS):  # all earlier digits move up by one place
            moved = (word[j] << EIGHT) | (word[j + 1] >> np.uint64(56))
            closed[j] = np.where(here, moved, closed[j])
    for w in closed:
        rare |= (((w + ABOVE_NINE) | w) & TOP) != 0
    first = eight_digits(closed[2])
    rare |= first >= np.uint64(1000)
    mantissa = first * np.uint64(10**16) + eight_digits(closed[1]) * np.uint64(10**8)
    return mantissa + eight_digits(closed[0]), after, rare
