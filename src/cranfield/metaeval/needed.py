"""How many queries a measure needs, and how well that is known."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist

import numpy as np

from cranfield.data.columns import Floats, Index
from cranfield.data.matrix import ScoreMatrix
from cranfield.metaeval.counting import significant, statistics
from cranfield.metaeval.effects import LEAST, fit, powers, queries_for
from cranfield.metaeval.sizes_results import EffectModel, Needed
from cranfield.stats.arrays import share as checked_share

SHARES = (0.5, 0.6, 0.7, 0.8)
MOST = 100  # times the queries at hand; beyond this no number is given


def queries_needed(
    matrix: ScoreMatrix,
    models: Sequence[EffectModel],
    order: Index,
    shares: Sequence[float] = SHARES,
    level: float = 0.05,
    confidence: float = 0.95,
) -> tuple[Needed, ...]:
    """For each measure: the queries for each of the shares, then for the share that each other
    measure has with all queries.

    Parameters
    ----------
    models : one for each measure of the matrix.
    order : [R, n] random orders of the queries; the first half of each serves the intervals.
    """
    level = checked_share(level, "level")
    wanted = [checked_share(s, "a share of pairs") for s in shares]
    n, names = len(matrix.queries), matrix.measures
    sure = NormalDist().inv_cdf((1 + checked_share(confidence, "confidence")) / 2)
    ones = np.ones((1, n))
    seen = [_share(matrix.of(name), ones, level)[0] for name in names]
    halves = _Halves(matrix, order, level) if n >= 2 * LEAST else None
    found = []
    for i, model in enumerate(models):
        targets: list[tuple[float, int | None]] = [(s, None) for s in wanted]
        targets += [(float(s), j) for j, s in enumerate(seen) if j != i]
        for target, like in targets:
            queries = queries_for(model, target, level, MOST * n)
            low = high = None
            if queries is not None and halves is not None:
                low, high = _interval(queries, n, halves.deviation(i, queries, target, like), sure)
            found.append(
                Needed(
                    model.measure,
                    level,
                    target,
                    None if like is None else names[like],
                    queries,
                    low,
                    high,
                    confidence,
                    queries is not None and queries > n,
                )
            )
    return tuple(found)


def _interval(queries: int, n: int, deviation: float, sure: float) -> tuple[int, int | None]:
    """In logarithms, as a number of queries cannot be below 2; no upper end beyond the most."""
    factor = math.exp(min(sure * deviation, 50.0))
    high = math.ceil(queries * factor)
    return max(2, math.floor(queries / factor)), high if high <= MOST * n else None


def _share(x: Floats, weights: Floats, level: float) -> Floats:
    """[B] significant pairs as a share of all."""
    pairs = len(x) * (len(x) - 1) / 2
    return significant(x, weights, (level,))[:, 0] / pairs


class _Halves:
    """The models of random halves of the queries: by how much the answer differs from half to half
    is by how much that of the whole may be off (delete-half jackknife, Shao & Wu 1989)."""

    def __init__(self, matrix: ScoreMatrix, order: Index, level: float) -> None:
        self.n = len(matrix.queries) // 2
        weights = (np.argsort(order, axis=1) < self.n).astype(np.float64)
        self.sizes = np.array(list(_ladder(MOST * self.n)))
        tables = [matrix.of(name) for name in matrix.measures]
        fits = [fit(statistics(x, weights), self.n) for x in tables]
        power = powers(fits[0][0], self.sizes.tolist(), level)  # the grid is that of all measures
        self.expected = [fitted @ power for _, fitted in fits]
        self.seen = [_share(x, weights, level) for x in tables]

    def deviation(self, measure: int, queries: int, target: float, like: int | None) -> float:
        """Root mean square of the logarithm of what a half says over what the whole says.

        The share of another measure is that of the same half, and the queries count as a multiple
        of those at hand: a half has half as many.
        """
        share = np.full(len(self.seen[0]), target) if like is None else self.seen[like]
        needed = np.array(
            [self._crossing(row, s) for row, s in zip(self.expected[measure], share, strict=True)]
        )
        whole = math.log(queries)
        said = np.log(needed) if like is None else np.log(2 * needed)
        return float(np.sqrt(((said - whole) ** 2).mean()))

    def _crossing(self, expected: Floats, share: float) -> float:
        """Where an ascending curve over `sizes` reaches a share, between two sizes by logarithm."""
        rising = np.maximum.accumulate(expected)
        at = int(np.searchsorted(rising, share))
        if at == 0:
            return float(self.sizes[0])
        if at == len(rising):
            return float(self.sizes[-1])
        part = (share - rising[at - 1]) / (rising[at] - rising[at - 1])
        low, high = math.log(self.sizes[at - 1]), math.log(self.sizes[at])
        return math.exp(low + part * (high - low))


def _ladder(most: int) -> Iterator[int]:
    """Whole numbers from 2 on, a tenth apart as they grow."""
    n = 2
    while n < most:
        yield n
        n = max(n + 1, round(n * 1.1))
    yield most
