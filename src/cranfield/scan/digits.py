"""Digits eight at a time: the constants and steps that all number parsing shares.

A text's bytes are read as little-endian words and XORed with `ZEROS`, so that a digit is its value.
"""

from __future__ import annotations

import numpy as np

from cranfield.data.columns import Floats, Index, Words

TEN: Floats = np.array([10.0**n for n in range(23)])  # all exact in float64

ZEROS = np.uint64(0x3030303030303030)
NOT_DIGIT = np.uint64(0x1010101010101010)  # set in '.' ^ '0', clear in every digit ^ '0'
ABOVE_NINE = np.uint64(0x7676767676767676)  # added to a byte 0-9 leaves its top bit clear
TOP = np.uint64(0x8080808080808080)
POINT = np.uint64(ord(".") ^ ord("0"))
BYTE = np.uint64(255)
FOUR, EIGHT = np.uint64(4), np.uint64(8)


def without_point(word: Words, mark: Words) -> tuple[Words, Index]:
    """The digits of a word with its point taken out (earlier ones moved up by one place), and how
    many follow the point. Rows without a point give nonsense; the caller masks them."""
    earlier = mark - np.uint64(1)  # all bits below the marked byte's lowest
    closed = (word & ~(earlier | (mark * BYTE))) | ((word & earlier) << EIGHT)
    return closed, 7 - (np.bitwise_count(earlier) >> 3).astype(np.int64)


def eight_digits(word: Words) -> Words:
    """Eight digits 0-9, the first in the lowest byte, as one integer: pairs, fours, eight."""
    word = word * np.uint64(10) + (word >> EIGHT)
    fours = (word & np.uint64(0x000000FF000000FF)) * np.uint64(100 + (1_000_000 << 32))
    fours += ((word >> np.uint64(16)) & np.uint64(0x000000FF000000FF)) * np.uint64(
        1 + (10_000 << 32)
    )
    return fours >> np.uint64(32)
