"""The contract of a retrieval system."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from cranfield.data.collection import Document, Query
from cranfield.retrieval.system import System, retrieve


def check_system(
    make: Callable[[Iterable[Document]], System],
    documents: Sequence[Document],
    queries: Sequence[Query],
) -> None:
    """Hold a system to the contract; AssertionError names what it breaks.

    A system has a name; answers every query, also blank ones and ones without a match, with at
    most k documents of the corpus, each once, by descending score that is a number; answers the
    same question twice alike; finds for a smaller k the beginning of what it finds for a larger
    one; and works on an empty corpus.
    """
    system = make(iter(documents))
    assert isinstance(system, System), "it has no name or no search()"
    assert system.name and not any(c.isspace() for c in system.name), "its name is no single word"
    known = {d.id for d in documents}
    odd = [Query("blank", "   "), Query("nothing", "\u2603 zzzzqqqq \u2603")]
    for query in [*queries, *odd]:
        for k in (1, 3, 1000):
            _check_result(system.search(query, k), known, k, query)
        first, again = system.search(query, 10), system.search(query, 10)
        assert list(first) == list(again), f"query {query.id}: two answers to one question"
        assert list(system.search(query, 3)) == list(first[:3]), f"query {query.id}: k reorders"
    run = retrieve(system, queries, 10)
    assert run.queries.to_list() == [q.id for q in queries], "the run lacks queries"
    empty = make(iter(()))
    assert all(len(empty.search(q, 10)) == 0 for q in queries), "it finds what is not there"


def _check_result(
    result: Sequence[tuple[str, float]], known: set[str], k: int, query: Query
) -> None:
    where = f"query {query.id}, k={k}"
    docs = [doc for doc, _ in result]
    scores = [score for _, score in result]
    assert len(result) <= k, f"{where}: more than k documents"
    assert len(set(docs)) == len(docs), f"{where}: a document twice"
    assert set(docs) <= known, f"{where}: documents that are not in the corpus"
    assert not any(math.isnan(s) for s in scores), f"{where}: a score is NaN"
    assert scores == sorted(scores, reverse=True), f"{where}: not by descending score"
