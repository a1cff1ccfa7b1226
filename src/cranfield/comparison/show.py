"""How a comparison shows itself at the Python prompt and in a notebook: short; the report room
writes the rest."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cranfield.data.show import html_table, number, plain_table

if TYPE_CHECKING:
    from cranfield.comparison.outcome import Comparison

MOST_ROWS = 20


def plain(found: Comparison) -> str:
    """The verdicts as aligned text."""
    return "\n".join([_title(found), *plain_table(*_table(found)), *_more(found)])


def html(found: Comparison) -> str:
    """The verdicts as an HTML table; every name is escaped."""
    return html_table(_title(found), *_table(found), _more(found))


def _table(found: Comparison) -> tuple[list[str], list[list[str]]]:
    header = ["run", "measure", "n", "base", "mean", "difference", "low", "high", "p", "verdict"]
    rows = [
        [
            row.run,
            f"ln({row.measure})" if row.compared == "log" else row.measure,
            str(row.n),
            number(row.base_mean),
            number(row.mean),
            *(_signed(v) for v in (row.difference, row.low, row.high)),
            "–" if row.p_adjusted is None else f"{row.p_adjusted:.4g}",
            row.verdict.kind,
        ]
        for row in found.differences[:MOST_ROWS]
    ]
    return header, rows


def _signed(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:+.4f}"


def _title(found: Comparison) -> str:
    n = len(found.runs)
    return (
        f"Comparison with {found.base}: {n} run{'s' * (n != 1)}, "
        f"{len(found.scores.queries)} queries, p corrected for "
        f"{found.choices.hypotheses} hypotheses ({found.choices.correction})"
    )


def _more(found: Comparison) -> list[str]:
    hidden = len(found.differences) - MOST_ROWS
    return [f"… and {hidden} more rows"] if hidden > 0 else []
