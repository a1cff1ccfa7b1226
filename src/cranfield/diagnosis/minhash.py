"""MinHash signatures in bands (Broder 1997; Indyk and Motwani 1998): which texts are worth
comparing.

The least hash of a set under a random function is equal for two sets with probability J, their
Jaccard similarity. With b bands of r such minima each, two texts agree in some band with
probability 1 - (1 - J^r)^b.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from cranfield.data.columns import Index, Words
from cranfield.diagnosis.shingles import mixed
from cranfield.errors import UsageError

HASHES = 100
SURE = 0.999  # chance of finding a pair that is just similar enough
_BLOCK = 1 << 15  # hashes worked on at a time, so that they stay in the cache


@dataclass(frozen=True)
class Bands:
    """`bands` bands of `rows` minima each."""

    bands: int
    rows: int

    def chance(self, similarity: float) -> float:
        """The probability that two texts of this Jaccard similarity become a candidate."""
        return float(1 - (1 - similarity**self.rows) ** self.bands)

    @property
    def threshold(self) -> float:
        """The similarity around which the chance rises: (1/b)^(1/r)."""
        return float((1 / self.bands) ** (1 / self.rows))


def standard_error(similarity: float, hashes: int) -> float:
    """Of the share of equal minima as an estimate of J: sqrt(J (1 - J) / K)."""
    return math.sqrt(similarity * (1 - similarity) / hashes)


def bands_for(threshold: float, hashes: int = HASHES, sure: float = SURE) -> Bands:
    """As many rows a band as still find a pair at `threshold` with probability `sure`.

    Raises
    ------
    UsageError
        The threshold is not in (0, 1].
    """
    if not 0 < threshold <= 1:
        raise UsageError(f"a threshold of {threshold:g}", "it lies above 0 and up to 1")
    choices = (Bands(hashes // rows, rows) for rows in range(hashes, 1, -1))
    return next((b for b in choices if b.chance(threshold) >= sure), Bands(hashes, 1))


class MinHash:
    """The bands of hashed sets; the functions are drawn from `seed`."""

    def __init__(self, shape: Bands, seed: int = 0) -> None:
        self.shape = shape
        n = shape.bands * shape.rows
        draw = np.random.default_rng(seed).integers(0, 1 << 63, (2, n), np.uint64)
        self._times, self._plus = draw[0] * np.uint64(2) + np.uint64(1), draw[1]

    def __call__(self, hashes: Words, first: Index) -> Words:
        """[band, set] keys, equal where all minima of the band are. Sets are as `Shingler` gives
        them and none is empty."""
        sets = len(first) - 1
        minima = np.empty((len(self._times), sets), np.uint64)
        edges = [0]
        while edges[-1] < sets:  # blocks of whole sets
            end = int(np.searchsorted(first, first[edges[-1]] + _BLOCK, "right")) - 1
            edges.append(min(max(end, edges[-1] + 1), sets))
        for lo, hi in itertools.pairwise(edges):
            part = hashes[first[lo] : first[hi]]
            start = first[lo:hi] - first[lo]
            room = np.empty_like(part)
            for k in range(len(self._times)):
                np.multiply(part, self._times[k], out=room)
                room += self._plus[k]
                minima[k, lo:hi] = np.minimum.reduceat(room, start)
        keys = np.zeros((self.shape.bands, sets), np.uint64)
        by_band = minima.reshape(self.shape.bands, self.shape.rows, sets)
        for row in range(self.shape.rows):
            keys = mixed(keys * np.uint64(0x9E3779B97F4A7C15) ^ by_band[:, row])
        return keys
