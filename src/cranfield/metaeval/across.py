"""Scores of a study in terms that hold across collections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.columns import Floats, Index
from cranfield.data.matrix import ScoreMatrix
from cranfield.metaeval.results import place
from cranfield.metaeval.standardised import FORMS, Form, standardise
from cranfield.stats.arrays import NOISE


@dataclass(frozen=True, eq=False)
class StandardScores:
    """The mean standardised score of every run of a collection, by measure.

    Parameters
    ----------
    measures, runs, queries : s, m and n names.
    references : how many runs the scores of a query are measured by: the m themselves.
    means : {form: [m, s]} over the queries that are defined, in each form; NaN where none is.
    defined : [s] queries on which the references differ; the others are left out.
    mean, sd : [n, s] of the references on each query: what z = (score - mean) / sd takes, for
        standardising other runs in the same way.
    """

    measures: tuple[str, ...]
    runs: tuple[str, ...]
    queries: tuple[str, ...]
    references: int
    means: Mapping[Form, Floats]
    defined: Index
    mean: Floats
    sd: Floats

    def of(self, run: str, measure: str, form: Form = "normal") -> float | None:
        """The mean of one run under one measure; None where no query is defined."""
        r = place(run, self.runs, "run")
        s = place(measure, self.measures, "measure")
        return float(self.means[form][r, s]) if self.defined[s] else None


def standard_scores(matrix: ScoreMatrix) -> StandardScores:
    """The scores of a study in the terms of its own runs (Webber, Moffat & Zobel 2008).

    A mean of z = 1 says that a run is one standard deviation above the mean run of its collection
    on the average query, whatever the collection and the measure. The runs of each collection are
    its references, so that the number says how far a run stands out among these; it is comparable
    as far as the runs of two collections are of a like range.

    Parameters
    ----------
    matrix : two runs or more.
    """
    m, _, s = matrix.values.shape
    means = {form: np.full((m, s), np.nan) for form in FORMS}
    defined = np.zeros(s, np.int64)
    for i, name in enumerate(matrix.measures):
        x = matrix.of(name)
        if not (np.ptp(x, axis=0) > NOISE).any():
            continue  # all runs are equal on every query
        for form in FORMS:
            found = standardise(x, form=form)
            means[form][:, i] = found.means
            defined[i] = int(found.defined.sum())
    mean, sd = matrix.values.mean(axis=0), matrix.values.std(axis=0, ddof=1)
    return StandardScores(matrix.measures, matrix.runs, matrix.queries, m, means, defined, mean, sd)


@dataclass(frozen=True)
class Standing:
    """One run in several collections.

    Parameters
    ----------
    condition : empty where each collection has one only.
    values : standardised mean in each collection, None where the run is not in it.
    mean : over all collections; None where the run lacks in one.
    """

    condition: str
    measure: str
    run: str
    values: tuple[float | None, ...]
    mean: float | None


def across(
    collections: Sequence[Mapping[str, StandardScores]], form: Form = "normal"
) -> tuple[Standing, ...]:
    """The runs that two collections or more have by the same name, the best mean first.

    A collection with one condition, such as one whose judgments have a single relevant grade,
    stands beside both conditions of another.

    Parameters
    ----------
    collections : of each, {condition: its standardised scores}.
    form : "normal", "z" or "ecdf".
    """
    out: list[Standing] = []
    several = dict.fromkeys(c for one in collections if len(one) > 1 for c in one) or {"": None}
    found = [{c: _of(one, c) for c in several} for one in collections]
    pairs = dict.fromkeys((c, m) for c in several for one in found for m in _measures(one[c]))
    for condition, measure in pairs:
        here = [one[condition] for one in found]
        holding = [f if f is not None and measure in f.measures else None for f in here]
        rows = []
        for run in dict.fromkeys(run for f in holding if f is not None for run in f.runs):
            values = tuple(
                None if f is None or run not in f.runs else f.of(run, measure, form)
                for f in holding
            )
            known = [v for v in values if v is not None]
            if len(known) > 1:
                mean = sum(known) / len(known) if len(known) == len(values) else None
                rows.append(Standing(condition, measure, run, values, mean))
        out += sorted(rows, key=lambda row: (row.mean is None, -(row.mean or 0.0)))
    return tuple(out)


def _of(one: Mapping[str, StandardScores], condition: str) -> StandardScores | None:
    return next(iter(one.values())) if len(one) == 1 else one.get(condition)


def _measures(found: StandardScores | None) -> tuple[str, ...]:
    return () if found is None else found.measures
