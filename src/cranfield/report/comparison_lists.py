"""Parts of the comparison page about single queries and about what a run cost."""

from __future__ import annotations

import math

import numpy as np

from cranfield.comparison.outcome import Change, Comparison, Result
from cranfield.data.card import RunCard
from cranfield.report.blocks import Block, Heading, Listed, SideBySide, Table, Text
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words


def changes(found: Comparison, run: str, w: Words) -> list[Block]:
    """The largest losses of a run, then its largest gains, with both lists side by side."""
    mine = [c for c in found.changes if c.run == run]
    if not mine:
        return [Text(w("compare.no_change", run=run, measure=found.measures[0].text))]
    top = _largest_grade(found.changes)
    depth = max((len(s) for c in mine for s in (c.base_results, c.results)), default=0)
    blocks: list[Block] = []
    for key, some in (
        ("page.losses", [c for c in mine if c.difference < 0]),
        ("page.gains", [c for c in mine if c.difference >= 0]),
    ):
        if not some:
            continue
        blocks += [Heading(w(key, run=run)), Text(w("sides.chosen"))]
        if depth:
            blocks.append(Text(w("sides.note", k=depth)))
        blocks += [_sides(c, found.base, top, w) for c in some]
    return blocks


def _largest_grade(some: tuple[Change, ...]) -> float:
    grades = [r.grade for c in some for r in (*c.base_results, *c.results) if r.grade is not None]
    return max([1.0, *grades])


def _sides(change: Change, base: str, top: float, w: Words) -> SideBySide:
    facts = w(
        "sides.values",
        measure=change.measure,
        base=change.base_value,
        value=change.value,
        difference=change.difference,
    )
    before = {r.doc: r.rank for r in change.base_results}
    after = {r.doc: r.rank for r in change.results}
    lists = (
        tuple(_listed(r, after, top, ("sides.now", "sides.gone"), w) for r in change.base_results),
        tuple(_listed(r, before, top, ("sides.was", "sides.new"), w) for r in change.results),
    )
    title = change.query if change.text is None else f"{change.query}: {change.text}"
    names = (base, change.run)
    return SideBySide(title, facts, names, lists, w("unjudged"), w("sides.nothing"))


def _listed(
    r: Result, other: dict[str, int], top: float, said: tuple[str, str], w: Words
) -> Listed:
    place = other.get(r.doc)
    moved = "" if place == r.rank else w(said[1]) if place is None else w(said[0], rank=place)
    level = None if r.grade is None else min(1.0, r.grade / top)
    return Listed(r.rank, r.doc, r.grade, level, r.title, r.snippet, moved)


def costs(found: Comparison, w: Words) -> list[Block]:
    """Quality beside latency and cost, where the cards of the runs speak of them."""
    timed = any(c.latency for c in found.cards)
    priced = any(c.cost for c in found.cards)
    if not timed and not priced:
        return []
    scores, first = found.scores, found.measures[0]
    columns, kinds = [w("column.run"), first.text], ["text", "score"]
    keys = [("n", "count"), ("median", "amount"), ("p95", "amount")] if timed else []
    keys += [("mean", "amount"), ("total", "amount")] if priced else []
    keys.append(("failed", "count"))
    columns += [w(f"cost.{key}") for key, _ in keys]
    kinds += [kind for _, kind in keys]
    everyone = np.ones(len(scores.queries), bool)
    rows = []
    for r, card in enumerate(found.cards):
        mean = scores.summary(r, 0, everyone)[0]
        row: list[Cell] = [card.name, None if math.isnan(mean) else mean]
        row += _times(card) if timed else []
        row += _prices(card) if priced else []
        rows.append((*row, len(card.failed)))
    currencies = sorted({c.currency for c in found.cards if c.currency})
    if priced and len(currencies) == 1:
        columns = [
            f"{c} ({currencies[0]})" if c in (w("cost.mean"), w("cost.total")) else c
            for c in columns
        ]
    table = Table(Grid(tuple(columns), tuple(kinds), tuple(rows)))
    return [Heading(w("page.cost")), table, Text(w("cost.note"))]


def _times(card: RunCard) -> list[Cell]:
    if not card.latency:
        return [0, None, None]
    ms = np.array(sorted(card.latency.values()))
    return [len(ms), float(np.median(ms)), float(np.quantile(ms, 0.95))]


def _prices(card: RunCard) -> list[Cell]:
    if not card.cost:
        return [None, None]
    total = math.fsum(card.cost.values())
    return [total / len(card.cost), total]
