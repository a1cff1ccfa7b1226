"""A tree of things that are alike, and the matrix it was made from."""

from __future__ import annotations

from cranfield.report.charts.curves_data import Agreement
from cranfield.report.charts.svg import Drawing, Scale, extent, num, ticks

WIDTH, TOP, ROW = 760.0, 26.0, 30.0
SHADES = ("p1", "p2", "p3", "p4")


def draw(chart: Agreement, number: int) -> str:
    """The SVG of the chart."""
    m = len(chart.names)
    named = [f"{name}  {i}" for i, name in enumerate(chart.names, 1)]
    labels = min(190.0, max(map(extent, named), default=0) + 12)
    tree = 190.0 if chart.merges else 0.0
    start = 12 + tree + labels
    cell = min((WIDTH - start - 6) / max(m, 1), 64.0)
    row = min(ROW, cell) if m > 8 else ROW
    bottom = TOP + row * m
    d = Drawing(WIDTH, bottom + 60, chart.title, chart.summary, number)
    for i, name in enumerate(named):
        y = TOP + row * (i + 0.5)
        d.text(start - 8, y + 4, name, anchor="end", room=labels - 8)
        d.text(start + cell * (i + 0.5), TOP - 8, str(i + 1), anchor="middle", cls="quiet")
    _cells(d, chart, start, cell, row)
    if chart.merges:
        _tree(d, chart, 12, 12 + tree - 8, row, bottom)
    items = [(SHADES[i], word) for i, (_, word) in enumerate(chart.levels)]
    items.append((SHADES[len(chart.levels)], f"< {chart.levels[-1][0]:g}"))
    d.height = d.legend(max(8.0, start), bottom + 36, items, WIDTH) + 6
    return d.to_svg()


def shade(chart: Agreement, value: float) -> str:
    """The class of a value's colour."""
    found = next((i for i, (least, _) in enumerate(chart.levels) if value >= least), None)
    return SHADES[len(chart.levels) if found is None else found]


def _cells(d: Drawing, chart: Agreement, start: float, cell: float, row: float) -> None:
    small = cell < 38
    for i, line in enumerate(chart.values):
        for j, value in enumerate(line):
            if i == j or value is None:
                continue
            cls = shade(chart, value)
            x, y = start + cell * j, TOP + row * i
            said = f"{chart.names[i]}, {chart.names[j]}: {value:.4f}"
            d.rect(x, y, cell - 1, row - 1, cls, said)
            if cell >= 24:
                text = f"{value:.2f}" if small else f"{value:.3f}"
                d.text(x + cell / 2, y + row / 2 + 4, text.replace("0.", ".", 1) if small else text,
                       anchor="middle", cls=f"on-{cls}", size=9.5 if small else 11)  # fmt: skip


def _tree(
    d: Drawing, chart: Agreement, left: float, right: float, row: float, bottom: float
) -> None:
    """The leaves at the right; the further left two branches meet, the less alike they are."""
    m = len(chart.names)
    most = max((height for _, _, height in chart.merges), default=0.0) or 1.0
    x = Scale(0.0, most, right, left + 4)
    place = [(x(0.0), TOP + row * (i + 0.5)) for i in range(m)]
    for a, b, height in chart.merges:
        (xa, ya), (xb, yb), at = place[a], place[b], x(height)
        d.path(f"M{num(xa)} {num(ya)}H{num(at)}V{num(yb)}H{num(xb)}", "branch")
        place.append((at, (ya + yb) / 2))
    values, digits = ticks(0.0, most, 3)
    d.line(x(most), bottom + 6, x(0.0), bottom + 6, "zero")
    for value in values:
        d.path(f"M{num(x(value))} {num(bottom + 6)}v4", "zero")
        d.text(x(value), bottom + 22, f"{value:.{digits}f}", anchor="middle", cls="quiet", size=11)
    d.text((left + right) / 2, bottom + 40, chart.axis, anchor="middle", cls="quiet",
           room=right - left + 16)  # fmt: skip
