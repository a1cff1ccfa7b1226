"""What people are to judge: pairs of a query and a document, with their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cranfield.data.collection import Document, Query, TestCollection
from cranfield.errors import InputError, NothingToEvaluate, UsageError
from cranfield.judging.lists import read_pairs
from cranfield.kit.progress import progress

if TYPE_CHECKING:
    from cranfield.judging.llm.rubric import Rubric
    from cranfield.judging.llm.work import Which

Pair = tuple[str, ...]  # query and document; for a preference query and two documents
MOST = 200_000  # pairs; more are not meant


@dataclass(frozen=True, eq=False)
class Task:
    """Pairs, each once, in the order of the list or of the collection, and their texts by id. The
    two documents of a preference stand in the order of their ids."""

    pairs: tuple[Pair, ...]
    queries: Mapping[str, Query]
    documents: Mapping[str, Document]


def task_of(found: TestCollection, work_list: str | None = None, only: Sequence[str] = ()) -> Task:
    """The pairs of a list, or every document for every query.

    Parameters
    ----------
    work_list : a file as `read_pairs` reads it.
    only : ids of queries; none means all.

    Raises
    ------
    UsageError
        The collection has no documents, or too many for each to be judged.
    InputError, FormatError, NoSuchInput
        A query or document is not in the collection; the list cannot be read.
    NothingToEvaluate
        There is no pair.
    """
    if found.documents is None:
        raise UsageError(f"{found.name} has no documents", "is there a corpus.jsonl?")
    queries = _queries(found, only)
    if work_list is None:
        documents = _documents(found)
        asked = list(only) or list(queries)
        if len(asked) * len(documents) > MOST:
            raise UsageError(
                f"{len(asked)} queries and {len(documents)} documents are "
                f"{len(asked) * len(documents)} pairs",
                "--query QUERY, or --work-list FILE as `cranfield check --holes` writes it",
            )
        pairs = tuple((q, d) for q in dict.fromkeys(asked) for d in documents)
    else:
        listed = [(query, document) for query, document in read_pairs(work_list)]
        if strange := [q for q, _ in listed if q not in queries]:
            raise InputError(
                f"{work_list}: query {strange[0]!r} is not among the queries of {found.name}"
            )
        pairs = tuple(p for p in listed if not only or p[0] in set(only))
        documents = _documents(found, {d for _, d in pairs})
    if not pairs:
        raise NothingToEvaluate("there is nothing to judge")
    return Task(pairs, queries, documents)


def proposed(
    found: TestCollection, rubric: Rubric, which: Which, only: Sequence[str] = ()
) -> tuple[Task, Mapping[str, int]]:
    """What a model would be asked by the same rubric, for people: the first documents of runs, or
    pairs of them; or pairs of documents of a list. Second, what was passed over: {why: pairs}.

    Raises
    ------
    UsageError
        There are too many.
    As `choose`.
    """
    from cranfield.judging.llm.work import choose

    queries = _queries(found, only)
    chosen = choose(found, replace(rubric, reference=False), replace(which, queries=only or None))
    ids = [(i.query.id, *sorted(d.id for d in i.documents)) for i in chosen.items]
    if len(ids) > MOST:
        raise UsageError(f"{len(ids)} pairs to judge", "--sample N, or a smaller --depth")
    documents = {d.id: d for i in chosen.items for d in i.documents}
    return Task(tuple(dict.fromkeys(ids)), queries, documents), chosen.left_out


def _queries(found: TestCollection, only: Sequence[str]) -> dict[str, Query]:
    queries = {q.id: q for q in found.queries}
    if strange := [q for q in only if q not in queries]:
        raise InputError(f"query {strange[0]!r} is not among the queries of {found.name}")
    return queries


def _documents(found: TestCollection, wanted: set[str] | None = None) -> dict[str, Document]:
    """Those that are wanted, None: all."""
    assert found.documents is not None
    texts = {}
    with progress("reading documents", found.n_documents) as advance:
        for document in found.documents():
            if wanted is None or document.id in wanted:
                texts[document.id] = document
            advance(1)
    if wanted is not None and (lacking := wanted - texts.keys()):
        raise InputError(
            f"{len(lacking)} documents are not in the collection, for example {min(lacking)!r}",
            "is it the collection that the list was made on?",
        )
    return texts
