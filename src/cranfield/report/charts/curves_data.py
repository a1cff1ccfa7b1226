"""What a chart of curves, of several such charts side by side, and of a tree with its matrix show,
as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from cranfield.report.grid import Cell, Grid

Axis = Literal["even", "linear", "log"]


@dataclass(frozen=True)
class Curve:
    """A line through points, marked at each.

    Parameters
    ----------
    points : (x, y), ascending in x.
    band : (low, high) at each point, or nothing.
    fitted : (x, y) of a model, drawn thin and without marks.
    plain : no marks at the points, for curves of very many.
    """

    label: str
    points: tuple[tuple[float, float], ...]
    band: tuple[tuple[float, float], ...] = ()
    fitted: tuple[tuple[float, float], ...] = ()
    plain: bool = False


@dataclass(frozen=True)
class Curves:
    """Several curves over one axis; they differ by dash and mark and not only by colour.

    Parameters
    ----------
    x, y : names of the axes.
    axis : `even` gives each value of x the same room, as for levels of significance; `linear`;
        `log`.
    percent, x_percent : y, or x, is a share and shown in percent.
    below : whether the names stand in a legend below and not at the ends of the curves, for
        curves that all end in one place.
    words : `curve`, `fitted` (of the table and the legend).
    """

    kind: ClassVar[str] = "curves"
    title: str
    summary: str
    curves: tuple[Curve, ...]
    x: str
    y: str
    axis: Axis = "linear"
    percent: bool = True
    x_percent: bool = False
    below: bool = False
    words: Mapping[str, str] = field(default_factory=dict)

    def places(self) -> tuple[float, ...]:
        """Every x of a point, ascending."""
        return tuple(sorted({x for curve in self.curves for x, _ in curve.points}))

    def extent(self) -> tuple[float, float, float, float]:
        """(least x, most x, least y, most y) of all that is drawn."""
        drawn = [p for c in self.curves for p in (*c.points, *c.fitted)] or [(0.0, 0.0)]
        ys = [y for _, y in drawn] + [y for c in self.curves for pair in c.band for y in pair]
        xs = [x for x, _ in drawn]
        return min(xs), max(xs), min(ys), max(ys)

    def grid(self) -> Grid:
        """A column a curve where all have the same places, else a row a point."""
        kind = "percent" if self.percent else "score"
        places = self.places()
        if all(tuple(x for x, _ in curve.points) == places for curve in self.curves):
            table = [dict(curve.points) for curve in self.curves]
            rows: list[tuple[Cell, ...]] = [(x, *(t[x] for t in table)) for x in places]
            head = (self.x, *(curve.label for curve in self.curves))
            return Grid(head, ("short", *(kind,) * len(self.curves)), tuple(rows))
        long = tuple((c.label, x, y) for c in self.curves for x, y in c.points)
        x_kind = "percent" if self.x_percent else "short"
        return Grid(
            (self.words.get("curve", "curve"), self.x, self.y), ("text", x_kind, kind), long
        )


@dataclass(frozen=True)
class Panels:
    """Charts of curves side by side on one scale, with one legend for all."""

    kind: ClassVar[str] = "panels"
    title: str
    summary: str
    panels: tuple[Curves, ...]
    words: Mapping[str, str] = field(default_factory=dict)

    def labels(self) -> tuple[str, ...]:
        """Every curve of any panel, in the order in which they first come."""
        return tuple(dict.fromkeys(c.label for panel in self.panels for c in panel.curves))

    def grid(self) -> Grid:
        """A row a place of a panel and a column a curve."""
        labels = self.labels()
        rows: list[tuple[Cell, ...]] = []
        for panel in self.panels:
            table = {curve.label: dict(curve.points) for curve in panel.curves}
            rows += [
                (panel.title, x, *(table.get(label, {}).get(x) for label in labels))
                for x in panel.places()
            ]
        first = self.panels[0] if self.panels else None
        kind = "percent" if first is None or first.percent else "score"
        head = (self.words.get("panel", "panel"), "" if first is None else first.x, *labels)
        return Grid(head, ("text", "short", *(kind,) * len(labels)), tuple(rows))


@dataclass(frozen=True)
class Agreement:
    """How alike m things are: a tree beside the matrix it was made from.

    Parameters
    ----------
    names : m, in the order of the leaves of the tree.
    values : m rows of m values; 1 is alike. None where there is none.
    merges : (a, b, height) from the bottom up; a and b below m are names, m + i is merge i.
    axis : what the height is.
    levels : (least value, word) of each shade, the darkest first.
    """

    kind: ClassVar[str] = "agreement"
    title: str
    summary: str
    names: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    merges: tuple[tuple[int, int, float], ...]
    axis: str
    levels: tuple[tuple[float, str], ...] = ((0.9, "≥ 0.9"), (0.8, "≥ 0.8"), (0.6, "≥ 0.6"))
    words: Mapping[str, str] = field(default_factory=dict)

    def grid(self) -> Grid:
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (name, *line) for name, line in zip(self.names, self.values, strict=True)
        )
        head = (self.words.get("corner", ""), *self.names)
        return Grid(head, ("text", *("score",) * len(self.names)), rows)
