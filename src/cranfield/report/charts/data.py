"""What a chart shows, as data: the same numbers are drawn in HTML, tabulated in text and Markdown,
and written as they are in JSON. All words come in from outside, in the language of the page."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from cranfield.report.charts.curves_data import Agreement, Curves, Panels
from cranfield.report.grid import Cell, Grid

# What a mark says. The first five are the kinds of a verdict; `level` is a tie of one query.
Mark = Literal["better", "worse", "equivalent", "undecided", "refused", "level"]
MARKS: tuple[Mark, ...] = ("better", "worse", "equivalent", "undecided", "refused", "level")
QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


@dataclass(frozen=True)
class Interval:
    """A value with its interval (None where there is none), and what may be said of it."""

    label: str
    value: float
    low: float | None
    high: float | None
    mark: Mark
    n: int | None = None


@dataclass(frozen=True)
class Intervals:
    """Differences with their intervals around a line at zero.

    Parameters
    ----------
    title, summary : what is shown, and what it says in one sentence.
    rows : one a line, the first on top.
    axis : the name of the unit.
    band : differences up to this size do not matter; 0: no band is drawn.
    words : {mark: its word}; and `low`, `high`, `label`, `value`, `band`.
    """

    kind: ClassVar[str] = "intervals"
    title: str
    summary: str
    rows: tuple[Interval, ...]
    axis: str
    band: float = 0.0
    words: Mapping[str, str] = field(default_factory=dict)

    def grid(self) -> Grid:
        w = self.words
        counted = any(row.n is not None for row in self.rows)
        head = (w.get("label", "label"), *(("n",) if counted else ()))
        values = tuple(w.get(key, key) for key in ("value", "low", "high", "mark"))
        rows = tuple(
            (r.label, *((r.n,) if counted else ()), r.value, r.low, r.high, w.get(r.mark, r.mark))
            for r in self.rows
        )
        kinds = ("text", *(("count",) if counted else ()), "signed", "signed", "signed", "text")
        return Grid((*head, *values), kinds, rows)


@dataclass(frozen=True)
class Waterfall:
    """The difference of every query, the largest gain first.

    Parameters
    ----------
    queries, values : as many of each, in that order.
    tie : differences up to this size are ties.
    axis : the name of the unit.
    words : `better`, `level`, `worse`, `mean`, `queries`, `at` (of the table of quantiles).
    """

    kind: ClassVar[str] = "waterfall"
    title: str
    summary: str
    queries: tuple[str, ...]
    values: tuple[float, ...]
    axis: str
    tie: float = 0.0
    words: Mapping[str, str] = field(default_factory=dict)

    def mark(self, value: float) -> Mark:
        return "level" if abs(value) <= self.tie else "better" if value > 0 else "worse"

    def grid(self) -> Grid:
        """Quantiles of the differences; every query stands in the table of queries."""
        import numpy as np

        at = self.words.get("at", "share of queries at or below")
        if not self.values:
            return Grid((at, self.axis), ("text", "signed"), ())
        found = np.quantile(np.array(self.values), QUANTILES)
        rows = tuple((f"{q:.0%}", float(v)) for q, v in zip(QUANTILES, found, strict=True))
        return Grid((at, self.axis), ("text", "signed"), rows)


@dataclass(frozen=True)
class Point:
    """A query: its value in the base and in the run."""

    label: str
    x: float
    y: float


@dataclass(frozen=True)
class Scatter:
    """Each query's value in the run above its value in the base."""

    kind: ClassVar[str] = "scatter"
    title: str
    summary: str
    points: tuple[Point, ...]
    x: str
    y: str
    tie: float = 0.0
    words: Mapping[str, str] = field(default_factory=dict)

    def mark(self, x: float, y: float) -> Mark:
        return "level" if abs(y - x) <= self.tie else "better" if y > x else "worse"

    def grid(self) -> Grid:
        """How many queries go from which fifth of the range into which."""
        low, high = self.range()
        edges = [low + (high - low) * i / 5 for i in range(6)]

        def fifth(value: float) -> int:
            return min(4, int((value - low) / (high - low) * 5))

        counts = [[0] * 5 for _ in range(5)]
        for p in self.points:
            counts[fifth(p.y)][fifth(p.x)] += 1
        names = [f"{a:.1f}–{b:.1f}" for a, b in itertools.pairwise(edges)]
        corner = f"{self.y} ↓  {self.x} →"
        rows: list[tuple[Cell, ...]] = [(names[i], *counts[i]) for i in range(4, -1, -1)]
        return Grid((corner, *names), ("text", *("count",) * 5), tuple(rows))

    def range(self) -> tuple[float, float]:
        """Of both axes: 0 to 1 where all values are in it."""
        values = [v for p in self.points for v in (p.x, p.y)] or [0.0]
        low, high = min(0.0, *values), max(values)
        return (low, 1.0) if high <= 1 else (low, high)


@dataclass(frozen=True)
class Matrix:
    """p values of all pairs of m systems, and the groups in which none can be told apart.

    Parameters
    ----------
    names, means : m of each, the highest mean first.
    p : m rows of m values.
    groups : sets of row numbers; a system may be in several.
    words : `run`, `mean`, `groups`.
    """

    kind: ClassVar[str] = "matrix"
    title: str
    summary: str
    names: tuple[str, ...]
    means: tuple[float, ...]
    p: tuple[tuple[float, ...], ...]
    groups: tuple[tuple[int, ...], ...]
    axis: str
    words: Mapping[str, str] = field(default_factory=dict)

    def grid(self) -> Grid:
        """Each system with the numbers of its groups."""
        w = self.words
        mine: list[list[str]] = [[] for _ in self.names]
        for number, group in enumerate(self.groups, 1):
            for i in group:
                mine[i].append(str(number))
        rows = tuple(
            (i, name, mean, " ".join(own))
            for i, (name, mean, own) in enumerate(zip(self.names, self.means, mine, strict=True), 1)
        )
        head = ("#", w.get("run", "run"), self.axis, w.get("groups", "groups"))
        return Grid(head, ("count", "text", "score", "text"), rows)


@dataclass(frozen=True)
class Line:
    """One series of a trend; None where there is no value."""

    label: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Trend:
    """Values over time: `steps` names the places on the horizontal axis, first to last."""

    kind: ClassVar[str] = "trend"
    title: str
    summary: str
    steps: tuple[str, ...]
    lines: tuple[Line, ...]
    axis: str
    words: Mapping[str, str] = field(default_factory=dict)

    def grid(self) -> Grid:
        rows = tuple(
            (step, *(line.values[i] for line in self.lines)) for i, step in enumerate(self.steps)
        )
        columns = (self.words.get("step", "run"), *(line.label for line in self.lines))
        return Grid(columns, ("text", *("score",) * len(self.lines)), rows)

    def sparks(self) -> tuple[str, ...]:
        """Each line as one row of block characters, on a scale that all share."""
        values = [v for line in self.lines for v in line.values if v is not None]
        low, high = (min(values), max(values)) if values else (0.0, 0.0)

        def block(value: float | None) -> str:
            if value is None:
                return " "
            return "▁▂▃▄▅▆▇█"[round(7 * (value - low) / (high - low)) if high > low else 3]

        return tuple("".join(map(block, line.values)) for line in self.lines)


Chart = Intervals | Waterfall | Scatter | Matrix | Trend | Curves | Panels | Agreement
