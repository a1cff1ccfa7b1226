"""Bounds of graded measures whose ends are looked for among gradings of the holes: nERR and GAP.

Both rise when a better document moves up: of ERR see Chapelle et al. 2009 (the reader stops
earlier), and GAP is a sum of average precisions over thresholds. So one list has its ends where
the grades of the holes rise or fall with the rank, and only multisets of grades are tried. Where
there are too many of them, or too many gradings of two lists, the bound is an outer one.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb, log
from typing import Any

import numpy as np

from cranfield.measures.bound_orders import average_bound, err_bound
from cranfield.measures.hits import Floats, Ints
from cranfield.measures.seen import Bound, Seen, Values, World, gradings, of_holes, ranked


def tried(seen: Seen, levels: int, limit: int) -> list[Ints] | None:
    """[case, hole] levels of the holes that hold every end of a measure that rises when a better
    document moves up: for one list two arrays, the best document first and last; for two lists one
    array of all gradings. None for more than 2^limit cases."""
    u = seen.n_holes
    if len(seen.grades) == 2:
        return [gradings(u, levels)] if levels**u <= 1 << limit else None
    cases = comb(u + levels - 1, u)
    if cases > 1 << limit:
        return None
    by_rank = np.array(list(combinations_with_replacement(range(levels), u)), np.int64)
    by_rank = by_rank.reshape(cases, u)
    hole = seen.holes[0]
    order = np.argsort(hole[hole >= 0])  # the place of each hole among the holes
    return [by_rank[:, order], by_rank[:, ::-1][:, order]]


def nerr_bound(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    k, gmax = v["k"], v["gmax"]
    levels = levels[levels <= gmax]
    stops = _stop(levels, gmax)
    judged = np.sort(_stop(seen.judged, gmax))[::-1]
    judged = judged[judged > 0]
    cases = tried(seen, len(levels), limit)
    closed = None if cases is None else _nerr(seen, cases, stops, judged, v)
    if closed is not None and world == "closed":
        return closed
    above = err_bound(seen, v, levels, world, limit)
    full = _full(float(stops[-1]), k)
    if closed is None:
        with_all = np.append(np.full(seen.n_holes, stops[-1]), judged)  # the largest come first
        most = float(_err(np.sort(with_all)[None, ::-1][:, :k])[0])
        least = float(_err(judged[None, :k])[0])
        return _quotient(above, least, full if world == "open" else most)
    if not full:
        return closed
    # the best list may be anything from that of the grading to one full of the top grade
    return Bound(
        min(closed.low, above.low / full), max(closed.high, above.high / full), above.exact
    )


def _nerr(seen: Seen, cases: list[Ints], stops: Floats, judged: Floats, v: Values) -> Bound:
    found = []
    for case in cases:
        given = stops[case]
        best = np.concatenate([np.broadcast_to(judged, (len(given), len(judged))), given], axis=1)
        ideal = _err(-np.sort(-best, axis=1)[:, : v["k"]])
        value = np.zeros(len(given))
        for sign, (grade, hole) in zip((1, -1), ranked(seen), strict=False):
            known = _stop(np.where(hole < 0, grade, 0.0), v["gmax"])
            value += sign * _err(known + of_holes(given, hole))
        found.append(np.divide(value, ideal, out=np.zeros_like(value), where=ideal > 0))
    every = np.concatenate(found)
    return Bound(float(every.min()), float(every.max()))


def _quotient(above: Bound, least: float, most: float) -> Bound:
    """An outer bound of a quotient of which the divisor lies between `least` and `most`, and that
    lies between -1 and 1 itself."""

    def end(value: float) -> float:
        if value <= 0:
            return -value / most if most else 0.0
        return min(value / least, 1.0) if least else 1.0

    high = end(above.high) if above.high > 0 else -end(above.high)
    low = -end(-above.low) if above.low < 0 else end(-above.low)
    return Bound(low, high, exact=False)


def _stop(grade: Any, gmax: float) -> Floats:
    found: Floats = (np.exp2(np.maximum(grade, 0.0)) - 1.0) / 2.0**gmax
    return found


def _err(stops: Floats) -> Floats:
    """[case] ERR of the chances to stop [case, rank]."""
    arrive = np.ones(stops.shape)
    arrive[:, 1:] = np.cumprod(1.0 - stops, axis=1)[:, :-1]
    found: Floats = (arrive * stops / np.arange(1, stops.shape[1] + 1)).sum(axis=1)
    return found


def _full(stop: float, k: int | None) -> float:
    """ERR of a list full of one chance to stop; Σ s (1 - s)^(i-1) / i without a cutoff."""
    if not stop:
        return 0.0
    if k is None:
        return -stop * log(stop) / (1.0 - stop)
    return float(_err(np.full((1, k), stop))[0])


def gap_bound(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    """GAP is the mean of AP(rel=t) over the thresholds, weighed by g(t) · R_t; two lists have the
    same weights. So it lies within the bounds of these, where gradings are too many."""
    if v["g"] is None:
        levels = levels[levels <= v["gmax"]]
        chances = [(float(t), 1.0) for t in range(1, max(int(v["gmax"]), 1) + 1)]
    else:
        chances = [(t, chance) for t, chance in v["g"] if t > 0 and chance > 0]
    chances = [(t, chance) for t, chance in chances if t <= levels[-1]]
    if not chances:
        return Bound(0.0, 0.0)
    cases = tried(seen, len(levels), limit)
    if cases is None:
        parts = [
            average_bound(seen, {"rel": t, "k": None, "norm": "rel"}, levels, world, limit)
            for t, _ in chances
        ]
        return Bound(min(b.low for b in parts), max(b.high for b in parts), exact=False)
    every = np.concatenate([_gap(seen, levels[case], chances) for case in cases])
    if world == "open":  # relevant documents elsewhere pull it towards 0
        every = np.append(every, 0.0)
    return Bound(float(every.min()), float(every.max()))


def _gap(seen: Seen, given: Floats, chances: list[tuple[float, float]]) -> Floats:
    """[case] GAP of the first list less that of the second."""
    found, most = np.zeros(len(given)), np.zeros(len(given))
    for t, chance in chances:
        most += chance * ((seen.judged >= t).sum() + (given >= t).sum(axis=1))
        for sign, (grade, hole) in zip((1, -1), ranked(seen), strict=False):
            marks = ((hole < 0) & (grade >= t)) | (of_holes(given, hole) >= t)
            precision = np.cumsum(marks, axis=1) / np.arange(1, marks.shape[1] + 1)
            found += sign * chance * (precision * marks).sum(axis=1)
    return np.divide(found, most, out=np.zeros_like(found), where=most > 0)
