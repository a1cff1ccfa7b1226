"""Bounds of bpref, where a label moves the documents that are counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.measures.hits import Bools, Floats, Ints
from cranfield.measures.seen import Bound, Seen, Values, World, gradings, of_holes, ranked

AFTER = 4  # times the documents at which bpref has its last turning point


def bpref_bound(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    """Every hole is taken as judged, relevant or not.

    With n relevant holes R and N are known, and bpref falls with every non-relevant document above
    a relevant one: it is largest with the first n holes relevant, least with the last n. In the
    open world documents that no list returned may be relevant, or judged not to be; more of the
    second kind can only help, up to N = R, and more of the first kind may, by making room.
    """
    rel = v["rel"]
    R = int((seen.judged >= rel).sum())
    N = len(seen.judged) - R
    u = seen.n_holes
    possible = u if levels[-1] >= rel else 0
    lists = [_List(g, h, rel, u) for g, h in ranked(seen)]
    if world == "open":
        return _open(lists, R, N, u, possible)
    if len(lists) == 2 and u <= limit:
        marks = gradings(u, 2).astype(np.bool_) if possible else np.zeros((1, u), np.bool_)
        n = marks.sum(axis=1)
        one, two = (
            x.value(of_holes(marks, x.hole).astype(np.bool_), R + n, N + u - n) for x in lists
        )
        return Bound(float((one - two).min()), float((one - two).max()))
    n = np.arange(possible + 1)
    ends = [
        (x.worst(np.maximum(n - x.elsewhere, 0), R + n, N + u - n), x.best(n, R + n, N + u - n))
        for x in lists
    ]
    if len(lists) == 1:
        return Bound(float(ends[0][0].min()), float(ends[0][1].max()))
    (low, high), (other_low, other_high) = ends
    return Bound(float((low - other_high).min()), float((high - other_low).max()), exact=False)


class _List:
    """One list, of which only judged documents and holes count."""

    def __init__(self, grade: Floats, hole: Ints, rel: float, u: int) -> None:
        self.hole = hole
        self.known: Bools = (hole < 0) & (grade >= rel)
        self.at: Ints = np.flatnonzero(hole >= 0)
        self.elsewhere = u - len(self.at)

    def value(self, relevant: Bools, R: Any, N: Any) -> Floats:
        """[case] bpref where `relevant` [case, rank] says which holes are."""
        marks = relevant | self.known
        above = np.minimum(np.cumsum(~marks, axis=1), np.asarray(R)[:, None])
        most = np.minimum(N, R)[:, None]
        credit = np.maximum(1.0 - above / np.maximum(most, 1), 0.0)
        total: Floats = (credit * marks).sum(axis=1)
        found: Floats = total / np.maximum(R, 1)
        return found

    def _marks(self, n: Ints, last: bool) -> Bools:
        """[case, rank] the first (or the last) n of its holes."""
        place = np.full(len(self.hole), len(self.at))
        place[self.at] = np.arange(len(self.at))[:: -1 if last else 1]
        return (place < np.minimum(n, len(self.at))[:, None]) & (self.hole >= 0)

    def best(self, n: Ints, R: Any, N: Any) -> Floats:
        return self.value(self._marks(n, last=False), R, N)

    def worst(self, n: Ints, R: Any, N: Any) -> Floats:
        return self.value(self._marks(n, last=True), R, N)


def _open(lists: list[_List], R: int, N: int, u: int, possible: int) -> Bound:
    """The largest value over every number of relevant documents from R on; beyond the last turning
    point, twice the mean of the non-relevant above, bpref only falls, towards 0."""
    turn = max(R + u, 2 * max(len(x.hole) for x in lists)) + 1
    total = np.arange(R, (turn if len(lists) == 1 else AFTER * turn) + 1)
    n = np.minimum(total - R, possible)
    high = [x.best(n, total, np.maximum(total, N)) for x in lists]
    if len(lists) == 1:
        return Bound(0.0, float(high[0].max(initial=0.0)))
    none = np.zeros(len(total), np.int64)
    low = [x.worst(none, total, np.maximum(N + u - n, 0)) for x in lists]
    # beyond the last number that was tried the other list is taken as worth nothing
    return Bound(
        -max(float((high[1] - low[0]).max()), float(high[1][-1])),
        max(float((high[0] - low[1]).max()), float(high[0][-1])),
        exact=False,
    )
