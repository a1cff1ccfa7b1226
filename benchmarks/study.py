"""Time a study of measures against a loop over SciPy, in one run.

    python benchmarks/study.py                                  130 runs x 250 queries x 10 measures
    python benchmarks/study.py --runs 40 --queries 50 --measures 3

The study counts the significant pairs of every run under every measure at fifteen levels, once and
in 1000 samples of the queries. SciPy is timed on a few pairs and samples and multiplied up; what is
printed beside its time is how many. The counts of both are compared on these. Read the ratios, not
the seconds.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np
from scipy import stats

from cranfield.data.columns import Floats
from cranfield.data.matrix import ScoreMatrix
from cranfield.metaeval.counting import significant
from cranfield.metaeval.discrimination import LEVELS, discriminate
from cranfield.metaeval.study import examine
from cranfield.stats.resampling import multiplicities


def scores(m: int, n: int, s: int) -> ScoreMatrix:
    """Runs that share the queries' difficulty, seen through ever more noise."""
    chance = np.random.default_rng(m * n)
    queries, runs = chance.beta(0.7, 1.2, n), chance.normal(0, 0.05, (m, 1))
    tables = [
        np.clip(queries + runs + chance.normal(0, 0.05 * (i + 2), (m, n)), 0, 1).round(4)
        for i in range(s)
    ]
    names = (tuple(f"{what}{i}" for i in range(k)) for what, k in (("r", m), ("q", n), ("M", s)))
    return ScoreMatrix(*names, np.stack(tables, axis=-1))


def loop(x: Floats, weights: Floats) -> list[list[int]]:
    """The counts by SciPy, one pair and one sample at a time."""
    found = []
    for row in weights.astype(int):
        sample = np.repeat(x, row, axis=1)
        p = np.array(
            [
                stats.ttest_rel(sample[i], sample[j]).pvalue
                for i, j in zip(*np.triu_indices(len(x), 1), strict=True)
            ]
        )
        found.append([int((p < level).sum()) for level in LEVELS])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=130)
    parser.add_argument("--queries", type=int, default=250)
    parser.add_argument("--measures", type=int, default=10)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    matrix = scores(given.runs, given.queries, given.measures)
    pairs = given.runs * (given.runs - 1) // 2
    print(
        f"{given.runs} runs, {pairs} pairs, {given.queries} queries, {given.measures} measures, "
        f"{len(LEVELS)} levels, {given.resamples} resamples, {given.threads} threads"
    )
    few, samples = min(13, given.runs), 3
    part = matrix.of(matrix.measures[0])[:few]
    weights = multiplicities(0, 0, samples, given.queries)
    begun = time.perf_counter()
    theirs = loop(part, weights)
    tests = few * (few - 1) // 2 * samples
    each = (time.perf_counter() - begun) / tests
    assert significant(part, weights, LEVELS).tolist() == theirs, "the counts differ"
    whole = each * pairs * given.measures * (given.resamples + 1)

    for what, work in (
        (
            "curves and resamples",
            lambda: discriminate(matrix, resamples=given.resamples, threads=given.threads),
        ),
        ("all of a study", lambda: examine(matrix, threads=given.threads)),
    ):
        begun, busy = time.perf_counter(), time.process_time()
        work()
        took, busy = time.perf_counter() - begun, time.process_time() - busy
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{what:24}{took:9.1f} s{busy:9.1f} processor s{peak:8.0f} MB peak", flush=True)
        if what.startswith("curves"):
            print(f"{'loop over SciPy':24}{whole:9.0f} s  from {tests} tests, multiplied up")
            print(f"{'ratio':24}{whole / took:9.0f}")


if __name__ == "__main__":
    main()
