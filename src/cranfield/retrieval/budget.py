"""Recall within a token budget: what a reader with a context of so many tokens gets to see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.data.collection import TestCollection
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.scores import Label, Scores
from cranfield.data.texts import text_of
from cranfield.errors import InputError
from cranfield.kit.arguments import whole
from cranfield.kit.progress import progress
from cranfield.retrieval.collection import documents_of
from cranfield.retrieval.passages import document_of, split, tokens_in


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
    run: Run,
    qrels: Qrels,
    lengths: Mapping[str, int],
    budget: int,
    *,
    rel: float = 1,
    document: Callable[[str], str] = str,
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
    document : what a retrieved id counts for: with `cranfield.retrieval.passages.document_of` a
        run of passages is held against judgments of documents, and a relevant document is found
        when one of its passages fits

    Raises
    ------
    InputError
        A retrieved document has no length, or a negative one.
    """
    budget = whole("budget", budget, 0)
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
            recall[query] = len(wanted.intersection(map(document, found))) / len(wanted)
    return BudgetRecall(recall, documents, tokens, tuple(q for q in names if not relevant[q]))


def with_budgets(
    scores: Scores,
    found: TestCollection,
    runs: Sequence[Run],
    budgets: Sequence[int],
    cuts: Sequence[Mapping[str, Any] | None] | None = None,
) -> Scores:
    """Scores with a column `R@Btokens` for each budget: `budget_recall` with rel 1.

    A document is as long as its title and text have tokens (`tokens_in`: words, each ideograph
    one), as rerankers and embedders are given it. Queries that other measures leave out are left
    out here.

    Parameters
    ----------
    scores : of these runs, in this order, on the judgments of `found`
    cuts : for each run the `size` and `overlap` of its passages, None for a run of documents

    Raises
    ------
    InputError
        A run has something that the collection has not.
    UsageError
        The collection has no documents.
    """
    cuts = cuts or [None] * len(runs)
    shape = (len(runs), len(scores.queries), len(budgets))
    values, valid = np.zeros(shape), np.ones(shape, bool)
    for r, (run, cut) in enumerate(zip(runs, cuts, strict=True)):
        lengths = _lengths(found, run, cut)
        of = str if cut is None else document_of
        missing = set(scores.reports[r].missing if scores.settings["missing"] == "skip" else ())
        for b, budget in enumerate(budgets):
            recall = budget_recall(run, found.qrels, lengths, budget, document=of).recall
            values[r, :, b] = [recall.get(q, 0.0) for q in scores.queries]
            valid[r, :, b] = [q not in missing for q in scores.queries]
    if scores.settings["no_relevant"] == "nan":
        valid &= scores.answerable[None, :, None]
    labels = tuple(Label(name, name) for name in (f"R@{budget}tokens" for budget in budgets))
    return replace(
        scores,
        measures=(*scores.measures, *labels),
        values=np.concatenate([scores.values, np.where(valid, values, 0.0)], axis=2),
        valid=np.concatenate([scores.valid, valid], axis=2),
    )


def _lengths(found: TestCollection, run: Run, cut: Mapping[str, Any] | None) -> dict[str, int]:
    """{document or passage of the run: its tokens}."""
    wanted = set(run.docs.to_list())
    own = wanted if cut is None else {document_of(doc) for doc in wanted}
    lengths: dict[str, int] = {}
    with progress("counting tokens", None) as advance:
        for whole_one in documents_of(found):
            advance(1)
            if whole_one.id in own:
                parts = [whole_one]
                if cut is not None:
                    parts = list(split([whole_one], cut["size"], cut["overlap"]))
                lengths |= {p.id: tokens_in(text_of(p)) for p in parts if p.id in wanted}
    strange = [doc for doc in wanted if doc not in lengths]
    if strange:
        raise InputError(
            f"{len(strange)} of the results of {run.name!r} are not in {found.name}, for example "
            f"{min(strange)!r}",
            "the card of a run of passages (RUN.card.json) says how they were cut",
        )
    return lengths


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
