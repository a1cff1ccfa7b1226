"""Discriminative power: what share of all pairs of systems a measure finds different, by one test
beside another."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError, UnknownName, UsageError
from cranfield.kit.progress import progress
from cranfield.stats.arrays import Advance, Floats, matrix, share
from cranfield.stats.asl import bootstrap_required
from cranfield.stats.corrections import Correction, adjust
from cranfield.stats.pairs import paired_t_all, randomisation_all
from cranfield.stats.ranked import sign_test_all, wilcoxon_all
from cranfield.stats.results import AllPairs
from cranfield.stats.tukey import randomised_tukey_hsds, tukey_hsd

PairTest = Literal["t", "bootstrap", "wilcoxon", "sign", "randomisation", "tukey", "rthsd"]
TESTS: tuple[PairTest, ...] = (
    "t", "bootstrap", "wilcoxon", "sign", "randomisation", "tukey", "rthsd",
)  # fmt: skip
FAMILYWISE: tuple[PairTest, ...] = ("tukey", "rthsd")  # hold the error of all pairs together
CORRECTIONS: tuple[Correction, ...] = ("none", "bonferroni", "holm", "bh")


@dataclass(frozen=True)
class PairShare:
    """How many pairs of systems one test finds different under one measure.

    Parameters
    ----------
    measure, test : which; `method` says how p was found.
    correction : for the number of pairs; always "none" for a test that is family-wise by itself.
    alpha : p < alpha is significant.
    significant, pairs : counts; None where the test has too few resamples to say: the steps of its
        p, 1 / resamples, times the number of pairs are not below alpha.
    required : the difference of means required, by the test's own reckoning: for the bootstrap
        Sakai's estimate (2006), for both Tukey tests their HSD; None where a test has none.
    smallest : the smallest difference of means that is significant; None where none is.
    """

    measure: str
    test: PairTest
    correction: Correction
    alpha: float
    significant: int | None
    pairs: int
    required: float | None
    smallest: float | None
    method: str

    @property
    def share(self) -> float | None:
        """From 0 to 1; None where `significant` is."""
        return None if self.significant is None else self.significant / self.pairs


@dataclass(frozen=True, eq=False)
class DiscriminativePower:
    """Tests side by side.

    Parameters
    ----------
    measures : names, in the order given.
    alpha, systems, topics : of all tests.
    rows : one a measure, test and correction.
    curves : {(measure, test): [pairs] p, descending, not adjusted}: Sakai's ASL curve, which lies
        nearer to the origin for a more discriminative measure.
    """

    measures: tuple[str, ...]
    alpha: float
    systems: int
    topics: int
    rows: tuple[PairShare, ...]
    curves: Mapping[tuple[str, PairTest], Floats]

    def row(self, measure: str, test: PairTest, correction: Correction = "none") -> PairShare:
        """One of the rows; UnknownName for one that was not asked for."""
        for one in self.rows:
            if (one.measure, one.test, one.correction) == (measure, test, correction):
                return one
        raise UnknownName(f"no {test} test with correction {correction} of {measure}")

    def order(self, test: PairTest, correction: Correction = "none") -> tuple[str, ...]:
        """The measures by share, the largest first; equal ones as they were given."""
        shares = {m: self.row(m, test, correction).significant or 0 for m in self.measures}
        return tuple(sorted(self.measures, key=lambda m: -shares[m]))


@dataclass(frozen=True)
class _Draws:
    bootstrap: int
    randomisation: int
    rthsd: int
    seed: int


def discriminative_power(
    values: ArrayLike,
    measures: Sequence[str],
    *,
    alpha: float = 0.05,
    tests: Sequence[PairTest] = TESTS,
    corrections: Sequence[Correction] = CORRECTIONS,
    bootstrap: int = 1000,
    randomisation: int = 10_000,
    rthsd: int = 5_000,
    seed: int = 0,
) -> DiscriminativePower:
    """Every pair of systems under every measure, by each test (Sakai 2006; Carterette 2012).

    Parameters
    ----------
    values : [m systems, n topics, s measures].
    measures : s names.
    alpha : the level of each test.
    tests : "t" (the share of Wu, Tan & Shi 2015), "bootstrap" (the ASL), "wilcoxon", "sign",
        "randomisation", "tukey" (HSD with topics as blocks) and "rthsd" (randomised Tukey HSD).
    corrections : "none", "bonferroni", "holm", "bh" or "by", over all pairs under one measure; the
        two Tukey tests hold the family-wise error themselves and are not corrected again.
    bootstrap, randomisation, rthsd : resamples of the three tests that draw.
    seed : of the draws, which are the same for all pairs and measures.
    """
    found = np.asarray(values, np.float64)
    if found.ndim != 3 or found.shape[2] != len(measures):
        raise InputError(f"scores of shape {found.shape} for {len(measures)} measures")
    unknown = [t for t in tests if t not in TESTS]
    if unknown:
        raise UsageError(f"no test {unknown[0]!r}", ", ".join(TESTS))
    share(alpha, "alpha")
    layers = [matrix(found[:, :, i]) for i in range(len(measures))]
    draws = _Draws(bootstrap, randomisation, rthsd, seed)
    rows: dict[tuple[str, PairTest], list[PairShare]] = {}
    curves: dict[tuple[str, PairTest], Floats] = {}
    m = found.shape[0]
    upper = np.triu_indices(m, 1)
    with progress("testing pairs", len(set(tests)) * len(measures)) as advance:
        for test in dict.fromkeys(tests):
            drawn = {"bootstrap": bootstrap, "randomisation": randomisation}.get(test, math.inf)
            for name, (one, required) in zip(
                measures, _tested(test, layers, alpha, draws, advance), strict=True
            ):
                p, apart = one.p[upper], np.abs(one.difference[upper])
                curves[name, test] = np.sort(p)[::-1]
                wanted: Sequence[Correction] = ("none",) if test in FAMILYWISE else corrections
                rows[name, test] = [
                    _row(name, test, how, alpha, p, apart, required, one.method, drawn)
                    for how in wanted
                ]
    ordered = [
        row for name in measures for test in dict.fromkeys(tests) for row in rows[name, test]
    ]
    return DiscriminativePower(tuple(measures), alpha, m, found.shape[1], tuple(ordered), curves)


def _row(
    measure: str,
    test: PairTest,
    correction: Correction,
    alpha: float,
    p: Floats,
    apart: Floats,
    required: float | None,
    method: str,
    resamples: float,
) -> PairShare:
    marks = adjust(p, correction) < alpha
    coarse = correction in ("bonferroni", "holm") and len(p) / resamples >= alpha
    return PairShare(
        measure,
        test,
        correction,
        alpha,
        None if coarse else int(np.count_nonzero(marks)),
        len(p),
        required if correction == "none" else None,
        float(apart[marks].min()) if marks.any() and not coarse else None,
        method,
    )


def _tested(
    test: PairTest, layers: Sequence[Floats], alpha: float, draws: _Draws, advance: Advance
) -> Iterator[tuple[AllPairs, float | None]]:
    """All pairs under each measure, and the difference required."""
    seed = draws.seed
    if test == "rthsd":

        def part(done: float) -> None:
            advance(done * len(layers))

        for one in randomised_tukey_hsds(layers, resamples=draws.rthsd, seed=seed, advance=part):
            yield one, one.hsd(alpha)
        return
    simple: dict[PairTest, Callable[[Floats], AllPairs]] = {
        "t": paired_t_all,
        "wilcoxon": wilcoxon_all,
        "sign": sign_test_all,
        "randomisation": lambda x: randomisation_all(x, resamples=draws.randomisation, seed=seed),
    }
    for x in layers:
        if test == "bootstrap":
            asl = bootstrap_required(x, alpha, resamples=draws.bootstrap, seed=seed)
            yield asl, asl.required
        elif test == "tukey":
            hsd = tukey_hsd(x, alpha)
            yield (
                AllPairs("Tukey HSD", "exact", x.shape[1], hsd.difference, hsd.q, hsd.p),
                hsd.hsd,
            )
        else:
            yield simple[test](x), None
        advance(1)
