"""What a collection gives to a system or reranker: the queries that are asked, the documents."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cranfield import plugins
from cranfield.data.card import RunCard
from cranfield.data.collection import Document, Query, TestCollection
from cranfield.errors import UsageError
from cranfield.retrieval.passages import PassageSearch, split
from cranfield.retrieval.rerank import Rerank
from cranfield.retrieval.system import refuse_fields, refuse_filters


def judged_queries(found: TestCollection) -> list[Query]:
    """The queries that have judgments, in the order of the collection."""
    judged = set(found.qrels.queries)
    return [q for q in found.queries if q.id in judged]


def sampled(queries: Sequence[Query], n: int | None, seed: int) -> list[Query]:
    """The n queries with the smallest hashes, in the order given; all of them for None or where
    there are no more. Two runs on the same queries are sampled alike, and a larger sample holds
    the smaller one."""
    if n is None or n >= len(queries):
        return list(queries)

    def place(query: Query) -> bytes:
        said = f"{seed}\0{query.id}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(said).digest()

    chosen = {q.id for q in sorted(queries, key=place)[:n]}
    return [q for q in queries if q.id in chosen]


def documents_of(found: TestCollection) -> Iterator[Document]:
    """A pass over the documents.

    Raises
    ------
    UsageError
        The collection came without any.
    """
    if found.documents is None:
        raise UsageError(f"{found.name} has no documents", "is there a corpus.jsonl?")
    return found.documents()


def system_on(
    found: TestCollection,
    name: str,
    options: Mapping[str, Any],
    passages: Mapping[str, Any] | None = None,
) -> Any:
    """A registered system, given the documents of a collection, or their passages, if it takes
    any.

    Parameters
    ----------
    passages : `size`, `overlap` and `rollup` (`none`: it answers with passages); None cuts none

    Raises
    ------
    UnknownName, UsageError
        No such system or option, no documents where it needs some, or passages for one that takes
        no documents.
    """
    refuse_documents(options)
    if not _takes_documents(found, name, passages):
        return plugins.system(name, **options)
    documents = documents_of(found)
    if passages is None:
        return plugins.system(name, documents=documents, **options)
    pieces = split(documents, passages["size"], passages["overlap"])
    inner = plugins.system(name, documents=pieces, **options)
    return inner if passages["rollup"] == "none" else PassageSearch(inner, passages["rollup"])


def check_system_on(
    found: TestCollection,
    name: str,
    options: Mapping[str, Any],
    passages: Mapping[str, Any] | None = None,
    filters: Sequence[str] = (),
    queries: Sequence[Query] = (),
) -> None:
    """Refuse what `system_on`, and asking it with these filters, is sure to refuse; no document is
    read and no service asked.

    Raises
    ------
    CranfieldError
        As `system_on`, and a filter that the system or the queries do not have.
    """
    refuse_documents(options)
    given = {"documents": ()} if _takes_documents(found, name, passages) else {}
    if passages is not None:
        next(split((), passages["size"], passages["overlap"]), None)
    made = plugins.check(plugins.SYSTEMS, name, **given, **options)
    if filters:
        if made is not None:
            refuse_filters(made)
        refuse_fields(filters, queries)


def refuse_documents(options: Mapping[str, Any]) -> None:
    """An error if the documents are among the parameters that a user gives."""
    if "documents" in options:
        raise UsageError("documents is no parameter", "they are those of the collection")


def _takes_documents(found: TestCollection, name: str, passages: Mapping[str, Any] | None) -> bool:
    """Whether a system is given the documents of the collection."""
    optional = not plugins.needs(plugins.SYSTEMS, name, "documents")
    if found.documents is None and passages is None and optional:
        return False
    if "documents" not in plugins.parameters(plugins.SYSTEMS, name):
        if passages is not None:
            raise UsageError(f"system {name!r} takes no documents, so none can be cut")
        return False
    documents_of(found)
    return True


def card_of_both(
    card: RunCard, before: RunCard | None, system: Rerank, answered: Sequence[Query]
) -> tuple[RunCard, list[str]]:
    """The card of a reranked run: the first stage's configuration as it is and the reranking under
    one key, so that a comparison of the two shows what was changed; what was cut; latency,
    failures and empty results of both. And this in words."""
    own, told = dict(card.config), []
    cut = system.cut(answered)
    own["input"] = {**own["input"], "truncated": None if cut is None else cut[0]}
    config = {"collection": own.pop("collection")}
    config |= {} if before is None else before.config
    for key in ("system", "k"):
        del own[key]
    times = sum(key.startswith("rerank") for key in config)  # a run may be reranked again
    config[f"rerank_{times + 1}" if times else "rerank"] = own
    if cut is not None and cut[0]:
        told.append(f"{cut[0]} of {cut[1]} inputs are longer than the model reads and were cut")
    latency, failed = dict(card.latency), card.failed
    if before is not None:
        if all(query in before.latency for query in latency):
            latency = {q: round(ms + before.latency[q], 3) for q, ms in latency.items()}
            told.append("latency in the card is that of both stages, below of the reranker alone")
        known = set(latency) | set(failed)
        earlier = tuple(q for q in before.failed if q not in known)
        if earlier:
            n = len(earlier)
            what = (
                "query had failed before and is" if n == 1 else "queries had failed before and are"
            )
            told.append(f"{n} {what} not in the run")
        failed += earlier
        known |= set(failed)
        empty = card.empty + tuple(q for q in before.empty if q not in known)
        card = replace(card, empty=empty)
    return replace(card, config=config, latency=latency, failed=failed), told
