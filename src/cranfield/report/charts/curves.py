"""Curves, one chart or several side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cranfield.report.charts.curves_data import Curve, Curves, Panels
from cranfield.report.charts.svg import Drawing, Scale, extent, num, steps, ticks

WIDTH, HEIGHT = 760.0, 360.0
LEFT, TOP = 62.0, 14.0
GAP, PANEL_TOP, PANEL = 16.0, 26.0, 210.0  # between panels, above one, its height
COLOURS, DASHES, MARKS = 8, 5, 7  # of the style sheet and below; 5 and 7 share no factor


class Across:
    """The horizontal axis: values to coordinates, and which of them are named."""

    def __init__(self, chart: Curves, start: float, end: float) -> None:
        self.chart, self.start, self.end = chart, start, end
        low, high, _, _ = chart.extent()
        self.places = chart.places()
        if chart.axis == "even":
            self.scale = Scale(0, max(len(self.places) - 1, 1), start, end)
        elif chart.axis == "log":
            self.scale = Scale(math.log(low), math.log(high), start, end)
        else:
            self.scale = Scale(low, high, start, end)

    def __call__(self, value: float) -> float:
        if self.chart.axis == "even":
            return self.scale(self._rank(value))
        return self.scale(math.log(value) if self.chart.axis == "log" else value)

    def _rank(self, value: float) -> float:
        """The place of a value among those drawn, between two of them in proportion."""
        p = self.places
        i = next((i for i, x in enumerate(p) if x >= value), len(p) - 1)
        if p[i] == value or i == 0:
            return float(i)
        return i - 1 + (value - p[i - 1]) / (p[i] - p[i - 1])

    def named(self) -> list[tuple[float, str]]:
        """Values with their texts, as many as there is room for."""
        if self.chart.axis == "linear":
            low, high, _, _ = self.chart.extent()
            values, digits = ticks(low, high, max(2, int((self.end - self.start) / 70)))
            values = [v for v in values if low <= v <= high]
            if self.chart.x_percent:
                return [(v, f"{100 * v:g} %") for v in values]
            return [(v, f"{v:.{digits}f}") for v in values]
        kept: list[float] = []
        for value in sorted(self.places, key=self._weight):
            half = extent(f"{value:g}", 11) / 2 + 3
            if all(
                abs(self(value) - self(other)) >= half + extent(f"{other:g}", 11) / 2 + 3
                for other in kept
            ):
                kept.append(value)
        return [(value, f"{value:g}") for value in sorted(kept)]

    def _weight(self, value: float) -> tuple[int, float]:
        """Which places are named first: the two ends, then 1, 5 and 2 before other digits."""
        if value in (self.places[0], self.places[-1]):
            return 0, 0.0
        digits = f"{abs(value):e}".split("e")[0].rstrip("0").rstrip(".")
        return {"1": 1, "5": 2, "2": 3}.get(digits, 4), -value


def draw(chart: Curves, number: int) -> str:
    """The SVG of one chart: the name of each curve at its end, or all of them below."""
    ends = [_end(c, chart) for c in chart.curves if c.points]
    room = 12.0 if chart.below else min(240.0, max(map(extent, ends), default=0) + 34)
    right = WIDTH - room
    d = Drawing(WIDTH, HEIGHT + 52, chart.title, chart.summary, number)
    low, high = _range([chart])
    y = Scale(low, high, HEIGHT, TOP)
    x = Across(chart, LEFT + 10, right - 12)
    _frame(d, chart, x, y, right, HEIGHT)
    for i, curve in enumerate(chart.curves):
        _curve(d, chart, curve, i, x, y)
    if not chart.below:
        _names(d, chart, x, y, right)
    middle = (LEFT + right) / 2
    d.text(middle, HEIGHT + 38, chart.x, anchor="middle", cls="quiet", room=right - LEFT)
    bottom = HEIGHT + 46
    if chart.below:
        plain = all(curve.plain for curve in chart.curves)
        labels = [curve.label for curve in chart.curves]
        bottom = legend(d, labels, LEFT, bottom + 16, marks=not plain)
    if any(curve.fitted for curve in chart.curves):
        d.line(LEFT, bottom + 12, LEFT + 22, bottom + 12, "fitted")
        d.text(LEFT + 28, bottom + 16, chart.words.get("fitted", "fitted"), cls="quiet")
        bottom += 22
    d.height = max(bottom + 6, d.height if d.height > HEIGHT + 52 else 0)
    return d.to_svg()


def draw_panels(chart: Panels, number: int) -> str:
    """The SVG of several charts on one scale, two or three to a row, and the legend below."""
    n = len(chart.panels)
    columns = 1 if n == 1 else 2 if n in (2, 4) else 3
    width = (WIDTH - LEFT - GAP * (columns - 1)) / columns
    low, high = _range(chart.panels)
    labels = chart.labels()
    rows = -(-n // columns)
    pitch = PANEL_TOP + PANEL + 46
    d = Drawing(WIDTH, rows * pitch + 40, chart.title, chart.summary, number)
    for i, panel in enumerate(chart.panels):
        left = LEFT + (i % columns) * (width + GAP)
        top = (i // columns) * pitch + PANEL_TOP
        y = Scale(low, high, top + PANEL, top)
        x = Across(panel, left + 8, left + width - 8)
        d.text(left + width / 2, top - 9, panel.title, anchor="middle", room=width, cls="head")
        _frame(d, panel, x, y, left + width, top + PANEL, left=left, named=i % columns == 0)
        for curve in panel.curves:
            _curve(d, panel, curve, labels.index(curve.label), x, y, r=3.0)
        if panel.x and i + columns >= n:
            at = top + PANEL + 34
            d.text(left + width / 2, at, panel.x, anchor="middle", cls="quiet", room=width)
    d.height = legend(d, labels, LEFT, rows * pitch + 14) + 6
    return d.to_svg()


def legend(
    d: Drawing, labels: Sequence[str], left: float, y: float, *, marks: bool = True
) -> float:
    """A sample of each line, with its mark if lines have them, and its name; the y below."""
    at = left
    for i, label in enumerate(labels):
        need = 46 + extent(label) + 14
        if at > left and at + need > WIDTH:
            at, y = left, y + 20
        d.line(at, y - 4, at + 36, y - 4, _line_class(i))
        if marks:
            marker(d, i, at + 18, y - 4, 4.0, "")
        d.text(at + 44, y, label, room=WIDTH - at - 44)
        at += need
    return y + 8


def marker(d: Drawing, i: int, x: float, y: float, r: float, title: str) -> None:
    """A shape for each curve: full and hollow circle, square, two triangles, diamond, cross."""
    cls = f"point k{i % COLOURS}"
    a, b, t, u = (num(v) for v in (x - r, x + r, y - r, y + r))
    mx, my = num(x), num(y)
    shapes = (
        "",
        f"M{a} {t}H{b}V{u}H{a}Z",
        f"M{mx} {t}L{b} {u}L{a} {u}Z",
        "",
        f"M{mx} {num(y - 1.3 * r)}L{num(x + 1.3 * r)} {my}L{mx} {num(y + 1.3 * r)}"
        f"L{num(x - 1.3 * r)} {my}Z",
        f"M{a} {t}L{b} {u}M{b} {t}L{a} {u}",
        f"M{a} {t}L{b} {t}L{mx} {u}Z",
    )
    kind = i % MARKS
    hollow = " hollow" if kind in (2, 3, 6) else ""
    if shapes[kind]:
        d.path(shapes[kind], cls + hollow, title)
    else:
        d.circle(x, y, r, cls + hollow, title)


def _curve(
    d: Drawing, chart: Curves, curve: Curve, i: int, x: Across, y: Scale, r: float = 3.6
) -> None:
    if curve.band:
        upper = [(x(p[0]), y(b[1])) for p, b in zip(curve.points, curve.band, strict=True)]
        lower = [(x(p[0]), y(b[0])) for p, b in zip(curve.points, curve.band, strict=True)]
        d.path(steps(upper + lower[::-1]) + "Z", f"spread k{i % COLOURS}")
    if curve.fitted:
        d.path(steps([(x(a), y(b)) for a, b in curve.fitted]), f"fitted k{i % COLOURS}")
    if len(curve.points) > 1:
        d.path(steps([(x(a), y(b)) for a, b in curve.points]), _line_class(i))
    if not curve.plain:
        for a, b in curve.points:
            marker(d, i, x(a), y(b), r, f"{curve.label}, {a:g}: {_value(b, chart)}")


def _line_class(i: int) -> str:
    return f"curve k{i % COLOURS} s{i % DASHES}"


def _names(d: Drawing, chart: Curves, x: Across, y: Scale, right: float) -> None:
    """The name of each curve at its end, moved apart where curves end close together."""
    ends = [(y(_last(c)[1]), i, _end(c, chart)) for i, c in enumerate(chart.curves) if c.points]
    pitch = 16.0
    placed: list[float] = []
    for at, _, _ in sorted(ends):
        placed.append(max(at, placed[-1] + pitch) if placed else at)
    over = placed[-1] - HEIGHT if placed else 0.0
    if over > 0 and placed:  # pushed below the frame: all move up as far as needed
        for j in range(len(placed) - 1, -1, -1):
            limit = HEIGHT if j == len(placed) - 1 else placed[j + 1] - pitch
            placed[j] = min(placed[j], limit)
    for (at, i, text), where in zip(sorted(ends), placed, strict=True):
        end = x(_last(chart.curves[i])[0])
        if abs(where - at) > 3 or end < right - 16:
            d.line(end + 5, at, right, where, "leader")
        marker(d, i, right + 8, where, 4.0, "")
        d.text(right + 18, where + 4, text, room=WIDTH - right - 18)


def _last(curve: Curve) -> tuple[float, float]:
    """Where a curve ends, its model counted."""
    return max([curve.points[-1], *curve.fitted[-1:]], key=lambda point: point[0])


def _end(curve: Curve, chart: Curves) -> str:
    """The name at the end of a curve, with the last value where that is one seen."""
    at, value = _last(curve)
    return f"{curve.label} {_value(value, chart)}" if at == curve.points[-1][0] else curve.label


def _frame(
    d: Drawing,
    chart: Curves,
    x: Across,
    y: Scale,
    right: float,
    bottom: float,
    *,
    left: float = LEFT,
    named: bool = True,
) -> None:
    values, _ = ticks(y.low, y.high, max(3, int(abs(y.end - y.start) / 45)))
    for value in values:
        d.line(left, y(value), right, y(value), "grid")
        if named:
            text = _value(value, chart, short=True)
            d.text(left - 7, y(value) + 4, text, anchor="end", cls="quiet")
    d.line(left, bottom, right, bottom, "zero")
    for value, text in x.named():
        d.path(f"M{num(x(value))} {num(bottom)}v4", "zero")
        d.text(x(value), bottom + 17, text, anchor="middle", cls="quiet", size=11)
    if named:
        middle = (y.start + y.end) / 2
        room = abs(y.end - y.start)
        d.text(14, middle, chart.y, anchor="middle", cls="quiet", turned=True, room=room)


def _range(charts: Sequence[Curves]) -> tuple[float, float]:
    """Of all charts, from 0 on where values lie near it, with a little air."""
    parts = [chart.extent() for chart in charts if any(c.points for c in chart.curves)]
    low = min((p[2] for p in parts), default=0.0)
    high = max((p[3] for p in parts), default=1.0)
    air = (high - low) * 0.05 or 0.05
    low = 0.0 if 0 <= low < 0.4 * high else low - air
    return low, min(1.0, high + air) if charts and charts[0].percent and high <= 1 else high + air


def _value(value: float, chart: Curves, *, short: bool = False) -> str:
    if not chart.percent:
        return f"{value:.3g}" if not short else f"{value:g}"
    text = f"{100 * value:.1f}"
    return f"{text.removesuffix('.0') if short else text} %".replace("-", "−")
