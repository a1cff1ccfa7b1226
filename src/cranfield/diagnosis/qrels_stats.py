"""`qrels_stats`: what a set of judgments is made of."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.columns import Ids, Index, encode
from cranfield.data.qrels import Qrels, qrels_fingerprint
from cranfield.formats.readers import read_qrels

QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


@dataclass(frozen=True)
class Spread:
    """How many rows the judged queries have: `at` the quantiles of `QUANTILES` (linear between two
    queries), and the mean."""

    at: tuple[float, ...]
    mean: float


@dataclass(frozen=True)
class QrelsStats:
    """A set of judgments, counted.

    Parameters
    ----------
    fingerprint : of query, document and grade, whatever the order and the format.
    rows, queries, documents : rows; different queries and documents.
    judged_queries : queries with a row of grade 0 or more; the others are pooled only.
    positive, zero, pooled : rows with a grade above 0, of 0, below 0.
    grades : (grade, rows, queries that have it), ascending.
    judged, positives, negatives : rows a judged query: of grade 0 or more, above 0, of 0.
    without_positive, without_negative : judged queries that have none, in the order of the file.
    pooled_only : queries without a row of grade 0 or more.
    subtopics : whether documents have several rows for a query, told apart by column 2.
    sources, assessors : (name, rows) where rows say so, the most frequent first.
    notes : what the reader skipped or recognised, in words.
    """

    name: str
    fingerprint: str
    rows: int
    queries: int
    documents: int
    judged_queries: int
    positive: int
    zero: int
    pooled: int
    grades: tuple[tuple[float, int, int], ...]
    judged: Spread
    positives: Spread
    negatives: Spread
    without_positive: tuple[str, ...]
    without_negative: tuple[str, ...]
    pooled_only: tuple[str, ...]
    subtopics: bool
    sources: tuple[tuple[str, int], ...]
    assessors: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]


def qrels_stats(qrels: Any, **options: Any) -> QrelsStats:
    """Count a set of judgments.

    Parameters
    ----------
    qrels : as for `evaluate`
    options : as for `read_qrels`

    Raises
    ------
    FormatError, InputError, NoSuchInput
    """
    given: Qrels = read_qrels(qrels, **options)
    n, grade = len(given.queries), given.grade
    names = given.queries.to_list()

    def by_query(mask: Any) -> Index:
        counted: Index = np.bincount(given.query[mask], minlength=n)
        return counted

    judged, positive, negative = by_query(grade >= 0), by_query(grade > 0), by_query(grade == 0)
    scored = judged > 0

    def named(mask: Any) -> tuple[str, ...]:
        return tuple(names[q] for q in np.flatnonzero(mask).tolist())

    return QrelsStats(
        name=given.name,
        fingerprint=qrels_fingerprint(given),
        rows=len(given),
        queries=n,
        documents=len(encode(given.docs)[0]),
        judged_queries=int(scored.sum()),
        positive=int(positive.sum()),
        zero=int(negative.sum()),
        pooled=int((grade < 0).sum()),
        grades=tuple(
            (g, int((grade == g).sum()), int((by_query(grade == g) > 0).sum()))
            for g in given.levels.tolist()
        ),
        judged=_spread(judged[scored]),
        positives=_spread(positive[scored]),
        negatives=_spread(negative[scored]),
        without_positive=named(scored & (positive == 0)),
        without_negative=named(scored & (negative == 0)),
        pooled_only=named(~scored),
        subtopics=given.has_subtopics,
        sources=_counted(given.source),
        assessors=_counted(given.assessor),
        notes=given.notes,
    )


def _spread(counts: Index) -> Spread:
    if not len(counts):
        return Spread((0.0,) * len(QUANTILES), 0.0)
    return Spread(tuple(np.quantile(counts, QUANTILES).tolist()), float(counts.mean()))


def _counted(column: Ids | None) -> tuple[tuple[str, int], ...]:
    if column is None:
        return ()
    counts = Counter(column.to_list())
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
