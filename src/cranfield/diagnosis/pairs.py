"""Pairs of runs whose order depends on what nobody judged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from cranfield.diagnosis.finding import Cell, Finding, Rows, Section
from cranfield.diagnosis.holes import bounded
from cranfield.diagnosis.material import Examined
from cranfield.evaluation.holes import Bounded
from cranfield.evaluation.undecided import Gap, gap
from cranfield.kit.progress import progress
from cranfield.measures.seen import World

WORLDS: tuple[World, World] = ("closed", "open")
ALL_PAIRS = 8  # runs; of more only neighbours in the order by the first measure are compared


def pairs(found: Examined) -> Section | None:
    """The difference of each pair of runs (of neighbours where there are many), bounded."""
    able = bounded(found)
    if len(found.runs) < 2 or not able:
        return None
    order = np.argsort(-found.values[:, :, able[0][0]].mean(axis=1), kind="stable").tolist()
    if len(order) <= ALL_PAIRS:
        chosen = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    else:
        chosen = list(pairwise(order))
    depth = max(m.cutoff or 0 for _, m in able)
    lists = found.lists(max(depth, found.asked.k))
    means = found.values.mean(axis=1)
    rows: list[tuple[tuple[Cell, ...], Gap]] = []
    with progress("bounding differences", len(able) * len(chosen)) as advance:
        for i, measure in able:
            way, wide = (Bounded(measure, found.levels, world) for world in WORLDS)
            for a, b in chosen:
                difference = float(means[a, i] - means[b, i])
                weighed = difference if i == able[0][0] else None
                got = gap(
                    lists[a],
                    lists[b],
                    found.queries,
                    found.grades,
                    way,
                    difference=weighed,
                    wide=wide,
                )
                rows.append((_row(found, a, b, str(measure), difference, got), got))
                advance(1)
    facts: tuple[tuple[str, Cell], ...] = (
        ("pairs", len(chosen)),
        ("pairs_of", "all" if len(order) <= ALL_PAIRS else "neighbours"),
        *((f"open:{m}", sum(g.bound.open for r, g in rows if r[2] == str(m))) for _, m in able),
    )
    table = Rows(
        "pairs",
        (
            "run",
            "other",
            "measure",
            "difference",
            "low",
            "high",
            "open_low",
            "open_high",
            "kind",
            "holes",
            "shared",
            "labels",
        ),
        (*("text",) * 3, *("signed",) * 5, "text", "count", "count", "count"),
        tuple(row for row, _ in rows),
    )
    return Section("pairs", facts, (table,), tuple(_findings(found, rows)))


def _row(
    found: Examined, a: int, b: int, measure: str, difference: float, got: Gap
) -> tuple[Cell, ...]:
    bound, wide = got.bound, got.wide
    assert wide is not None
    kind = ("open" if bound.open else "decided") + ("" if bound.exact else ", outer")
    labels = got.labels
    return (
        found.runs[a],
        found.runs[b],
        measure,
        difference,
        bound.low,
        bound.high,
        wide.low,
        wide.high,
        kind,
        got.holes,
        got.shared,
        labels,
    )


def _findings(found: Examined, rows: list[tuple[tuple[Cell, ...], Gap]]) -> Iterator[Finding]:
    first = rows[0][0][2]
    mine = [(row, got) for row, got in rows if row[2] == first]
    open_ = [(row, got) for row, got in mine if got.bound.open]
    if open_:
        values = {"n": len(open_), "all": len(mine), "measure": first}
        effect = {str(first): max(got.bound.width for _, got in open_)}
        table = Rows(
            "pairs_open",
            ("run", "other", "difference", "low", "high", "labels"),
            ("text", "text", "signed", "signed", "signed", "count"),
            tuple((r[0], r[1], r[3], r[4], r[5], r[11]) for r, _ in open_),
        )
        yield Finding("undecidable", "warning", values, effect=effect, rows=table)
    yield from _turned(found)


def _turned(found: Examined) -> Iterator[Finding]:
    """Pairs that stand the other way round once the unjudged documents leave the lists."""
    i = bounded(found)[0][0]
    raw = np.round(found.values[:, :, i].mean(axis=1), 12)
    bare = np.round(found.condensed[:, :, i].mean(axis=1), 12)
    if np.isnan(bare).any():
        return
    apart = np.sign(raw[:, None] - raw) * np.sign(bare[:, None] - bare) < 0
    turned = [(a, b) for a, b in np.argwhere(apart).tolist() if raw[a] > raw[b]]
    if turned:
        turned.sort(key=lambda ab: (-min(raw[ab[0]] - raw[ab[1]], bare[ab[1]] - bare[ab[0]]), ab))
        n = len(found.runs)
        measure = str(found.measures[i])
        values = {"n": len(turned), "all": n * (n - 1) // 2, "measure": measure}
        table = Rows(
            "turned",
            ("run", "other", "difference", "condensed_difference"),
            ("text", "text", "signed", "signed"),
            tuple(
                (found.runs[a], found.runs[b], float(raw[a] - raw[b]), float(bare[a] - bare[b]))
                for a, b in turned
            ),
        )
        price = {measure: float(np.abs(bare - raw).max())}
        yield Finding("condensed_turns", "caution", values, effect=price, rows=table)
