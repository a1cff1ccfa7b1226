"""The vectors nearest to a query: exactly, or by a graph for very many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import MissingExtra, UsageError

Float32 = NDArray[np.float32]
Rows = NDArray[np.int64]
_BLOCK = 1 << 16  # rows multiplied at a time
_EPS = 2.0**-23


class Nearest:
    """Rows of vectors by their inner product with a query.

    A first pass in 32 bits finds all rows that can be among the best, by the bound for the error of
    a sum (Higham 2002, section 3.1). These are scored in 64 bits, each row by itself, so that equal
    rows have equal scores wherever they stand. Equal scores are ranked by descending id, as
    evaluation ranks them.

    Parameters
    ----------
    vectors : array of shape (rows, dimension)
    ids : one a row
    """

    def __init__(self, vectors: Float32, ids: Sequence[str]) -> None:
        self._vectors = np.ascontiguousarray(vectors, np.float32)
        by_id = sorted(range(len(ids)), key=lambda i: ids[i].encode("utf-8", "surrogatepass"))
        self._rank = np.empty(len(ids), np.int64)
        self._rank[by_id[::-1]] = np.arange(len(ids))
        lengths = [np.sqrt(np.sum(np.square(b, dtype=np.float64), axis=1)) for b in self._blocks()]
        self._longest = max((float(part.max()) for part in lengths), default=0.0)

    def search(
        self, query: Float32, k: int, allowed: NDArray[np.bool_] | None = None
    ) -> tuple[Rows, NDArray[np.float64]]:
        """The k best rows and their inner products.

        Parameters
        ----------
        allowed : which rows may be found; all by default
        """
        rows = np.arange(len(self._vectors)) if allowed is None else np.flatnonzero(allowed)
        if len(rows) > k:
            rough = np.concatenate([block @ query for block in self._blocks()])[rows]
            least = np.partition(rough, len(rough) - k)[len(rough) - k]
            length = float(np.linalg.norm(query.astype(np.float64)))
            bound = 2 * len(query) * _EPS * self._longest * length
            rows = rows[rough >= least - bound]
        return self.best(query, rows, k)

    def best(self, query: Float32, rows: Rows, k: int) -> tuple[Rows, NDArray[np.float64]]:
        """The k best of these rows."""
        wide = query.astype(np.float64)
        scores = np.concatenate(
            [np.zeros(0)]
            + [
                np.sum(self._vectors[part].astype(np.float64) * wide, axis=1)
                for part in np.array_split(rows, len(rows) // _BLOCK + 1)
            ]
        )
        order = np.lexsort((self._rank[rows], -scores))[:k]
        return rows[order], scores[order]

    def _blocks(self) -> list[Float32]:
        n = len(self._vectors)
        return [self._vectors[i : i + _BLOCK] for i in range(0, n, _BLOCK)]


class Graph(Nearest):
    """Approximately the best rows, by a graph of neighbours (HNSW, Malkov & Yashunin 2018) from the
    library usearch; their scores and order are exact. A search with `allowed` is exact altogether.

    Parameters
    ----------
    connectivity : neighbours a row
    expansion : rows looked at while a row is added, and at least while searching
    """

    def __init__(
        self, vectors: Float32, ids: Sequence[str], connectivity: int = 16, expansion: int = 256
    ) -> None:
        super().__init__(vectors, ids)
        for name, value in (("connectivity", connectivity), ("expansion", expansion)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 2:
                raise UsageError(f"{name} is {value!r}", "2 or more")
        try:
            from usearch.index import Index
        except ImportError:
            raise MissingExtra("an index of very many vectors (usearch)", "ann") from None
        self._expansion = expansion
        self._index: Any = None
        if len(vectors):
            self._index = Index(
                ndim=vectors.shape[1],
                metric="ip",
                dtype="f32",
                connectivity=connectivity,
                expansion_add=expansion,
                expansion_search=expansion,
            )
            self._index.add(np.arange(len(vectors)), self._vectors, threads=1)

    def search(
        self, query: Float32, k: int, allowed: NDArray[np.bool_] | None = None
    ) -> tuple[Rows, NDArray[np.float64]]:
        """As `Nearest.search`; without `allowed` a row may be missed."""
        if allowed is not None or self._index is None:
            return super().search(query, k, allowed)
        # At least `expansion`, so that a smaller k gives the beginning of a larger one.
        count = min(max(k, self._expansion), len(self._vectors))
        rows = np.asarray(self._index.search(query, count, threads=1).keys, np.int64)
        return self.best(query, np.sort(rows), k)
