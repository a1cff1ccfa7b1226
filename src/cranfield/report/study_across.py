"""Queries and runs one by one: how hard each query is and was expected to be, standardised scores,
and one run in several collections."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from cranfield.metaeval.across import across as standings
from cranfield.metaeval.predictors import DifficultyPrediction
from cranfield.metaeval.studied import Studied
from cranfield.report.blocks import Block, Details, Heading, Table, Text
from cranfield.report.grid import Cell, Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import Words
from cranfield.report.study_tables import Case

FIRST = 10  # rows that a page shows at once of a table with a row a query or a run


def queries(case: Case, w: Words) -> Grid:
    """How hard each query is under each measure, the hardest first, with what was predicted."""
    found = case.condition.difficulty
    predicted = _predicted(case)
    values = {m: found.of_queries(m) for m in found.measures}
    guessed = {} if predicted is None else {one.query: one.values for one in predicted.queries}
    names = () if predicted is None else tuple(dict.fromkeys(
        c.predictor for c in predicted.correlations))  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for i in np.argsort(found.query_mean.mean(axis=0), kind="stable").tolist():
        query = found.queries[i]
        some = guessed.get(query, {})
        rows.append((query, *(v[i] for v in values.values()), *(some.get(p) for p in names)))
    head = (w("study.col.query"), *found.measures, *names)
    return Grid(head, ("text", *("score",) * (len(head) - 1)), tuple(rows))


def predictors(case: Case, w: Words) -> Grid | None:
    """How well each predictor did: tau-b and Pearson's r with the mean score of each query."""
    found = _predicted(case)
    if found is None:
        return None
    measures = case.condition.difficulty.measures
    by = {(c.predictor, c.measure): c for c in found.correlations}
    rows: list[tuple[Cell, ...]] = []
    for name in dict.fromkeys(c.predictor for c in found.correlations):
        some = [by[name, m] for m in measures]
        rows.append((name, "τ_b", some[0].n, *(c.tau for c in some)))
        rows.append((name, "r", some[0].n, *(c.pearson for c in some)))
    head = (*(w(f"study.col.{h}") for h in ("predictor", "correlation", "queries")), *measures)
    kinds = ("text", "text", "count", *("score",) * len(measures))
    return Grid(head, kinds, tuple(rows))


def standardised(case: Case, w: Words) -> Grid | None:
    """The mean standardised score of each run, the best under the first measure first."""
    found = case.studied.standard.get(case.condition.name)
    if found is None:
        return None
    form = case.studied.form
    rows: list[tuple[Cell, ...]] = [
        (run, *(found.of(run, m, form) for m in found.measures)) for run in found.runs
    ]
    if found.defined[0]:
        rows.sort(key=lambda row: -float(row[1] or 0.0))
    head = (w("study.col.run"), *found.measures)
    return Grid(head, ("text", *("score",) * len(found.measures)), tuple(rows))


def across(several: Sequence[Studied], w: Words) -> Grid | None:
    """The runs that several collections have, a column a collection."""
    if len(several) < 2:
        return None
    found = standings([s.standard for s in several], several[0].form)
    if not found:
        return None
    conditions = any(row.condition for row in found)
    head = ["measure", "run"]
    rows: list[tuple[Cell, ...]] = []
    for row in found:
        before = (w(f"study.condition.{row.condition}"),) if conditions else ()
        rows.append((*before, row.measure, row.run, *row.values, row.mean))
    head = ["condition", *head] if conditions else head
    names = (*(w(f"study.col.{h}") for h in head), *(s.study.name for s in several))
    kinds = ("text",) * len(head) + ("score",) * (len(several) + 1)
    return Grid((*names, w("study.col.mean")), kinds, tuple(rows))


def across_blocks(several: Sequence[Studied], w: Words, brief: bool) -> list[Block]:
    grid = across(several, w)
    if grid is None:
        return []
    return [Heading(w("study.across")), *_some(grid, "across", w, brief),
            Text(w("study.across.note", form=w(f"study.form.{several[0].form}")))]  # fmt: skip


def query_blocks(case: Case, w: Words, brief: bool) -> list[Block]:
    """The hardest queries, and how well predictors told them."""
    out: list[Block] = [Heading(w("study.queries")), *_some(queries(case, w), "queries", w, brief)]
    found, texts = _predicted(case), case.studied.texts
    grid = predictors(case, w)
    if found is None or grid is None or texts is None:
        return out
    said = w("study.predictors.note", name=texts.name, documents=texts.documents,
             tokens=texts.tokens, analyzer=texts.analyzer)  # fmt: skip
    out += [Heading(w("study.predictors"), 3), Table(grid), Text(said)]
    for key, lost in (("without_terms", found.without_known_terms),
                      ("without_text", texts.without_text)):  # fmt: skip
        if lost:
            names = ", ".join(lost[:8]) + ", …" * (len(lost) > 8)
            out.append(Text(w(f"study.predictors.{key}", n=Count(len(lost)), names=names)))
    return out


def run_blocks(case: Case, w: Words, brief: bool) -> list[Block]:
    """Standardised scores."""
    grid = standardised(case, w)
    if grid is None:
        return []
    found = case.studied.standard[case.condition.name]
    n = len(found.queries)
    said = w("study.standardised.note", form=w(f"study.form.{case.studied.form}"),
             n=found.references)  # fmt: skip
    lacking = [
        w("study.standardised.lacking", measure=m, n=n - d, of=n)
        for m, d in zip(found.measures, found.defined.tolist(), strict=True)
        if d < n
    ]
    return [Heading(w("study.standardised")), *_some(grid, "standardised", w, brief),
            Text(" ".join([said, *lacking]))]  # fmt: skip


def _some(grid: Grid, name: str, w: Words, brief: bool) -> list[Block]:
    """The first rows, and where all of them are: folded away below, or a table of its own."""
    if len(grid.rows) <= FIRST:
        return [Table(grid)]
    first = Table(Grid(grid.columns, grid.kinds, grid.rows[:FIRST]))
    n = len(grid.rows)
    if brief:
        return [first, Text(w("study.first_of", first=FIRST, n=n, name=name))]
    return [first, Details(w("study.all_rows", n=n), (Table(grid),))]


def _predicted(case: Case) -> DifficultyPrediction | None:
    return case.studied.predicted.get(case.condition.name)


TABLES: dict[str, Callable[[Case, Words], Grid | None]] = {
    "queries": queries,
    "predictors": predictors,
    "standardised": standardised,
}
