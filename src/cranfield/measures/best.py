"""The best possible list of each topic, read beside the list that a run returned.

Many measures divide what a reader has found at some depth by what the best list would have given
there. `Best` is that list; its totals stop growing where its documents end.
"""

from __future__ import annotations

import numpy as np

from cranfield.measures.gain import best_gains, gains
from cranfield.measures.hits import Floats, Ints, Judgments, runs_of
from cranfield.measures.params import Gain
from cranfield.measures.views import GradeView, running


class Best:
    """The documents of positive grade of every topic, best first.

    Attributes
    ----------
    query, rank : [place]; rank is 0-based.
    worth : [place] gain of the document there, descending within a query.
    count : [n_queries] length of the list.
    """

    def __init__(self, judgments: Judgments, gain: Gain = "linear") -> None:
        ideal = judgments.ideal
        self.query, self.rank = ideal.query, ideal.rank
        self.worth = best_gains(judgments, gain)
        self.count: Ints = np.bincount(ideal.query, minlength=judgments.n_queries).astype(np.int64)
        self._first = np.cumsum(self.count) - self.count
        self.so_far = running(self.worth, self.query)

    def at(self, totals: Floats, query: Ints, depth: Ints) -> Floats:
        """Of running `totals` (one a place), the value at each `depth` (1 is the first place):
        the last one where the list is shorter, 0 where it is empty or the depth 0."""
        place = np.minimum(depth, self.count[query])
        out = np.zeros(len(query))
        some = place > 0
        out[some] = totals[self._first[query[some]] + place[some] - 1]
        return out

    def gain_at(self, query: Ints, depth: Ints) -> Floats:
        """The gain of the first `depth` places."""
        return self.at(self.so_far, query, depth)

    def steps(self) -> Ints:
        """The places after which the gain falls: the last one of each gain above 0."""
        last = np.roll(runs_of(self.query, self.worth), -1)
        return np.flatnonzero(last & (self.worth > 0))


def best(judgments: Judgments, gain: Gain = "linear") -> Best:
    """The best list, made once per block."""
    return judgments.keep(("best", gain), lambda: Best(judgments, gain))


def total_at(view: GradeView, totals: Floats, query: Ints, depth: Ints) -> Floats:
    """Of running `totals` (one a hit), the value after the first `depth` documents of the list."""
    width = int(max(view.rank.max(initial=0), depth.max(initial=0))) + 2
    place = np.searchsorted(view.query * width + view.rank, query * width + depth) - 1
    out = np.zeros(len(query))
    some = place >= 0
    some[some] = view.query[place[some]] == query[some]
    out[some] = totals[place[some]]
    return out


def worth_of(view: GradeView, gain: Gain = "linear") -> Floats:
    """[hit] the gain of the document; 0 for grades of 0 and below."""
    return view.keep(("worth", gain), lambda: gains(view.judgments, gain)[view.row])


def gain_so_far(view: GradeView, gain: Gain = "linear") -> Floats:
    """[hit] the gain of the list down to this hit, itself included."""
    return view.keep(("gain so far", gain), lambda: running(worth_of(view, gain), view.query))
