"""Bounds of measures that divide by what the best list would have: DCG and nDCG."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.data.columns import distinct
from cranfield.measures.hits import Floats, Ints
from cranfield.measures.seen import (
    Bound,
    Discount,
    Seen,
    Values,
    Way,
    World,
    level_gains,
    linear,
    ranked,
    signed,
    sums,
)
from cranfield.measures.views import log2_table


def dcg_bound(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    worth = level_gains(levels, v["gain"])
    longest = max(len(g) for g in seen.grades)
    base, weights = _discounted(seen, levels, worth, log2_discounts(longest, v))
    return linear(base, weights, float(worth.max()))


def _discounted(seen: Seen, levels: Floats, worth: Floats, discounts: Floats) -> Any:
    known = [
        worth[np.searchsorted(levels, np.where(h < 0, np.maximum(g, 0.0), 0.0))]
        for g, h in ranked(seen)
    ]
    return signed(seen, [discounts[: len(g)] for g in seen.grades], known)


def log2_discounts(size: int, v: Values) -> Floats:
    return 1.0 / log2_table(size)[:size]


def no_discounts(size: int, v: Values) -> Floats:
    return np.ones(size)


def jk_discounts(size: int, v: Values) -> Floats:
    rank = np.arange(1, size + 1)
    return 1.0 / np.where(rank < v["b"], 1.0, np.log2(np.maximum(rank, v["b"])) / np.log2(v["b"]))


def share_bound(discount: Discount) -> Way:
    """Measures that are a discounted sum of gains as a share of the best one. `discount` gives the
    factors of so many ranks; they may not rise."""

    def way(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
        return _share(seen, v["k"], levels, world, discount, v)

    return way


ndcg_bound, jk_bound, ncg_bound = map(share_bound, (log2_discounts, jk_discounts, no_discounts))


def jk_average_bound(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    """The mean over the ranks; each end is attained by a grading of its own, so that it is an
    outer bound where there are holes."""
    found = [_share(seen, depth, levels, world, jk_discounts, v) for depth in range(1, v["k"] + 1)]
    low, high = (sum(ends) / v["k"] for ends in zip(*((b.low, b.high) for b in found), strict=True))
    return Bound(low, high, exact=world == "closed" and not seen.n_holes)


def _share(
    seen: Seen,
    k: int | None,
    levels: Floats,
    world: World,
    discount: Discount,
    v: Values,
) -> Bound:
    worth = level_gains(levels, v["gain"])
    judged = worth[np.searchsorted(levels, np.maximum(seen.judged, 0.0))]
    judged = np.sort(judged[judged > 0])
    longest = max((len(g) for g in seen.grades), default=0)
    discounts = discount(max(len(judged) + seen.n_holes + 1, longest, k or 0), v)
    if k is not None:
        discounts[k:] = 0.0
    base, weights = _discounted(seen, levels, worth, discounts)
    gained = distinct(worth)
    gained = gained[gained > 0]
    if not len(gained):
        return Bound(0.0, 0.0)
    better = len(judged) - np.searchsorted(judged, gained)  # [level] judged documents as good
    ideal = sums(discounts)
    steps = np.diff(gained, prepend=0.0)
    low = -best_share(-base, -weights, steps, better, ideal)
    high = best_share(base, weights, steps, better, ideal)
    if world == "closed":
        return Bound(low, high)
    # with the gains of the holes fixed the best list may be anything up to one full of the top
    # gain (without a cutoff it has no end), which pulls the quotient towards 0
    full = 0.0 if k is None else float(ideal[-1] * gained[-1])
    if not full:
        return Bound(min(low, 0.0), max(high, 0.0))
    ends = linear(base, weights, float(gained[-1]))
    return Bound(min(low, ends.low / full), max(high, ends.high / full))


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
