"""The contract of a retrieval system."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from cranfield.data.collection import Document, Query
from cranfield.errors import CranfieldError
from cranfield.retrieval.system import System, retrieve

ODD = (
    Query("blank", "   "),
    Query("empty", ""),
    Query("nothing", "\u2603 zzzzqqqq \u2603"),
    Query("chinese", "空指针异常 怎么 解决"),
    Query("signs", "+-&|!(){}[]^\"~*?:\\/ AND OR NOT ' \x00"),
    Query("long", "word " * 5000),
)
"""Queries that break systems; each is answered, if only with nothing."""


def check_system(
    make: Callable[[Iterable[Document]], System],
    documents: Sequence[Document],
    queries: Sequence[Query],
) -> None:
    """Hold a system to the contract; AssertionError names what it breaks.

    A system has a name; answers every query, also empty, Chinese and very long ones, ones of signs
    only and ones without a match, with at most k documents of the corpus, each once, by descending
    score that is a number; answers the same question twice alike; finds for a smaller k the
    beginning of what it finds for a larger one; works on an empty corpus; and refuses a document
    id that comes twice (with a CranfieldError) or returns it once. What it declares holds too:
    `config`, `search_many`, `takes_filters`, `thread_safe`.
    """
    system = make(iter(documents))
    assert isinstance(system, System), "it has no name or no search()"
    assert system.name and not any(c.isspace() for c in system.name), "its name is no single word"
    known = {d.id for d in documents}
    asked = [*queries, *ODD]
    for query in asked:
        for k in (1, 3, 1000):
            _check_result(system.search(query, k), known, k, query)
        first, again = system.search(query, 10), system.search(query, 10)
        assert list(first) == list(again), f"query {query.id}: two answers to one question"
        assert list(system.search(query, 3)) == list(first[:3]), f"query {query.id}: k reorders"
    run = retrieve(system, queries, 10)
    assert run.queries.to_list() == [q.id for q in queries], "the run lacks queries"
    _check_declared(system, asked, queries, documents)
    empty = make(iter(()))
    assert all(len(empty.search(q, 10)) == 0 for q in queries), "it finds what is not there"
    with contextlib.suppress(CranfieldError):
        twice = make(iter([*documents, *documents]))
        for query in queries:
            _check_result(twice.search(query, 1000), known, 1000, query)


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


def _check_declared(
    system: Any, asked: Sequence[Query], queries: Sequence[Query], documents: Sequence[Document]
) -> None:
    """What a system says of itself."""
    config = getattr(system, "config", {})
    assert isinstance(config, Mapping), "its config is no mapping"
    held = json.loads(json.dumps(dict(config)))
    assert held == config, "its config is not what JSON gives back"
    alone = [list(system.search(q, 10)) for q in asked]
    if hasattr(system, "search_many"):
        together = [list(result) for result in system.search_many(list(asked), 10)]
        assert together == alone, "search_many answers otherwise than search"
        assert len(system.search_many([], 10)) == 0, "search_many of nothing is something"
    if getattr(system, "thread_safe", False):
        with ThreadPoolExecutor(4) as pool:
            for _ in range(5):
                found = [list(r) for r in pool.map(lambda q: system.search(q, 10), asked)]
                assert found == alone, "it says thread_safe and answers otherwise from threads"
    if getattr(system, "takes_filters", False):
        _check_filters(system, queries, documents)


def _check_filters(system: Any, queries: Sequence[Query], documents: Sequence[Document]) -> None:
    """A filter leaves what has the value, in the same order. Fields that some documents have
    and that hold one text are tried."""
    names = {n for d in documents for n, v in d.fields.items() if isinstance(v, str)}
    for name in sorted(names):
        values = sorted({v for d in documents if isinstance(v := d.fields.get(name), str)})
        for value in values[:3]:
            having = {d.id for d in documents if d.fields.get(name) == value}
            for query in queries:
                plain = system.search(query, len(documents))
                kept = system.search(query, len(documents), filters={name: value})
                expected = [doc for doc, _ in plain if doc in having]
                assert [doc for doc, _ in kept] == expected, (
                    f"query {query.id}: a filter {name}={value!r} gives other documents"
                )
