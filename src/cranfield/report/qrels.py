"""What changed between two sets of judgments, as a page and as data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.data.qrels import grade_text
from cranfield.diagnosis.qrels_diff import CHANGES, Effect, QrelsDiff
from cranfield.kit.fingerprint import SHORT
from cranfield.report.blocks import Block, Facts, Heading, Table, Text
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.remarks import some

MOST = 20  # rows of a table that is shown
TABLES = ("changes", "confusion", "queries", "scores", "pairs")


def page(found: QrelsDiff, lang: str = "en") -> Page:
    """Counts, then what it does to the runs, then the rows."""
    w = words(lang)
    a, b = found.names
    made: list[Block] = [Facts(_facts(found, w))]
    if not found.changes:
        made.append(Text(w("qrels.diff.same")))
    made += [Text(w("qrels.diff.confusion", a=a, b=b)), Table(grid(found, "confusion", w))]
    for effect in found.effects:
        made += [Heading(effect.measure), Table(_scores([effect], w, measure=False))]
        made.append(Facts(_effect_facts(found, effect, w)))
        pairs = _pairs([effect], w, measure=False)
        if pairs.rows:
            made += [Text(w("qrels.diff.pairs")), *cut(pairs, w)]
    if found.effects and found.settings["common"]:
        made.append(Text(w("qrels.diff.common")))
    elif any(e.n_before != e.n_after for e in found.effects):
        made.append(Text(w("qrels.diff.own")))
    if found.changes:
        made += [Heading(w("qrels.diff.by_query")), *cut(grid(found, "queries", w), w)]
        made += [Heading(w("qrels.diff.changes")), *cut(grid(found, "changes", w), w)]
    if found.notes:
        made.append(Text("\n".join(found.notes)))
    return Page(w("qrels.diff.title", a=a, b=b), lang, tuple(made))


def grid(found: QrelsDiff, table: str, w: Words) -> Grid:
    """One of `TABLES`, whole."""
    if table == "changes":
        return _changes(found, w)
    if table == "confusion":
        return _confusion(found)
    if table == "queries":
        return _grid(
            ("query", *CHANGES),
            ("text", *("count",) * 4),
            [(query, *(counts[c] for c in CHANGES)) for query, counts in found.by_query().items()],
            w,
        )
    return _scores(found.effects, w) if table == "scores" else _pairs(found.effects, w)


def cut(whole: Grid, w: Words) -> list[Block]:
    """The head of a table, and how much is left out."""
    head: list[Block] = [Table(Grid(whole.columns, whole.kinds, whole.rows[:MOST]))]
    if len(whole.rows) > MOST:
        head.append(Text(w("qrels.more", n=len(whole.rows) - MOST)))
    return head


def _facts(found: QrelsDiff, w: Words) -> tuple[tuple[str, str], ...]:
    def both(one: object, two: object) -> str:
        return w("qrels.diff.from_to", a=one, b=two)

    facts = [
        (w("qrels.diff.rows"), both(*found.rows)),
        (w("qrels.diff.fingerprint"), both(*(f[:SHORT] for f in found.fingerprints))),
        (w("qrels.diff.same_rows"), str(found.same)),
        *((w(f"qrels.change.{c}"), str(found.count(c))) for c in CHANGES),
    ]
    facts += [
        (w(f"qrels.diff.{which}"), f"{len(names)}: {some(names)}")
        for which in ("queries_added", "queries_removed")
        if (names := getattr(found, which))
    ]
    return tuple(facts)


def _effect_facts(found: QrelsDiff, effect: Effect, w: Words) -> tuple[tuple[str, str], ...]:
    order, tests = effect.order, effect.significance
    facts = [
        (w("qrels.diff.tau"), _number(order.tau)),
        (w("qrels.diff.tau_ap"), _number(order.tau_ap)),
        (w("qrels.diff.swapped"), str(len(order.swapped))),
        (w("qrels.diff.tied"), str(order.tied)),
    ]
    name = w(
        "qrels.diff.significant",
        pairs=tests.pairs,
        alpha=f"{found.settings['alpha']:g}",
        correction=found.settings["correction"],
    )
    if tests.before is None or tests.after is None:
        return (*facts, (name, w("qrels.diff.too_few")))
    counts = [str(tests.count(v)) for v in ("lost", "gained", "turned")]
    facts += [
        (name, w("qrels.diff.from_to", a=tests.before, b=tests.after)),
        (w("qrels.diff.verdicts"), ", ".join(counts)),
    ]
    return tuple(facts)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _grid(
    columns: tuple[str, ...], kinds: tuple[str, ...], rows: Sequence[tuple[Cell, ...]], w: Words
) -> Grid:
    names = (w(f"qrels.{'change' if c in CHANGES else 'column'}.{c}") for c in columns)
    return Grid(tuple(names), kinds, tuple(rows))


def _grade(grade: float | None) -> str:
    return "–" if grade is None else grade_text(grade)


def _changes(found: QrelsDiff, w: Words) -> Grid:
    sub = any(row.subtopic is not None for row in found.changes)
    columns = ("query", "document", *(("subtopic",) if sub else ()), "before", "after", "change")
    rows = [
        (
            row.query,
            row.document,
            *((row.subtopic,) if sub else ()),
            _grade(row.before),
            _grade(row.after),
            w(f"qrels.change.{row.change}"),
        )
        for row in found.changes
    ]
    return _grid(columns, ("text",) * len(columns), rows, w)


def _confusion(found: QrelsDiff) -> Grid:
    """Grades of the second set across, of the first down; what is 0 is left empty."""
    every = list(found.confusion)
    down, across = (sorted({pair[i] for pair in every}, key=_first_none) for i in (0, 1))
    rows = tuple((_grade(a), *(found.confusion.get((a, b)) for b in across)) for a in down)
    names = tuple(_grade(b) for b in across)
    return Grid((found.names[0], *names), ("text", *("count",) * len(across)), rows)


def _first_none(grade: float | None) -> float:
    return -math.inf if grade is None else grade


def _scores(effects: Sequence[Effect], w: Words, *, measure: bool = True) -> Grid:
    columns: tuple[str, ...] = tuple(
        "run before n_before after n_after difference rank_before rank_after".split()
    )
    kinds: tuple[str, ...] = tuple("text score count score count signed count count".split())
    rows: list[tuple[Cell, ...]] = []
    for effect in effects:
        ranks = [_ranks(side) for side in (effect.before, effect.after)]
        for r, run in enumerate(effect.runs):
            one, two = (or_none(side[r]) for side in (effect.before, effect.after))
            difference = None if one is None or two is None else two - one
            row = (run, one, effect.n_before[r], two, effect.n_after[r], difference)
            rows.append((*((effect.measure,) * measure), *row, ranks[0][r], ranks[1][r]))
    if measure:
        columns, kinds = ("measure", *columns), ("text", *kinds)
    return _grid(columns, kinds, rows, w)


def or_none(value: Any) -> float | None:
    return None if math.isnan(value) else float(value)


def _ranks(means: Any) -> list[int]:
    """From 1; equal means share the better rank."""
    rounded = np.round(means, 12)
    return [1 + int((rounded > value).sum()) for value in rounded]


def _pairs(effects: Sequence[Effect], w: Words, *, measure: bool = True) -> Grid:
    rows: list[tuple[Cell, ...]] = []
    for effect in effects:
        swapped = [(*pair, "swapped") for pair in effect.order.swapped]
        for run, other, kind in (*swapped, *effect.significance.changed):
            rows.append((*((effect.measure,) * measure), run, other, w(f"qrels.pair.{kind}")))
    columns: tuple[str, ...] = (*(("measure",) * measure), "run", "other", "change")
    return _grid(columns, ("text",) * len(columns), rows, w)
