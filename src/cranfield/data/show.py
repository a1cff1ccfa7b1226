"""How scores look where nobody asked for a format: in a Python session and in a notebook."""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.data.scores import Scores

MOST_RUNS = 20


def width(text: str) -> int:
    """Columns that a terminal gives a text: two for a Chinese character, none for a combining
    mark."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def ljust(text: str, columns: int) -> str:
    """`str.ljust` by terminal columns."""
    return text + " " * (columns - width(text))


def number(value: float, aggregate: str = "mean", digits: int = 4) -> str:
    """A mean with four decimals, a count without."""
    if math.isnan(value):
        return "–"
    return f"{value:.0f}" if aggregate == "sum" else f"{value:.{digits}f}"


def table(scores: Scores) -> tuple[list[str], list[list[str]]]:
    """(header, rows) of the means, one row a run."""
    header = ["run", *(m.full for m in scores.measures), "n"]
    rows = []
    everyone = scores._mask("all")
    for r, run in enumerate(scores.runs[:MOST_RUNS]):
        found = [scores.summary(r, i, everyone) for i in range(len(scores.measures))]
        most = max((n for _, n in found), default=0)
        values = [
            number(v, m.aggregate) + (f" (n={n})" if n != most else "")
            for (v, n), m in zip(found, scores.measures, strict=True)
        ]
        rows.append([run, *values, str(most)])
        rows += _ends(scores, r)
    return header, rows


def _ends(scores: Scores, r: int) -> list[list[str]]:
    """The ends of what unjudged documents can make of each score of a run, below it."""
    if scores.ranges is None:
        return []
    everyone = scores._mask("all")
    found = [scores.limits(r, i, everyone) for i in range(len(scores.measures))]
    if all(math.isnan(low) or high - low < 10**-9 for low, high in found):
        return []
    world = "" if scores.ranges.world == "closed" else ", open"
    return [
        [f"  {name}{world}", *("" if math.isnan(x) else number(x) for x in ends), ""]
        for name, ends in zip(("at least", "at most"), zip(*found, strict=True), strict=True)
    ]


def plain(scores: Scores) -> str:
    """The means as aligned text."""
    return "\n".join([_title(scores), *plain_table(*table(scores)), *_more(scores)])


def plain_table(header: list[str], rows: list[list[str]]) -> list[str]:
    """Lines with the columns lined up, the first to the left and the others to the right."""
    columns = [max(width(row[i]) for row in [header, *rows]) for i in range(len(header))]
    return [
        "  ".join(
            ljust(cell, w) if i == 0 else " " * (w - width(cell)) + cell
            for i, (cell, w) in enumerate(zip(row, columns, strict=True))
        ).rstrip()
        for row in [header, *rows]
    ]


def html(scores: Scores) -> str:
    """The means as an HTML table; every name is escaped."""
    return html_table(_title(scores), *table(scores), _more(scores))


def html_table(title: str, header: list[str], rows: list[list[str]], more: list[str]) -> str:
    """A titled table with sentences below it, every text escaped."""
    from html import escape

    head = "".join(f"<th>{escape(c)}</th>" for c in header)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td style='text-align:{'left' if i == 0 else 'right'}'>{escape(c)}</td>"
            for i, c in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    below = "".join(f"<p>{escape(m)}</p>" for m in more)
    return (
        f"<div><p>{escape(title)}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}</div>"
    )


def _title(scores: Scores) -> str:
    unanswerable = len(scores.queries) - int(scores.answerable.sum())
    return (
        f"Scores: {len(scores.runs)} run{'s' * (len(scores.runs) != 1)}, "
        f"{len(scores.queries)} queries ({unanswerable} without a relevant document), "
        f"{len(scores.measures)} measure{'s' * (len(scores.measures) != 1)}"
    )


def _more(scores: Scores) -> list[str]:
    hidden = len(scores.runs) - MOST_RUNS
    return [f"… and {hidden} more runs"] if hidden > 0 else []
