"""Time the tests of all pairs of systems against a loop over SciPy, in one run.

    python benchmarks/significance.py                      130 systems x 250 topics
    python benchmarks/significance.py --systems 40 --topics 50

SciPy is timed on a few pairs and multiplied up; what is printed beside its time is how many. The
p-values of both are compared on these pairs. Read the ratios, not the seconds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from cranfield.stats.intervals import bootstrap_interval_all
from cranfield.stats.significance import bootstrap_asl_all, paired_t_all, randomisation_all
from cranfield.stats.tukey import randomised_tukey_hsd, tukey_hsd

Matrix = NDArray[np.float64]


def scores(m: int, n: int) -> Matrix:
    """Systems that share the topics' difficulty, with four decimals, like average precision."""
    chance = np.random.default_rng(m * n)
    topics = chance.beta(0.7, 1.2, n)
    systems = chance.normal(0, 0.05, (m, 1))
    return np.asarray(np.clip(topics + systems + chance.normal(0, 0.15, (m, n)), 0, 1).round(4))


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.perf_counter()
    found = work()
    return time.perf_counter() - begun, found


def rows(x: Matrix, resamples: int) -> list[tuple[str, Callable[[], Any], Callable[..., Any], int]]:
    """(name, ours for all pairs, SciPy's for one pair, pairs to time SciPy on)."""

    def flipped(a: Matrix, b: Matrix) -> float:
        found = stats.permutation_test(
            (a - b,),
            lambda d, axis: d.mean(axis),
            permutation_type="samples",
            n_resamples=resamples,
            vectorized=True,
            batch=2000,
            rng=0,
        )
        return float(found.pvalue)

    def drawn(a: Matrix, b: Matrix) -> float:
        found = stats.bootstrap(
            (a - b,), np.mean, n_resamples=10_000, method="percentile", batch=2000, rng=0
        )
        return float(found.confidence_interval.low)

    df = (len(x) - 1) * (x.shape[1] - 1)
    hsd = tukey_hsd(x)

    def ranged(a: Matrix, b: Matrix) -> float:
        q = abs(a.mean() - b.mean()) / (hsd.anova.VE / x.shape[1]) ** 0.5
        return float(stats.studentized_range.sf(q, len(x), df))

    return [
        ("paired t", lambda: paired_t_all(x).p, lambda a, b: stats.ttest_rel(a, b).pvalue, 200),
        (
            f"randomisation, {resamples} resamples",
            lambda: randomisation_all(x, resamples=resamples).p,
            flipped,
            3,
        ),
        ("percentile interval, 10000", lambda: bootstrap_interval_all(x).low, drawn, 5),
        ("Tukey HSD, blocked", lambda: tukey_hsd(x).p, ranged, 20),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systems", type=int, default=130)
    parser.add_argument("--topics", type=int, default=250)
    parser.add_argument("--resamples", type=int, default=100_000)
    given = parser.parse_args()
    x = scores(given.systems, given.topics)
    pairs = given.systems * (given.systems - 1) // 2
    print(f"{given.systems} systems, {pairs} pairs, {given.topics} topics")
    print(f"{'':36}{'ours':>9}{'SciPy loop':>12}{'ratio':>9}{'on pairs':>10}{'furthest':>11}")
    for name, ours, theirs, few in rows(x, given.resamples):
        few = min(few, pairs)
        ours()  # imports and scratch memory
        took, found = timed(ours)
        places = np.column_stack(np.triu_indices(given.systems, 1))[:: max(1, pairs // few)][:few]
        loop, other = timed(lambda c=theirs, at=places: [c(x[i], x[j]) for i, j in at])
        loop *= pairs / few
        away = max(abs(found[i, j] - v) for (i, j), v in zip(places, other, strict=True))
        print(
            f"{name:36}{took:8.2f}s{loop:11.1f}s{loop / took:9.0f}{few:10}{away:11.1g}", flush=True
        )
    for name, work in (
        ("bootstrap ASL, 1000", lambda: bootstrap_asl_all(x)),
        ("randomised Tukey HSD, 10000", lambda: randomised_tukey_hsd(x)),
    ):
        print(f"{name:36}{timed(work)[0]:8.2f}s{'not in SciPy':>12}")


if __name__ == "__main__":
    main()
