"""A run: what a system returned, as columns in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cranfield.data.columns import Floats, Ids, Index, encode
from cranfield.errors import InputError


@dataclass(frozen=True, eq=False)
class Run:
    """Row i says that the system gave document `docs[i]` the `score[i]` for query
    `queries[query[i]]`. The rank is derived from the scores, never read.

    Parameters
    ----------
    queries : Ids
        Distinct query ids. One without rows is a query that was answered with an empty list.
    query : int64 array, one number a row
    docs : Ids, one a row
    score : float64 array, one a row
        Higher is better; infinities are scores, NaN is refused.
    name : str
    config : mapping, optional
        How the run was made.
    notes : tuple of str
        What the reader skipped or recognised, in words.
    """

    queries: Ids
    query: Index
    docs: Ids
    score: Floats
    name: str = "run"
    config: Mapping[str, Any] | None = None
    notes: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def from_columns(cls, query: Ids, docs: Ids, score: Floats, **more: Any) -> Run:
        """From one query id a row."""
        names, codes = encode(query)
        return cls(Ids.of(names), codes, docs, score, **more)

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, float]], **more: Any) -> Run:
        """From (query, document, score) triples."""
        table = list(rows)
        return cls.from_columns(
            Ids.of(r[0] for r in table),
            Ids.of(r[1] for r in table),
            np.array([r[2] for r in table], np.float64),
            **more,
        )

    @classmethod
    def from_dict(cls, run: Mapping[str, Mapping[str, float]], **more: Any) -> Run:
        """From {query: {document: score}}, the form of pytrec_eval; an empty dictionary is an
        empty result and is kept as one."""
        names = list(run)
        sizes = np.fromiter((len(run[q]) for q in names), np.int64, len(names))
        docs = Ids.of(d for q in names for d in run[q])
        score = np.fromiter(
            (_score(q, d, s) for q in names for d, s in run[q].items()), np.float64, len(docs)
        )
        return cls(Ids.of(names), np.repeat(np.arange(len(names)), sizes), docs, score, **more)

    def to_dict(self) -> dict[str, dict[str, float]]:
        """{query: {document: score}}, rows in their stored order."""
        names = self.queries.to_list()
        out: dict[str, dict[str, float]] = {q: {} for q in names}
        for q, d, s in zip(self.query.tolist(), self.docs, self.score.tolist(), strict=True):
            out[names[q]][d] = s
        return out

    def __len__(self) -> int:
        return len(self.query)

    def __repr__(self) -> str:
        return f"Run({self.name!r}: {len(self):,} rows, {len(self.queries):,} queries)"

    def ranks(self) -> Index:
        """The rank of every row within its query, from 1: score descending, equal scores in
        stored order."""
        order = np.lexsort((-self.score, self.query))
        query = self.query[order]
        first = np.searchsorted(query, np.arange(len(self.queries)))
        out = np.empty(len(self), np.int64)
        out[order] = np.arange(len(self)) - first[query] + 1
        return out


def _score(query: str, doc: str, score: Any) -> float:
    try:
        value = float(score)
    except (TypeError, ValueError):
        value = float("nan")
    if isinstance(score, str) or value != value:
        raise InputError(
            f"run[{query!r}][{doc!r}]: score {score!r} is not a number",
            "a score is a number, higher is better; NaN cannot be ranked",
        )
    return value
