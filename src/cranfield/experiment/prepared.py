"""A collection of the matrix, read once: what it holds, which queries are asked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

import numpy as np

from cranfield.data.collection import Query, TestCollection
from cranfield.errors import NothingToEvaluate
from cranfield.experiment.plan import PlannedCollection
from cranfield.formats.readers import read_collection
from cranfield.formats.sources import OnDuplicate
from cranfield.kit.fingerprint import of_parts
from cranfield.kit.progress import progress
from cranfield.retrieval.collection import judged_queries, sampled


@dataclass(frozen=True)
class CollectionFacts:
    """A collection in numbers.

    Parameters
    ----------
    documents : None where it came without any
    queries, judged : all, and those with a row in the qrels
    positive, negative, below : (query, document) pairs with a grade above 0, of 0, and below 0
        (pooled, not judged)
    asked : queries that the matrix asks: judged, with a text, and in the sample where one is drawn
    textless : judged queries that the collection has no text of; they are not asked
    lacking : documents with a grade above 0 that are not in the corpus
    """

    plan: PlannedCollection
    documents: int | None
    queries: int
    judged: int
    positive: int
    negative: int
    below: int
    asked: int
    textless: int
    lacking: int


@dataclass(frozen=True, eq=False)
class Prepared:
    """A collection and what its cells need of it.

    Parameters
    ----------
    queries : those that are asked
    fingerprint : of the documents; of the queries see `queries_fingerprint`
    """

    plan: PlannedCollection
    found: TestCollection
    queries: tuple[Query, ...]
    fingerprint: str
    facts: CollectionFacts

    def sample(self, n: int | None, seed: int) -> tuple[Query, ...]:
        """The queries of a cell that asks only n."""
        return tuple(sampled(self.queries, n, seed))


def prepare(plan: PlannedCollection, seed: int, on_duplicate: OnDuplicate = "error") -> Prepared:
    """Read a collection: its queries and judgments into memory, its documents in one pass.

    Raises
    ------
    NothingToEvaluate
        No query with judgments has a text.
    Others
        As `read_collection`.
    """
    found = read_collection(plan.path, split=plan.split, on_duplicate=on_duplicate)
    having = judged_queries(found)
    if not having:
        raise NothingToEvaluate(f"{plan.name}: no query has judgments", "is it the right split?")
    queries = sampled(having, plan.sample, seed)
    qrels = found.qrels
    relevant = set(qrels.docs.take(np.flatnonzero(qrels.grade > 0)).to_list())
    documents, fingerprint = _pass(found, relevant)
    facts = CollectionFacts(
        plan=plan,
        documents=documents,
        queries=len(found.queries),
        judged=len(qrels.queries),
        positive=int((qrels.grade > 0).sum()),
        negative=int((qrels.grade == 0).sum()),
        below=int((qrels.grade < 0).sum()),
        asked=len(queries),
        textless=len(qrels.queries) - len(having),
        lacking=0 if documents is None else len(relevant),
    )
    return Prepared(plan, found, tuple(queries), fingerprint, facts)


def _pass(found: TestCollection, relevant: set[str]) -> tuple[int | None, str]:
    """(number of documents, their fingerprint); takes out of `relevant` what is there."""
    if found.documents is None:
        return None, "no documents"
    total, n = hashlib.sha256(), 0
    with progress(f"reading {found.name}", None) as advance:
        for document in found.documents():
            said = json.dumps(
                [document.id, document.title, document.text, dict(document.fields)],
                sort_keys=True,
                default=str,
            )
            total.update(said.encode() + b"\n")
            relevant.discard(document.id)
            n += 1
            advance(1)
    return n, total.hexdigest()


def queries_fingerprint(queries: tuple[Query, ...]) -> str:
    """Of queries as a system sees them, in their order."""
    said = ([q.id, q.text, dict(q.fields)] for q in queries)
    return of_parts(json.dumps(part, sort_keys=True, default=str) for part in said)
