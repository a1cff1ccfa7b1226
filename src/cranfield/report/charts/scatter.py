"""The values of every query, base against run."""

from __future__ import annotations

import math

from cranfield.report.charts.data import Point, Scatter
from cranfield.report.charts.svg import Drawing, Scale, axis_bottom, axis_left

SIDE, LEFT, TOP = 420.0, 62.0, 10.0
MOST = 1500  # points; more are gathered on a grid of a hundredth of the range


def draw(chart: Scatter, number: int) -> str:
    """The SVG of the chart. Queries at one place make one larger mark."""
    width = LEFT + SIDE + 14
    d = Drawing(width, TOP + SIDE + 110, chart.title, chart.summary, number)
    low, high = chart.range()
    air = (high - low) * 0.03  # marks and numbers keep clear of the corners
    x = Scale(low - air, high + air, LEFT, LEFT + SIDE)
    y = Scale(low - air, high + air, TOP + SIDE, TOP)
    axis_bottom(d, x, TOP, TOP + SIDE)
    axis_left(d, y, LEFT, LEFT + SIDE)
    d.line(x(low), y(low), x(high), y(high), "diagonal")
    for some in _places(chart, (high - low) / 100):
        p = some[0]
        names = ", ".join(q.label for q in some[:12]) + (", …" if len(some) > 12 else "")
        said = f"{names}: {p.x:.4f} → {p.y:.4f}"
        r = min(4.5 * math.sqrt(len(some)), 14)
        d.mark(chart.mark(p.x, p.y), x(p.x), y(p.y), r, said)
    d.text(LEFT + SIDE / 2, TOP + SIDE + 36, chart.x, anchor="middle", room=SIDE)
    d.text(16, TOP + SIDE / 2, chart.y, anchor="middle", room=SIDE, turned=True)
    items = [(m, w) for m in ("better", "level", "worse", "same") if (w := chart.words.get(m))]
    d.height = d.legend(LEFT, TOP + SIDE + 62, items, width)
    return d.to_svg()


def _places(chart: Scatter, cell: float) -> list[list[Point]]:
    """Points at one place, the most crowded place first, so that small marks lie on top."""
    found: dict[tuple[float, float], list[Point]] = {}
    coarse = len(chart.points) > MOST
    for p in chart.points:
        key = (round(p.x / cell), round(p.y / cell)) if coarse else (round(p.x, 6), round(p.y, 6))
        found.setdefault(key, []).append(p)
    return sorted(found.values(), key=len, reverse=True)
