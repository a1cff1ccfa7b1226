"""The tables of an experiment, as data: collections, results, averages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from cranfield.comparison.outcome import Comparison, Difference
from cranfield.data.scores import Scores
from cranfield.experiment.cells import Outcome
from cranfield.experiment.matrix import Experiment
from cranfield.experiment.measured import Measured
from cranfield.experiment.plan import Cell, PlannedCollection
from cranfield.stats.intervals import t_interval

LEVEL = 0.95
VERDICTS = ("better", "worse", "equivalent", "undecided", "refused")


@dataclass(frozen=True)
class Mean:
    """A mean over n queries with its interval (Student's t, 95 %); None where there is none.

    Parameters
    ----------
    holes : documents without a judgment among those that the measure reads; None where nobody
        counted
    at_least, at_most : between which values the mean lies whatever those are; None where unknown
    exact : False where these are outer bounds, wider than need be
    """

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    holes: int | None = None
    at_least: float | None = None
    at_most: float | None = None
    exact: bool = True


@dataclass(frozen=True)
class Row:
    """A run of the matrix.

    Parameters
    ----------
    n : queries
    means : by measure, in the order of the plan
    judged : judge rate, over the queries with a result
    against, base : the run it is held against, and that run's means on the same queries; a
        retriever is held against the first one, a reranker against its retriever
    differences : by measure; empty where it is held against nothing
    labels : for each of these what unjudged documents leave of its sign: `open`, it may be either;
        `decided`, it holds whatever they are; None where all is judged or nobody looked
    """

    outcome: Outcome
    n: int
    means: tuple[Mean, ...]
    judged: Mean
    against: str | None = None
    base: tuple[Mean, ...] = ()
    base_judged: Mean | None = None
    differences: tuple[Difference, ...] = ()
    labels: tuple[Literal["open", "decided"] | None, ...] = ()

    @property
    def cell(self) -> Cell:
        return self.outcome.cell


@dataclass(frozen=True)
class Average:
    """The mean over collections of the means of one system or reranker.

    Parameters
    ----------
    scope : over all collections, those of one task, or the members of one group; `name` says which
    n, of : collections that it is over, and that the scope has; a group counts as one
    without : collections of the scope that have no such run
    means, judged : of the run
    base : of its retriever on the same queries; empty for a retriever
    at_least, at_most : by measure the means of the ends that holes leave; None where one is unknown
    verdicts : {verdict: collections}, of the run against its base under the first measure
    """

    scope: Literal["all", "task", "group"]
    name: str
    label: str
    n: int
    of: int
    without: tuple[str, ...]
    means: tuple[float | None, ...]
    judged: float | None
    base: tuple[float | None, ...] = ()
    verdicts: Mapping[str, int] | None = None
    at_least: tuple[float | None, ...] = ()
    at_most: tuple[float | None, ...] = ()


def rows(found: Experiment) -> tuple[Row, ...]:
    """One row a run, in the order of the plan."""
    made: dict[tuple[str, str], Row] = {}
    for measured in found.measured:
        for r, outcome in enumerate(measured.outcomes):
            key = outcome.cell.collection.name, outcome.cell.label
            if key not in made:  # a base on a sample has been there on all queries
                made[key] = _row(measured, r)
    order = ((o.cell.collection.name, o.cell.label) for o in found.outcomes)
    return tuple(made[key] for key in order if key in made)


def _row(measured: Measured, r: int) -> Row:
    scores, outcome = measured.scores, measured.outcomes[r]
    means = _means(measured, r)
    if r == 0 or measured.comparison is None:
        return Row(outcome, len(scores.queries), means[:-1], means[-1])
    base = _means(measured, 0)
    run = scores.runs[r]
    differences = tuple(d for d in measured.comparison.differences if d.run == run)
    return Row(
        outcome,
        len(scores.queries),
        means[:-1],
        means[-1],
        scores.runs[0],
        base[:-1],
        base[-1],
        differences,
        tuple(_labels(measured.comparison, run, d.measure) for d in differences),
    )


def _labels(found: Comparison, run: str, measure: str) -> Literal["open", "decided"] | None:
    """What the labels say of the sign of a difference, from the cautions of its comparison."""
    for remark in found.cautions:
        if remark.values.get("run") == run and measure in remark.values.get("measures", ()):
            if remark.key == "undecidable":
                return "open"
            if remark.key == "decided":
                return "decided"
    return None


def _means(measured: Measured, r: int) -> tuple[Mean, ...]:
    scores = measured.scores
    found = []
    for i, label in enumerate(scores.measures):
        value, n = scores.summary(r, i, scores._mask("all"))
        own = None if math.isnan(value) else value
        # the judge rate, the last one, is about the holes
        ends = _Ends() if i == len(scores.measures) - 1 else _ends(scores, r, i, own)
        low = high = None
        if label.aggregate == "mean" and own is not None:
            interval = t_interval(scores.values[r, scores.valid[r, :, i], i], LEVEL)
            low, high = interval.low, interval.high
        found.append(Mean(own, n, low, high, *ends))
    return tuple(found)


class _Ends(NamedTuple):
    """What holes leave open of a mean; see `Mean`."""

    holes: int | None = None
    at_least: float | None = None
    at_most: float | None = None
    exact: bool = True


def _ends(scores: Scores, r: int, i: int, value: float | None) -> _Ends:
    """Worked out, for all runs of the scores at once, when somebody first asks."""
    holes = scores.holes(scores.measures[i].full, r)
    if holes == 0:
        return _Ends(0, value, value)
    if value is None or scores.ranges is None or not scores.ranges.known(i):
        return _Ends(holes)
    low, high = scores.limits(r, i, scores._mask("all"))
    return _Ends(holes, low, high, bool(scores.ranges.exact[r, i]))


def averages(found: Experiment, table: Sequence[Row]) -> tuple[Average, ...]:
    """For each system and each reranked system the mean over all collections, over those of each
    task, and over the members of each group."""
    planned = list({o.cell.collection.name: o.cell.collection for o in found.outcomes}.values())
    labels = dict.fromkeys(o.cell.label for o in found.outcomes)
    cells = {(row.cell.collection.name, row.cell.label): row for row in table}
    wanted = {(o.cell.collection.name, o.cell.label) for o in found.outcomes}
    out = []
    for scope, name, members in _scopes(planned):
        for label in labels:
            own = [c for c in members if (c.name, label) in wanted]
            average = _average(scope, name, label, members, own, cells)
            if average is not None:
                out.append(average)
    return tuple(out)


def _scopes(
    planned: Sequence[PlannedCollection],
) -> Iterator[tuple[Literal["all", "task", "group"], str, list[PlannedCollection]]]:
    """What averages are made over; one collection alone is no average."""
    if len(planned) < 2:
        return
    yield "all", "", list(planned)
    for task in dict.fromkeys(c.task for c in planned if c.task):
        yield "task", task, [c for c in planned if c.task == task]
    for group in dict.fromkeys(c.group for c in planned if c.group):
        yield "group", group, [c for c in planned if c.group == group]


def _average(
    scope: Literal["all", "task", "group"],
    name: str,
    label: str,
    members: Sequence[PlannedCollection],
    own: Sequence[PlannedCollection],
    cells: Mapping[tuple[str, str], Row],
) -> Average | None:
    there = [cells[c.name, label] for c in own if (c.name, label) in cells]
    if not there:
        return None
    units = _units(there, whole=scope != "group")
    reranked = there[0].cell.reranker is not None
    n_measures = len(there[0].means)
    verdicts: dict[str, int] | None = None
    if any(row.differences for row in there):
        kinds = [row.differences[0].verdict.kind for row in there if row.differences]
        verdicts = {kind: kinds.count(kind) for kind in VERDICTS if kind in kinds}
    return Average(
        scope=scope,
        name=name,
        label=label,
        n=len(units),
        of=len(_unit_names(members, whole=scope != "group")),
        without=tuple(c.name for c in members if (c.name, label) not in cells),
        means=tuple(
            _mean([_mean([row.means[i].value for row in unit]) for unit in units])
            for i in range(n_measures)
        ),
        judged=_mean([_mean([row.judged.value for row in unit]) for unit in units]),
        base=tuple(
            _mean([_mean([row.base[i].value for row in unit]) for unit in units])
            for i in range(n_measures)
        )
        if reranked
        else (),
        verdicts=verdicts,
        at_least=tuple(_end(units, i, "at_least") for i in range(n_measures)),
        at_most=tuple(_end(units, i, "at_most") for i in range(n_measures)),
    )


def _end(units: Sequence[Sequence[Row]], i: int, side: str) -> float | None:
    """One end of an average: where that of a collection is unknown, so is its own."""
    ends = [[getattr(row.means[i], side) for row in unit] for unit in units]
    return None if any(None in own for own in ends) else _mean([_mean(own) for own in ends])


def _units(table: Sequence[Row], *, whole: bool) -> list[list[Row]]:
    """What counts as one: a collection, and with `whole` a group (BEIR averages the twelve of
    CQADupStack first; Thakur et al. 2021)."""
    found: dict[str, list[Row]] = {}
    for row in table:
        found.setdefault(_unit(row.cell.collection, whole=whole), []).append(row)
    return list(found.values())


def _unit_names(planned: Sequence[PlannedCollection], *, whole: bool) -> set[str]:
    return {_unit(c, whole=whole) for c in planned}


def _unit(one: PlannedCollection, *, whole: bool) -> str:
    return f"group {one.group}" if whole and one.group else f"collection {one.name}"


def _mean(values: Sequence[float | None]) -> float | None:
    """None where there is nothing to average."""
    known = [v for v in values if v is not None]
    return math.fsum(known) / len(known) if known else None
