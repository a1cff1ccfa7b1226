"""What a page is made of. Blocks hold data and words, never markup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cranfield.report.charts.data import Chart as ChartData
from cranfield.report.grid import Grid

# How a note is meant: the kinds of a verdict, something to beware of, or something to know.
Tone = Literal["better", "worse", "equivalent", "undecided", "refused", "caution", "plain"]
SIGNS: dict[str, str] = {
    "better": "▲",
    "worse": "▼",
    "equivalent": "≈",
    "undecided": "?",
    "refused": "✕",
    "caution": "!",
    "plain": "",
}


@dataclass(frozen=True)
class Heading:
    """`level` 2 begins a section, 3 a part of one."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Facts:
    """Names and values, one a line."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    grid: Grid


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Note:
    """Something that must not be overlooked: a headline and the sentences below it."""

    title: str
    lines: tuple[str, ...] = ()
    tone: Tone = "plain"


@dataclass(frozen=True)
class Chart:
    """A chart; `table` says whether its numbers are given as a table too (where they do not stand
    in another table of the page)."""

    chart: ChartData
    table: bool = True


@dataclass(frozen=True)
class Listed:
    """One line of a result list as it is shown.

    Parameters
    ----------
    grade : None for a document that nobody judged.
    level : the grade as a share of the largest, for its colour; None where there is no grade.
    moved : what became of it, in words: its rank in the other list, or that it is not there.
    """

    rank: int
    doc: str
    grade: float | None
    level: float | None
    title: str | None = None
    snippet: str | None = None
    moved: str = ""


@dataclass(frozen=True)
class SideBySide:
    """Two result lists of one query next to each other.

    Parameters
    ----------
    title : of the query; `facts` are said below it.
    names : of the two runs.
    words : `grade`, `unjudged`, `rank`, `nothing`.
    """

    title: str
    facts: str
    names: tuple[str, str]
    lists: tuple[tuple[Listed, ...], tuple[Listed, ...]]
    unjudged: str
    nothing: str


@dataclass(frozen=True)
class Details:
    """Blocks that can be folded away on a screen; printed they are always open."""

    title: str
    blocks: tuple[Block, ...]
    open: bool = False


Block = Heading | Facts | Table | Text | Note | Chart | SideBySide | Details
