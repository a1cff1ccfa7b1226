"""The share of significant pairs against the number of queries, and the queries a share needs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cranfield.data.columns import Floats, Index
from cranfield.data.matrix import ScoreMatrix
from cranfield.errors import UsageError
from cranfield.metaeval.counting import statistics
from cranfield.metaeval.discrimination import LEVELS, shares_by_measure
from cranfield.metaeval.effects import LEAST, fit, powers
from cranfield.metaeval.needed import SHARES, queries_needed
from cranfield.metaeval.parts import permutations
from cranfield.metaeval.sizes_results import EffectModel, SizeCurve
from cranfield.stats.arrays import Advance, silent

_ROUND = (5, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 250, 300, 400, 500, 750, 1000)
_BEYOND = (1.5, 2, 3, 5)  # times the queries at hand


def default_sizes(n: int) -> tuple[int, ...]:
    """Round numbers below n, and n."""
    return (*(k for k in _ROUND if k < n), n) if n > _ROUND[0] else tuple(range(2, n + 1))


def size_curve(
    matrix: ScoreMatrix,
    levels: Sequence[float] = LEVELS,
    *,
    sizes: Sequence[int] | None = None,
    repeats: int = 50,
    shares: Sequence[float] = SHARES,
    level: float = 0.05,
    confidence: float = 0.95,
    seed: int = 0,
    threads: int = 1,
    advance: Advance = silent,
) -> SizeCurve:
    """Shares in samples of the queries without replacement, what the true effects behind them
    promise with more, and how many queries a share needs.

    Parameters
    ----------
    matrix : of four queries or more.
    sizes : numbers of queries from 2 to all, None: round ones; all are always there.
    repeats, seed : samples for each size, and which; the same for all measures.
    shares, level : what the numbers of queries needed are for; beside these shares each measure is
        asked to reach the share that each other one has with all queries.
    confidence : of the intervals of the queries needed.

    Raises
    ------
    UsageError
        Fewer than four queries, a size that the queries do not allow, a share that is none.
    """
    n = len(matrix.queries)
    if n < LEAST:
        raise UsageError(f"{n} queries are too few for a curve over sizes", f"from {LEAST} on")
    chosen = _checked(sizes, n)
    if repeats < 2:
        raise UsageError(f"repeats must be a whole number from 2 on, not {repeats!r}")
    order = permutations(seed, repeats, n)
    seen, sd = _sampled(matrix, order, chosen, levels, threads, advance)
    beyond = (*chosen, *sorted({math.ceil(f * n) for f in _BEYOND}))
    models, predicted = _models(matrix, beyond, levels, seen)
    needed = queries_needed(matrix, models, order, shares, level, confidence)
    return SizeCurve(
        matrix.measures,
        tuple(levels),
        chosen,
        repeats,
        seed,
        seen,
        sd,
        models,
        beyond,
        predicted,
        needed,
    )


def _checked(sizes: Sequence[int] | None, n: int) -> tuple[int, ...]:
    if sizes is None:
        return default_sizes(n)
    for size in sizes:
        if not isinstance(size, int | np.integer) or not 2 <= size <= n:
            raise UsageError(f"{size!r} of {n} queries", f"sizes are whole numbers from 2 to {n}")
    return tuple(sorted({*map(int, sizes), n}))


def _sampled(
    matrix: ScoreMatrix,
    order: Index,
    sizes: Sequence[int],
    levels: Sequence[float],
    threads: int,
    advance: Advance,
) -> tuple[Floats, Floats]:
    """Mean and standard deviation, [s, L, z], over samples that are the beginnings of orders."""
    n = order.shape[1]
    rank = np.argsort(order, axis=1)
    parts = [(rank < size).astype(np.float64) for size in sizes[:-1]]
    weights = np.concatenate([*parts, np.ones((1, n))])
    shares = shares_by_measure(matrix, weights, levels, threads, advance)
    by_size = [*np.split(shares[:-1], len(sizes) - 1), shares[-1:]] if parts else [shares]
    means = np.stack([part.mean(axis=0) for part in by_size], axis=-1)
    spread = [part.std(axis=0, ddof=1) for part in by_size[:-1]]
    return means, np.stack([*spread, np.zeros_like(means[..., 0])], axis=-1)


def _models(
    matrix: ScoreMatrix, sizes: Sequence[int], levels: Sequence[float], seen: Floats
) -> tuple[tuple[EffectModel, ...], Floats]:
    """One a measure, and what they expect, [s, L, sizes]; `seen` is of the first sizes."""
    n = len(matrix.queries)
    whole = np.ones((1, n))
    t = np.concatenate([statistics(matrix.of(name), whole) for name in matrix.measures])
    effects, weights = fit(t, n)
    expected = np.stack([weights @ powers(effects, sizes, level) for level in levels], axis=1)
    off = expected[..., : seen.shape[-1]] - seen
    models = tuple(
        EffectModel(
            name,
            n,
            effects,
            weights[i],
            float(np.sqrt((off[i] ** 2).mean())),
            float(np.abs(off[i]).max()),
        )
        for i, name in enumerate(matrix.measures)
    )
    return models, expected
