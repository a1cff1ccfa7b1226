"""The baseline report: the numbers before the first change, which every later one is held
against, with no-answer, empty and under-labelled queries told apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.data.collection import TestCollection
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.scores import Scores
from cranfield.evaluation.answers import Answers, QueryAnswer, answers, status
from cranfield.evaluation.evaluate import evaluate
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words, words
from cranfield.report.page import Block, Facts, Heading, Page, Table, Text

NDCG, MRR = 'nDCG(gain="exp")@10', "RR@10"
K = 10


def baseline(
    collection: TestCollection,
    run: Run,
    *,
    by: str | None = None,
    lang: str = "en",
    exhaustive: bool = False,
) -> Page:
    """The report of one run on one collection.

    Parameters
    ----------
    by : the query field of the table by type; None: `type`, if the queries have it
    lang : `en` or `zh`
    exhaustive : the labels are declared complete (every document judged for every query)
    """
    w = words(lang)
    scores = evaluate(collection.qrels, run, [NDCG, MRR], queries=collection.queries)
    found = answers(collection.qrels, run, [q.id for q in collection.queries], k=K)
    blocks: list[Block] = [_facts(scores, found, w)]
    if by is not None:
        scores.by(by)  # an unknown field is an error
    elif "type" in scores.slices:
        by = "type"
    if by is not None:
        blocks += [Heading(w("baseline.by", field=w.name(by))), Table(_by(scores, found, by, w))]
    blocks += [
        Heading(w("baseline.kinds")),
        Table(_kinds(found, w)),
        Text(w("baseline.kinds.note")),
    ]
    suspects = [q for q in found.queries if _open(found, q, exhaustive)]
    blocks.append(Text(_suspects(suspects, len(found.queries), exhaustive, w)))
    blocks += _unlabelled(collection, run, scores, found, w)
    blocks += [Heading(w("baseline.lost")), Table(_worst(collection, scores, found, w))]
    blocks.append(Text(w("baseline.discipline")))
    return Page(f"{w('baseline.title')}: {run.name}", lang, tuple(blocks))


def _facts(scores: Scores, found: Answers, w: Words) -> Facts:
    n, kinds = len(found.queries), len(found.of_kind("no_answer"))
    answerable = scores.n(NDCG, over="answerable")
    mean, best = scores.mean(NDCG), scores.mean(NDCG, over="answerable")
    report = scores.reports[0]
    return Facts(
        (
            (w("baseline.run"), found.run),
            (w("baseline.queries"), str(n)),
            (f"nDCG@{K} (gain=exp)", w("baseline.mean", mean=mean, best=best, n=answerable)),
            (
                f"MRR@{K} (rel≥1)",
                w(
                    "baseline.mean",
                    mean=scores.mean(MRR),
                    best=scores.mean(MRR, over="answerable"),
                    n=answerable,
                ),
            ),
            (w("baseline.no_answer"), f"{kinds}/{n}"),
            (
                w("baseline.empty"),
                w(
                    "baseline.empty.value",
                    empty=len(found.empty),
                    n=n,
                    right=len(found.correct_empty),
                    missed=len(found.missed),
                ),
            ),
            (w("baseline.zero"), f"{len(found.nothing_relevant)}/{n}"),
            (w("baseline.false"), f"{len(found.false_recalls)}/{kinds}"),
            (f"judged@{K}", f"{report.judged:.4f}"),
        )
    )


def _by(scores: Scores, found: Answers, by: str, w: Words) -> Grid:
    rows: list[tuple[Cell, ...]] = []
    answer = {q.query: q for q in found.queries}
    for label, mask in scores.by(by).items():
        mine = [answer[q] for q, inside in zip(scores.queries, mask, strict=True) if inside]
        rows.append(
            (
                w.name(label),
                len(mine),
                scores.summary(0, 0, mask)[0],
                scores.summary(0, 1, mask)[0],
                sum(not q.returned for q in mine),
                sum(bool(q.returned) and not q.relevant for q in mine),
                sum(q.kind == "no_answer" and bool(q.returned) for q in mine),
            )
        )
    everyone = np.ones(len(scores.queries), bool)
    rows.append(
        (
            w("baseline.all"),
            len(scores.queries),
            scores.summary(0, 0, everyone)[0],
            scores.summary(0, 1, everyone)[0],
            len(found.empty),
            len(found.nothing_relevant),
            len(found.false_recalls),
        )
    )
    columns = (
        w.name(by),
        "n",
        f"nDCG@{K} (exp)",
        f"MRR@{K}",
        w("column.empty"),
        w("column.zero"),
        w("column.false"),
    )
    return Grid(
        columns, ("text", "count", "score", "score", "count", "count", "count"), tuple(rows)
    )


def _kinds(found: Answers, w: Words) -> Grid:
    def cell(key: str, some: Sequence[QueryAnswer]) -> str:
        names = ", ".join(q.query for q in some[:6]) + (", …" if len(some) > 6 else "")
        return w(key, n=len(some)) + (f" ({names})" if some else "")

    def returned(kind: str) -> list[QueryAnswer]:
        return [q for q in found.queries if q.kind == kind and q.returned]

    silent = [q for q in found.empty if q.kind == "unlabelled"]
    rows = (
        (
            w("kind.no_answer"),
            cell("cell.correct", found.correct_empty),
            cell("cell.false", found.false_recalls),
        ),
        (
            w("kind.answerable"),
            cell("cell.missed", found.missed),
            cell("cell.scored", returned("answerable")),
        ),
        (
            w("kind.unlabelled"),
            cell("cell.unknown", silent),
            cell("cell.unknown", returned("unlabelled")),
        ),
    )
    columns = (w("column.kind"), w("column.nothing"), w("column.documents"))
    unlabelled = bool(found.of_kind("unlabelled"))
    return Grid(columns, ("text", "text", "text"), rows if unlabelled else rows[:2])


def _open(found: Answers, query: QueryAnswer, exhaustive: bool) -> bool:
    said, _ = status([found], query.query, exhaustive=exhaustive)
    return said in ("no_answer_suspect", "answerable_with_holes", "unlabelled")


def _suspects(some: Sequence[QueryAnswer], n: int, exhaustive: bool, w: Words) -> str:
    if exhaustive:
        return w("baseline.exhaustive")
    if not some:
        return w("baseline.no_holes", n=n, k=K)
    listed = "; ".join(f"{q.query}: {', '.join(q.holes[:5]) or '–'}" for q in some[:10])
    return w("baseline.holes", n=len(some), listed=listed)


def _unlabelled(
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


def _worst(
    collection: TestCollection, scores: Scores, found: Answers, w: Words, most: int = 8
) -> Grid:
    """Answerable queries with the lowest nDCG: where work pays."""
    texts = {q.id: q.text for q in collection.queries}
    answerable = {q.query: q for q in found.of_kind("answerable")}
    ranked = sorted(
        ((v, q) for q, v in scores.per_query(NDCG).items() if q in answerable),
        key=lambda pair: (pair[0], pair[1]),
    )
    rows = tuple(
        (q, texts.get(q, ""), value, len(answerable[q].returned), answerable[q].relevant)
        for value, q in ranked[:most]
    )
    columns = (
        w("column.query"),
        w("column.text"),
        f"nDCG@{K} (exp)",
        w("column.returned"),
        w("column.relevant"),
    )
    return Grid(columns, ("text", "text", "score", "count", "count"), rows)
