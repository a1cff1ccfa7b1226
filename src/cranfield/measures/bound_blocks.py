"""The bounds of one list in the closed world, of many topics at once.

They are those of `bounds`, which works topic by topic and holds all other cases: two lists, the
open world, and measures that have no entry here. Every evaluation shows a range, so that a million
results must not cost a second more. The tests hold both ways against each other.

No hole needs a place of its own here: what the first m holes add is a running sum over the ranks,
which only rises at a hole, so that its values at all ranks are those for every m, some of them
more than once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from cranfield.data.columns import distinct
from cranfield.measures.bound_shares import jk_discounts, log2_discounts, no_discounts
from cranfield.measures.bounds import has_bounds
from cranfield.measures.heads import Heads
from cranfield.measures.hits import Floats, Ints
from cranfield.measures.measure import Measure
from cranfield.measures.seen import Discount, Values, level_gains
from cranfield.measures.views import power_table, share

# (topics, parameters) -> the lower and upper ends, [t] each
Block = Callable[[Heads, Values], tuple[Floats, Floats]]


def block_bounds(measure: Measure) -> Block | None:
    """How this measure is bounded in blocks; None: topic by topic only."""
    return _BLOCKS.get(measure.family) if has_bounds(measure) else None


def _sums(values: Floats) -> Floats:
    """[t, n + 1] the sums of the first 0, 1, ..., n."""
    out = np.zeros((values.shape[0], values.shape[1] + 1))
    np.cumsum(values, axis=1, out=out[:, 1:])
    return out


def _precision(heads: Heads, v: Values) -> tuple[Floats, Floats]:
    found, more = (m.sum(axis=1) for m in (heads.relevant(v["rel"]), heads.can_be(v["rel"])))
    depth = v["k"] or np.maximum(heads.length, 1)
    return found / depth, (found + more) / depth


def _recall(heads: Heads, v: Values) -> tuple[Floats, Floats]:
    """(x + n) / (R + n) rises with the number n of relevant holes."""
    found, more = (m.sum(axis=1) for m in (heads.relevant(v["rel"]), heads.can_be(v["rel"])))
    R = heads.num_rel(v["rel"])
    return share(found, R), share(found + more, R + more)


def _first(value: Callable[[Ints], Floats]) -> Block:
    def block(heads: Heads, v: Values) -> tuple[Floats, Floats]:
        worth = value(np.arange(heads.grade.shape[1]))
        low, high = (
            np.where(marks.any(axis=1), worth[marks.argmax(axis=1)], 0.0)
            for marks in (heads.relevant(v["rel"]), heads.can_be(v["rel"]))
        )
        return low, np.maximum(low, high)

    return block


def _average(heads: Heads, v: Values) -> tuple[Floats, Floats]:
    """Of m relevant holes the first m are best and the last m are worst; see `average_bound`."""
    known = heads.relevant(v["rel"]).astype(np.float64)
    hole = heads.can_be(v["rel"]).astype(np.float64)
    each = 1.0 / np.arange(1, known.shape[1] + 1)
    R = heads.num_rel(v["rel"])[:, None].astype(np.float64)
    k = v["k"] if v["norm"] == "min" else None

    def over(sums: Floats, n: Floats) -> Floats:
        """What `n` relevant holes come to that add these sums."""
        divisor = np.minimum(R + n, k) if k else R + n
        sums += total
        sums /= np.maximum(divisor, 1.0, out=divisor)
        return sums

    so_far = np.cumsum(known, axis=1)
    of_known, of_hole = known * each, hole * each
    total = (so_far * of_known).sum(axis=1, keepdims=True)
    after = np.cumsum(of_known, axis=1)
    np.subtract(after[:, -1:].copy(), after, out=after)
    so_far += 1.0
    so_far *= of_hole
    after *= hole
    so_far += after  # what each hole adds by itself
    number = np.cumsum(hole, axis=1)
    sums = np.cumsum(so_far + of_hole * (number - 1.0), axis=1)
    none = over(np.zeros_like(R), np.zeros_like(R))[:, 0]
    high = np.maximum(over(sums, number).max(axis=1), none)
    below = np.cumsum(of_hole, axis=1)
    np.subtract(below[:, -1:].copy(), below, out=below)
    below *= hole
    so_far += below
    sums = np.cumsum(so_far, axis=1)
    np.subtract(sums[:, -1:].copy(), sums, out=sums)
    sums += so_far  # from each rank to the end of the list
    np.subtract(number[:, -1:].copy(), number, out=number)
    number += hole
    return np.minimum(over(sums, number).min(axis=1), none), high


def _gained(heads: Heads, worth: Floats, at: Floats) -> Floats:
    """[t] what the judged documents add up to, `worth` by level and `at` by rank."""
    known = worth[np.searchsorted(heads.levels, heads.grade)]
    found: Floats = np.where(heads.judged, known * at, 0.0).sum(axis=1)
    return found


def _discounted(heads: Heads, v: Values) -> tuple[Floats, Floats]:
    worth = level_gains(heads.levels, v["gain"])
    at = log2_discounts(heads.grade.shape[1], v)
    base = _gained(heads, worth, at)
    return base, base + float(worth.max()) * (heads.hole * at).sum(axis=1)


def _share(discount: Discount, heads: Heads, v: Values) -> tuple[Floats, Floats]:
    """See `best_share`; the lowest end has all holes either at nothing or at the top."""
    worth = level_gains(heads.levels, v["gain"])
    gained = distinct(worth)
    gained = gained[gained > 0]
    zero = np.zeros(len(heads.topic))
    if not len(gained):
        return zero, zero
    better = np.stack([heads.counts[:, worth >= gain].sum(axis=1) for gain in gained])
    n_holes = np.cumsum(heads.hole, axis=1)
    wide = heads.grade.shape[1]
    most = int((better.max(axis=0) + n_holes[:, -1]).max())
    discounts = discount(max(most + 1, wide), v).copy()
    if v["k"] is not None:
        discounts[v["k"] :] = 0.0
    ideal = np.concatenate([np.zeros(1), np.cumsum(discounts)])
    base = _gained(heads, worth, discounts[:wide])
    weight = np.where(heads.hole, discounts[:wide], 0.0)
    steps = np.diff(gained, prepend=0.0)

    first = np.concatenate([np.zeros((len(base), 1), np.int64), n_holes], axis=1)
    last = first[:, -1:] - first[:, ::-1]
    below = sum(s * ideal[b[:, None] + last] for s, b in zip(steps, better, strict=True))
    low = share(base[:, None] + gained[-1] * _sums(weight[:, ::-1]), below).min(axis=1)
    best = [ideal[b[:, None] + first] for b in better]
    return low, _largest(base, _sums(weight), steps, best)


def _largest(base: Floats, sums: Floats, steps: Floats, best: list[Floats]) -> Floats:
    """Dinkelbach's iteration of `best_share`, in all topics side by side."""
    found, row = np.zeros(len(base)), np.arange(len(base))
    open_ = row
    while len(open_):
        above, below = base[open_].copy(), np.zeros(len(open_))
        for step, divisor in zip(steps.tolist(), best, strict=True):
            n = np.argmax(sums[open_] - found[open_, None] * divisor[open_], axis=1)
            above += step * sums[open_, n]
            below += step * divisor[open_, n]
        now = share(above, below)
        better = now > found[open_]
        found[open_[better]] = now[better]
        open_ = open_[better]
    return found


