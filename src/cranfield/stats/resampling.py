"""Random signs, samples and orders.

Each resample takes its own stretch of the words of one PCG64 stream, whose output NumPy promises
never to change. So resample number b is the same whatever block, thread or version of NumPy draws
it, and every pair of systems, and every measure, is given the same resamples.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import UsageError
from cranfield.stats.arrays import Floats, Index


def blocks(resamples: int, row: int, size: int = 1 << 20) -> Iterator[tuple[int, int]]:
    """(first, count): all resamples in stretches of about `size` numbers, `row` a resample."""
    count = max(1, size // max(1, row))
    for first in range(0, resamples, count):
        yield first, min(count, resamples - first)


def signs(seed: int, first: int, count: int, n: int) -> Floats:
    """[count, n] of -1 and 1, for the resamples from number `first` on."""
    width = -(-n // 64)
    raw = _words(seed, first * width, count * width).astype("<u8").view(np.uint8)
    bits = np.unpackbits(raw.reshape(count, 8 * width), axis=1, count=n, bitorder="little")
    flipped = bits.astype(np.float64)
    flipped *= 2
    flipped -= 1
    return flipped


def indices(seed: int, first: int, count: int, n: int, size: int | None = None) -> Index:
    """[count, size] of numbers below n (size: n), drawn with replacement. A number's chance is off
    by at most n / 2^32 of itself."""
    size = n if size is None else size
    width = -(-size // 2)
    raw = _words(seed, first * width, count * width).astype("<u8").view("<u4")
    draws = raw.reshape(count, 2 * width)[:, :size].astype(np.uint64)
    return ((draws * np.uint64(n)) >> np.uint64(32)).astype(np.int64)


def multiplicities(seed: int, first: int, count: int, n: int) -> Floats:
    """[count, n]: how often each topic is in each sample of `indices`."""
    drawn = indices(seed, first, count, n) + (np.arange(count, dtype=np.int64) * n)[:, None]
    return np.bincount(drawn.ravel(), minlength=count * n).reshape(count, n).astype(np.float64)


def orders(seed: int, first: int, count: int, n: int, m: int) -> Index:
    """[count, n, m]: an order of the numbers below m for each resample and topic.

    Random keys are sorted with the number in their lowest bits; 48 bits or more of randomness are
    left for any m up to 65536.
    """
    width = n * m
    keys = _words(seed, first * width, count * width).reshape(count, n, m)
    mask = np.uint64((1 << max(1, (m - 1).bit_length())) - 1)
    keys &= ~mask
    keys |= np.arange(m, dtype=np.uint64)
    keys.sort(axis=2)
    keys &= mask
    return keys.view(np.int64)


def _words(seed: int, first: int, count: int) -> NDArray[np.uint64]:
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise UsageError(f"seed must be a whole number from 0 on, not {seed!r}")
    stream = np.random.PCG64(seed)
    stream.advance(first)
    return np.asarray(stream.random_raw(count), np.uint64)
