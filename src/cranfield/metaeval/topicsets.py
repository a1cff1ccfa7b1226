"""Random sets of topics, the same for every pair of systems and every measure."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cranfield.errors import InputError, UsageError
from cranfield.stats.arrays import Floats, Index, times
from cranfield.stats.resampling import blocks, indices, orders


def subsets(n: int, size: int, count: int, seed: int = 0) -> Index:
    """[count, size] of topics below n, each set drawn without replacement."""
    if not 1 <= size <= n:
        raise UsageError(f"a set of {size} topics of {n}", "1 or more, and no more than there are")
    parts = [orders(seed, a, b, 1, n)[:, 0, :size] for a, b in blocks(times(count), n)]
    return np.concatenate(parts)


def disjoint(n: int, size: int, count: int, seed: int = 0) -> tuple[Index, Index]:
    """Two sets a trial that share no topic, each [count, size]."""
    if not 1 <= size <= n // 2:
        raise UsageError(
            f"two sets of {size} topics without a common one, of {n}",
            f"1 to {n // 2} topics a set, or samples drawn with replacement",
        )
    both = subsets(n, 2 * size, count, seed)
    return both[:, :size], both[:, size:]


def samples(n: int, size: int, count: int, seed: int = 0) -> tuple[Index, Index]:
    """Two samples a trial, each [count, size] drawn with replacement from the same n topics."""
    if not 1 <= size <= n:
        raise UsageError(
            f"a sample of {size} topics of {n}", "1 or more, and no more than there are"
        )
    both = indices(seed, 0, times(count), n, 2 * size)
    return both[:, :size], both[:, size:]


def weights(sets: Index, n: int) -> Floats:
    """[count, n]: how often each topic is in each set."""
    count = len(sets)
    flat = sets + (np.arange(count, dtype=np.int64) * n)[:, None]
    return np.bincount(flat.ravel(), minlength=count * n).reshape(count, n).astype(np.float64)


def as_sets(given: Iterable[Iterable[int]], n: int) -> tuple[Index, ...]:
    """Sets of topics by number, as handed in by a caller; none is empty."""
    found = tuple(np.asarray(list(one), np.int64) for one in given)
    if not found:
        raise InputError("no set of topics")
    for one in found:
        if one.ndim != 1 or not len(one) or one.min() < 0 or one.max() >= n:
            raise InputError(f"a set of topics holds numbers from 0 to {n - 1}, one at least")
    return found
