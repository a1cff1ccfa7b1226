"""The baseline report: the numbers before the first change, which every later one is held
against, with no-answer, empty and under-labelled queries told apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cranfield.data.collection import TestCollection
from cranfield.data.ranges import BoundChoice
from cranfield.data.run import Run
from cranfield.data.scores import Scores
from cranfield.evaluation.answers import Answers, QueryAnswer, answers, status
from cranfield.evaluation.evaluate import evaluate
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words, words
from cranfield.report.missing import MRR, NDCG, K, what_is_missing
from cranfield.report.page import Block, Facts, Heading, Page, Table, Text


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
    # where the labels are complete, what has none is known not to be relevant
    world: BoundChoice | None = None if exhaustive else "auto"
    scores = evaluate(collection.qrels, run, [NDCG, MRR], queries=collection.queries, bounds=world)
    known = [q.id for q in collection.queries]
    strangers = [q for q in scores.queries if q not in set(known)]
    found = answers(collection.qrels, run, [*known, *strangers], k=K)
    blocks: list[Block] = [_facts(scores, found, w)]
    if strangers:
        blocks.append(
            Text(w("baseline.strangers", n=len(strangers), some=", ".join(strangers[:5])))
        )
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
    blocks += what_is_missing(collection, run, scores, found, w)
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
            (w("baseline.queries"), _queries(found, w)),
            (f"nDCG@{K} (gain=exp)", w("baseline.mean", mean=mean, best=best, n=answerable)),
            *_range(scores, NDCG, w),
            (
                f"MRR@{K} (rel≥1)",
                w(
                    "baseline.mean",
                    mean=scores.mean(MRR),
                    best=scores.mean(MRR, over="answerable"),
                    n=answerable,
                ),
            ),
            *_range(scores, MRR, w),
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


def _range(scores: Scores, measure: str, w: Words) -> list[tuple[str, str]]:
    """Between which values a mean lies; nothing where all that was returned is judged."""
    if scores.ranges is None:
        return []
    low, high = scores.bounds(measure)
    best_low, best_high = scores.bounds(measure, over="answerable")
    value = w("baseline.range.value", low=low, high=high, best_low=best_low, best_high=best_high)
    return [(w("baseline.range"), value)]


def _queries(found: Answers, w: Words) -> str:
    n, bare = len(found.queries), len(found.of_kind("unlabelled"))
    return w("baseline.unlabelled", n=n, bare=bare) if bare else str(n)


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
                *_ends(scores, mask),
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
            *_ends(scores, everyone),
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
        *([] if scores.ranges is None else [w("column.range")]),
        w("column.empty"),
        w("column.zero"),
        w("column.false"),
    )
    kinds = ["text"] * (scores.ranges is not None)
    return Grid(
        columns, ("text", "count", "score", "score", *kinds, "count", "count", "count"), tuple(rows)
    )


def _ends(scores: Scores, mask: NDArray[np.bool_]) -> list[Cell]:
    """The range of nDCG over these queries, where there are holes."""
    if scores.ranges is None:
        return []
    return ["–".join(f"{end:.4f}" for end in scores.limits(0, 0, mask))]


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
    if exhaustive and not some:
        return w("baseline.exhaustive")
    if not some:
        return w("baseline.no_holes", n=n, k=K)
    listed = "; ".join(
        f"{q.query}: {', '.join(q.holes[:5]) or w('baseline.nothing')}" for q in some[:10]
    )
    return w("baseline.holes", n=len(some), listed=listed)


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
    best: dict[str, float] = {}
    if scores.ranges is not None:
        best = dict(zip(scores.queries, scores.ranges.high[0, :, 0].tolist(), strict=True))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            q,
            texts.get(q, ""),
            value,
            *([best[q]] if best else []),
            len(answerable[q].returned),
            answerable[q].relevant,
        )
        for value, q in ranked[:most]
    )
    columns = (
        w("column.query"),
        w("column.text"),
        f"nDCG@{K} (exp)",
        *([w("column.at_most")] if best else []),
        w("column.returned"),
        w("column.relevant"),
    )
    kinds = ["score"] * bool(best)
    return Grid(columns, ("text", "text", "score", *kinds, "count", "count"), rows)
