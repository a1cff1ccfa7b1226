"""The difference of every query."""

from __future__ import annotations

from cranfield.report.charts.data import Mark, Waterfall
from cranfield.report.charts.svg import Drawing, Scale, axis_left, extent, signed

WIDTH, HEIGHT, LEFT, TOP = 760.0, 270.0, 58.0, 24.0
MOST_BARS, MOST_NAMED = 350, 45


def draw(chart: Waterfall, number: int) -> str:
    """The SVG of the chart: a bar a query, or a bar for each few queries next to each other where
    there are too many to see."""
    bars = _bars(chart)
    named = 0 < len(chart.values) <= MOST_NAMED
    room = min(84.0, max(map(extent, chart.queries), default=0) + 8) if named else 0
    d = Drawing(WIDTH, HEIGHT + room + 90, chart.title, chart.summary, number)
    low, high = min(0.0, *chart.values, 0.0), max(0.0, *chart.values, 0.0)
    air = (high - low) * 0.05 or 0.1
    y = Scale(low - air, high + air, HEIGHT, TOP)
    d.text(4, 12, chart.axis, cls="quiet", room=WIDTH - 8)
    axis_left(d, y, LEFT, WIDTH - 6, signs=True)
    step = (WIDTH - LEFT - 10) / max(len(bars), 1)
    gap = min(3.0, step * 0.2)
    for i, (mark, value, said) in enumerate(bars):
        x = LEFT + 2 + i * step
        top, bottom = sorted((y(value), y(0)))
        if mark == "level":
            top, bottom = y(0) - 1.5, y(0) + 1.5
        d.rect(x + gap / 2, top, step - gap, max(bottom - top, 1), f"bar {mark}", said)
        if named:
            d.text(
                x + step / 2 + 4, HEIGHT + 8, chart.queries[i],
                room=room, anchor="end", cls="quiet", size=11, turned=True,
            )  # fmt: skip
    d.line(LEFT, y(0), WIDTH - 6, y(0), "zero")
    items = [(m, w) for m in ("better", "level", "worse") if (w := chart.words.get(m))]
    if chart.values:
        mean = sum(chart.values) / len(chart.values)
        d.line(LEFT, y(mean), WIDTH - 6, y(mean), "mean")
        items.append(("mean", f"{chart.words.get('mean', 'mean')} {signed(mean)}"))
    below = HEIGHT + room + 24
    d.text(LEFT, below, chart.words.get("queries", ""), cls="quiet", room=WIDTH - LEFT)
    d.height = d.legend(LEFT, below + 22, items, WIDTH)
    return d.to_svg()


def _bars(chart: Waterfall) -> list[tuple[Mark, float, str]]:
    """(mark, height, text) of each bar."""
    n = len(chart.values)
    size = -(-n // MOST_BARS)
    if size <= 1:
        return [
            (chart.mark(v), v, f"{q}: {signed(v)}")
            for q, v in zip(chart.queries, chart.values, strict=True)
        ]
    bars: list[tuple[Mark, float, str]] = []
    for i in range(0, n, size):
        some = chart.values[i : i + size]
        mean = sum(some) / len(some)
        last = min(i + size, n)
        said = f"{i + 1}–{last}: {signed(some[0])} … {signed(some[-1])}"
        bars.append((chart.mark(mean), mean, said))
    return bars
