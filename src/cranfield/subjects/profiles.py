"""A query and its relevant documents as one vector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.collection import Query, TestCollection
from cranfield.data.texts import text_of
from cranfield.kit.progress import progress
from cranfield.subjects.vectors import Counted, Terms, counted, presence, unit, weighted

REL = 1.0
CHARS = 5_000  # of a document that are read
LEAST = 2  # queries that have a term: one that only one has joins nothing
MOST = 0.5  # share of the queries from which a term says nothing of a topic


@dataclass(frozen=True, eq=False)
class Profiles:
    """Queries with their relevant documents, as vectors.

    Parameters
    ----------
    queries : those of the collection, in its order.
    terms : of the columns.
    vectors : a sparse matrix [query, term]; rows of length 1, or 0 where nothing is known.
    has : [query, term], 1 where the query or one of its documents has the term.
    texts : what each row was made of, for the forms of the words.
    read, missing : different relevant documents that were read, that the corpus lacks.
    bare : queries without a relevant document: only their text counts.
    """

    queries: tuple[Query, ...]
    terms: tuple[str, ...]
    vectors: Any
    has: Any
    texts: tuple[tuple[str, ...], ...]
    read: int
    missing: int
    bare: int


def profiles(
    found: TestCollection, queries: Sequence[Query], terms_of: Terms, documents: int
) -> Profiles:
    """One pass over the corpus, for the relevant documents; v = q/|q| + d/|d| divided by its
    length, where q is the tf-idf vector of the query and d the mean of those of its documents
    (as in Rocchio's (1971) relevance feedback, without negatives).

    A term counts (1 + ln tf) · (ln((1 + n) / (1 + df)) + 1), where df of the n queries have it,
    in their text or in one of their documents. Terms of one query alone or of more than half of
    them are left out.

    Parameters
    ----------
    documents : how many relevant ones a query brings in, the highest grades first, then in the
        order of the judgments.
    """
    wanted = _wanted(found, documents)
    bodies = _bodies(found, {d for docs in wanted.values() for d in docs})
    own = [[d for d in wanted.get(q.id, ()) if d in bodies] for q in queries]
    names = sorted(bodies)
    asked = counted([q.text for q in queries], terms_of)
    answers = counted([bodies[d] for d in names], terms_of)
    place = {d: i for i, d in enumerate(names)}
    held = _selected([[place[d] for d in docs] for docs in own], len(names))
    terms, has, kept = _kept(asked, answers, held)
    n = len(queries)
    df = np.asarray(has.sum(axis=0)).ravel()
    idf = np.log((1 + n) / (1 + df)) + 1
    q = weighted(asked.under(terms)[:, kept], idf)
    d = unit(held @ weighted(answers.under(terms)[:, kept], idf))
    return Profiles(
        queries=tuple(queries),
        terms=tuple(terms[i] for i in kept.tolist()),
        vectors=unit((q + d).tocsr()),
        has=has,
        texts=tuple(
            (query.text, *(bodies[x] for x in docs))
            for query, docs in zip(queries, own, strict=True)
        ),
        read=len(bodies),
        missing=len({x for docs in wanted.values() for x in docs}) - len(bodies),
        bare=sum(not docs for docs in own),
    )


def _wanted(found: TestCollection, most: int) -> dict[str, list[str]]:
    """{query: its most relevant documents}."""
    out = {}
    for query, judged in found.qrels.to_dict().items():
        relevant = sorted((-grade, i, d) for i, (d, grade) in enumerate(judged.items()))
        out[query] = [d for grade, _, d in relevant if -grade >= REL][:most]
    return out


def _bodies(found: TestCollection, wanted: set[str]) -> dict[str, str]:
    """The texts of these documents."""
    out: dict[str, str] = {}
    if found.documents is None or not wanted:
        return out
    with progress("reading documents", found.n_documents) as advance:
        for document in found.documents():
            if document.id in wanted:
                out[document.id] = text_of(document)[:CHARS]
            advance(1)
    return out


def _selected(picked: Sequence[Sequence[int]], columns: int) -> Any:
    """[row, column] with a 1 for each column that a row picks."""
    from scipy.sparse import csr_matrix

    at = [i for row in picked for i in row]
    first = np.concatenate([[0], np.cumsum([len(row) for row in picked])]).astype(np.int64)
    return csr_matrix((np.ones(len(at)), at, first), shape=(len(picked), columns))


def _kept(asked: Counted, answers: Counted, held: Any) -> tuple[list[str], Any, Any]:
    """All terms; which queries have each that is kept; the places of these."""
    terms = sorted({*asked.terms, *answers.terms})
    has = presence((presence(asked.under(terms)) + held @ presence(answers.under(terms))).tocsr())
    df = np.asarray(has.sum(axis=0)).ravel()
    kept = np.flatnonzero((df >= LEAST) & (df <= max(LEAST, MOST * has.shape[0])))
    return terms, has[:, kept], kept
