"""How much the label of one document can change the difference of two runs on its query.

It is what the label takes off the width of the bounds at most: for P, DCG and RBP the difference
of the document's weights in the two lists, for nDCG with what the best possible list makes of it,
for AP, RR, Success and ERR with what stands above it.

For AP deeper than rank 20 bounds of every document are too dear, and it is the weight of minimal
test collections (Carterette, Allan & Sitaraman 2006). AP is a sum over pairs of relevant documents,
each worth one by the lower of the two ranks, over the number of relevant documents R; so a document
i that turns out relevant moves the difference of the sums by

    c_ii + Σ_{j relevant} c_ij,    c_ij = 1 / max(rank of i, rank of j)

with c_ij of the run less that of the base, and one that turns out not to be takes away what it
could have added, the same sum over the relevant and the unjudged. The larger of the two sizes
counts, over R + 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from cranfield.data.columns import Floats
from cranfield.evaluation.holes import Bounded, labelled
from cranfield.measures.bounds import Seen
from cranfield.measures.hits import Bools

# Measures whose difference is a sum over documents: a label changes the influence of no other.
ALONE = frozenset({"P", "DCG", "RBP"})
DEEPEST_AP = 20  # cutoff up to which AP is weighed by its bounds


class Influence(NamedTuple):
    """`size` is never below 0; `towards` is above 0 where a relevant document helps the first
    list."""

    size: float
    towards: float


def influences(seen: Seen, bounded: Bounded) -> list[Influence]:
    """Of each hole of a topic with two lists, by number.

    Parameters
    ----------
    seen : uncut; holes numbered from 0 without gaps.
    """
    k = bounded.measure.cutoff
    if bounded.measure.family == "AP" and (k is None or k > DEEPEST_AP):
        return weights(seen, bounded)
    now = bounded(seen)
    found = []
    for hole in range(seen.n_holes):
        none, top = (bounded(labelled(seen, hole, g)) for g in (0.0, bounded.top))
        size = now.width - min(none.width, top.width)
        towards = (top.low + top.high) - (none.low + none.high)
        found.append(Influence(max(size, 0.0), towards))
    return found


def weights(seen: Seen, bounded: Bounded) -> list[Influence]:
    """Of average precision, by minimal test collections."""
    values: Mapping[str, Any] = bounded.measure.values
    rel, k, u = values["rel"], values["k"], seen.n_holes
    if bounded.top < rel:
        return [Influence(0.0, 0.0)] * u
    if_relevant, if_not = np.zeros(u), np.zeros(u)
    for sign, grade, hole in zip((1, -1), seen.grades, seen.holes, strict=True):
        relevant = (hole < 0) & (grade >= rel)
        possible = relevant | (hole >= 0)
        at = np.flatnonzero(hole >= 0)
        if_relevant[hole[at]] += sign * _pairs(relevant, itself=True)[at]
        if_not[hole[at]] += sign * _pairs(possible, itself=False)[at]
    R = int((seen.judged >= rel).sum()) + 1
    divisor = min(R, k) if values["norm"] == "min" and k else R
    size = np.maximum(np.abs(if_relevant), np.abs(if_not)) / divisor
    return [Influence(*pair) for pair in zip(size.tolist(), if_relevant.tolist(), strict=True)]


def _pairs(counted: Bools, *, itself: bool) -> Floats:
    """[rank] Σ 1 / max(rank, other) over the counted ranks and the rank itself; with `itself` the
    rank is not among those counted and is added."""
    rank = np.arange(1, len(counted) + 1)
    marks = counted.astype(np.float64)
    before = np.cumsum(marks) + itself
    after = np.cumsum((marks / rank)[::-1])[::-1] - marks / rank
    found: Floats = before / rank + after
    return found
