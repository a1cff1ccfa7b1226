"""Recall within a token budget: what a reader with a context of so many tokens gets to see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import InputError, UsageError


@dataclass(frozen=True)
class BudgetRecall:
    """Recall of the documents that fit into a budget.

    Parameters
    ----------
    recall : {query: share of its relevant documents that fit}; queries without one are not in it
    documents : {query: how many documents fit}
    tokens : {query: how many tokens they have}
    no_relevant : queries without a relevant document
    """

    recall: Mapping[str, float]
    documents: Mapping[str, int]
    tokens: Mapping[str, int]
    no_relevant: tuple[str, ...]

    @property
    def mean(self) -> float:
        """Over the queries with a relevant document; NaN without one."""
        return float(np.mean(list(self.recall.values()))) if self.recall else float("nan")


def budget_recall(
    run: Run, qrels: Qrels, lengths: Mapping[str, int], budget: int, *, rel: float = 1
) -> BudgetRecall:
    """Recall when documents are read from the top until the next one does not fit.

        recall(B) = |{relevant d_i : Σ_{j ≤ i} length(d_j) ≤ B}| / R

    Reading stops at the first document that does not fit; nothing is cut and nothing skipped, so
    that recall never falls when the budget grows. A judged query that the run lacks has recall 0.

    Parameters
    ----------
    lengths : {document: tokens}, for every retrieved document; of passages for a run of passages
    budget : tokens
    rel : the smallest grade of a relevant document

    Raises
    ------
    InputError
        A retrieved document has no length, or a negative one.
    """
    if budget < 0:
        raise UsageError("a budget is 0 tokens or more")
    relevant: dict[str, set[str]] = {name: set() for name in qrels.queries}
    names = list(relevant)
    rows = zip(qrels.query.tolist(), qrels.docs, qrels.grade.tolist(), strict=True)
    for q, doc, grade in rows:
        if grade >= rel:
            relevant[names[q]].add(doc)
    read = _read(run, lengths, budget)
    recall, documents, tokens = {}, {}, {}
    for query, wanted in relevant.items():
        found, used = read.get(query, ([], 0))
        documents[query], tokens[query] = len(found), used
        if wanted:
            recall[query] = len(wanted.intersection(found)) / len(wanted)
    return BudgetRecall(recall, documents, tokens, tuple(q for q in names if not relevant[q]))


def _read(run: Run, lengths: Mapping[str, int], budget: int) -> dict[str, tuple[list[str], int]]:
    """{query: (documents that fit, their tokens)}; equal scores by descending id."""
    names = run.queries.to_list()
    docs = run.docs.to_list()
    rows: dict[int, list[int]] = {}
    for i, q in enumerate(run.query.tolist()):
        rows.setdefault(q, []).append(i)
    out = {}
    for q, own in rows.items():
        # Sorting is stable, so that ids first and scores second orders by both.
        own.sort(key=lambda i: docs[i].encode(), reverse=True)
        own.sort(key=lambda i: -run.score[i])
        found, used = [], 0
        for i in own:
            length = lengths.get(docs[i])
            if length is None or length < 0:
                raise InputError(
                    f"document {docs[i]!r} has {'no' if length is None else 'a negative'} length",
                    "lengths are needed for every retrieved document",
                )
            if used + length > budget:
                break
            found.append(docs[i])
            used += length
        out[names[q]] = (found, used)
    return out
