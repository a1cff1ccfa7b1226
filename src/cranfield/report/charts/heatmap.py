"""All pairs of systems: a field of p values, and bars over those that cannot be told apart."""

from __future__ import annotations

from cranfield.report.charts.data import Matrix
from cranfield.report.charts.svg import Drawing, extent, num

WIDTH = 760.0
LEVELS = ((0.001, "p1", "p < 0.001"), (0.01, "p2", "p < 0.01"), (0.05, "p3", "p < 0.05"))
REST = ("p4", "p ≥ 0.05")
MOST_NUMBERS = 14  # systems; with more there is no room for a number in a cell


def draw(chart: Matrix, number: int) -> str:
    """The SVG of the chart."""
    m = len(chart.names)
    size = 12.0 if m <= 40 else 9.0
    row = 30.0 if m <= MOST_NUMBERS else 18.0 if m <= 40 else 12.0
    labels = [f"{i}  {name}  {mean:.4f}" for i, (name, mean) in _numbered(chart)]
    left = min(250.0, max((extent(t, size) for t in labels), default=0) + 8)
    groups = [g for g in chart.groups if len(g) > 1]
    pitch = min(9.0, 160 / max(len(groups), 1))
    start = left + 6 + pitch * len(groups) + 8
    cell = min((WIDTH - start - 6) / max(m, 1), row * 1.6)
    top = 20.0
    d = Drawing(WIDTH, top + row * m + 50, chart.title, chart.summary, number)
    for i, label in enumerate(labels):
        d.text(left, top + row * (i + 0.5) + size / 3, label, anchor="end", room=left, size=size)
    _bars(d, groups, left + 8, pitch, top, row)
    _numbers(d, m, start, cell, top, size)
    if m <= MOST_NUMBERS:
        _cells(d, chart, start, cell, top, row)
    else:
        _runs(d, chart, start, cell, top, row)
    items = [(cls, word) for _, cls, word in LEVELS] + [REST]
    d.height = d.legend(max(8.0, start - 200), top + row * m + 26, items, WIDTH)
    return d.to_svg()


def _numbered(chart: Matrix) -> list[tuple[int, tuple[str, float]]]:
    return list(enumerate(zip(chart.names, chart.means, strict=True), 1))


def _level(p: float) -> tuple[str, str]:
    return next(((cls, word) for most, cls, word in LEVELS if p < most), REST)


def _bars(
    d: Drawing, groups: list[tuple[int, ...]], x: float, pitch: float, top: float, row: float
) -> None:
    """A thin line from the first to the last of a group, thick where a system belongs to it."""
    for g, group in enumerate(groups):
        at = x + g * pitch
        d.line(at, top + row * (group[0] + 0.5), at, top + row * (group[-1] + 0.5), "span")
        thick = max(1.5, min(5.0, pitch - 2))
        for first, last in _consecutive(group):
            y, end = top + row * first + row * 0.12, top + row * (last + 1) - row * 0.12
            d.rect(at - thick / 2, y, thick, end - y, "group")


def _consecutive(numbers: tuple[int, ...]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for i in numbers:
        if found and found[-1][1] == i - 1:
            found[-1] = (found[-1][0], i)
        else:
            found.append((i, i))
    return found


def _numbers(d: Drawing, m: int, start: float, cell: float, top: float, size: float) -> None:
    """Numbers of the columns, as many as there is room for."""
    every = next(e for e in (1, 2, 5, 10, 20, 50, 100) if e * cell >= 2.4 * size)
    for j in range(m):
        if (j == 0 and every not in (2, 5)) or (j + 1) % every == 0:
            d.text(start + cell * (j + 0.5), top - 6, str(j + 1), anchor="middle", cls="quiet",
                   size=size)  # fmt: skip


def _cells(d: Drawing, chart: Matrix, start: float, cell: float, top: float, row: float) -> None:
    for i, line in enumerate(chart.p):
        for j, p in enumerate(line):
            if i == j:
                continue
            x, y = start + cell * j, top + row * i
            cls = _level(p)[0]
            said = f"{chart.names[i]}, {chart.names[j]}: p = {p:.4g}"
            d.rect(x, y, cell - 1, row - 1, cls, said)
            short = "<.001" if p < 0.001 else f"{p:.3f}".replace("0.", ".", 1)
            if cell >= 38:
                d.text(x + cell / 2, y + row / 2 + 4, short, anchor="middle", cls=f"on-{cls}",
                       size=11)  # fmt: skip


def _runs(d: Drawing, chart: Matrix, start: float, cell: float, top: float, row: float) -> None:
    """Cells of one level next to each other drawn as one shape: a hundred and fifty systems make
    22,500 cells, and few shapes."""
    shapes: dict[str, list[str]] = {cls: [] for cls in (*(c for _, c, _ in LEVELS), REST[0])}
    for i, line in enumerate(chart.p):
        levels = ["" if i == j else _level(p)[0] for j, p in enumerate(line)]
        j = 0
        while j < len(levels):
            end = j
            while end < len(levels) and levels[end] == levels[j]:
                end += 1
            if levels[j]:
                w, h = (end - j) * cell, row
                x, y = start + cell * j, top + row * i
                shapes[levels[j]].append(f"M{num(x)} {num(y)}h{num(w)}v{num(h)}h-{num(w)}z")
            j = end
    for cls, parts in shapes.items():
        if parts:
            d.path("".join(parts), cls)
