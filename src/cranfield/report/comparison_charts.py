"""The charts of a comparison, as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from cranfield.comparison.outcome import AllPairs, Comparison, Difference
from cranfield.comparison.verdict import DECIMALS
from cranfield.data.scores import GM_FLOOR
from cranfield.report.charts.data import Interval, Intervals, Matrix, Point, Scatter, Waterfall
from cranfield.report.charts.svg import signed
from cranfield.report.language import Words
from cranfield.report.remarks import name_of, percent

VERDICTS = ("better", "worse", "equivalent", "undecided", "refused")


@dataclass(frozen=True)
class Paired:
    """The queries that both have a value for, on the scale on which they were compared."""

    queries: tuple[str, ...]
    base: tuple[float, ...]
    values: tuple[float, ...]

    def differences(self) -> list[tuple[float, str]]:
        """(difference, query), the largest gain first, noise of the arithmetic rounded away."""
        d = np.round(np.array(self.values) - np.array(self.base), DECIMALS) + 0.0
        pairs = zip(d.tolist(), self.queries, strict=True)
        return sorted(pairs, key=lambda pair: (-pair[0], pair[1]))


def paired(found: Comparison, row: Difference) -> Paired:
    """The values behind a difference over all queries."""
    scores = found.scores
    i = [m.text for m in scores.measures].index(row.measure)
    r = scores.runs.index(row.run)
    both = scores.valid[0, :, i] & scores.valid[r, :, i]
    x, y = scores.values[0, both, i], scores.values[r, both, i]
    finite = np.isfinite(x) & np.isfinite(y)
    if row.compared == "log":
        x, y = np.log(np.maximum(x, GM_FLOOR)), np.log(np.maximum(y, GM_FLOOR))
    names = [scores.queries[q] for q in np.flatnonzero(both)[finite].tolist()]
    return Paired(tuple(names), tuple(x[finite].tolist()), tuple(y[finite].tolist()))


def intervals(
    found: Comparison, rows: Iterable[tuple[str, Difference]], title: str, axis: str, w: Words
) -> Intervals:
    """(label, difference) rows around zero."""
    lines = tuple(
        Interval(
            label, row.difference, row.low, row.high, row.verdict.kind, row.n if row.slice else None
        )
        for label, row in rows
        if row.n
    )
    effect = found.choices.min_effect
    words = {kind: w(f"verdict.{kind}") for kind in VERDICTS}
    words |= {key: w(f"chart.{key}") for key in ("value", "low", "high", "mark")}
    words |= {"label": w("column.run"), "band": w("chart.band", effect=effect)}
    level = percent(1 - found.choices.alpha)
    summary = w("chart.intervals.summary", level=level)
    return Intervals(title, summary, lines, axis, effect, words)


def by_run(found: Comparison, measure: str, w: Words) -> Intervals:
    """Every run under one measure."""
    rows = [row for row in found.differences if row.measure == measure]
    name = name_of(rows[0]) if rows else measure
    title = w("chart.intervals", base=found.base, measure=name)
    return intervals(found, ((r.run, r) for r in rows), title, w("chart.axis", measure=name), w)


def by_measure(found: Comparison, w: Words) -> Intervals:
    """The first run under every measure whose values are compared as they are; a count and a
    logarithm have scales of their own."""
    rows = [row for row in found.differences if row.run == found.runs[0]]
    alike = [row for row in rows if row.compared == rows[0].compared]
    title = w("chart.measures", run=found.runs[0], base=found.base)
    return intervals(found, ((name_of(r), r) for r in alike), title, w("column.difference"), w)


def by_slice(found: Comparison, run: str, field: str, w: Words) -> Intervals | None:
    """One run under the first measure on each label of a field."""
    first = found.measures[0].text
    rows = [
        (w.name(row.slice[1]), row)
        for row in found.slices
        if row.slice and row.slice[0] == field and (row.run, row.measure) == (run, first)
    ]
    if not any(row.n for _, row in rows):
        return None
    name = name_of(rows[0][1])
    title = w("chart.slices", run=run, measure=name, field=w.name(field))
    return intervals(found, rows, title, w("chart.axis", measure=name), w)


def waterfall(found: Comparison, row: Difference, w: Words) -> Waterfall:
    """The difference of every query."""
    ranked = paired(found, row).differences()
    values = [d for d, _ in ranked]
    lower, upper = np.quantile(values, (0.25, 0.75)).tolist() if values else (0.0, 0.0)
    summary = w(
        "chart.waterfall.summary",
        wins=row.wins,
        ties=row.ties,
        losses=row.losses,
        n=row.n,
        base=found.base,
        least=signed(min(values, default=0.0)),
        most=signed(max(values, default=0.0)),
        lower=signed(lower),
        upper=signed(upper),
    )
    counts = {"better": row.wins, "level": row.ties, "worse": row.losses}
    words = {key: w(f"chart.{key}", n=n) for key, n in counts.items()}
    words |= {key: w(f"chart.{key}") for key in ("mean", "at", "queries")}
    name = name_of(row)
    return Waterfall(
        w("chart.waterfall", measure=name),
        summary,
        tuple(q for _, q in ranked),
        tuple(values),
        w("chart.axis", measure=name),
        found.choices.tie,
        words,
    )


def scatter(found: Comparison, row: Difference, w: Words) -> Scatter:
    """Every query's value in the run above its value in the base."""
    p = paired(found, row)
    counts = {"better": row.wins, "level": row.ties, "worse": row.losses}
    words = {key: w(f"chart.{key}", n=n) for key, n in counts.items()}
    name = name_of(row)
    return Scatter(
        w("chart.scatter", measure=name),
        w("chart.scatter.summary", run=row.run),
        tuple(Point(q, x, y) for q, x, y in zip(p.queries, p.base, p.values, strict=True)),
        found.base,
        row.run,
        max(found.choices.tie, 10.0**-DECIMALS),
        words | {"same": w("chart.same")},
    )


def matrix(found: Comparison, pairs: AllPairs, w: Words) -> Matrix:
    """p of all pairs, and the groups."""
    several = [g for g in pairs.groups if len(g) > 1]
    summary = w(
        "chart.matrix.summary",
        m=len(pairs.runs),
        method=pairs.method,
        n=pairs.n,
        alpha=f"{found.choices.alpha:g}",
        groups=len(several),
    )
    return Matrix(
        w("chart.matrix", measure=pairs.measure),
        summary,
        pairs.runs,
        tuple(pairs.means.tolist()),
        tuple(tuple(line) for line in pairs.p.tolist()),
        pairs.groups,
        w("column.mean"),
        {"run": w("column.run"), "groups": w("column.groups")},
    )
