"""What is recommended, as data: the sentences belong to the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cranfield.metaeval.labels import Labels
from cranfield.metaeval.sizes_results import Needed


@dataclass(frozen=True)
class Reason:
    """One thing to be said: `key` names the sentence, `values` fill it in."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Standing:
    """What is known of one measure.

    Parameters
    ----------
    share : of the pairs told apart at the level of the recommendation.
    low, high : the interval of that share; None without resamples.
    overall : the mean share over all levels.
    behind : whether the measure above all others tells more pairs apart than this one for sure
        (the interval of the difference is above 0); None without resamples.
    error, tie : error and tie rate over topic sets (Buckley & Voorhees 2000); None where not
        computed or where every pair is a tie.
    mean, difficulty : the mean score, and 1 - mean.
    labels : what it costs in labels.
    points : the weighted mean of its places among the measures that may decide; None for others.
    """

    measure: str
    share: float
    low: float | None
    high: float | None
    overall: float
    behind: bool | None
    error: float | None
    tie: float | None
    mean: float
    difficulty: float
    labels: Labels
    points: float | None = None


@dataclass(frozen=True)
class Recommendation:
    """Which measure to decide by, which to watch, and from how many queries.

    Parameters
    ----------
    condition : of the study: "binary", "graded", "given".
    level : of significance.
    standings : all measures, the highest share over all levels first.
    leaders : the measures that may decide: the first one, and every other one whose share over
        all levels is not shown to be lower.
    decide : the one of them with the fewest points.
    settled : whether there is a single leader, known from resamples.
    watch, watch_tau : a measure that tells pairs apart well and orders the systems otherwise, and
        its tau-b with `decide`; None where there is none.
    alike : measures with a tau-b of `same` or more with `decide`, and how much.
    misleading : measures that are easier than `decide`, and tell fewer pairs apart for sure and by
        far.
    queries : how many queries `decide` needs for the share of each other measure and for the
        shares asked for; empty without a curve of sizes.
    weights, same, well : what decides: weights of the criteria, the tau from which two measures
        count as alike, and the part of the share of `decide` from which on a measure may be
        watched.
    reasons : why, in order.
    """

    condition: str
    level: float
    standings: tuple[Standing, ...]
    leaders: tuple[str, ...]
    decide: str
    settled: bool
    watch: str | None
    watch_tau: float | None
    alike: tuple[tuple[str, float], ...]
    misleading: tuple[str, ...]
    queries: tuple[Needed, ...]
    weights: Mapping[str, float]
    same: float
    well: float
    reasons: tuple[Reason, ...]

    def standing(self, measure: str) -> Standing:
        """What is known of one of the measures."""
        return next(s for s in self.standings if s.measure == measure)
