"""Measures that follow a reader down the list: ERR, RBP and what RBP does not know."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield.errors import MeasureError
from cranfield.measures.declaration import Example
from cranfield.measures.gain import gains
from cranfield.measures.hits import Floats, runs_of, sum_by_query
from cranfield.measures.measure import family
from cranfield.measures.params import GMAX, PERSISTENCE, REL, Param, read_flag, read_positive, write
from cranfield.measures.views import GradeView, arrival, power_table, share

RANKED = (2, 0, None, 1)

GRADED = Param(
    "graded",
    False,
    "count a document by g/gmax instead of by whether it is relevant",
    "true or false",
    read_flag,
)
BINARY_REL = replace(REL, when=("graded", False))
GRADED_MAX = replace(
    GMAX,
    help=f'{GMAX.help}; "topic": of each topic, at least 1 (trec_eval 10)',
    allowed='a number above 0 or "topic"',
    read=lambda value: "topic" if value == "topic" else read_positive(value),
    when=("graded", True),
)
TAIL = Param(
    "tail",
    True,
    "count the rest of the list, which nobody saw, also where all that was returned is judged "
    "(trec_eval 10: false)",
    "true or false",
    read_flag,
)


@family(
    "ERR",
    title="expected reciprocal rank: a reader stops at a document that satisfies",
    formula="ERR@k = Σ_{i≤k} (1/i) · s_i · Π_{j<i} (1 − s_j), s_i = (2^{g_i} − 1) / 2^{gmax}",
    source="Chapelle, Metzler, Zhang & Grinspan 2009; gdeval, which fixes gmax = 4",
    no_relevant="0",
    range=(0, 1),
    params=(GMAX,),
    cutoff="optional",
    example=Example(
        "ERR(gmax=2)", RANKED, (), 0.765625, "stops at 1 with 3/4, at 4 with 1/4 · 1/4: 3/4 + 1/64"
    ),
)
def ERR(view: GradeView, *, k: int | None, gmax: float) -> Floats:
    """ERR, ERR@k."""
    return _expected_reciprocal(view, k, gmax, "ERR")


@family(
    "nERR",
    title="ERR as a share of the best that is possible",
    formula="nERR@k = ERR@k / the ERR@k of all judged documents in their best order",
    source="Sakai & Song 2011; NTCIREVAL",
    no_relevant="0",
    range=(0, 1),
    params=(GMAX,),
    cutoff="optional",
    aliases=("NERR",),
    example=Example("nERR(gmax=2)", RANKED, (), 0.98, "0.765625 / (3/4 + 1/2 · 1/4 · 1/4)"),
)
def nERR(view: GradeView, *, k: int | None, gmax: float) -> Floats:
    """nERR, nERR@k."""
    found = _expected_reciprocal(view, k, gmax, "nERR")
    ideal = view.judgments.ideal
    stop = gains(view.judgments, "exp")[ideal.row] / _two_to(gmax)
    weights = arrival(stop, ideal.query) * stop / (ideal.rank + 1)
    inside = None if k is None else ideal.rank < k
    return share(found, sum_by_query(ideal.query, weights, inside, view.n_queries))


@family(
    "RBP",
    title="rank-biased precision: a reader goes on with probability p",
    formula="RBP@k = (1 − p) · Σ_{i≤k} v_i · p^{i−1}; v_i is rel_i, or g_i / gmax when graded",
    source="Moffat & Zobel 2008",
    no_relevant="0",
    range=(0, 1),
    params=(PERSISTENCE, BINARY_REL, GRADED, GRADED_MAX),
    cutoff="optional",
    aliases=("rbp",),
    example=Example("RBP(p=0.5)", RANKED, (), 0.5625, "0.5 · (1 + 0.125)"),
)
def RBP(
    view: GradeView, *, k: int | None, p: float, rel: float, graded: bool, gmax: float | str | None
) -> Floats:
    """RBP, RBP@k."""
    if graded and gmax == "topic":
        largest = np.maximum(view.judgments.largest_grade, 1.0)
        worth = np.maximum(view.grade, 0.0) / largest[view.query]
    elif graded and isinstance(gmax, (int, float)):
        refuse_above(view, gmax, "RBP")
        worth = np.maximum(view.grade, 0.0) / gmax
    else:
        worth = view.relevant(rel).astype(np.float64)
    seen = view.within(k) & (worth > 0)
    if gmax == "topic":
        power = _products(p, int(view.rank.max(initial=0)))
    else:
        power = _powers(view, p)
    return (1 - p) * view.sum(worth * power[view.rank], seen)


@family(
    "RBPRes",
    title="residual of RBP: what unjudged documents and the rest of the list could still add",
    formula="RBPRes@k = (1 − p) · Σ_{i≤d, unjudged} p^{i−1} + p^d, d = min(k, number returned)",
    source="Moffat & Zobel 2008, section 4; RBP lies in [RBP, RBP + RBPRes]",
    no_relevant="as for any topic: it depends on what was judged, not on the grades",
    range=(0, 1),
    params=(PERSISTENCE, TAIL),
    cutoff="optional",
    aliases=("rbp_resid",),
    example=Example("RBPRes(p=0.5)", RANKED, (), 0.1875, "rank 3: 0.5³; below rank 4: 0.5⁴"),
)
def RBPRes(view: GradeView, *, k: int | None, p: float, tail: bool) -> Floats:
    """RBPRes, RBPRes@k.

    A stretch of unjudged ranks a+1 to b adds p^a − p^b, and the last one has no end; so it is
    enough to look at where the judged documents stand.
    """
    if not tail:
        return _added_up(view, k, p)
    seen = view.judged & view.within(k)
    query, rank = view.query[seen], view.rank[seen]
    power = _powers(view, p)
    fresh = runs_of(query)
    gap_start = np.where(fresh, 0, np.roll(rank, 1) + 1)
    gap = np.zeros(len(seen))
    gap[seen] = power[gap_start] - power[rank]
    end = np.zeros(view.n_queries, np.int64)
    end[query] = rank + 1  # the deepest judged rank of a query is written last
    return view.sum(gap, seen) + power[end]


def _added_up(view: GradeView, k: int | None, p: float) -> Floats:
    """[n_queries] the residual as trec_eval 10 adds it up, rank by rank; 0 without an unjudged
    document."""
    returned = view.n_ret if k is None else np.minimum(view.n_ret, k)
    power = _products(p, int(returned.max(initial=0)))
    seen = view.judged & view.within(k)
    query, rank = view.query[seen], view.rank[seen]
    first = np.searchsorted(query, np.arange(view.n_queries + 1)).tolist()
    found = np.zeros(view.n_queries)
    for i, length in enumerate(returned.tolist()):
        unjudged = np.ones(length, np.bool_)
        unjudged[rank[first[i] : first[i + 1]]] = False
        if unjudged.any():
            total = np.cumsum(power[:length][unjudged])[-1]
            found[i] = power[length] + (1 - p) * total
    return found


def _expected_reciprocal(view: GradeView, k: int | None, gmax: float, name: str) -> Floats:
    """[n_queries] ERR@k."""
    refuse_above(view, gmax, name)
    seen = view.within(k) & (view.grade > 0)
    stop = gains(view.judgments, "exp")[view.row[seen]] / _two_to(gmax)
    weights = np.zeros(len(seen))
    weights[seen] = arrival(stop, view.query[seen]) * stop / (view.rank[seen] + 1)
    return view.sum(weights, seen)


def _powers(view: GradeView, p: float) -> Floats:
    """[rank] p^rank for 0-based ranks, one beyond the deepest."""
    return power_table(p, int(view.rank.max(initial=0)) + 2)


def _products(p: float, last: int) -> Floats:
    """[rank] p^rank up to `last`, multiplied step by step as trec_eval does: other last bits."""
    steps = np.full(last + 1, p, np.float64)
    steps[0] = 1.0
    return np.multiply.accumulate(steps)


def _two_to(gmax: float) -> float:
    try:
        return float(2.0**gmax)
    except OverflowError:
        raise MeasureError(
            f"ERR: 2^{write(gmax)} is too large a number", "rescale the grades or lower gmax"
        ) from None


def refuse_above(view: GradeView, gmax: float, name: str) -> None:
    """MeasureError when a grade of the block is above the largest that can be."""
    largest = view.judgments.max_grade
    if largest > gmax:
        raise MeasureError(
            f"{name}: the judgments hold grade {write(largest)}, above gmax={write(gmax)}",
            "gmax is the largest grade that an assessor could give",
        )
