"""What a study of measures gives: numbers by name, and nothing of how they are shown.

Shares are fractions of the pairs of runs, from 0 to 1. Arrays with a place for each level have one
place more where it says L + 1: the last one is the mean over all levels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cranfield.data.columns import Floats, Index
from cranfield.data.matrix import ScoreMatrix
from cranfield.errors import UnknownName
from cranfield.metaeval.sizes_results import PartCurve, SizeCurve

Kind = Literal["one_minus", "mean", "reciprocal"]
KINDS: tuple[Kind, ...] = ("one_minus", "mean", "reciprocal")


@dataclass(frozen=True)
class DroppedRun:
    """A run below the floor, and its mean score under the measure of the floor."""

    name: str
    mean: float


@dataclass(frozen=True)
class Selection:
    """What the study is over and what was left out, by name.

    Parameters
    ----------
    runs, queries : what was kept.
    dropped_queries : queries of the judgments without a relevant document; where those are kept,
        the ones that were never judged (every grade below 0).
    dropped_runs : runs whose mean over the queries kept is below `min_ap`.
    min_ap : the floor; None: no run was dropped.
    floor_measure : what the floor is held against; None where the scores do not hold it.
    zero_queries : queries kept on which every run scores 0 under every measure; of a matrix it is
        not known whether they have a relevant document.
    missing : {run kept: how many of the queries kept it did not answer}, only those above 0; such a
        query scores 0.
    """

    runs: tuple[str, ...]
    queries: tuple[str, ...]
    dropped_queries: tuple[str, ...]
    dropped_runs: tuple[DroppedRun, ...]
    min_ap: float | None
    floor_measure: str | None
    zero_queries: tuple[str, ...]
    missing: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class ShareBootstrap:
    """How sure shares and their order are, from samples of the queries.

    A sample with replacement holds the same query twice and finds more pairs significant than new
    queries would. The resampled shares are therefore moved so that their mean is the share seen;
    `shift` says by how much. The intervals are percentiles of what results: they are for the share
    to be expected with as many other queries of the same kind.

    Parameters
    ----------
    confidence, resamples, seed : how many samples, and which; the same for all measures.
    low, high : [s measures, L + 1].
    shift : [s, L + 1] mean of the resampled shares less the share seen.
    difference_low, difference_high : [s, s, L + 1] of the share of the first less the second.
    above : [s, s, L + 1] part of the resamples where the first is above the second; a tie is half.
    order : [L + 1] part of the resamples with exactly the order seen.
    """

    confidence: float
    resamples: int
    seed: int
    low: Floats
    high: Floats
    shift: Floats
    difference_low: Floats
    difference_high: Floats
    above: Floats
    order: Floats


@dataclass(frozen=True)
class Order:
    """The measures from the highest share of significant pairs down.

    Parameters
    ----------
    level : None: by the mean over all levels.
    measures, shares : in this order; equal shares keep the order in which measures were given.
    probability : part of the resamples with exactly this order; None without resamples.
    above_next : for each measure but the last, the part of the resamples where it is above the
        next one.
    settled : for each measure but the last, whether the interval of its share less that of the
        next one is above 0.
    """

    level: float | None
    measures: tuple[str, ...]
    shares: tuple[float, ...]
    probability: float | None
    above_next: tuple[float, ...]
    settled: tuple[bool, ...]


@dataclass(frozen=True, eq=False)
class Discrimination:
    """How many pairs of runs a paired t-test tells apart under each measure at each level.

    Parameters
    ----------
    measures, levels : s names and L levels of significance, ascending.
    runs, queries : how many; `pairs` is runs (runs - 1) / 2.
    significant : int64 [s, L], pairs with p below the level.
    bootstrap : None where no resamples were asked for.
    """

    measures: tuple[str, ...]
    levels: tuple[float, ...]
    runs: int
    queries: int
    significant: Index
    bootstrap: ShareBootstrap | None = None

    @property
    def pairs(self) -> int:
        return self.runs * (self.runs - 1) // 2

    @property
    def share(self) -> Floats:
        """[s, L] significant pairs as a share of all pairs: the curves of the measures."""
        return self.significant / self.pairs

    @property
    def overall(self) -> Floats:
        """[s] the mean of a curve over its levels."""
        return np.asarray(self.share.mean(axis=1), np.float64)

    def at(self, measure: object, level: float | None = None) -> float:
        """The share of one measure at one level, None: the mean over all."""
        i = place(measure, self.measures, "measure")
        if level is None:
            return float(self.overall[i])
        return float(self.share[i, place(level, self.levels, "level")])

    def improvement(self, a: object, b: object, level: float | None = None) -> float | None:
        """By how much the share of a is above that of b, relative to b: (a - b) / b; None where
        b tells no pair apart."""
        first, second = self.at(a, level), self.at(b, level)
        return (first - second) / second if second else None

    def order(self, level: float | None = None) -> Order:
        """The measures by share at one level, None: by the mean over all."""
        shares = (
            self.overall if level is None else self.share[:, place(level, self.levels, "level")]
        )
        best = np.argsort(-shares, kind="stable")
        at = len(self.levels) if level is None else self.levels.index(level)
        names = tuple(self.measures[i] for i in best)
        sorted_shares = tuple(shares[best].tolist())
        if self.bootstrap is None:
            return Order(level, names, sorted_shares, None, (), ())
        above = self.bootstrap.above[best[:-1], best[1:], at]
        low = self.bootstrap.difference_low[best[:-1], best[1:], at]
        probability = float(self.bootstrap.order[at])
        settled = tuple((low > 0).tolist())
        return Order(level, names, sorted_shares, probability, tuple(above.tolist()), settled)


@dataclass(frozen=True, eq=False)
class Difficulty:
    """How low a measure scores the same runs on the same queries.

    Parameters
    ----------
    measures, queries : s and n names.
    mean : [s] mean over runs and queries.
    query_mean : [s, n] mean over runs.
    kind : the reading that is the default: "one_minus" is 1 - mean, "mean" the mean itself (high
        is easy), "reciprocal" 1 / mean.
    """

    measures: tuple[str, ...]
    queries: tuple[str, ...]
    mean: Floats
    query_mean: Floats
    kind: Kind = "one_minus"

    def index(self, kind: Kind | None = None) -> tuple[float | None, ...]:
        """The difficulty of each measure; None where 1 / mean has no value."""
        return tuple(reading(float(m), kind or self.kind) for m in self.mean)

    def of_queries(self, measure: object, kind: Kind | None = None) -> tuple[float | None, ...]:
        """The difficulty of each query under one measure."""
        row = self.query_mean[place(measure, self.measures, "measure")]
        return tuple(reading(float(m), kind or self.kind) for m in row)

    def order(self) -> tuple[str, ...]:
        """The measures from the easiest to the hardest: the highest mean first."""
        return tuple(self.measures[i] for i in np.argsort(-self.mean, kind="stable"))


@dataclass(frozen=True, eq=False)
class Condition:
    """One way to grade, and all that was found with it.

    Parameters
    ----------
    name : "binary": every grade from 1 on merged; "graded": grades as they are; "given": scores
        that came as a matrix.
    matrix : scores of the runs kept on the queries kept.
    parts : the queries cut into parts, one a number of parts and a way of cutting.
    sizes : shares against the number of queries; None where it was not asked for.
    """

    name: Literal["binary", "graded", "given"]
    matrix: ScoreMatrix
    discrimination: Discrimination
    difficulty: Difficulty
    parts: tuple[PartCurve, ...] = ()
    sizes: SizeCurve | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Study:
    """A study of measures on one collection.

    Parameters
    ----------
    name : of the collection.
    selection : runs and queries kept and left out; the same for all conditions.
    conditions : one or two.
    settings : every choice that decides a number, by name, seeds included.
    notes : what should be known before a number is believed, in words.
    """

    name: str
    selection: Selection
    conditions: tuple[Condition, ...]
    settings: Mapping[str, Any]
    notes: tuple[str, ...] = ()

    def __getitem__(self, condition: str) -> Condition:
        names = tuple(c.name for c in self.conditions)
        return self.conditions[place(condition, names, "condition")]

    def __repr__(self) -> str:
        from cranfield.metaeval.show import plain

        return plain(self)

    def _repr_html_(self) -> str:
        from cranfield.metaeval.show import html

        return html(self)


def reading(mean: float, kind: Kind) -> float | None:
    """A mean score as difficulty."""
    if kind == "mean":
        return mean
    if kind == "one_minus":
        return 1.0 - mean
    return 1.0 / mean if mean else None


def place(name: object, names: tuple[Any, ...], what: str) -> int:
    """Where a measure, level or condition stands; UnknownName if it does not."""
    wanted = name if isinstance(name, float | int) else str(name)
    if wanted not in names:
        raise UnknownName(f"no {what} {name}", f"there are: {', '.join(map(str, names))}")
    return names.index(wanted)