def _stopping(heads: Heads, v: Values) -> tuple[Floats, Floats]:
    """ERR rises with every grade."""

    def stop(grade: Any) -> Any:
        return (np.exp2(np.maximum(grade, 0.0)) - 1.0) / 2.0 ** v["gmax"]

    known = np.where(heads.judged, stop(heads.grade), 0.0)
    top = float(stop(min(float(heads.levels[-1]), v["gmax"])))
    rank = np.arange(1, known.shape[1] + 1)
    ends = []
    for stops in (known, np.where(heads.hole, top, known)):
        arrive = np.ones(stops.shape)
        arrive[:, 1:] = np.cumprod(1.0 - stops, axis=1)[:, :-1]
        ends.append((arrive * stops / rank).sum(axis=1))
    return ends[0], ends[1]


def _persistence(heads: Heads, v: Values) -> tuple[Floats, Floats]:
    wide = heads.grade.shape[1]
    at = (1 - v["p"]) * power_table(v["p"], wide)[:wide]
    if v["graded"]:
        known = np.where(heads.judged, heads.grade, 0.0) / v["gmax"]
        top = min(float(heads.levels[-1]) / v["gmax"], 1.0)
    else:
        known = heads.relevant(v["rel"]).astype(np.float64)
        top = float(heads.levels[-1] >= v["rel"])
    base = (known * at).sum(axis=1)
    return base, base + top * (heads.hole * at).sum(axis=1)


_BLOCKS: dict[str, Block] = {
    "nDCG": partial(_share, log2_discounts),
    "nDCG_JK": partial(_share, jk_discounts),
    "NCG": partial(_share, no_discounts),
    "DCG": _discounted,
    "P": _precision,
    "R": _recall,
    "AP": _average,
    "RR": _first(lambda rank: 1.0 / (rank + 1)),
    "Success": _first(lambda rank: np.ones(len(rank))),
    "ERR": _stopping,
    "RBP": _persistence,
}
