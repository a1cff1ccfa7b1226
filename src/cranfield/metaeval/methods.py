"""The methods beside the t-test share, on one matrix of scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.columns import Floats
from cranfield.data.matrix import ScoreMatrix
from cranfield.errors import UnknownName
from cranfield.kit.progress import progress
from cranfield.metaeval.agreement import Agreement, agreement
from cranfield.metaeval.design import DesignStudy, Unit, topics_needed
from cranfield.metaeval.discriminative import (
    CORRECTIONS,
    TESTS,
    DiscriminativePower,
    PairTest,
    discriminative_power,
)
from cranfield.metaeval.errors_ties import (
    ErrorTie,
    MinorityCurve,
    minority_curve,
    stability,
    worded,
)
from cranfield.metaeval.halves import SplitHalves, split_halves
from cranfield.metaeval.normal import NormalSwaps, normal_swaps
from cranfield.metaeval.swaps import SwapForecast, Swaps, forecast, swaps
from cranfield.stats.corrections import Correction

_FEWEST = 4  # topics that can be cut into halves with a spread each


@dataclass(frozen=True)
class Reliability:
    """How far one measure can be relied on, by the methods that draw sets of topics.

    Parameters
    ----------
    measure : its name.
    by_topic : error and tie rate as Wu, Tan & Shi (2015) word them.
    by_sets : the same as Buckley & Voorhees (2000) define them.
    curve : minority rate against proportion of ties.
    swaps, swaps_replacement : the swap method with disjoint sets of half the topics, and with
        samples of all topics drawn with replacement.
    beyond : the swap rates extrapolated to all topics.
    halves : Zobel's split halves by the t-test.
    normal : the swap rates of the normal model, for half the topics and for all.

    The first three are None for a measure with scores below 0, of which no share can be taken; all
    that cut topics in two are None for fewer than four.
    """

    measure: str
    by_topic: ErrorTie | None
    by_sets: ErrorTie | None
    curve: MinorityCurve | None
    swaps: Swaps | None
    swaps_replacement: Swaps
    beyond: SwapForecast | None
    halves: SplitHalves | None
    normal: NormalSwaps


@dataclass(frozen=True, eq=False)
class Methods:
    """Everything that says how well measures tell systems apart, beside the t-test share.

    Parameters
    ----------
    measures : names, in the order of the matrix.
    reliability : one a measure.
    power : discriminative power by each test.
    agreement : of the orders of systems.
    design : topics that each measure needs.
    seed : of everything that was drawn.
    """

    measures: tuple[str, ...]
    reliability: tuple[Reliability, ...]
    power: DiscriminativePower
    agreement: Agreement
    design: DesignStudy
    seed: int

    def of(self, measure: str) -> Reliability:
        for one in self.reliability:
            if one.measure == measure:
                return one
        raise UnknownName(f"no measure {measure!r}", f"there are: {', '.join(self.measures)}")


def methods(
    scores: ScoreMatrix,
    *,
    alpha: float = 0.05,
    fuzziness: float = 0.05,
    tests: Sequence[PairTest] = TESTS,
    corrections: Sequence[Correction] = CORRECTIONS,
    difference: float = 0.05,
    unit: Unit = "measure",
    seed: int = 0,
) -> Methods:
    """All methods with their usual parameters; each has a function of its own for others.

    Parameters
    ----------
    scores : two runs and two queries or more.
    alpha : the level of all tests.
    fuzziness : of error and tie rate, as a share of a score.
    tests, corrections : of the discriminative power.
    difference, unit : that topic sets are to find; see `topics_needed`.
    seed : of everything that is drawn.
    """
    power = discriminative_power(
        scores.values, scores.measures, alpha=alpha, tests=tests, corrections=corrections, seed=seed
    )
    rows = []
    with progress("drawing sets of queries", len(scores.measures)) as advance:
        for name in scores.measures:
            rows.append(_reliability(name, scores.of(name), alpha, fuzziness, seed))
            advance(1)
    return Methods(
        scores.measures,
        tuple(rows),
        power,
        agreement(scores.values, scores.measures),
        topics_needed(scores.values, scores.measures, difference, unit=unit, alpha=alpha),
        seed,
    )


def _reliability(name: str, x: Floats, alpha: float, f: float, seed: int) -> Reliability:
    n = x.shape[1]
    shares, enough = bool((np.asarray(x) >= 0).all()), n >= _FEWEST
    return Reliability(
        name,
        worded(x, f) if shares else None,
        stability(x, f, seed=seed) if shares else None,
        minority_curve(x, seed=seed) if shares else None,
        swaps(x, seed=seed) if enough else None,
        swaps(x, seed=seed, replacement=True),
        forecast(x, seed=seed) if enough else None,
        split_halves(x, alpha, seed=seed) if enough else None,
        normal_swaps(x, sorted({max(1, n // 2), n})),
    )
