"""What a collection is made of: the counts that tables of collections give, and what they imply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cranfield.data.qrels import grade_text
from cranfield.diagnosis.finding import Cell, Finding, Rows, Section
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.prices import Unpriced
from cranfield.measures.hits import Bools, Ints

FEW_NEGATIVES = 0.5  # share of queries without a negative from which "judged" means little


def statistics(found: Examined) -> Section:
    """Judgments and queries, counted."""
    qrels, n = found.given, len(found.given.queries)
    judged = np.bincount(qrels.query[qrels.grade >= 0], minlength=n)
    positive = np.bincount(qrels.query[qrels.grade > 0], minlength=n)
    negative = np.bincount(qrels.query[qrels.grade == 0], minlength=n)
    known = {q.id for q in found.collection.queries}
    named = set(qrels.queries.to_list())
    scored = judged > 0
    cap = float(np.minimum(judged[scored], found.asked.k).mean() / found.asked.k)
    facts: list[tuple[str, Cell]] = []
    if known:
        facts.append(("queries", len(known)))
    facts += [
        ("judged_queries", int(scored.sum())),
        ("rows", len(qrels)),
        ("rows_positive", int((qrels.grade > 0).sum())),
        ("rows_zero", int((qrels.grade == 0).sum())),
        ("rows_pooled", int((qrels.grade < 0).sum())),
        ("no_negative", int((scored & (negative == 0)).sum())),
        ("no_positive", int((scored & (positive == 0)).sum())),
        ("cap", cap),
    ]
    spread = Rows(
        "per_query",
        ("of", "mean", "median", "min", "max"),
        ("text", "score", "score", "count", "count"),
        tuple(
            _spread(key, counts[scored])
            for key, counts in (("judged", judged), ("positive", positive), ("negative", negative))
        ),
    )
    levels, counts = np.unique(qrels.grade, return_counts=True)
    histogram = Rows(
        "grades",
        ("grade", "rows", "share"),
        ("text", "count", "share"),
        tuple(
            (grade_text(g), c, c / len(qrels))
            for g, c in zip(levels.tolist(), counts.tolist(), strict=True)
        ),
    )
    return Section(
        "statistics",
        tuple(facts),
        (spread, histogram),
        tuple(_findings(found, scored, positive, negative, cap, sorted(known - named))),
    )


def _spread(key: str, counts: Ints) -> tuple[Cell, ...]:
    return (
        key,
        float(counts.mean()),
        float(np.median(counts)),
        int(counts.min()),
        int(counts.max()),
    )


def _findings(
    found: Examined, scored: Bools, positive: Ints, negative: Ints, cap: float, bare: list[str]
) -> Iterator[Finding]:
    names = np.array(found.given.queries.to_list(), dtype=object)
    n = int(scored.sum())
    if bare:
        values: dict[str, Any] = {"n": len(bare), "queries": tuple(bare)}
        yield Finding("unlabelled_queries", "caution", values, rows=_listed(bare, found))
    without = names[scored & (positive == 0)].tolist()
    if without:
        values = {"n": len(without), "all": n, "best": (n - len(without)) / n}
        lost = {str(m): -len(without) / n for m in found.measures if m.definition.range == (0, 1)}
        yield Finding(
            "no_relevant_queries",
            "caution",
            values,
            effect=lost or Unpriced("unbounded"),
            rows=_listed(without, found),
        )
    bald = int((scored & (negative == 0)).sum())
    if bald >= FEW_NEGATIVES * n:
        values = {"n": bald, "all": n, "k": found.asked.k, "cap": cap}
        yield Finding("no_negatives", "caution", values)
    pooled = names[~scored].tolist()
    if pooled:
        values = {"n": len(pooled), "queries": tuple(pooled)}
        yield Finding("only_pooled", "caution", values, rows=_listed(pooled, found))


def _listed(names: list[str], found: Examined) -> Rows:
    return Rows("queries", ("query",), ("text",), tuple((name,) for name in names))
