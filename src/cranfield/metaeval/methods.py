"""The other methods of judging measures, run over one score matrix by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from cranfield.data.columns import Floats
from cranfield.data.matrix import ScoreMatrix
from cranfield.errors import UnknownName, UsageError
from cranfield.kit.progress import progress
from cranfield.metaeval.advice import Recommendation
from cranfield.metaeval.agreement import Agreement, agreement
from cranfield.metaeval.design import DesignStudy, topics_needed
from cranfield.metaeval.discriminative import DiscriminativePower, PairTest, discriminative_power
from cranfield.metaeval.errors_ties import (
    ErrorTie,
    MinorityCurve,
    minority_curve,
    stability,
    worded,
)
from cranfield.metaeval.halves import SplitHalves, split_halves
from cranfield.metaeval.normal import NormalSwaps, normal_swaps
from cranfield.metaeval.results import Study
from cranfield.metaeval.swaps import Swaps, swaps

T = TypeVar("T")
# What each name runs. A test stands beside the t-test in one table.
TESTS: Mapping[str, PairTest] = {
    "t": "t",
    "asl": "bootstrap",
    "wilcoxon": "wilcoxon",
    "sign": "sign",
    "permutation": "randomisation",
    "tukey": "tukey",
    "rthsd": "rthsd",
}
OTHERS = ("agreement", "error", "minority", "swap", "halves", "normal", "design")
METHODS = (*TESTS, *OTHERS)


@dataclass(frozen=True)
class Draws:
    """How the methods draw.

    Parameters
    ----------
    alpha : the level of tests; fuzziness : what counts as a tie.
    asl, permutation, rthsd : resamples of these tests.
    sets : topic sets of the error rate; trials : of the swap method; halves : splits in half.
    difference : of two means, as a share of the mean of all scores, that a topic set is to find.
    weight : of the error rate in the figure of Wu and McClean, error and tie rate as one.
    seed : of all of them.
    """

    alpha: float = 0.05
    fuzziness: float = 0.05
    asl: int = 1000
    permutation: int = 10_000
    rthsd: int = 5000
    sets: int = 1000
    trials: int = 1000
    halves: int = 200
    difference: float = 0.1
    weight: float = 0.5
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Methods:
    """What the other methods found, one result a measure; empty or None where not asked for.

    Parameters
    ----------
    measures : names; every tuple below is in their order.
    draws : what was drawn.
    power : tests side by side, the t-test of the study among them.
    agreement : of the orders of systems.
    design : how many topics each measure needs for a difference, as a share of its mean.
    worded, stable : error and tie rate as Wu, Tan and Shi word them, and over topic sets.
    minority : the curve of both against the fuzziness.
    swaps, halves, normal : the swap method, split halves, and the normal model of swaps at the
        size of the swap method's topic sets.
    """

    measures: tuple[str, ...]
    draws: Draws
    power: DiscriminativePower | None = None
    agreement: Agreement | None = None
    design: DesignStudy | None = None
    worded: tuple[ErrorTie, ...] = ()
    stable: tuple[ErrorTie, ...] = ()
    minority: tuple[MinorityCurve, ...] = ()
    swaps: tuple[Swaps, ...] = ()
    halves: tuple[SplitHalves, ...] = ()
    normal: tuple[NormalSwaps, ...] = ()


@dataclass(frozen=True, eq=False)
class Studied:
    """A study with what else was found.

    Parameters
    ----------
    methods, advice : by the name of the condition.
    """

    study: Study
    methods: Mapping[str, Methods] = field(default_factory=dict)
    advice: Mapping[str, Recommendation] = field(default_factory=dict)


def named(methods: Iterable[str]) -> tuple[str, ...]:
    """The methods of a list in which names may be joined by commas and `all` stands for all.

    Raises
    ------
    UnknownName
        A name is none of them.
    """
    asked = [name.strip() for text in methods for name in text.split(",") if name.strip()]
    for name in asked:
        if name not in (*METHODS, "all"):
            raise UnknownName(f"no method {name!r}", f"methods: {', '.join(METHODS)}; or all")
    return tuple(m for m in METHODS if m in asked or "all" in asked)


def run_methods(matrix: ScoreMatrix, methods: Iterable[str], draws: Draws = Draws()) -> Methods:
    """Run some methods over the scores of a condition.

    Raises
    ------
    UnknownName, UsageError
        A method is unknown, or a choice of `draws` cannot be.
    InputError
        Too few queries or systems for a method.
    """
    wanted = named(methods)
    _check(draws)
    layers = [matrix.of(m) for m in matrix.measures]
    seed, half = draws.seed, max(1, len(matrix.queries) // 2)
    tests = [TESTS[name] for name in wanted if name in TESTS]

    def each(name: str, label: str, run: Callable[[Floats], T]) -> tuple[T, ...]:
        if name not in wanted:
            return ()
        with progress(label, len(layers)) as advance:
            found = []
            for layer in layers:
                found.append(run(layer))
                advance(1)
        return tuple(found)

    return Methods(
        measures=matrix.measures,
        draws=draws,
        power=_power(matrix, tests, draws) if set(tests) - {"t"} else None,
        agreement=agreement(matrix.values, matrix.measures) if "agreement" in wanted else None,
        design=_design(matrix, draws) if "design" in wanted else None,
        worded=each("error", "error rates", lambda x: worded(x, draws.fuzziness)),
        stable=each(
            "error",
            "topic sets",
            lambda x: stability(x, draws.fuzziness, sets=draws.sets, seed=seed),
        ),
        minority=each(
            "minority", "minority rates", lambda x: minority_curve(x, sets=draws.sets, seed=seed)
        ),
        swaps=each("swap", "swaps", lambda x: swaps(x, trials=draws.trials, seed=seed)),
        halves=each(
            "halves",
            "split halves",
            lambda x: split_halves(x, draws.alpha, trials=draws.halves, seed=seed),
        ),
        normal=each("normal", "normal model", lambda x: normal_swaps(x, (half, 2 * half))),
    )


def _power(matrix: ScoreMatrix, tests: list[PairTest], draws: Draws) -> DiscriminativePower:
    with_t: list[PairTest] = ["t", *(t for t in tests if t != "t")]
    return discriminative_power(
        matrix.values,
        matrix.measures,
        alpha=draws.alpha,
        tests=with_t,
        bootstrap=draws.asl,
        randomisation=draws.permutation,
        rthsd=draws.rthsd,
        seed=draws.seed,
    )


def _design(matrix: ScoreMatrix, draws: Draws) -> DesignStudy:
    return topics_needed(
        matrix.values,
        matrix.measures,
        draws.difference,
        unit="mean",
        alpha=draws.alpha,
    )


def _check(draws: Draws) -> None:
    for name in ("asl", "permutation", "rthsd", "sets", "trials", "halves"):
        if getattr(draws, name) < 1:
            raise UsageError(f"{name}: {getattr(draws, name)} is too few", "1 at least")
