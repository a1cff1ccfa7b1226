"""How far apart runs truly are, from how far apart they were seen to be.

Taking the effects seen for the true ones would promise too much: the noise of few queries makes
them look larger. So the |t| of all pairs are taken for a mixture of noncentral t distributions,

    |t| of a pair ~ Σ_g w_g · |T(n - 1, √n δ_g)|,

over a grid of true effects δ_g = |d_z|. The weights w are fitted by maximum likelihood with the EM
algorithm (the nonparametric empirical Bayes of Kiefer & Wolfowitz 1956, on counts in bins of |t|).
It is stopped after some 200 steps: run to its end, the likelihood has only a few spikes to put its
weight on, and predicts no better. Pairs share runs and are not independent; the fit is then still
consistent, but no interval may be had from its likelihood.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from cranfield.data.columns import Floats
from cranfield.metaeval.sizes_results import EffectModel
from cranfield.stats.studentised import t_powers

LEAST = 4  # queries below which nothing is fitted
_TOP = 40.0  # noncentralities and |t| beyond this are significant whatever the level
_GRID, _BINS, _STEPS = 80, 140, 200
_TOGETHER = 16  # fits; products so small stay on one thread, where they are quickest


def fit(t: Floats, n: int) -> tuple[Floats, Floats]:
    """The distribution of true effects behind |t| of pairs over n queries.

    Parameters
    ----------
    t : [K, pairs], |t| of K sets of pairs, each fitted by itself.
    n : queries, from 4 on.

    Returns
    -------
    effects [g], weights [K, g]
        The grid of |d_z| and the share of the pairs at each of its points.
    """
    edges, chance = _bins(n)
    counts = np.stack([np.histogram(row, edges)[0] for row in t]) / t.shape[1]
    some = [_fitted(counts[at : at + _TOGETHER], chance) for at in range(0, len(t), _TOGETHER)]
    return _grid(n), np.concatenate(some)


def _fitted(counts: Floats, chance: Floats) -> Floats:
    """[K, g] from shares of the pairs by bin [K, bins] and chances [g, bins]."""
    weights = np.full((len(counts), _GRID), 1 / _GRID)
    back = np.ascontiguousarray(chance.T)
    for _ in range(_STEPS):
        expected = weights @ chance
        ratio = np.divide(counts, expected, out=np.zeros_like(expected), where=expected > 0)
        weights *= ratio @ back
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float64)


def powers(effects: Floats, queries: Sequence[int], level: float) -> Floats:
    """[g, N] the power of the two-sided paired t-test for each effect and number of queries."""
    grid = np.ascontiguousarray(effects, np.float64).tobytes()
    return np.stack([_power(grid, int(n), float(level)) for n in queries], axis=1)


@lru_cache(maxsize=8192)
def _power(grid: bytes, n: int, level: float) -> Floats:
    """The grid is that of all measures, which ask for the same numbers of queries."""
    from scipy.special import stdtrit

    critical = float(stdtrit(n - 1, 1 - level / 2))
    return t_powers(np.frombuffer(grid) * np.sqrt(n), critical, n - 1)


def expected_share(model: EffectModel, queries: int, level: float) -> float:
    """The share of pairs that the model expects to be significant with so many queries, from 2
    on."""
    return float(model.weights @ powers(model.effects, [queries], level)[:, 0])


def queries_for(model: EffectModel, share: float, level: float, most: int) -> int | None:
    """The fewest queries with which the model expects at least this share; None: more than
    `most`."""
    low, high = 1, 2
    while expected_share(model, high, level) < share:
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        enough = expected_share(model, middle, level) >= share
        low, high = (low, middle) if enough else (middle, high)
    return high


def _grid(n: int) -> Floats:
    """Fine near 0, where pairs are hard to tell apart, and ever wider."""
    steps = np.linspace(0.0, np.arcsinh(_TOP), _GRID)
    return np.asarray(np.sinh(steps) / np.sqrt(n), np.float64)


@lru_cache(maxsize=8)
def _bins(n: int) -> tuple[Floats, Floats]:
    """Edges of the bins of |t|, and [g, bins] the chance of each bin for each effect."""
    edges = np.sinh(np.linspace(0.0, np.arcsinh(_TOP), _BINS + 1))
    edges[-1] = np.inf
    shifts = _grid(n) * np.sqrt(n)
    beyond = [t_powers(shifts, float(edge), n - 1) for edge in edges[1:-1]]
    tails = np.stack([np.ones(_GRID), *beyond, np.zeros(_GRID)], axis=1)
    return edges, np.maximum(tails[:, :-1] - tails[:, 1:], 0.0)
