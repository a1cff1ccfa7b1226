"""Bounds of measures in which the documents of a list depend on one another: RR, AP and ERR."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cranfield.measures.hits import Bools, Floats, Ints
from cranfield.measures.seen import (
    Bound,
    Seen,
    Values,
    Way,
    World,
    gradings,
    of_holes,
    ranked,
    relevance,
    sums,
)

_PAIRED = 512  # holes for which all pairs of them are weighed


def first_bound(value: Callable[[Ints], Floats]) -> Way:
    """RR and Success: the value of the first relevant rank. One relevant hole is enough for
    either end: more of them could only help the other list."""

    def way(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
        u = seen.n_holes
        base, changed = 0.0, np.zeros(u + 1)  # the last entry: no hole is relevant
        for sign, (grade, hole) in zip((1, -1), ranked(seen), strict=False):
            there = value(np.arange(len(grade)))
            mine = float(there[(hole < 0) & (grade >= v["rel"])].max(initial=0.0))
            base += sign * mine
            ranks = np.flatnonzero(hole >= 0)
            changed[hole[ranks]] += sign * np.maximum(there[ranks] - mine, 0.0)
        if levels[-1] < v["rel"]:
            return Bound(base, base)
        return Bound(base + float(changed.min()), base + float(changed.max()))

    return way


def average_bound(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    rel, k = v["rel"], v["k"] if v["norm"] == "min" else None
    R = int((seen.judged >= rel).sum())
    possible = levels[-1] >= rel
    u = seen.n_holes if possible else 0
    judged = [r > 0 for r in relevance(seen, rel)]

    def ends(total: Floats, n: Any) -> tuple[float, float]:
        """The ends of total / divisor with n relevant holes; in the open world the divisor may be
        anything from there on."""
        found = total / np.maximum(np.minimum(R + n, k) if k else R + n, 1)
        if world == "open":
            found = np.concatenate([found, total / k if k else np.zeros(1)])
        return float(found.min()), float(found.max())

    if len(seen.grades) == 2 and u <= limit:
        value, relevant = 0.0, gradings(u, 2)
        for sign, known, hole in zip((1, -1), judged, seen.holes, strict=True):
            marks = known | of_holes(relevant, hole)
            precision = np.cumsum(marks, axis=1) / np.arange(1, marks.shape[1] + 1)
            value = value + sign * (precision * marks).sum(axis=1)
        return Bound(*ends(np.asarray(value), relevant.sum(axis=1)))
    low, high = zip(
        *(_precisions(j, (h >= 0) & possible) for j, h in zip(judged, seen.holes, strict=True)),
        strict=True,
    )
    n = np.arange(u + 1)
    if len(seen.grades) == 1:
        return Bound(ends(low[0], n)[0] if world == "closed" or k else 0.0, ends(high[0], n)[1])

    def gap(one: Floats, other: Floats) -> Floats:
        """With n relevant holes: at most min(n, own) are in the first list, and at least n less
        all that are not its own in the second (in the open world, none need be)."""
        most, least = np.minimum(n, len(one) - 1), np.maximum(n - (u - len(other) + 1), 0)
        found: Floats = one[most] - other[least]
        return found

    above, below = gap(high[0], low[1]), gap(high[1], low[0])
    if u <= _PAIRED:
        base, own, both = _difference(judged, seen.holes, u)
        above = np.minimum(above, _most(base, own, both))
        below = np.minimum(below, _most(-base, -own, -both))
    return Bound(max(-1.0, -ends(below, n)[1]), min(1.0, ends(above, n)[1]), exact=False)


def _difference(
    known: Sequence[Bools], holes: Sequence[Ints], u: int
) -> tuple[float, Floats, Floats]:
    """The difference of two sums of precisions as base + Σ own_h x_h + Σ_{h<g} both_hg x_h x_g
    of the holes' relevance x: a precision is a sum over pairs of relevant documents, each worth
    one by the lower of the two ranks (Carterette, Allan & Sitaraman 2006).

    Returns
    -------
    base; own [u]; both [u, u], symmetric, 0 on the diagonal.
    """
    base, own, both = 0.0, np.zeros(u), np.zeros((u, u))
    for sign, judged, hole in zip((1, -1), known, holes, strict=True):
        i = np.arange(1, len(judged) + 1)
        so_far = np.cumsum(judged)
        base += sign * float((so_far / i)[judged].sum())
        after = np.cumsum((judged / i)[::-1])[::-1]
        at = np.flatnonzero(hole >= 0)
        own[hole[at]] += sign * ((so_far[at] + 1) / i[at] + after[at])
        lower = np.maximum(i[at][:, None], i[at])
        both[np.ix_(hole[at], hole[at])] += sign / lower
    np.fill_diagonal(both, 0.0)
    return base, own, both


def _most(base: float, own: Floats, both: Floats) -> Floats:
    """[n] no less than base + Σ own x + Σ both x x with n of the x set: each hole is paired with
    the n - 1 that suit it best, half of a pair counted on either side, and the best n are taken.
    """
    u = len(own)
    others = np.where(np.eye(u, dtype=np.bool_), -np.inf, both)
    best = -np.sort(-others, axis=1)[:, : u - 1]
    worth = own[:, None] + 0.5 * np.concatenate([np.zeros((u, 1)), np.cumsum(best, axis=1)], axis=1)
    taken = np.cumsum(-np.sort(-worth, axis=0), axis=0)  # [n, column of n]
    return base + np.concatenate([np.zeros(1), taken[np.arange(u), np.arange(u)]])


def _precisions(known: Bools, hole: Bools) -> tuple[Floats, Floats]:
    """[m] the least and the largest sum of precisions with m relevant holes.

    A relevant document that moves up only raises the sum, so that the last m and the first m
    holes give the ends.
    """
    i = np.arange(1, len(known) + 1)
    before: Floats = np.cumsum(known) - known.astype(np.float64)
    start = float(((before + 1) / i)[known].sum())
    after = np.cumsum((known / i)[::-1])[::-1]  # relevant ranks from here on, each as 1/i
    at = np.flatnonzero(hole)
    first = (before[at] + 1 + np.arange(len(at))) / i[at] + after[at]
    last = at[::-1]
    below = np.cumsum(1.0 / i[last]) - 1.0 / i[last]  # relevant holes further down
    second = (before[last] + 1) / i[last] + after[last] + below
    return start + sums(second), start + sums(first)


def err_bound(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    """ERR rises with every grade. The difference of two lists is linear in the chance to stop at
    each document, so that its ends lie where every shared document has grade 0 or the top."""

    def stop(grade: Any) -> Any:
        return (np.exp2(np.maximum(grade, 0.0)) - 1.0) / 2.0 ** v["gmax"]

    top = float(stop(min(float(levels[-1]), v["gmax"])))
    known = [np.where(h < 0, stop(np.where(h < 0, g, 0.0)), 0.0) for g, h in ranked(seen)]

    def value(i: int, holes: Any) -> Floats:
        """[choice] ERR of list i where `holes` [choice, hole] say which have the top grade."""
        stops = known[i] + top * of_holes(holes, seen.holes[i])
        arrive = np.ones(stops.shape)
        arrive[:, 1:] = np.cumprod(1.0 - stops, axis=1)[:, :-1]
        found: Floats = (arrive * stops / np.arange(1, stops.shape[1] + 1)).sum(axis=1)
        return found

    u = seen.n_holes
    none, every = np.zeros((1, u), np.bool_), np.ones((1, u), np.bool_)
    if len(seen.grades) == 1:
        return Bound(float(value(0, none)[0]), float(value(0, every)[0]))
    one, other = (h[h >= 0] for h in seen.holes)
    both = one[np.isin(one, other)]
    if len(both) > limit:
        return Bound(
            float(value(0, none)[0] - value(1, every)[0]),
            float(value(0, every)[0] - value(1, none)[0]),
            exact=False,
        )
    choices = np.zeros((1 << len(both), u), np.bool_)
    choices[:, both] = gradings(len(both), 2)
    ends = []
    for mine in (other, one):  # the list that its own holes help
        full = choices.copy()
        full[:, np.setdiff1d(mine, both)] = True
        ends.append(value(0, full) - value(1, full))
    return Bound(float(ends[0].min()), float(ends[1].max()))


def grade_first_bound(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    """RR_Wu: the largest of grade / rank. One hole above 0 is enough for either end, and the
    difference is convex or concave in its grade between levels of which one may be the end."""
    u, gmax = seen.n_holes, v["gmax"]
    given = levels[(levels > 0) & (levels <= gmax)] / gmax
    base, changed = 0.0, np.zeros((len(given), u))
    for sign, (grade, hole) in zip((1, -1), ranked(seen), strict=False):
        rank = np.arange(1, len(grade) + 1)
        mine = float((np.where(hole < 0, np.maximum(grade, 0.0), 0.0) / gmax / rank).max(initial=0))
        base += sign * mine
        at = np.flatnonzero(hole >= 0)
        changed[:, hole[at]] += sign * np.maximum(given[:, None] / rank[at] - mine, 0.0)
    return Bound(base + float(changed.min(initial=0.0)), base + float(changed.max(initial=0.0)))
