"""The label store as tables."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.judging.judgment import Judgment
from cranfield.judging.labels import standing
from cranfield.judging.preferences import Preference
from cranfield.judging.preferences import standing as standing_preferences
from cranfield.judging.status import PreferencesStatus, Status
from cranfield.report.grid import Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import words

_LOG = (
    *("id", "at", "query", "doc", "grade", "state", "source", "assessor", "model", "prompt"),
    *("rubric", "counts", "reason"),
)
_STATUS = (
    *(
        "source",
        "judge",
        "prompt",
        "rubric",
        "queries",
        "pairs",
        "graded",
        "pooled",
        "unsure",
        "skip",
        "failed",
        "changed",
    ),
    *("undone", "shared", "mean", "seconds", "last"),
)


_PREFERENCES = (
    *("id", "at", "query", "doc_a", "doc_b", "better", "state", "source", "assessor", "model"),
    *("rubric", "counts", "reason"),
)
_PREFERENCE_STATUS = (
    *("source", "judge", "prompt", "queries", "pairs", "preferred", "tie", "inconsistent"),
    *("one_sided", "unsure", "skip", "failed", "changed", "undone", "shared", "seconds", "last"),
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
            *(j.assessor, j.model, j.prompt, j.rubric),
            *(w("judge.yes") if j.id in counting else "", j.reason),
        )
        for j in shown
    )
    kinds = ("count", *("text",) * 3, "short", *("text",) * 8)
    return Grid(tuple(w(f"judge.column.{c}") for c in _LOG), kinds, made)


def status_grid(found: Status, lang: str = "en") -> Grid:
    """One row a judge."""
    w = words(lang)
    made = tuple(
        (
            *(w(f"judge.source.{s.judge.source}"), s.judge.name, s.judge.prompt),
            *(" + ".join(filter(None, s.rubrics)), s.queries, s.pairs, s.graded, s.pooled),
            *(s.unsure, s.skip, s.failed, s.changed, s.undone, s.shared, s.mean, s.seconds),
            s.last,
        )
        for s in found.judges
    )
    kinds = (*("text",) * 4, *("count",) * 10, "short", "short", "text")
    return Grid(tuple(w(f"judge.column.{c}") for c in _STATUS), kinds, made)


def status_notes(found: Status, lang: str = "en", *, preferences: int = 0) -> list[str]:
    """Sums over all judges, in words; `preferences` are answers of that kind, which have a table
    of their own."""
    w = words(lang)
    said = w("judge.status", **_counts(found, "rows", "pairs", "shared", "conflicts"))
    several = [
        w("judge.several_prompts", name=name, n=n, newest=newest)
        for name, n, newest in found.several
    ]
    return [
        said,
        *([w("judge.status.pooled", n=Count(found.pooled))] if found.pooled else []),
        *several,
        *([w("judge.preferences", n=Count(preferences))] if preferences else []),
    ]


def preference_log_grid(
    shown: Sequence[Preference], rows: Sequence[Preference], lang: str = "en"
) -> Grid:
    """One row a row of the preferences of the store; `counts` says whether it still does."""
    w = words(lang)
    counting = {p.id for p in standing_preferences(rows)}

    def state(p: Preference) -> str:
        said = w(f"judge.state.{p.state}")
        return f"{said} ({p.undoes})" if p.undoes else said

    made = tuple(
        (
            *(p.id, p.at, p.query, p.doc_a, p.doc_b),
            w(f"judge.better.{p.better}") if p.better else "",
            *(w("judge.state.decided") if p.state == "graded" else state(p),),
            *(w(f"judge.source.{p.source}"), p.assessor, p.model, p.rubric),
            w("judge.yes") if p.id in counting else "",
            p.reason,
        )
        for p in shown
    )
    kinds = ("count", *("text",) * 12)
    return Grid(tuple(w(f"judge.column.{c}") for c in _PREFERENCES), kinds, made)


def preference_status_grid(found: PreferencesStatus, lang: str = "en") -> Grid:
    """One row a judge."""
    w = words(lang)
    made = tuple(
        (
            *(w(f"judge.source.{s.judge.source}"), s.judge.name, s.judge.prompt),
            *(s.queries, s.pairs, s.preferred),
            *(s.tie, s.inconsistent, s.one_sided, s.unsure, s.skip, s.failed, s.changed),
            *(s.undone, s.shared, s.seconds, s.last),
        )
        for s in found.judges
    )
    kinds = (*("text",) * 3, *("count",) * 12, "short", "text")
    return Grid(tuple(w(f"judge.column.{c}") for c in _PREFERENCE_STATUS), kinds, made)


def preference_status_notes(found: PreferencesStatus, lang: str = "en") -> list[str]:
    """Sums over all judges, in words."""
    counts = _counts(found, "rows", "answers", "pairs", "shared", "conflicts")
    return [words(lang)("judge.preferences.status", **counts)]


def _counts(found: Status | PreferencesStatus, *names: str) -> dict[str, Count]:
    return {name: Count(getattr(found, name)) for name in names}
