"""`study`: all runs of a collection, compared in pairs under each measure."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from cranfield.data.matrix import ScoreMatrix
from cranfield.data.scores import Scores
from cranfield.errors import UsageError
from cranfield.evaluation.settings import check_threads
from cranfield.kit.progress import progress
from cranfield.measures import Measure
from cranfield.metaeval.choices import PARTS, Choices
from cranfield.metaeval.discrimination import discriminate
from cranfield.metaeval.effects import LEAST
from cranfield.metaeval.parts import How, part_curve
from cranfield.metaeval.results import Condition, Difficulty, Kind, Study
from cranfield.metaeval.selecting import (
    Chosen,
    ConditionName,
    from_matrix,
    from_runs,
    from_scores,
)
from cranfield.metaeval.sizes import default_sizes, size_curve
from cranfield.metaeval.sizes_results import PartCurve
from cranfield.stats.arrays import Advance, silent


def study(
    qrels: Any,
    runs: Any = None,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    conditions: Sequence[str] | None = None,
    name: str | None = None,
    threads: int | None = None,
    **options: Any,
) -> Study:
    """Which measure tells the systems of a collection apart (Wu, Tan & Shi 2015).

    Queries without a relevant document are dropped, then runs with a mean average precision below
    0.05. Every pair of the runs left is compared by a paired t-test under every measure; the
    larger the share of pairs with p below a level, the better a measure tells systems apart.
    Then the same with fewer queries, what it would be with more, and how hard the measures and
    the queries are.

    Parameters
    ----------
    qrels : as for `evaluate`; or Scores or a ScoreMatrix, then without `runs`
    runs : two or more, as for `evaluate`
    measures : None: the five of the paper, AP, P@10, R-precision, RR and nDCG, in the graded
        condition in their graded forms; of scores: all
    conditions : "binary" (every grade from 1 on is 1), "graded" (grades as they are) or both;
        None: both for the measures of the paper, "graded" for others, and "binary" where the
        judgments have one relevant grade only
    name : of the collection; by default that of the judgments
    threads : None for as many as processors, at most four; they change no number
    options : the fields of `Choices` (min_ap, levels, resamples, seed, parts, sizes, ...) and the
        keyword arguments of `evaluate` (ties, score_width, scale, on_duplicate, split, ...)

    Returns
    -------
    Study

    Raises
    ------
    UsageError
        A choice that does not exist.
    InputError
        Fewer than two runs or queries are left, all runs have the same scores, or two runs answer
        no query in common.
    NothingToEvaluate
        No query has a relevant document.
    Others
        As `evaluate`.
    """
    check_threads(threads)
    picked = {key: options.pop(key) for key in list(options) if key in Choices.names()}
    choices = Choices(**picked)
    chosen = _scores(qrels, runs, measures, conditions, name, choices, threads, options)
    workers = threads if threads is not None else min(4, os.cpu_count() or 1)
    with progress("comparing all pairs of runs", len(chosen.matrices)) as advance:
        found = tuple(
            examine(matrix, condition, choices, threads=workers, advance=advance)
            for condition, matrix in chosen.matrices
        )
    settings = {**asdict(choices), **chosen.settings, "conditions": [c.name for c in found]}
    notes = (*chosen.notes, *_too_few(len(chosen.selection.queries), choices))
    return Study(chosen.name, chosen.selection, found, settings, notes)


def _scores(
    qrels: Any,
    runs: Any,
    measures: Any,
    conditions: Sequence[str] | None,
    name: str | None,
    choices: Choices,
    threads: int | None,
    options: dict[str, Any],
) -> Chosen:
    if not isinstance(qrels, ScoreMatrix | Scores):
        passed = {**options, "threads": threads}
        return from_runs(qrels, runs, measures, conditions, name, choices, passed)
    if runs is not None or conditions is not None or options:
        extra = "runs" if runs is not None else "conditions" if conditions else next(iter(options))
        raise UsageError(
            f"scores and {extra}", "scores are made already: give judgments and runs, or scores"
        )
    if isinstance(qrels, Scores):
        return from_scores(qrels, measures, name, choices)
    return from_matrix(qrels, measures, name, choices)


def examine(
    matrix: ScoreMatrix,
    condition: ConditionName = "given",
    choices: Choices | None = None,
    *,
    threads: int = 1,
    advance: Advance = silent,
) -> Condition:
    """All that a study finds out about the scores of one condition; nothing is dropped here.

    Parameters
    ----------
    matrix : scores of two runs or more on two queries or more.
    threads : change no number.
    """
    choices = choices or Choices()
    n = len(matrix.queries)
    cuts = [(k, how) for k in _parts(n, choices) for how in _ways(choices)]
    sizes = choices.sizes if choices.sizes is not None else default_sizes(n)
    with_sizes = bool(sizes) and n >= LEAST
    work = [float(choices.resamples)] + [
        float(k * (choices.repeats if how == "random" else 1)) for k, how in cuts
    ]
    work.append(float(len(sizes) * choices.repeats * with_sizes))
    per_sample = 1 / max(sum(work), 1.0)

    def told(amount: float) -> Advance:
        return lambda done: advance(done * amount * per_sample)

    discrimination = discriminate(
        matrix,
        choices.levels,
        resamples=choices.resamples,
        confidence=choices.confidence,
        seed=choices.seed,
        threads=threads,
        advance=told(work[0]),
    )
    how_often = {"repeats": choices.repeats, "seed": choices.seed, "threads": threads}
    parts: tuple[PartCurve, ...] = tuple(
        part_curve(matrix, k, choices.levels, how=how, advance=told(amount), **how_often)
        for (k, how), amount in zip(cuts, work[1:-1], strict=True)
    )
    curve = None
    if with_sizes:
        curve = size_curve(
            matrix,
            choices.levels,
            sizes=sizes,
            shares=choices.shares,
            level=choices.level,
            confidence=choices.confidence,
            advance=told(work[-1]),
            **how_often,
        )
    return Condition(
        condition, matrix, discrimination, difficulty(matrix, choices.difficulty), parts, curve
    )


def difficulty(matrix: ScoreMatrix, kind: Kind = "one_minus") -> Difficulty:
    """How low each measure scores these runs on these queries (Wu, Tan & Shi 2015)."""
    by_query = np.ascontiguousarray(matrix.values.mean(axis=0).T)
    return Difficulty(matrix.measures, matrix.queries, by_query.mean(axis=1), by_query, kind)


def _ways(choices: Choices) -> tuple[How, ...]:
    if choices.cut == "both":
        return ("random", "contiguous")
    return (choices.cut,)


def _parts(n: int, choices: Choices) -> tuple[int, ...]:
    """What was asked for (and is then refused if it cannot be), or what can be of the default."""
    if choices.parts is not None:
        return choices.parts
    return tuple(k for k in PARTS if n >= 2 * k)


def _too_few(n: int, choices: Choices) -> list[str]:
    """What the queries were too few for."""
    told = []
    left = [str(k) for k in PARTS if choices.parts is None and n < 2 * k]
    if left:
        told.append(f"{n} queries are too few for {', '.join(left)} parts of two or more")
    if choices.sizes != () and n < LEAST:
        told.append(f"{n} queries are too few for a curve over numbers of queries")
    return told
