"""Queries that have relevant documents and get no result."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cranfield.data.columns import Floats
from cranfield.diagnosis.finding import Finding, Rows, Severity
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.prices import effect_of

MOST = 0.5  # of the answerable queries; from here on the mean is about the silence


def unanswered(found: Examined) -> Iterator[Finding]:
    """A finding on the runs that leave such queries without a result; a run that answers none of
    them has other queries, which is another finding. The price is what the mean would be over the
    queries that are answered."""
    able = np.array([max(found.grades[q].values(), default=0) >= 1 for q in found.queries], bool)
    rows: list[tuple[str, int, int, int]] = []
    moved: list[Floats] = []
    for r, aligned in enumerate(found.aligned):
        there = aligned.hits.n_ret > 0
        silent = able & ~there
        if silent.any() and there.any():
            empty = int((silent & aligned.answered).sum())
            rows.append((found.runs[r], int(silent.sum()) - empty, empty, int(able.sum())))
            kept = found.values[r, ~silent].mean(axis=0)
            moved.append(kept - found.values[r].mean(axis=0))
    if not rows:
        return
    run, missing, empty, of = max(rows, key=lambda row: row[1] + row[2])
    severity: Severity = "warning" if missing + empty >= MOST * of else "caution"
    values = {"n": len(rows), "run": run, "most": missing + empty, "all": of}
    table = Rows(
        "unanswered",
        ("run", "not_answered", "empty", "answerable"),
        ("text", "count", "count", "count"),
        tuple(rows),
    )
    yield Finding(
        "unanswered", severity, values, effect=effect_of(found, np.stack(moved)), rows=table
    )
