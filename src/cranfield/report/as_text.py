"""Blocks as text for a terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cranfield.data.qrels import grade_text
from cranfield.data.show import ljust, width
from cranfield.report.blocks import (
    SIGNS,
    Block,
    Chart,
    Details,
    Facts,
    Heading,
    Listed,
    Note,
    SideBySide,
    Table,
    Text,
)
from cranfield.report.charts.data import Trend
from cranfield.report.grid import Grid
from cranfield.report.render import aligned, render, shown


def to_text(title: str, blocks: tuple[Block, ...]) -> str:
    """For a terminal; columns line up with Chinese text too. Without a title the first block
    comes first."""
    lines = [f"===== {title} ====="] if title else []
    for block in blocks:
        lines += _lines(block)
    return "\n".join(lines).lstrip("\n") + "\n"


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield from ("", f"--- {shown(block.text, 'text')} ---")
    elif isinstance(block, Facts):
        column = max((width(name) for name, _ in block.items), default=0)
        for name, value in block.items:
            yield f"{ljust(name, column)}  {shown(value, 'text')}"
    elif isinstance(block, Table):
        yield from ("", aligned(block.grid).rstrip("\n"))
    elif isinstance(block, Text):
        yield from ("", block.text)
    elif isinstance(block, Note):
        yield from ("", f"{SIGNS[block.tone]} {shown(block.title, 'text')}".strip())
        yield from (f"  {shown(line, 'text')}" for line in block.lines)
    elif isinstance(block, Chart):
        yield from ("", block.chart.title, block.chart.summary)
        if isinstance(block.chart, Trend):
            for line, spark in zip(block.chart.lines, block.chart.sparks(), strict=True):
                yield f"{spark}  {line.label}"
        if block.table:
            yield from ("", aligned(block.chart.grid()).rstrip("\n"))
    elif isinstance(block, SideBySide):
        yield from ("", shown(block.title, "text"), shown(block.facts, "text"))
        yield from ("", aligned(_both(block)).rstrip("\n"))
    else:
        yield from ("", f"--- {block.title} ---")
        for inner in block.blocks:
            yield from _lines(inner)


def to_markdown(title: str, blocks: tuple[Block, ...]) -> str:
    """For a repository or a wiki."""
    parts = [f"# {_safe(title)}"]
    for block in blocks:
        parts += _parts(block)
    return "\n\n".join(parts) + "\n"


def _parts(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"{'#' * block.level} {_safe(block.text)}"
    elif isinstance(block, Facts):
        yield "\n".join(f"- {_safe(name)}: {_safe(value)}" for name, value in block.items)
    elif isinstance(block, Table):
        yield _table(block.grid)
    elif isinstance(block, Text):
        yield _safe(block.text)
    elif isinstance(block, Note):
        head = f"**{SIGNS[block.tone]} {_safe(block.title)}**".replace("** ", "**")
        yield "\n".join([f"> {head}", *(f"> \n> {_safe(line)}" for line in block.lines)])
    elif isinstance(block, Chart):
        yield f"**{_safe(block.chart.title)}.** {_safe(block.chart.summary)}"
        if isinstance(block.chart, Trend):
            lines = zip(block.chart.lines, block.chart.sparks(), strict=True)
            yield "\n".join(f"- `{spark}` {_safe(line.label)}" for line, spark in lines)
        if block.table:
            yield _table(block.chart.grid())
    elif isinstance(block, SideBySide):
        yield f"**{_safe(block.title)}**"
        yield _safe(block.facts)
        yield _table(_both(block, _safe))
    elif isinstance(block, Details):
        yield f"### {_safe(block.title)}"
        for inner in block.blocks:
            yield from _parts(inner)


def _table(grid: Grid) -> str:
    return render(grid, "md").decode().rstrip("\n")


def _safe(text: str) -> str:
    """Text of a query or document must not become markup; a name keeps its underscores, which
    mean nothing inside a word."""
    text = shown(text, "text").replace("&", "&amp;").replace("<", "&lt;")
    for sign in "`*[":
        text = text.replace(sign, f"\\{sign}")
    return text


def _both(block: SideBySide, safe: Callable[[str], str] = str) -> Grid:
    """The two lists as one table: rank, left, right."""

    def cell(results: tuple[Listed, ...], i: int) -> str:
        if i >= len(results):
            return block.nothing if i == 0 else ""
        r = results[i]
        grade = block.unjudged if r.grade is None else grade_text(r.grade)
        moved = f" {r.moved}" if r.moved else ""
        title = f" {r.title}" if r.title else ""
        return safe(f"{r.doc} ({grade}){moved}{title}")

    n = max(1, *map(len, block.lists))
    rows = tuple((i + 1, cell(block.lists[0], i), cell(block.lists[1], i)) for i in range(n))
    return Grid(("#", *block.names), ("count", "text", "text"), rows)
