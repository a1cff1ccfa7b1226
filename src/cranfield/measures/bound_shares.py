"""Bounds of measures that divide by what the best list would have: recall, DCG and nDCG."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.data.columns import distinct
from cranfield.measures.gain import gain_of
from cranfield.measures.hits import Floats, Ints
from cranfield.measures.seen import (
    Bound,
    Seen,
    Values,
    World,
    linear,
    ranked,
    relevance,
    signed,
    sums,
)
from cranfield.measures.views import log2_table


def dcg_bound(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    worth = _gains(levels, v["gain"])
    base, weights = _discounted(seen, levels, worth)
    return linear(base, weights, float(worth.max()))


def _gains(levels: Floats, gain: Any) -> Floats:
    """[level] what a document of each level is worth; a level that a table lacks cannot be."""
    table = None if isinstance(gain, str) else dict(gain)
    return np.array(
        [
            0.0 if g <= 0 or (table is not None and g not in table) else gain_of(g, gain)
            for g in levels.tolist()
        ]
    )


def _discounted(seen: Seen, levels: Floats, worth: Floats) -> Any:
    known = [
        worth[np.searchsorted(levels, np.where(h < 0, np.maximum(g, 0.0), 0.0))]
        for g, h in ranked(seen)
    ]
    at = [1.0 / log2_table(len(g))[: len(g)] for g in seen.grades]
    return signed(seen, at, known)


def recall_bound(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    R = int((seen.judged >= v["rel"]).sum())
    at = [np.ones(len(g)) for g in seen.grades]
    base, weights = signed(seen, at, relevance(seen, v["rel"]))
    u = len(weights) if levels[-1] >= v["rel"] else 0
    ordered = np.sort(weights)
    divisor = np.maximum(R + np.arange(u + 1), 1)
    low = (base + sums(ordered)[: u + 1]) / divisor
    high = (base + sums(ordered[::-1])[: u + 1]) / divisor
    return Bound(0.0 if world == "open" else float(low.min()), float(high.max()))


def ndcg_bound(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    worth = _gains(levels, v["gain"])
    base, weights = _discounted(seen, levels, worth)
    gained = distinct(worth)
    gained = gained[gained > 0]
    judged = worth[np.searchsorted(levels, np.maximum(seen.judged, 0.0))]
    judged = np.sort(judged[judged > 0])
    if not len(gained):
        return Bound(0.0, 0.0)
    better = len(judged) - np.searchsorted(judged, gained)  # [level] judged documents as good
    k, most = v["k"], len(judged) + len(weights) + 1
    discounts = 1.0 / log2_table(most)[:most]
    if k is not None:
        discounts[k:] = 0.0
    ideal = sums(discounts)
    steps = np.diff(gained, prepend=0.0)
    high = best_share(base, weights, steps, better, ideal)
    if world == "closed":
        return Bound(-best_share(-base, -weights, steps, better, ideal), high)
    filled = 0.0 if k is None else float((1.0 / log2_table(k)[:k]).sum() * gained[-1])
    return Bound(base / filled if filled else 0.0, high)


def best_share(base: float, weights: Floats, steps: Floats, better: Ints, ideal: Floats) -> float:
    """The largest (base + Σ_d gain_d · w_d) / IDCG over all gains of the holes, IDCG the best DCG
    of the judged documents and the holes together; 0/0 is 0.

    Write a gain as a sum of steps: hole d has a step when its gain reaches it. If n_l holes reach
    step l, the numerator is at most base + Σ_l steps_l · (sum of the n_l largest weights), and the
    IDCG is Σ_l steps_l · (discounts of the first better_l + n_l ranks); only the n_l matter, with
    n_1 >= n_2 >= ... For a value λ >= 0, numerator - λ · IDCG falls apart into the steps, and since
    discounts fall and better_l falls with l, the best n_l fall by themselves. The largest λ that
    can be reached follows by Dinkelbach's iteration (1967), exactly and in a few steps. Where
    every numerator is below 0 the same exchange shows that all holes take either nothing or the
    top, so that there are only u + 1 cases.

    Parameters
    ----------
    weights : [hole] what a gain of 1 adds
    steps : [level] the gain of each level above the one before, > 0
    better : [level] judged documents whose gain reaches the level
    ideal : [n + 1] the sum of the first n discounts, for every n that can be needed
    """
    gained = sums(np.sort(weights)[::-1])
    reach = np.arange(len(gained))
    best = ideal[better[:, None] + reach]  # [level, n]
    if base + steps.sum() * gained.max() < 0:
        value: Floats = (base + steps.sum() * gained) / (steps @ best)
        return float(value.max())
    level, found = np.arange(len(steps)), 0.0
    while True:
        n = np.argmax(gained - found * best, axis=1)
        above, below = base + float(steps @ gained[n]), float(steps @ best[level, n])
        value_now = above / below if below > 0 else 0.0
        if value_now <= found:
            return found
        found = value_now
