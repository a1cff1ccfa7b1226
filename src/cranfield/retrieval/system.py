"""What a search system is to Cranfield, and how it makes a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from cranfield.data.collection import Query
from cranfield.data.columns import Ids
from cranfield.data.run import Run


@runtime_checkable
class System(Protocol):
    """Anything that answers a query with documents and scores, the best first."""

    name: str

    def search(self, query: Query, k: int) -> Sequence[tuple[str, float]]:
        """At most k (document id, score) pairs, each document once, no score NaN."""


def retrieve(system: System, queries: Iterable[Query], k: int = 100) -> Run:
    """The run of a system over queries; a query without results stays in it as an empty one."""
    asked = list(queries)
    results = [system.search(query, k) for query in asked]
    sizes = np.fromiter(map(len, results), np.int64, len(results))
    return Run(
        Ids.of(q.id for q in asked),
        np.repeat(np.arange(len(asked)), sizes),
        Ids.of(doc for result in results for doc, _ in result),
        np.fromiter((s for result in results for _, s in result), np.float64, int(sizes.sum())),
        name=system.name,
    )
