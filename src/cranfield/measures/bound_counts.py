"""Bounds of measures that only count relevant documents: recall, F, relative precision, set AP and
R-precision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.columns import distinct
from cranfield.measures.hits import Floats, Ints
from cranfield.measures.seen import Bound, Seen, Values, Way, World, ranked, relevance
from cranfield.measures.views import share

# (relevant documents in the list, in the topic, divisor of precision, parameters) -> value
Value = Callable[[Any, Any, int, Values], Floats]


def recall(x: Any, R: Any, d: int, v: Values) -> Floats:
    return share(x, R)


def f_measure(x: Any, R: Any, d: int, v: Values) -> Floats:
    """F = (1 + b) x / (b R + d), which is what P = x/d and x/R come to."""
    return share((1 + v["beta2"]) * x, v["beta2"] * R + d)


def relative_precision(x: Any, R: Any, d: int, v: Values) -> Floats:
    return share(x, np.minimum(R, d))


def set_average(x: Any, R: Any, d: int, v: Values) -> Floats:
    return share(np.asarray(x, np.float64) ** 2, d * np.asarray(R))


@dataclass(frozen=True)
class _Side:
    """A list: its relevant documents, the holes that are its own, and its divisor; None in the
    place of a list that is not there."""

    known: int
    own: int
    d: int


def counted_bound(value: Value) -> Way:
    """Measures that rise with the relevant documents of the list and fall with those of the topic.

    With n relevant holes R is known, and of two lists the first is best off when the n are holes of
    its own, then shared ones, and only then those of the second: each of these steps cannot help
    the second list more than the one before. So there are u + 1 cases. In the open world R may be
    anything from there on, and no hole need be relevant; beyond R + u, and the lengths of the
    lists, F alone can still have its largest difference, at one place that is known.
    """

    def way(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
        R = int((seen.judged >= v["rel"]).sum())
        possible = levels[-1] >= v["rel"]
        there = [distinct(h[h >= 0]) if possible else h[:0] for h in seen.holes]
        both = int(np.isin(there[0], there[1]).sum()) if len(there) == 2 else 0
        sides: list[_Side | None] = [
            _Side(int(r.sum()), len(h) - both, v.get("k") or len(r))
            for r, h in zip(relevance(seen, v["rel"]), there, strict=True)
        ]
        if len(sides) == 1:
            sides.append(None)
        one, other = sides
        ends = [
            _largest(value, v, R, mine, theirs, both, world)
            for mine, theirs in ((other, one), (one, other))
        ]
        return Bound(-ends[0], ends[1])

    return way


def _largest(
    value: Value,
    v: Values,
    R: int,
    mine: _Side | None,
    other: _Side | None,
    both: int,
    world: World,
) -> float:
    """The largest value of `mine` less that of `other`."""
    own = 0 if mine is None else mine.own
    theirs = 0 if other is None else other.own
    u = own + both + theirs
    n = np.arange(u + 1)

    def gap(first: Any, shared: Any, second: Any, total: Any) -> float:
        left = 0.0 if mine is None else value(mine.known + first + shared, total, mine.d, v)
        right = 0.0 if other is None else value(other.known + second + shared, total, other.d, v)
        return float(np.max(left - right))

    if world == "closed":
        first = np.minimum(n, own)
        shared = np.minimum(n - first, both)
        return gap(first, shared, n - first - shared, R + n)
    d = max(side.d for side in (mine, other) if side is not None)
    total = np.concatenate([R + n, np.arange(R + u + 1, max(R + u, d) + 2)])
    if mine is not None and other is not None and "beta2" in v:
        total = np.concatenate([total, _turns(v["beta2"], mine, other, both, R + u)])
    spare = np.minimum(total - R, u)
    first = np.minimum(spare, own)
    shared = np.minimum(np.arange(both + 1), (spare - first)[:, None])  # [R, shared ones]
    found = gap(first[:, None], shared, 0, total[:, None])
    return found if value is relative_precision else max(found, 0.0)  # 0 where R has no end


def _turns(b: float, mine: _Side, other: _Side, both: int, least: int) -> Ints:
    """The R on both sides of where x/(bR + d) - y/(bR + e) has its only turning point."""
    found = [least]
    for shared in (0, both):
        x, y = np.sqrt([mine.known + mine.own + shared, other.known + shared])
        if x != y:
            at = (x * other.d - y * mine.d) / (y - x) / b
            if least < at < 2**53:
                found += [int(at), int(at) + 1]
    return np.array(found, np.int64)


def r_precision_bound(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    """With n relevant holes the depth is known, and the n lie above or below it as is wanted. In
    the open world the depth may be any from there on, and no hole need be relevant."""
    R = int((seen.judged >= v["rel"]).sum())
    u = seen.n_holes if levels[-1] >= v["rel"] else 0
    n = np.arange(u + 1)
    total = R + n
    if world == "open":
        total = _totals(R, u, max(len(g) for g in seen.grades), v["mult"])
    depth = np.floor(v["mult"] * total + 0.9).astype(np.int64)
    known = np.zeros(len(total))
    inside = np.zeros((2, len(total), u), np.bool_)
    judged = relevance(seen, v["rel"])
    for i, (grade, hole) in enumerate(ranked(seen)):
        so_far = np.concatenate([np.zeros(1), np.cumsum(judged[i])])
        known += (1, -1)[i] * so_far[np.minimum(depth, len(grade))]
        rank = np.full(u, np.iinfo(np.int64).max)
        if u:
            rank[hole[hole >= 0]] = np.flatnonzero(hole >= 0)
        inside[i] = rank < depth[:, None]
    up = (inside[0] & ~inside[1]).sum(axis=1)
    down = (inside[1] & ~inside[0]).sum(axis=1)
    neutral = u - up - down
    forced = n if world == "closed" else np.zeros(len(total), np.int64)  # that must be somewhere
    most = total - R
    high = known + np.minimum(most, up) - np.maximum(forced - up - neutral, 0)
    low = known - np.minimum(most, down) + np.maximum(forced - down - neutral, 0)
    found = float(share(low, depth).min()), float(share(high, depth).max())
    if world == "open":
        return Bound(min(found[0], 0.0), max(found[1], 0.0))
    return Bound(*found)


def _totals(R: int, u: int, longest: int, mult: float) -> Ints:
    """Numbers of relevant documents, from R on, that hold the largest one of every depth down to
    the end of the list, and all up to R + u."""
    every = np.arange(R, R + u + longest + 3)
    ends = np.floor((np.arange(longest + 3) + 0.1) / mult)
    near = (ends[:, None] + np.array([-1.0, 0.0, 1.0])).ravel()
    found: Ints = np.concatenate([every, near[(near >= R) & (near < 2**53)].astype(np.int64)])
    return found
