"""Values over time."""

from __future__ import annotations

from cranfield.report.charts.data import Trend
from cranfield.report.charts.svg import Drawing, Scale, axis_left, extent, num, steps

WIDTH, HEIGHT, LEFT, TOP = 760.0, 220.0, 52.0, 12.0
DASHES = 5  # of the style sheet: lines differ by dash, not only by colour


def draw(chart: Trend, number: int) -> str:
    """The SVG of the chart: a line with a mark at each value, its name at its end."""
    room = min(220.0, max((extent(f"{n.label} 0.0000") for n in chart.lines), default=0) + 16)
    right = WIDTH - room
    d = Drawing(WIDTH, HEIGHT + 30, chart.title, chart.summary, number)
    values = [v for line in chart.lines for v in line.values if v is not None]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    air = (high - low) * 0.08 or 0.05
    y = Scale(low - air, high + air, HEIGHT, TOP)
    x = Scale(0, max(len(chart.steps) - 1, 1), LEFT + 10, right - 14)
    axis_left(d, y, LEFT, right)
    _steps(d, chart, x)
    ends: list[tuple[float, str]] = []
    for i, line in enumerate(chart.lines):
        points = [(x(j), y(v), v, j) for j, v in enumerate(line.values) if v is not None]
        if not points:
            continue
        d.path(steps([(a, b) for a, b, _, _ in points]), f"line dash{i % DASHES}")
        for a, b, value, j in points:
            d.circle(a, b, 3.2, "dot", f"{line.label}, {chart.steps[j]}: {value:.4f}")
        ends.append((points[-1][1], f"{line.label} {points[-1][2]:.4f}"))
    last = -1e9
    for at, label in sorted(ends):
        last = max(at, last + 15)  # names do not lie on each other
        d.text(right, last + 4, label, room=room)
    d.height = max(d.height, last + 16)
    return d.to_svg()


def _steps(d: Drawing, chart: Trend, x: Scale) -> None:
    n = len(chart.steps)
    widest = max(map(extent, chart.steps), default=0)
    width = min(widest, 110.0) + 12
    most = max(1, int((x.end - x.start) / width))
    every = max(1, -(-n // most))
    for j in range(0, n, every):
        at = min(max(x(j), width / 2), WIDTH - width / 2)
        d.text(at, HEIGHT + 18, chart.steps[j], anchor="middle", cls="quiet", room=width - 8)
        d.path(f"M{num(x(j))} {num(HEIGHT)}v4", "zero")
