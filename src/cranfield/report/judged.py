"""The label store as tables."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.judging.judgment import Judgment
from cranfield.judging.labels import standing
from cranfield.judging.status import Status
from cranfield.report.grid import Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import words

_LOG = (
    *("id", "at", "query", "doc", "grade", "state", "source", "assessor", "model", "rubric"),
    *("counts", "reason"),
)
_STATUS = (
    *("source", "judge", "queries", "pairs", "graded", "unsure", "skip", "failed", "changed"),
    *("undone", "shared", "mean", "seconds", "last"),
)


def log_grid(shown: Sequence[Judgment], rows: Sequence[Judgment], lang: str = "en") -> Grid:
    """One row a row of the store; `counts` says whether it still does, given all `rows`."""
    w = words(lang)
    counting = {j.id for j in standing(rows)}

    def state(j: Judgment) -> str:
        said = w(f"judge.state.{j.state}")
        return f"{said} ({j.undoes})" if j.undoes else said

    made = tuple(
        (
            *(j.id, j.at, j.query, j.doc, j.grade, state(j), w(f"judge.source.{j.source}")),
            *(j.assessor, j.model, j.rubric, w("judge.yes") if j.id in counting else ""),
            j.reason,
        )
        for j in shown
    )
    kinds = ("count", *("text",) * 3, "short", *("text",) * 7)
    return Grid(tuple(w(f"judge.column.{c}") for c in _LOG), kinds, made)


def status_grid(found: Status, lang: str = "en") -> Grid:
    """One row a judge."""
    w = words(lang)
    made = tuple(
        (
            *(w(f"judge.source.{s.judge.source}"), s.judge.name, s.queries, s.pairs, s.graded),
            *(s.unsure, s.skip, s.failed, s.changed, s.undone, s.shared, s.mean, s.seconds),
            s.last,
        )
        for s in found.judges
    )
    kinds = ("text", "text", *("count",) * 9, "short", "short", "text")
    return Grid(tuple(w(f"judge.column.{c}") for c in _STATUS), kinds, made)


def status_notes(found: Status, lang: str = "en", *, preferences: int = 0) -> list[str]:
    """Sums over all judges, in words; `preferences` are answers of that kind, which have no row
    in the table."""
    w = words(lang)
    said = w(
        "judge.status",
        rows=Count(found.rows),
        pairs=Count(found.pairs),
        shared=Count(found.shared),
        conflicts=Count(found.conflicts),
    )
    return [said, *([w("judge.preferences", n=Count(preferences))] if preferences else [])]
