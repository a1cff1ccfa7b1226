"""The methods beside the t-test share, on one matrix of scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    DiscriminativePower,
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
from cranfield.metaeval.method_names import METHODS, PAIR_TESTS, Draws, named
from cranfield.metaeval.normal import NormalSwaps, normal_swaps
from cranfield.metaeval.swaps import SwapForecast, Swaps, forecast, swaps
from cranfield.stats.corrections import Correction

_OF_A_MEASURE = frozenset(("error", "minority", "swap", "halves", "normal"))
_FEWEST = 4  # topics that can be cut into halves with a spread each
_FORECAST = 12  # topics whose halves have two sizes to extrapolate from


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

    What was not asked for is None. So are the first three for a measure with scores below 0, of
    which no share can be taken, all that cut topics in two for fewer than four, and `beyond` for
    fewer than twelve.
    """

    measure: str
    by_topic: ErrorTie | None
    by_sets: ErrorTie | None
    curve: MinorityCurve | None
    swaps: Swaps | None
    swaps_replacement: Swaps | None
    beyond: SwapForecast | None
    halves: SplitHalves | None
    normal: NormalSwaps | None


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
    fuzziness : of error and tie rate; draws, seed : of everything that was drawn.

    What was not asked for is None or empty.
    """

    measures: tuple[str, ...]
    reliability: tuple[Reliability, ...]
    power: DiscriminativePower | None
    agreement: Agreement | None
    design: DesignStudy | None
    fuzziness: float
    draws: Draws
    seed: int

    def of(self, measure: str) -> Reliability:
        for one in self.reliability:
            if one.measure == measure:
                return one
        raise UnknownName(f"no measure {measure!r}", f"there are: {', '.join(self.measures)}")


def methods(
    scores: ScoreMatrix,
    which: Iterable[str] = METHODS,
    *,
    alpha: float = 0.05,
    fuzziness: float = 0.05,
    corrections: Sequence[Correction] = CORRECTIONS,
    difference: float = 0.05,
    unit: Unit = "measure",
    draws: Draws | None = None,
    seed: int = 0,
) -> Methods:
    """The methods that are named, with their usual parameters; each has a function of its own for
    others.

    Parameters
    ----------
    scores : two runs and two queries or more.
    which : of `METHODS`; a test stands beside the t-test. Holes and cutoffs need more than scores
        and are found by `robust.robustness`.
    alpha : the level of all tests.
    fuzziness : of error and tie rate, as a share of a score.
    corrections : of the discriminative power.
    difference, unit : that topic sets are to find; see `topics_needed`.
    draws, seed : how much is drawn, and how.

    Raises
    ------
    UnknownName
        A method is none of them.
    """
    wanted = frozenset(named(which))
    drawn = draws or Draws()
    tests = [PAIR_TESTS[name] for name in PAIR_TESTS if name in wanted]
    power = None
    if set(tests) - {"t"}:
        power = discriminative_power(
            scores.values,
            scores.measures,
            alpha=alpha,
            tests=["t", *(t for t in tests if t != "t")],
            corrections=corrections,
            bootstrap=drawn.asl,
            randomisation=drawn.permutation,
            rthsd=drawn.rthsd,
            seed=seed,
        )
    rows = []
    if wanted & _OF_A_MEASURE:
        with progress("drawing sets of queries", len(scores.measures)) as advance:
            for name in scores.measures:
                one = _Layer(scores.of(name), wanted, drawn, seed)
                rows.append(_reliability(name, one, alpha, fuzziness))
                advance(1)
    both = scores.values, scores.measures
    return Methods(
        scores.measures,
        tuple(rows),
        power,
        agreement(*both) if "agreement" in wanted else None,
        topics_needed(*both, difference, unit=unit, alpha=alpha) if "design" in wanted else None,
        fuzziness,
        drawn,
        seed,
    )


@dataclass(frozen=True, eq=False)
class _Layer:
    """Scores under one measure, and what is to be found out about them."""

    x: Floats
    wanted: frozenset[str]
    draws: Draws
    seed: int


def _reliability(name: str, one: _Layer, alpha: float, f: float) -> Reliability:
    x, draws, seed, n = one.x, one.draws, one.seed, one.x.shape[1]
    shares, enough = bool((np.asarray(x) >= 0).all()), n >= _FEWEST
    error, swap = shares and "error" in one.wanted, "swap" in one.wanted
    minority, halves = shares and "minority" in one.wanted, enough and "halves" in one.wanted
    sizes = sorted({max(1, n // 2), n})

    def swap_rates(replacement: bool) -> Swaps:
        return swaps(x, trials=draws.trials, seed=seed, replacement=replacement)

    return Reliability(
        name,
        worded(x, f) if error else None,
        stability(x, f, sets=draws.sets, seed=seed) if error else None,
        minority_curve(x, sets=draws.sets, seed=seed) if minority else None,
        swap_rates(False) if swap and enough else None,
        swap_rates(True) if swap else None,
        forecast(x, seed=seed) if swap and n >= _FORECAST else None,
        split_halves(x, alpha, trials=draws.halves, seed=seed) if halves else None,
        normal_swaps(x, sizes) if "normal" in one.wanted else None,
    )
