"""What people are to judge: pairs of a query and a document, with their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cranfield.data.collection import Document, Query, TestCollection
from cranfield.errors import InputError, NothingToEvaluate, UsageError
from cranfield.judging.lists import read_list
from cranfield.kit.progress import progress

if TYPE_CHECKING:
    from cranfield.judging.llm.rubric import Rubric
    from cranfield.judging.llm.work import Which

Pair = tuple[str, ...]  # query and document; for a preference query and two documents
MOST = 200_000  # pairs; more are not meant


@dataclass(frozen=True, eq=False)
class Task:
    """Pairs, each once, in the order of the list or of the collection, and their texts by id. The
    two documents of a preference stand in the order of their ids.

    Parameters
    ----------
    references : {pair: a document that is known to be relevant}, shown beside it where the rubric
        says so.
    left_out : {why: pairs that were passed over}, see `Chosen`.
    """

    pairs: tuple[Pair, ...]
    queries: Mapping[str, Query]
    documents: Mapping[str, Document]
    references: Mapping[Pair, str] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)

    def reference(self, pair: Pair) -> Document | None:
        """What is shown beside a pair."""
        found = self.references.get(pair)
        return None if found is None else self.documents[found]


def task_of(
    found: TestCollection,
    work_list: str | None = None,
    only: Sequence[str] = (),
    rubric: Rubric | None = None,
) -> Task:
    """The pairs of a list, or every document for every query.

    Parameters
    ----------
    work_list : a file as `read_list` reads it.
    only : ids of queries; none means all.
    rubric : where it shows a document that is known to be relevant, pairs without one are left
        out.

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
    left_out: dict[str, int] = {}
    if work_list is None:
        documents = _documents(found)
        asked = list(only) or list(queries)
        if len(asked) * len(documents) > MOST:
            raise UsageError(
                f"{len(asked)} queries and {len(documents)} documents are "
                f"{len(asked) * len(documents)} pairs",
                "--query QUERY, or --work-list FILE as `cranfield check --holes` writes it",
            )
        pairs: tuple[Pair, ...] = tuple((q, d) for q in dict.fromkeys(asked) for d in documents)
    else:
        listed = read_list(work_list)
        if strange := [q for q, _ in listed.pairs if q not in queries]:
            raise InputError(
                f"{work_list}: query {strange[0]!r} is not among the queries of {found.name}"
            )
        left_out |= {"sampled": listed.unsampled} if listed.unsampled else {}
        pairs = tuple(p for p in listed.pairs if not only or p[0] in set(only))
        documents = {}
    known: dict[Pair, str] = {}
    if rubric is not None and rubric.reference:
        known = _references(found, rubric, pairs)
        left_out |= {"reference": len(pairs) - len(known)} if len(known) < len(pairs) else {}
        pairs = tuple(p for p in pairs if p in known)
    if not pairs:
        from cranfield.judging.llm.work import not_there

        raise NothingToEvaluate("there is nothing to judge", not_there(left_out))
    if work_list is not None:
        documents = _documents(found, {d for _, d in pairs} | set(known.values()))
    return Task(pairs, queries, documents, known, left_out)


def _references(found: TestCollection, rubric: Rubric, pairs: Sequence[Pair]) -> dict[Pair, str]:
    from cranfield.judging.llm.work import grades_of, references

    known = references(grades_of(found.qrels), rubric.relevant, pairs)
    return {pair: doc for pair, (doc,) in known.items()}


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
    chosen = choose(found, rubric, replace(which, queries=only or None))
    ids = [(i.query.id, *sorted(d.id for d in i.documents)) for i in chosen.items]
    if len(ids) > MOST:
        raise UsageError(f"{len(ids)} pairs to judge", "--sample N, or a smaller --depth")
    known = {pair: i.reference for pair, i in zip(ids, chosen.items, strict=True) if i.reference}
    documents = {d.id: d for i in chosen.items for d in i.documents}
    documents |= {d.id: d for d in known.values()}
    shown = {pair: d.id for pair, d in known.items()}
    task = Task(tuple(dict.fromkeys(ids)), queries, documents, shown, chosen.left_out)
    return task, task.left_out


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
