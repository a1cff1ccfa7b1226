"""Which measure should decide: what the data say of discrimination, stability, difficulty and the
cost in labels, weighed, with every number kept.

No measure is known to be good beforehand. The measures whose share of significant pairs is not
shown to be lower than that of the first one may decide; among them the criteria are weighed by the
places they give. Wu, Tan and Shi (2015) conclude from sensitivity, stability and difficulty
together; an easy measure that tells few pairs apart is named as misleading.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.data.columns import Floats
from cranfield.errors import UsageError
from cranfield.metaeval.advice import Recommendation, Standing
from cranfield.metaeval.agreement import Matrix
from cranfield.metaeval.errors_ties import ErrorTie
from cranfield.metaeval.labels import labels_of
from cranfield.metaeval.reasons import reasons
from cranfield.metaeval.results import Condition
from cranfield.metaeval.sizes_results import Needed

CRITERIA = ("share", "error", "difficulty", "labels")
WEIGHTS: Mapping[str, float] = {"share": 2.0, "error": 1.0, "difficulty": 1.0, "labels": 1.0}


def recommend(
    condition: Condition,
    tau: Matrix,
    errors: Sequence[ErrorTie | None] = (),
    *,
    level: float = 0.05,
    weights: Mapping[str, float] = WEIGHTS,
    same: float = 0.9,
    well: float = 0.75,
) -> Recommendation:
    """A recommendation for one condition of a study.

    Parameters
    ----------
    condition : with resamples if it is to be said whether anything is settled, and with a curve
        of sizes if it is to be said how many queries.
    tau : [s, s] tau-b between the orders of systems of the measures, in the condition's order;
        None where there is none.
    errors : error and tie rate of each measure; empty, or None of a measure: that criterion is
        left out.
    level : at which shares are told; the order is by the mean over all levels.
    weights : of the criteria `CRITERIA`, from 0 on.
    same : from this tau on two measures order the systems alike.
    well : a measure to watch has at least this part of the share of the one that decides; an easier
        one below it is named as misleading.

    Raises
    ------
    UsageError
        A weight is unknown or below 0, or `same` or `well` lies outside 0 to 1.
    UnknownName
        The level is none of the study's.
    """
    _check(weights, same, well)
    found = condition.discrimination
    standings = _standings(condition, errors, level)
    first = standings[0]
    # without resamples nothing is shown, and any measure may be as good as the first
    leaders = [s.measure for s in standings if s is first or not s.behind]
    points = _points([s for s in standings if s.measure in leaders], weights)
    decide = min(leaders, key=lambda m: (points[m], leaders.index(m)))
    standings = [_with_points(s, points.get(s.measure)) for s in standings]
    index = {m: i for i, m in enumerate(found.measures)}
    row = np.array([np.nan if t is None else t for t in tau[index[decide]]], np.float64)
    others = [m for m in found.measures if m != decide]
    alike = tuple((m, float(row[index[m]])) for m in others if row[index[m]] >= same)
    chosen = next(s for s in standings if s.measure == decide)
    watch = _watch(standings, chosen, row, index, same, well)
    misleading = tuple(
        s.measure
        for s in standings
        if s.difficulty < chosen.difficulty and s.behind and s.share < well * chosen.share
    )
    queries = _queries(condition, decide, level)
    made = Recommendation(
        condition=condition.name,
        level=level,
        standings=tuple(standings),
        leaders=tuple(leaders),
        decide=decide,
        settled=len(leaders) == 1 and found.bootstrap is not None,
        watch=watch,
        watch_tau=None if watch is None else float(row[index[watch]]),
        alike=tuple(sorted(alike, key=lambda pair: -pair[1])),
        misleading=misleading,
        queries=queries,
        weights=dict(weights),
        same=same,
        well=well,
        reasons=(),
    )
    return replace(made, reasons=reasons(made, condition))


def _check(weights: Mapping[str, float], same: float, well: float) -> None:
    for name, weight in weights.items():
        if name not in CRITERIA:
            raise UsageError(f"no criterion {name!r}", f"criteria: {', '.join(CRITERIA)}")
        if not 0 <= weight < np.inf:
            raise UsageError(f"the weight of {name} is {weight!r}", "a number from 0 on")
    for name, value in (("same", same), ("well", well)):
        if not 0 <= value <= 1:
            raise UsageError(f"{name} must lie from 0 to 1, not {value!r}")


def _standings(
    condition: Condition, errors: Sequence[ErrorTie | None], level: float
) -> list[Standing]:
    """What is known of each measure, the highest mean share first."""
    found, b = condition.discrimination, condition.discrimination.bootstrap
    order = np.argsort(-found.overall, kind="stable").tolist()
    top, last = order[0], len(found.levels)
    standings = []
    for i in order:
        name = found.measures[i]
        share = found.at(name, level)
        at = found.levels.index(level)
        rates = errors[i] if errors else None
        mean = float(condition.difficulty.mean[i])
        standings.append(
            Standing(
                measure=name,
                share=share,
                low=None if b is None else float(b.low[i, at]),
                high=None if b is None else float(b.high[i, at]),
                overall=float(found.overall[i]),
                behind=None if b is None else bool(b.difference_low[top, i, last] > 0),
                error=None if rates is None else rates.error,
                tie=None if rates is None else rates.tie,
                mean=mean,
                difficulty=1.0 - mean,
                labels=labels_of(name),
            )
        )
    return standings


def _points(leaders: Sequence[Standing], weights: Mapping[str, float]) -> dict[str, float]:
    """The weighted mean of the places of each leader, low is good; equal values share a place. A
    criterion that is not known of every leader is left out."""
    values: dict[str, list[Any]] = {
        "share": [-s.overall for s in leaders],
        "error": [s.error for s in leaders],
        "difficulty": [s.difficulty for s in leaders],
        "labels": [None if s.labels.need == "unknown" else s.labels.rank for s in leaders],
    }
    total, weight = np.zeros(len(leaders)), 0.0
    for name in CRITERIA:
        column = values[name]
        if any(v is None for v in column) or not weights.get(name):
            continue
        places = [1 + sum(o < v for o in column) + (column.count(v) - 1) / 2 for v in column]
        total += weights[name] * np.array(places)
        weight += weights[name]
    mean = total / weight if weight else total
    return {s.measure: float(p) for s, p in zip(leaders, mean, strict=True)}


def _with_points(standing: Standing, points: float | None) -> Standing:
    return replace(standing, points=points)


def _watch(
    standings: Sequence[Standing],
    chosen: Standing,
    row: Floats,
    index: Mapping[str, int],
    same: float,
    well: float,
) -> str | None:
    """Of the measures that tell pairs apart well, the one that orders the systems least alike."""
    able = [
        s.measure
        for s in standings
        if s is not chosen
        and s.share >= well * chosen.share
        and not np.isnan(row[index[s.measure]])
        and row[index[s.measure]] < same
    ]
    return min(able, key=lambda m: row[index[m]], default=None)


def _queries(condition: Condition, decide: str, level: float) -> tuple[Needed, ...]:
    if condition.sizes is None:
        return ()
    return tuple(
        n
        for n in condition.sizes.needed
        if n.level == level and (n.measure == decide or n.like == decide) and n.like != n.measure
    )
