"""What a missing label does to a score, tried on the data of a report."""

from __future__ import annotations

import numpy as np

from cranfield.data.collection import TestCollection
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.scores import Scores
from cranfield.evaluation.answers import Answers, answers, status
from cranfield.evaluation.evaluate import evaluate
from cranfield.report.language import Words
from cranfield.report.page import Block, Heading, Text

NDCG, MRR = 'nDCG(gain="exp")@10', "RR@10"
K = 10


def what_is_missing(
    collection: TestCollection, run: Run, scores: Scores, found: Answers, w: Words
) -> list[Block]:
    """What a missing label does, tried on these very data: one row taken away, and all rows that
    labelling only what the system returned would never have made."""
    qrels = collection.qrels
    chosen = _example(scores, found)
    if chosen is None:
        return []
    query, doc = chosen
    removed = _without(qrels, query, doc)
    less = evaluate(removed, run, NDCG)
    now = answers(removed, run, [query], k=K)
    told, holes = status([now], query)
    pooled = _only_returned(qrels, run)
    shallow = evaluate(pooled, run, NDCG)
    lost = len(scores.queries) - len(shallow.queries)
    return [
        Heading(w("missing.title")),
        Text(
            w(
                "missing.one",
                query=query,
                doc=doc,
                before=scores.per_query(NDCG)[query],
                after=less.per_query(NDCG).get(query, 0.0),
                status=w.name(told),
                holes=", ".join(holes),
            )
        ),
        Text(
            w(
                "missing.pool",
                after=shallow.mean(),
                n=len(shallow.queries),
                before=scores.mean(NDCG),
                all=len(scores.queries),
                lost=lost,
            )
        ),
    ]


def _example(scores: Scores, found: Answers) -> tuple[str, str] | None:
    """The first query whose first document is relevant, and that document."""
    by_query = scores.per_query(NDCG)
    for q in found.queries:
        if q.relevant > 1 and by_query.get(q.query, 0.0) > 0 and q.query in by_query:
            explained = scores.per_query(MRR)[q.query]
            return q.query, q.returned[round(1 / explained) - 1]
    return None


def _without(qrels: Qrels, query: str, doc: str) -> Qrels:
    number = qrels.queries.to_list().index(query)
    hit = (qrels.query == number) & np.array([d == doc for d in qrels.docs.to_list()])
    return qrels.take(~hit)


def _only_returned(qrels: Qrels, run: Run) -> Qrels:
    returned = run.to_dict()
    names = qrels.queries.to_list()
    keep = [
        doc in returned.get(names[q], {})
        for q, doc in zip(qrels.query.tolist(), qrels.docs.to_list(), strict=True)
    ]
    return qrels.take(np.array(keep))
