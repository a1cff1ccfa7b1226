"""Bounds of Q, whose precision is blended with the gain so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.columns import distinct
from cranfield.measures.bound_orders import average_bound
from cranfield.measures.hits import Bools, Floats, Ints
from cranfield.measures.seen import (
    Bound,
    Seen,
    Values,
    World,
    gradings,
    level_gains,
    of_holes,
    ranked,
)

GROUPS = 64  # of numbers of relevant holes that an outer bound tells apart


def q_bound(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    """Exact where every grading can be tried, where there is one kind of relevant document (then
    a relevant one that moves up only helps) and for β = 0, which is AP; else an outer bound.

    In the open world the lower end of one list is exact: holes of grade 0, and a best list full of
    the top grade. That of a difference is an outer one.
    """
    if v["beta"] == 0:
        norm = "min" if v["k"] else "rel"
        return average_bound(seen, {**v, "norm": norm}, levels, world, limit)
    q = _Q(seen, v, levels)
    closed = _closed(q, limit)
    if world == "closed":
        return closed
    if len(q.lists) == 1:
        worst = q.worst_of_all(0) / v["k"] if v["k"] else 0.0
        return Bound(min(worst, closed.low), closed.high, closed.exact)
    return q.gap(open_world=True)


def _closed(q: _Q, limit: int) -> Bound:
    u, levels = q.u, len(q.levels)
    if levels**u <= 1 << limit:
        value = q.value(gradings(u, levels))
        return Bound(float(value.min()), float(value.max()))
    if len(q.lists) == 1 and q.one_kind:
        hole = q.lists[0].hole
        place = np.argsort(hole[hole >= 0])
        top = int(np.argmax(q.relevant))
        first = place < np.arange(u + 1)[:, None]  # the first n holes, and then the last n
        last = place >= u - np.arange(u + 1)[:, None]
        low, high = (np.where(marks, top, 0) for marks in (last, first))
        return Bound(float(q.value(low).min()), float(q.value(high).max()))
    if len(q.lists) == 1:
        low, high = q.sums(0, open_world=False)
        return Bound(
            float((low / q.divisor(q.R + q.most)).min()),
            min(1.0, float((high / q.divisor(q.R + q.least)).max())),
            exact=False,
        )
    return q.gap(open_world=False)


@dataclass(frozen=True, eq=False)
class _One:
    """A list: of its judged documents the relevant ones and the gains, and its holes."""

    relevant: Bools
    gain: Floats
    hole: Ints


class _Q:
    """A topic as Q sees it: `relevant` and `gain` by level."""

    def __init__(self, seen: Seen, v: Values, levels: Floats) -> None:
        self.levels, self.k, self.beta = levels, v["k"], v["beta"]
        self.relevant: Bools = levels >= v["rel"]
        self.gain = level_gains(levels, v["gain"])
        self.u = seen.n_holes
        self.R = int((seen.judged >= v["rel"]).sum())
        self.lists = []
        for grade, hole in ranked(seen):
            level = np.searchsorted(levels, np.where(hole < 0, np.maximum(grade, 0.0), 0.0))
            known = hole < 0
            mine = self.relevant[level] & known, np.where(known, self.gain[level], 0.0)
            self.lists.append(_One(*mine, hole))
        self.longest = max(len(x.hole) for x in self.lists)
        judged = self.gain[np.searchsorted(levels, np.maximum(seen.judged, 0.0))]
        self.judged: Floats = np.sort(judged)[::-1]
        self.top = float(self.gain.max())
        # numbers of relevant holes, `least` to `most` of each group; one a group while they are few
        n = self.u * int(self.relevant.any())
        self.most: Ints = distinct(np.linspace(0, n, min(n, GROUPS) + 1).astype(np.int64))
        self.least: Ints = np.concatenate([self.most[:1], self.most[:-1] + 1])

    @property
    def one_kind(self) -> bool:
        """Whether documents are either worth nothing or all alike."""
        worth = set(zip(self.relevant.tolist(), self.gain.tolist(), strict=True))
        return worth - {(False, 0.0)} <= {(True, self.top)}

    def divisor(self, R: Any) -> Any:
        return np.maximum(np.minimum(R, self.k) if self.k else R, 1)

    def best(self, given: Floats) -> Floats:
        """[case, rank] the gain so far of the best list, with holes worth `given` [case, hole]."""
        judged = self.judged[: self.longest]
        known = np.broadcast_to(judged, (len(given), len(judged)))
        every = -np.sort(-np.concatenate([known, given], axis=1), axis=1)[:, : self.longest]
        room = self.longest - every.shape[1]
        found: Floats = np.cumsum(np.pad(every, ((0, 0), (0, max(room, 0)))), axis=1)
        return found

    def value(self, case: Ints) -> Floats:
        """[case] Q of the first list less that of the second; `case` [case, hole] are levels."""
        best, total = self.best(self.gain[case]), np.zeros(len(case))
        for sign, x in zip((1, -1), self.lists, strict=False):
            marks = x.relevant | of_holes(self.relevant[case], x.hole).astype(np.bool_)
            gain = x.gain + of_holes(self.gain[case], x.hole)
            total += sign * (
                marks * self._ratio(np.cumsum(marks, 1), np.cumsum(gain, 1), best)
            ).sum(axis=1)
        found: Floats = total / self.divisor(self.R + self.relevant[case].sum(axis=1))
        return found

    def _ratio(self, count: Any, gain: Any, best: Floats) -> Floats:
        n = count.shape[1]
        ratio: Floats = (count + self.beta * gain) / (np.arange(1, n + 1) + self.beta * best[:, :n])
        return ratio

    def worst_of_all(self, i: int) -> float:
        """The sum of ratios with every hole worthless and the best list full of the top."""
        x = self.lists[i]
        full = self.top * np.arange(1, self.longest + 1.0)[None]
        ratio = self._ratio(np.cumsum(x.relevant)[None], np.cumsum(x.gain)[None], full)
        return float(ratio[0][x.relevant].sum())

    def sums(self, i: int, open_world: bool) -> tuple[Floats, Floats]:
        """[group] what the sum of ratios of list i is at least and at most, with so many relevant
        holes in all lists together (in the open world, with so many at most)."""
        x = self.lists[i]
        sub = self.gain[~self.relevant]  # holes that are not relevant may have a gain too
        least, most = float(self.gain[self.relevant].min(initial=self.top)), self.top
        low_ideal = self._ideal(self.least, least, 0.0)
        high_ideal = self._ideal(self.most, most, float(sub.max(initial=0.0)))
        if open_world:
            high_ideal = np.broadcast_to(
                self.top * np.arange(1, self.longest + 1.0), high_ideal.shape
            )
        at = x.hole >= 0
        mine = np.cumsum(at)
        u = int(at.sum())
        some = np.minimum(self.most, u)[:, None]  # relevant holes of the list, at most
        few = np.maximum(self.least - (self.u - u), 0)[:, None] * int(not open_world)
        upper = np.minimum(some, mine)
        lower = np.maximum(few - (u - mine), 0)
        known, gained = np.cumsum(x.relevant), np.cumsum(x.gain)
        spare = float(sub.max(initial=0.0))
        high = np.minimum(
            self._ratio(known + upper, gained + upper * most + (mine - upper) * spare, low_ideal),
            1.0,
        )
        low = self._ratio(known + lower, gained + lower * least, high_ideal)
        own = self._ratio(
            known + np.maximum(lower, 1), gained + np.maximum(lower, 1) * least, high_ideal
        )
        return (
            (low * x.relevant).sum(axis=1) + _extreme(own[:, at], few[:, 0], smallest=True),
            (high * x.relevant).sum(axis=1) + _extreme(high[:, at], some[:, 0], smallest=False),
        )

    def _ideal(self, n: Ints, worth: float, rest: float) -> Floats:
        """[group, rank] the gain so far of the best list with n holes of one worth and the rest of
        another."""
        return self.best(np.where(np.arange(self.u) < n[:, None], worth, rest))

    def gap(self, open_world: bool) -> Bound:
        """An outer bound of the difference, with the same number of relevant holes for both."""
        (low, high), (other_low, other_high) = (self.sums(i, open_world) for i in (0, 1))
        small, large = (self.divisor(self.R + n) for n in (self.least, self.most))

        def end(mine: Floats, other: Floats) -> float:
            found = mine - other
            value = found / np.where(found > 0, small, large)
            if open_world:  # the divisor may be anything from there on
                value = np.concatenate([value, found / self.k if self.k else np.zeros(1)])
            return float(value.max())

        return Bound(max(-1.0, -end(other_high, low)), min(1.0, end(high, other_low)), exact=False)


def _extreme(terms: Floats, n: Ints, smallest: bool) -> Floats:
    """[case] the sum of the n smallest (or largest) terms of each case."""
    ordered = np.sort(terms, axis=1)
    ordered = ordered if smallest else ordered[:, ::-1]
    total = np.concatenate([np.zeros((len(terms), 1)), np.cumsum(ordered, axis=1)], axis=1)
    found: Floats = total[np.arange(len(terms)), n]
    return found
