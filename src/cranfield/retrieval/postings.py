"""An index of one field: for every term the documents that hold it, with the score it adds there.

The scores are BM25's and computed when the index is built (eager scoring, Lù 2024), by bm25s. A
query then adds up a few columns.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import MissingExtra

METHODS = ("lucene", "robertson", "atire", "bm25l", "bm25+")
Float32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Postings:
    """Term t of `terms` occurs in documents `doc[begin[t]:begin[t+1]]` and adds `score` there.

    `absent` is what a term adds to a document that lacks it (BM25L and BM25+, whose scores are
    shifted so that a missing term adds nothing; the shift is added back for a query).
    """

    terms: dict[str, int]
    begin: NDArray[np.int64]
    doc: NDArray[np.int32]
    score: Float32
    absent: Float32 | None
    n_documents: int

    def scores(self, query: Sequence[str]) -> tuple[Float32, NDArray[np.bool_]]:
        """The score of every document, and whether it holds any term of the query."""
        total = np.zeros(self.n_documents, np.float32)
        found = np.zeros(self.n_documents, bool)
        for term in query:
            t = self.terms.get(term)
            if t is None:
                continue
            rows = slice(self.begin[t], self.begin[t + 1])
            docs = self.doc[rows]
            total[docs] += self.score[rows]  # a document occurs once for a term
            found[docs] = True
            if self.absent is not None:
                total += self.absent[t]
        return total, found

    def to_bytes(self) -> bytes:
        """The index as an uncompressed .npz without pickled objects."""
        stream = io.BytesIO()
        terms = json.dumps(list(self.terms), ensure_ascii=False).encode("utf-8", "surrogatepass")
        arrays: dict[str, Any] = {"begin": self.begin, "doc": self.doc, "score": self.score}
        if self.absent is not None:
            arrays["absent"] = self.absent
        sizes = np.array([self.n_documents])
        np.savez(stream, terms=np.frombuffer(terms, np.uint8), n=sizes, **arrays)
        return stream.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Postings:
        """What `to_bytes` gave."""
        with np.load(io.BytesIO(data), allow_pickle=False) as held:
            terms = json.loads(held["terms"].tobytes().decode("utf-8", "surrogatepass"))
            return cls(
                {term: i for i, term in enumerate(terms)},
                held["begin"],
                held["doc"],
                held["score"],
                held["absent"] if "absent" in held.files else None,
                int(held["n"][0]),
            )


class Builder:
    """Collects the terms of documents, one after another."""

    def __init__(self) -> None:
        self._terms: dict[str, int] = {}
        self._documents: list[list[int]] = []

    def add(self, terms: Iterable[str]) -> None:
        known = self._terms
        self._documents.append([known.setdefault(term, len(known)) for term in terms])

    def build(self, *, method: str, k1: float, b: float, delta: float) -> Postings:
        """The index; scores and parameters are those of bm25s (Kamphuis et al. 2020 for the
        variants)."""
        n = len(self._documents)
        if not self._terms:  # bm25s divides by the mean length
            none = np.zeros(0, np.float32)
            return Postings({}, np.zeros(1, np.int64), none.astype(np.int32), none, None, n)
        bm25 = library().BM25(k1=k1, b=b, delta=delta, method=method, backend="numpy")
        with np.errstate(divide="ignore", invalid="ignore"):
            index = bm25.build_index_from_ids(
                list(range(len(self._terms))), self._documents, show_progress=False
            )
        return Postings(
            self._terms,
            np.asarray(index["indptr"], np.int64),
            np.asarray(index["indices"], np.int32),
            np.asarray(index["data"], np.float32),
            bm25.nonoccurrence_array,
            n,
        )


def library() -> Any:
    """The package bm25s; `MissingExtra` without it."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            import bm25s
    except ImportError:
        raise MissingExtra("BM25 (bm25s)", "bm25") from None
    return bm25s
