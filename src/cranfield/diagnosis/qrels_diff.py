"""`qrels_diff`: what changed between two sets of judgments, and what that does to runs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from cranfield.data.columns import Floats, Index, distinct
from cranfield.data.qrels import Qrels, qrels_fingerprint
from cranfield.data.scores import Scores
from cranfield.diagnosis.qrels_rows import Laid, lay
from cranfield.diagnosis.verdicts import (
    ALPHA,
    Order,
    Significance,
    order_change,
    significance_change,
)
from cranfield.errors import NothingToEvaluate
from cranfield.evaluation.evaluate import DEFAULT_MEASURES, evaluate
from cranfield.formats.readers import read_sets
from cranfield.measures import Measure
from cranfield.stats.corrections import Correction

Change = Literal["added", "removed", "raised", "lowered"]
CHANGES: tuple[Change, ...] = ("added", "removed", "raised", "lowered")


@dataclass(frozen=True, slots=True)
class RowChange:
    """A judgment that is not the same in both: its grade in each, None where it has no row."""

    query: str
    document: str
    subtopic: str | None
    before: float | None
    after: float | None

    @property
    def change(self) -> Change:
        if self.before is None or self.after is None:
            return "added" if self.before is None else "removed"
        return "raised" if self.after > self.before else "lowered"


@dataclass(frozen=True, eq=False)
class Effect:
    """What the second set does to the scores of the runs under one measure.

    Parameters
    ----------
    runs : names.
    before, after : [run] summaries, each over the queries of its own set.
    n_before, n_after : [run] how many queries those are over.
    order, significance : of the runs.
    """

    measure: str
    runs: tuple[str, ...]
    before: Floats
    after: Floats
    n_before: tuple[int, ...]
    n_after: tuple[int, ...]
    order: Order
    significance: Significance


@dataclass(frozen=True, eq=False)
class QrelsDiff:
    """Two sets of judgments, compared.

    Parameters
    ----------
    names, fingerprints, rows : of the first and the second.
    same : rows with the same grade in both.
    changes : every row that is not, by query in the order of the first set, then of the second.
    confusion : {(grade in the first, grade in the second): rows}; None is no row.
    queries_added, queries_removed : queries with rows in one set only.
    runs : names; effects : one a measure, none without runs.
    settings : every choice that decides a number; notes : what readers said.
    """

    names: tuple[str, str]
    fingerprints: tuple[str, str]
    rows: tuple[int, int]
    same: int
    changes: tuple[RowChange, ...]
    confusion: Mapping[tuple[float | None, float | None], int]
    queries_added: tuple[str, ...]
    queries_removed: tuple[str, ...]
    runs: tuple[str, ...] = ()
    effects: tuple[Effect, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def count(self, change: Change) -> int:
        return sum(row.change == change for row in self.changes)

    def by_query(self) -> dict[str, Counter[Change]]:
        """{query: how many rows of each change}, of queries with one; the most changed first."""
        found: dict[str, Counter[Change]] = {}
        for row in self.changes:
            found.setdefault(row.query, Counter())[row.change] += 1
        return dict(sorted(found.items(), key=lambda item: -item[1].total()))


def qrels_diff(
    a: Any,
    b: Any,
    runs: Any = (),
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    common: bool = False,
    alpha: float = ALPHA,
    correction: Correction = "none",
    qrels_format: str | None = None,
    split: str | None = None,
    on_duplicate: Any = "error",
    scale: float | None = None,
    **options: Any,
) -> QrelsDiff:
    """Say what changed from judgments `a` to judgments `b`, and what that does to the runs.

    Parameters
    ----------
    a, b : as the qrels of `evaluate`
    runs, measures : as for `evaluate`; no runs: only the rows are compared
    common : score the runs on the queries that both sets judge; by default each set's own
    alpha, correction : of the paired t-tests whose results are compared
    scale : the largest grade; by default the larger one of both sets, for both
    options : as for `evaluate`

    Raises
    ------
    InputError
        Preferences, or judgments of several groups.
    NothingToEvaluate
        `common`, and no query is judged in both.
    And as `evaluate`.
    """
    one, two = read_sets((a, b), split, format=qrels_format, on_duplicate=on_duplicate)
    laid = lay((one, two), "compared")
    before, after = laid.grade
    changed = np.flatnonzero(before != after)  # NaN, no row, differs from every grade
    known = [set(qrels.queries.to_list()) for qrels in (one, two)]
    effects: tuple[Effect, ...] = ()
    names_of_runs: tuple[str, ...] = ()
    if not _none(runs):
        top = max(one.max_grade, two.max_grade) if scale is None else scale
        options |= {"scale": top if top > 0 else None, "on_duplicate": on_duplicate}
        sides = _both(one, two) if common else (one, two)
        scores = [evaluate(side, runs, measures, **options) for side in sides]
        names_of_runs = scores[0].runs
        effects = tuple(_effects(scores, alpha, correction))
    return QrelsDiff(
        names=(one.name, two.name),
        fingerprints=(qrels_fingerprint(one), qrels_fingerprint(two)),
        rows=(len(one), len(two)),
        same=len(before) - len(changed),
        changes=tuple(_changes(laid, changed)),
        confusion=_confusion(before, after),
        queries_added=tuple(q for q in laid.queries if q not in known[0]),
        queries_removed=tuple(q for q in laid.queries if q not in known[1]),
        runs=names_of_runs,
        effects=effects,
        settings={"common": common, "alpha": alpha, "correction": correction, **options},
        notes=tuple(f"{q.name}: {note}" for q in (one, two) for note in q.notes),
    )


def _none(runs: Any) -> bool:
    return runs is None or (isinstance(runs, (list, tuple, Mapping)) and not runs)


def _changes(laid: Laid, rows: Index) -> Iterator[RowChange]:
    subtopics = None if laid.subtopics is None else laid.subtopics.take(rows).to_list()
    cells = zip(
        laid.query[rows].tolist(),
        laid.docs.take(rows).to_list(),
        [None] * len(rows) if subtopics is None else subtopics,
        *laid.grade[:, rows].tolist(),
        strict=True,
    )
    for query, doc, subtopic, before, after in cells:
        yield RowChange(laid.queries[query], doc, subtopic, _or_none(before), _or_none(after))


def _or_none(grade: float) -> float | None:
    return None if math.isnan(grade) else grade


def _confusion(before: Floats, after: Floats) -> dict[tuple[float | None, float | None], int]:
    """{(grade, grade): rows}, ascending, no row first."""
    codes, levels = [], []
    for side in (before, after):
        known = distinct(side[~np.isnan(side)])
        levels.append([None, *known.tolist()])
        codes.append(np.where(np.isnan(side), 0, np.searchsorted(known, side) + 1))
    width = len(levels[1])
    counted = np.bincount(codes[0] * width + codes[1], minlength=len(levels[0]) * width)
    return {
        (a, b): int(counted[i * width + j])
        for i, a in enumerate(levels[0])
        for j, b in enumerate(levels[1])
        if counted[i * width + j]
    }


def _both(one: Qrels, two: Qrels) -> tuple[Qrels, Qrels]:
    """The queries that have a row of grade 0 or more in each."""
    judged = []
    for qrels in (one, two):
        rows = np.bincount(qrels.query[qrels.grade >= 0], minlength=len(qrels.queries))
        judged.append({q for q, n in zip(qrels.queries.to_list(), rows.tolist(), strict=True) if n})
    both = judged[0] & judged[1]
    if not both:
        raise NothingToEvaluate(
            f"no query is judged in {one.name} and in {two.name}", "are the query ids the same?"
        )

    def kept(qrels: Qrels) -> Qrels:
        inside = np.array([q in both for q in qrels.queries.to_list()], np.bool_)
        return qrels.take(inside[qrels.query])

    return kept(one), kept(two)


def _effects(scores: list[Scores], alpha: float, correction: Correction) -> Iterable[Effect]:
    runs = scores[0].runs
    every = [np.ones(len(s.queries), np.bool_) for s in scores]
    for m, label in enumerate(scores[0].measures):
        summaries = [
            [s.summary(r, m, mask) for r in range(len(runs))]
            for s, mask in zip(scores, every, strict=True)
        ]
        means = [np.array([value for value, _ in side]) for side in summaries]
        known = np.flatnonzero(np.isfinite(means[0]) & np.isfinite(means[1])).tolist()
        table = [s.values[:, s.valid[:, :, m].all(axis=0), m] for s in scores]
        yield Effect(
            label.full,
            runs,
            means[0],
            means[1],
            tuple(n for _, n in summaries[0]),
            tuple(n for _, n in summaries[1]),
            order_change([runs[r] for r in known], *(side[known] for side in means)),
            significance_change(runs, table[0], table[1], alpha, correction),
        )
