"""Which runs and queries a study is over, and the scores they come with.

The order of the steps decides the result: queries without a relevant document go first, then runs
by their mean over the queries that are left (Wu, Tan & Shi 2015). The same runs and queries serve
all measures and conditions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any, Literal

import numpy as np

from cranfield.data.columns import Floats
from cranfield.data.matrix import ScoreMatrix
from cranfield.data.qrels import Qrels
from cranfield.data.scores import Scores
from cranfield.errors import InputError, NothingToEvaluate, UsageError
from cranfield.evaluation.evaluate import evaluate
from cranfield.evaluation.inputs import asked_measures, judged_queries, judgments_of, sources_of
from cranfield.measures import Measure
from cranfield.metaeval.choices import Choices
from cranfield.metaeval.results import DroppedRun, Selection
from cranfield.stats.arrays import DECIMALS

FLOOR = "AP"  # classical average precision, whatever the grades
BINARY = ("AP", "P@10", "Rprec", "RR", "nDCG_JK")
ConditionName = Literal["binary", "graded", "given"]
_CONDITIONS: tuple[ConditionName, ...] = ("binary", "graded")


@dataclass(frozen=True, eq=False)
class Chosen:
    """The scores of each condition, over the runs and queries that were kept; the
    settings are those of `evaluate`."""

    name: str
    selection: Selection
    matrices: tuple[tuple[ConditionName, ScoreMatrix], ...]
    settings: Mapping[str, Any]
    notes: tuple[str, ...]


def graded(graded_ap: str) -> tuple[str, ...]:
    """The five measures of Wu, Tan & Shi for grades."""
    return (f'AP_Wu(variant="{graded_ap}")', "P_Wu@10", "RP_Wu", "RR_Wu", "nDCG_JK")


def chosen_conditions(asked: Sequence[str] | None, qrels: Qrels, own: bool) -> list[ConditionName]:
    """What was asked for; else grades as they are, and beside them the merged ones where the
    measures are not given either and there is something to merge."""
    if asked is not None:
        names = [asked] if isinstance(asked, str) else list(asked)
        for name in names:
            if name not in _CONDITIONS:
                raise UsageError(f"no condition {name!r}", "conditions are binary and graded")
        if not names:
            raise UsageError("no condition asked for", "conditions are binary and graded")
        return [name for name in _CONDITIONS if name in names]
    several = len(np.unique(qrels.grade[qrels.grade > 0])) > 1
    if not several:
        return ["binary"]
    return ["graded"] if own else ["binary", "graded"]


def from_runs(
    qrels: Any,
    runs: Any,
    measures: Any,
    conditions: Sequence[str] | None,
    name: str | None,
    choices: Choices,
    options: Mapping[str, Any],
) -> Chosen:
    """Score runs under the measures of each condition and select; `options` are those of
    `evaluate`."""
    policy = options.get("on_duplicate", "error")
    errors = bool(options.get("all_errors", False))
    given, _ = judgments_of(
        qrels, options.get("qrels_format"), policy, errors, options.get("split")
    )
    judged, _ = judged_queries(given)
    names = judged.queries.to_list()
    relevant = np.bincount(judged.query[judged.grade >= 1], minlength=len(names)) > 0
    if not relevant.any():
        raise NothingToEvaluate(
            f"{judged.name}: no query has a relevant document (a grade of 1 or more)",
            "there is nothing that measures could agree or differ about",
        )
    kept = judged.take(relevant[judged.query]) if choices.drop_unanswerable else judged
    remain = set(kept.queries.to_list())
    dropped = tuple(query for query in given.queries.to_list() if query not in remain)
    sources = sources_of(runs, options.get("run_format"), policy, errors)
    passed = {k: v for k, v in options.items() if k not in ("split", "qrels_format", "scale")}
    scored: list[tuple[ConditionName, Scores, ScoreMatrix]] = []
    for condition in chosen_conditions(conditions, kept, measures is not None):
        merged = condition == "binary"
        one = replace(kept, grade=_merged(kept.grade), scale=None) if merged else kept
        scale = 1.0 if merged else options.get("scale") or judged.max_grade
        own = BINARY if merged else graded(choices.graded_ap)
        wanted = asked_measures(own if measures is None else measures)
        found = evaluate(one, sources, [*(m for _, m in wanted), FLOOR], scale=scale, **passed)
        matrix = ScoreMatrix.from_scores(found, name or given.name)
        scored.append((condition, found, matrix.select(measures=matrix.measures[: len(wanted)])))
    first = scored[0][1]
    _refuse_apart(first)
    floor = ScoreMatrix.from_scores(first).of(FLOOR)
    matrices = [(condition, matrix) for condition, _, matrix in scored]
    settings = {**first.settings, "scale": options.get("scale") or judged.max_grade}
    notes = [*first.notes, *_unlabelled(first, set(dropped))]
    return _chosen(matrices, floor, choices.min_ap, dropped, notes, settings)


def from_scores(scores: Scores, measures: Any, name: str | None, choices: Choices) -> Chosen:
    """Select from scores that were made before: queries without a grade above 0 are dropped."""
    matrix = ScoreMatrix.from_scores(scores, name or "")
    dropped: tuple[str, ...] = ()
    if choices.drop_unanswerable:
        dropped = tuple(compress(scores.queries, (~scores.answerable).tolist()))
        matrix = matrix.select(queries=compress(scores.queries, scores.answerable.tolist()))
    found = from_matrix(matrix, measures, name, choices, dropped)
    notes = tuple(dict.fromkeys((*scores.notes, *found.notes)))
    return replace(found, notes=notes, settings=scores.settings)


def from_matrix(
    matrix: ScoreMatrix,
    measures: Any,
    name: str | None,
    choices: Choices,
    dropped: tuple[str, ...] = (),
) -> Chosen:
    """Select from scores whose judgments are not known: no query is dropped, and runs are only
    where average precision is among the scores."""
    floor = matrix.of(FLOOR) if FLOOR in matrix.measures else None
    if measures is not None:
        wanted = [measures] if isinstance(measures, str | Measure) else list(measures)
        matrix = matrix.select(measures=wanted)
    if name is not None:
        matrix = replace(matrix, name=name)
    told = []
    if floor is None and choices.min_ap is not None:
        told.append(f"no run was dropped: {FLOOR} is not among the scores")
    return _chosen([("given", matrix)], floor, choices.min_ap, dropped, told, {})


def _unlabelled(scores: Scores, dropped: set[str]) -> list[str]:
    """Queries of the runs that the judgments do not have."""
    found = {query for report in scores.reports for query in report.unlabelled} - dropped
    if not found:
        return []
    shown = ", ".join(sorted(found)[:5]) + ", …" * (len(found) > 5)
    return [f"queries of the runs without judgments are not scored: {len(found)}, {shown}"]


def _merged(grade: Floats) -> Floats:
    """Every grade from 1 on is 1, every other judged one 0; below 0 still means not judged."""
    return np.where(grade >= 1, 1.0, np.minimum(grade, 0.0))


def _chosen(
    matrices: Sequence[tuple[ConditionName, ScoreMatrix]],
    floor: Floats | None,
    min_ap: float | None,
    dropped: tuple[str, ...],
    notes: Sequence[str],
    settings: Mapping[str, Any],
) -> Chosen:
    whole = matrices[0][1]
    if len(whole.queries) < 2:
        raise InputError(
            f"{len(whole.queries)} quer{'y' if len(whole.queries) == 1 else 'ies'} with a relevant "
            "document: a test of differences needs two or more",
            f"{len(dropped)} without one were dropped" if dropped else None,
        )
    below: list[DroppedRun] = []
    if floor is not None and min_ap is not None:
        means = [math.fsum(row) / len(row) for row in floor.tolist()]
        below = [
            DroppedRun(run, mean)
            for run, mean in zip(whole.runs, means, strict=True)
            if round(mean, DECIMALS) < min_ap
        ]
    out = {run.name for run in below}
    runs = [run for run in whole.runs if run not in out]
    if len(runs) < 2:
        raise InputError(
            f"{len(runs)} of {len(whole.runs)} runs left to compare, and a study needs two: "
            f"{len(below)} have a mean {FLOOR} below {min_ap}"
            if below
            else f"{len(runs)} run, and a study compares runs in pairs",
            "min_ap=None keeps all runs" if below else "give two or more",
        )
    kept = [(condition, matrix.select(runs=runs)) for condition, matrix in matrices]
    told = [*notes, *(note for condition, matrix in kept for note in _constant(condition, matrix))]
    first = kept[0][1]
    silent = np.all([(m.values == 0).all(axis=(0, 2)) for _, m in kept], axis=0)
    missing = {run: n for run, n in zip(runs, first.missing, strict=False) if n}
    selection = Selection(
        tuple(runs),
        first.queries,
        dropped,
        tuple(below),
        min_ap if floor is not None else None,
        FLOOR if floor is not None else None,
        tuple(compress(first.queries, silent.tolist())),
        missing,
    )
    if missing:
        told.append(
            f"{len(missing)} of {len(runs)} runs did not answer every query; a query without an "
            f"answer scores 0 ({sum(missing.values())} in all)"
        )
    return Chosen(first.name, selection, tuple(kept), settings, tuple(dict.fromkeys(told)))


def _constant(condition: ConditionName, matrix: ScoreMatrix) -> list[str]:
    """Measures that give all runs the same scores; all of them are an error."""
    spread = np.ptp(matrix.values, axis=0).max(axis=0) > 10.0**-DECIMALS
    same = [name for name, differs in zip(matrix.measures, spread, strict=True) if not differs]
    if len(same) == len(matrix.measures):
        raise InputError(
            f"all {len(matrix.runs)} runs have the same scores on every query under "
            f"{', '.join(same)}: there is nothing to tell apart",
            "were the same results given several times?",
        )
    return [f"{name} gives all runs the same scores ({condition})" for name in same]


def _refuse_apart(scores: Scores) -> None:
    """Runs that answer different queries would be compared by zeros alone."""
    answered = [set(scores.queries) - set(report.missing) for report in scores.reports]
    named = [(a, run) for a, run in zip(answered, scores.runs, strict=True) if a]
    for i, (first, a) in enumerate(named):
        for second, b in named[i + 1 :]:
            if not first & second:
                raise InputError(
                    f"runs {a!r} and {b!r} answer no query in common",
                    "all runs of a study must be over the same queries",
                )
