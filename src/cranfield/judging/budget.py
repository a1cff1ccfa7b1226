"""Depth or breadth: few queries judged well, or many judged thinly, for the same number of labels.

A pilot, some queries judged well, is judged again as thinly as each depth would do it: only labels
of documents within that depth of a run are kept. Three things then follow for every depth. The
labels that a query costs; the spread of the scores over queries, which holds both how much queries
differ and what thin labels add to it; and the bias, the mean of thin less full scores, which no
number of queries takes away. A budget of labels pays for so many queries, and the mean over them is
off by √(spread² / queries + bias²).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.columns import Floats
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError, UsageError
from cranfield.evaluation.holes import Grades, grades_of
from cranfield.judging.labels import Labels
from cranfield.judging.policies import Policy
from cranfield.judging.scale import Scale, scale_of
from cranfield.judging.sets import MAJORITY, label_set

DEPTHS = (1, 2, 3, 5, 10, 20, 50, 100)
LEAST = 3  # queries of a pilot
FEW = 20  # below it the plan itself is a guess


@dataclass(frozen=True)
class Depth:
    """One way to spend the budget.

    Parameters
    ----------
    depth : of the pool of the runs that is judged.
    labels : a query, on average.
    queries : that the budget pays for, or that there are.
    spread : standard deviation over queries of the value under these labels.
    error : standard deviation of thin less full values.
    bias, bias_se : mean of thin less full values over the pilot, and its standard error.
    se : of the mean over the queries; None for fewer than two queries.
    rmse : √(se² + bias²), the bias less what chance puts into its square.
    detectable : the difference of means that a paired t-test finds with a chance of 0.8.
    t : the mean of the pilot under these labels over `se`.
    """

    depth: int
    labels: float
    queries: int
    spread: float
    error: float
    bias: float
    bias_se: float
    se: float | None
    rmse: float | None
    detectable: float | None
    t: float | None


@dataclass(frozen=True)
class BudgetPlan:
    """All depths for one measure.

    Parameters
    ----------
    base, run : the pilot; without a base the mean of `run` is planned for.
    pilot : queries; `mean` and `between` of their values under all labels: the mean, and the
        standard deviation over queries.
    scale : of the grades.
    best : the depth with the least rmse; `clearest` that with the largest expected |t|. None
        where the budget pays for no two queries at any depth.
    """

    measure: str
    base: str | None
    run: str
    budget: float
    per_query: float
    most_queries: int | None
    pilot: int
    mean: float
    between: float
    depths: tuple[Depth, ...]
    best: int | None
    clearest: int | None
    scale: Scale
    notes: tuple[str, ...] = ()


def plan_budget(
    qrels: Any,
    runs: Sequence[Any],
    measure: Any = "nDCG@10",
    *,
    budget: float,
    depths: Sequence[int] = (),
    per_query: float = 0.0,
    most_queries: int | None = None,
    scale: float | None = None,
    labels: Labels | None = None,
    combine: Policy = MAJORITY,
) -> BudgetPlan:
    """What a budget of labels is best spent on.

    Parameters
    ----------
    qrels : of the pilot, judged as deep as the largest depth or deeper; see `label_set`.
    runs : one for its mean, two for their difference (second - first).
    budget : labels.
    depths : to compare [1, 2, 3, 5, 10 and so on to the measure's cutoff, or to 100].
    per_query : what a query costs beside its labels (found, written, understood), in labels.
    most_queries : that there are.
    scale : the largest grade; see `cranfield.judging.scale`.

    Raises
    ------
    InputError
        Fewer than three queries in the pilot.
    UsageError, MeasureError, FormatError, NoSuchInput, NothingToEvaluate
    """
    from cranfield.evaluation.inputs import asked_measures
    from cranfield.formats.readers import read_run

    asked = [m for _, m in asked_measures(measure)]
    _check(runs, asked, budget, per_query, most_queries)
    found = label_set(qrels, labels=labels, combine=combine)
    graded = scale_of([found], scale, labels)
    top = graded.top
    opened = [read_run(run) for run in runs]
    grades = {q: docs for q, docs in grades_of(found.qrels).items() if docs}
    if len(grades) < LEAST:
        raise InputError(f"a pilot of {len(grades)} queries", f"{LEAST} or more")
    queries = list(grades)
    wanted = sorted(set(depths)) or _depths(asked[0].cutoff)
    if wanted[0] < 1:
        raise UsageError(f"depth {wanted[0]}", "from 1 on")
    lists = [_lists(run, wanted[-1]) for run in opened]
    full = _values(grades, opened, asked[0], queries, top)
    rows = []
    for depth in wanted:
        pools = {q: {d for run in lists for d in run.get(q, [])[:depth]} for q in queries}
        thin = {q: {d: g for d, g in grades[q].items() if d in pools[q]} for q in queries}
        values = _values(thin, opened, asked[0], queries, top)
        cost = math.fsum(len(pool) for pool in pools.values()) / len(queries)
        rows.append(_row(depth, cost, values, full, budget, per_query, most_queries))
    able = [r for r in rows if r.rmse is not None]
    names = [run.name for run in opened]
    return BudgetPlan(
        str(asked[0]),
        names[0] if len(names) == 2 else None,
        names[-1],
        budget,
        per_query,
        most_queries,
        len(queries),
        float(full.mean()),
        float(full.std(ddof=1)),
        tuple(rows),
        min(able, key=lambda r: (round(r.rmse or 0, 12), r.depth)).depth if able else None,
        max(able, key=lambda r: (round(abs(r.t or 0), 12), -r.depth)).depth if able else None,
        graded,
        found.notes,
    )


def _check(
    runs: Sequence[Any], asked: Sequence[Any], budget: float, per_query: float, most: int | None
) -> None:
    if not 1 <= len(runs) <= 2:
        raise UsageError(f"{len(runs)} runs", "one for its mean, two for their difference")
    if len(asked) > 1:
        raise UsageError(f"{len(asked)} measures", "one at a time")
    if not (budget > 0 and math.isfinite(budget)):
        raise UsageError(f"the budget is {budget}", "labels, above 0")
    if not (per_query >= 0 and math.isfinite(per_query)):
        raise UsageError(f"a query costs {per_query}", "labels, from 0 on")
    if most is not None and most < 2:
        raise UsageError(f"{most} queries at most", "two or more")


def _depths(cutoff: int | None) -> list[int]:
    most = min(cutoff or DEPTHS[-1], DEPTHS[-1])
    return sorted({*(d for d in DEPTHS if d < most), most})


def _lists(run: Any, depth: int) -> dict[str, list[str]]:
    from cranfield.evaluation.lists import top_of
    from cranfield.scan.lines import Lines

    return {q: [d for d, _ in docs] for q, docs in top_of(Lines.from_run(run), depth).items()}


def _values(
    grades: Grades, runs: Sequence[Any], measure: Any, queries: Sequence[str], top: float
) -> Floats:
    """[query] of the run, or of the second less the first; a query without a label has 0."""
    from cranfield.evaluation.evaluate import evaluate

    place = {q: i for i, q in enumerate(queries)}
    values = np.zeros((len(runs), len(queries)))
    if any(grades.values()):
        scores = evaluate(Qrels.from_dict(grades), list(runs), measure, scale=top)
        at = [place[q] for q in scores.queries]
        values[:, at] = scores.values[:, :, 0]
    found: Floats = np.round(values[0] if len(runs) == 1 else values[1] - values[0], 12)
    return found


def _row(
    depth: int,
    labels: float,
    values: Floats,
    full: Floats,
    budget: float,
    per_query: float,
    most: int | None,
) -> Depth:
    from cranfield.stats.power import detectable

    off = values - full
    spread, error = float(values.std(ddof=1)), float(off.std(ddof=1))
    bias, bias_se = float(off.mean()), error / math.sqrt(len(off))
    price = labels + per_query
    n = int(budget / price + 1e-9) if price > 0 else 0
    n = n if most is None else min(n, most)
    if n < 2:
        return Depth(depth, labels, n, spread, error, bias, bias_se, None, None, None, None)
    se = spread / math.sqrt(n)
    rmse = math.sqrt(se**2 + max(0.0, bias**2 - bias_se**2))
    t = float(values.mean()) / se if se > 0 else None
    return Depth(depth, labels, n, spread, error, bias, bias_se, se, rmse, detectable(n, spread), t)
