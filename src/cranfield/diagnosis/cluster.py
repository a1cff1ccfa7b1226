"""Pairs of similar texts made into clusters: candidates from equal bands, each one verified by the
exact Jaccard similarity of its two sets of shingles, joined by union-find."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from cranfield.data.columns import Index
from cranfield.diagnosis.minhash import Bands, MinHash
from cranfield.diagnosis.shingles import Shingler
from cranfield.kit.progress import progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Keys = NDArray[np.uint32]

BATCH = 2_000  # texts hashed at a time
TRIES = 500  # comparisons of one text within one band before the rest of the band is passed over
_SETS = 1 << 13  # sets of shingles kept in memory


class Sets:
    """Sets of hashed shingles on disk (a temporary file without a name); band keys in memory, four
    bytes for each text and band."""

    def __init__(self, shape: Bands, shingler: Shingler, seed: int) -> None:
        self._file = tempfile.TemporaryFile()
        self._shingler, self._minhash = shingler, MinHash(shape, seed)
        self._first: list[Index] = [np.zeros(1, np.int64)]
        self._keys: list[Keys] = []
        self._waiting: list[str] = []
        self._letters = 0

    def close(self) -> None:
        self._file.close()

    def add(self, text: str) -> None:
        """The next normal text, not empty."""
        self._waiting.append(text)
        self._letters += len(text)
        if len(self._waiting) >= BATCH or self._letters > BATCH * 1_000:
            self._hash()

    def _hash(self) -> None:
        if not self._waiting:
            return
        hashes, first = self._shingler(self._waiting)
        self._keys.append((self._minhash(hashes, first) >> np.uint64(32)).astype(np.uint32))
        self._file.write(hashes.tobytes())
        self._first.append(first[1:] + self._first[-1][-1])
        self._waiting, self._letters = [], 0

    def clusters(self, threshold: float) -> tuple[list[int], int]:
        """(for each text the smallest text it is connected with, how many texts were not
        compared with every candidate)."""
        self._hash()
        first = np.concatenate(self._first)
        if not self._keys:
            return [], 0
        joined = Joined(len(first) - 1)
        keys = np.concatenate(self._keys, axis=1)
        self._keys = []
        self._file.flush()

        @lru_cache(_SETS)
        def of(i: int) -> frozenset[int]:
            self._file.seek(int(first[i]) * 8)
            data = self._file.read(int(first[i + 1] - first[i]) * 8)
            return frozenset(np.frombuffer(data, np.uint64).tolist())

        def alike(i: int, j: int) -> bool:
            a, b = of(i), of(j)
            if min(len(a), len(b)) < threshold * max(len(a), len(b)) - 1e-9:
                return False
            common = len(a & b)
            return common >= threshold * (len(a) + len(b) - common) - 1e-9

        cut: set[int] = set()
        with progress("comparing near-duplicates", len(keys)) as advance:
            for band in keys:
                for bucket in _buckets(band):
                    cut |= _join(bucket, joined, alike)
                advance(1)
        return joined.roots(), len(cut)


class Joined:
    """Union-find whose root is the smallest member."""

    def __init__(self, n: int) -> None:
        self._parent = list(range(n))

    def root(self, i: int) -> int:
        parent = self._parent
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    def join(self, i: int, j: int) -> None:
        a, b = sorted((self.root(i), self.root(j)))
        self._parent[b] = a

    def roots(self) -> list[int]:
        return [self.root(i) for i in range(len(self._parent))]


def _buckets(band: Keys) -> Iterator[list[int]]:
    """The texts of equal key, where there are several, in their order."""
    order = np.argsort(band, kind="stable")
    ordered = band[order]
    edge = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1], [True])))
    for at in np.flatnonzero(np.diff(edge) > 1).tolist():
        yield order[edge[at] : edge[at + 1]].tolist()


def _join(bucket: list[int], joined: Joined, alike: Callable[[int, int], bool]) -> set[int]:
    """Compare each text with those before it that it is not connected with yet, at most `TRIES`
    times: n texts cost n comparisons where all are alike and never more than 500 n. Returns those
    that were not compared with all."""
    groups: dict[int, list[int]] = {}
    cut: set[int] = set()
    for text in bucket:
        tries, own = TRIES, joined.root(text)
        mine = [own] if own in groups else []
        for root, members in groups.items():
            if root == own:
                continue
            for other in members:
                if not tries:
                    cut.add(text)
                    break
                tries -= 1
                if alike(text, other):
                    joined.join(text, other)
                    mine.append(root)
                    break
            if text in cut:
                break
        together = [groups.pop(root) for root in mine]
        largest = max(together, key=len, default=[])
        for members in together:
            if members is not largest:
                largest += members
        largest.append(text)
        groups[joined.root(text)] = largest
    return cut
