"""Differences with their intervals."""

from __future__ import annotations

from cranfield.report.charts.data import MARKS, Intervals
from cranfield.report.charts.svg import Drawing, Scale, axis_bottom, extent, signed

WIDTH, ROW, TOP = 760.0, 24.0, 8.0


def draw(chart: Intervals, number: int) -> str:
    """The SVG of the chart."""
    values = [_value(r.value, r.low, r.high) for r in chart.rows]
    right = max(map(extent, values), default=0) + 14
    labels = [r.label if r.n is None else f"{r.label}  (n = {r.n})" for r in chart.rows]
    left = min(250.0, max(map(extent, labels), default=0) + 14)
    bottom = TOP + ROW * len(chart.rows)
    shown = [m for m in MARKS if any(r.mark == m for r in chart.rows)]
    legend: list[tuple[str, str]] = [(m, chart.words.get(m, m)) for m in shown]
    if chart.band:
        legend.append(("band", chart.words.get("band", "too small to matter")))
    d = Drawing(WIDTH, bottom + 92, chart.title, chart.summary, number)
    scale = Scale(*_range(chart), left + 8, WIDTH - right - 8)
    if chart.band:
        a, b = scale(-chart.band), scale(chart.band)
        d.rect(a, TOP, b - a, bottom - TOP, "band")
    axis_bottom(d, scale, TOP, bottom, signs=True)
    d.line(scale(0), TOP, scale(0), bottom, "zero")
    for i, (row, label, value) in enumerate(zip(chart.rows, labels, values, strict=True)):
        y = TOP + ROW * (i + 0.5)
        d.text(left - 6, y + 4, label, room=left - 8, anchor="end")
        if row.low is not None and row.high is not None:
            a, b = scale(row.low), scale(row.high)
            d.line(a, y, b, y, f"whisker {row.mark}")
            for end in (a, b):
                d.line(end, y - 4, end, y + 4, f"whisker {row.mark}")
        said = chart.words.get(row.mark, row.mark)
        d.mark(row.mark, scale(row.value), y, title=f"{label}: {value}, {said}")
        d.text(WIDTH - 4, y + 4, value, anchor="end", cls="number")
    middle = (scale.start + scale.end) / 2
    d.text(middle, bottom + 34, chart.axis, anchor="middle", cls="quiet", room=WIDTH - left)
    d.height = d.legend(left + 8, bottom + 60, legend, WIDTH - 8)
    return d.to_svg()


def _value(value: float, low: float | None, high: float | None) -> str:
    inside = "" if low is None or high is None else f"  [{signed(low)}, {signed(high)}]"
    return signed(value) + inside


def _range(chart: Intervals) -> tuple[float, float]:
    """Of all that is drawn, zero in it, with a little air."""
    ends = [0.0, -chart.band, chart.band]
    for r in chart.rows:
        ends += [v for v in (r.value, r.low, r.high) if v is not None]
    low, high = min(ends), max(ends)
    air = (high - low) * 0.04 or 0.01
    return low - air, high + air
