"""What unjudged documents can do to a score, topic by topic.

A document that nobody judged counts as not relevant. It may be relevant; then the score is another
one, and not always a higher one: a relevant document further down makes the best possible list
better too, so that nDCG, AP and recall may fall. The bounds here hold whatever the grades of the
unjudged documents are.

Closed world: only the unjudged documents in the evaluated part of the list (holes) may carry a
grade, one of the levels of the scale. Open world: beside them any number of relevant documents
that no list returned may exist (for bpref, judged ones that are not relevant too). For two lists
the difference is bounded, with the same grade for a document that both return and the same ideal
list for both; the interval of the difference of two intervals would be much wider.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from cranfield.data.columns import distinct
from cranfield.errors import MeasureError
from cranfield.measures.bound_blended import q_bound
from cranfield.measures.bound_bpref import bpref_bound
from cranfield.measures.bound_counts import (
    counted_bound,
    f_measure,
    r_precision_bound,
    recall,
    relative_precision,
    set_average,
)
from cranfield.measures.bound_gradings import gap_bound, nerr_bound
from cranfield.measures.bound_orders import (
    average_bound,
    err_bound,
    first_bound,
    grade_first_bound,
)
from cranfield.measures.bound_shares import (
    dcg_bound,
    jk_average_bound,
    jk_bound,
    ncg_bound,
    ndcg_bound,
)
from cranfield.measures.cwl import DEPTH
from cranfield.measures.hits import Floats
from cranfield.measures.measure import Measure
from cranfield.measures.seen import Bound as Bound
from cranfield.measures.seen import Seen as Seen
from cranfield.measures.seen import Values, Way, World, linear, relevance, signed
from cranfield.measures.views import power_table

ENUMERATED = 12  # holes whose 2^u gradings are tried where no closed form is known


def bounds(
    measure: Measure,
    seen: Seen,
    levels: Sequence[float] | Floats,
    *,
    world: World = "closed",
    enumerated: int = ENUMERATED,
) -> Bound:
    """Bounds of a measure of one list, or of the difference (first - second) of two.

    Parameters
    ----------
    measure : complete, with `gmax` resolved; see `has_bounds`
    levels : the grades that an unjudged document may have; 0 and the judged grades are added
    world : "closed" or "open"
    enumerated : where the ends are looked for among gradings, up to 2^enumerated of them are tried
        (AP and bpref of two lists: with up to so many holes; ERR: shared holes); beyond that the
        bounds are outer ones and say so

    Raises
    ------
    MeasureError
        There are no bounds for this measure.
    """
    found = bounder(measure, world, enumerated)
    scale = distinct(np.concatenate([np.zeros(1), np.asarray(levels, np.float64), seen.judged]))
    return found(seen.cut(measure.cutoff), scale[scale >= 0])


def bounder(
    measure: Measure, world: World = "closed", enumerated: int = ENUMERATED
) -> Callable[[Seen, Floats], Bound]:
    """`bounds` for many topics: a function of a topic that has been cut at the measure's k and of
    levels that ascend from 0 and hold every judged grade."""
    if not has_bounds(measure):
        raise MeasureError(f"no bounds are known for {measure}", f"they are for {', '.join(_WAYS)}")
    way, values = _WAYS[measure.family], measure.values

    def found(topic: Seen, levels: Floats) -> Bound:
        got = way(topic, values, levels, world, enumerated)
        return Bound(got.low + 0.0, got.high + 0.0, got.exact)  # + 0.0: no negative zero

    return found


def has_bounds(measure: Measure) -> bool:
    """Whether bounds of this measure are known."""
    values = measure.values
    return (
        measure.family in _WAYS
        and not measure.condensed
        and not measure.lacks_cutoff
        and not measure.lacks_gmax
        and values.get("gmax") != "topic"
    )


def _precision(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    at = [np.full(len(g), 1.0 / (v["k"] or max(len(g), 1))) for g in seen.grades]
    base, weights = signed(seen, at, relevance(seen, v["rel"]))
    return linear(base, weights, float(levels[-1] >= v["rel"]))


def _rbp(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
    p = v["p"]
    at = [(1 - p) * power_table(p, len(g) + 1)[: len(g)] for g in seen.grades]
    if v["graded"]:
        known = [np.maximum(g, 0.0) / v["gmax"] for g in seen.grades]
        top = min(float(levels[-1]) / v["gmax"], 1.0)
    else:
        known, top = relevance(seen, v["rel"]), float(levels[-1] >= v["rel"])
    found = linear(*signed(seen, at, known), top)
    if world == "open" and v["k"] is None:  # what would come below the end of each list
        tails = [top * p ** len(g) for g in seen.grades]
        return Bound(found.low - sum(tails[1:]), found.high + tails[0])
    return found


def _weighted(weights: Callable[[Values], Floats]) -> Way:
    """Measures that add up grade / gmax by rank: `weights` gives the factors of the ranks."""

    def way(seen: Seen, v: Values, levels: Floats, world: World, limit: int) -> Bound:
        factors = weights(v)
        at = [np.resize(factors, len(g)) * (np.arange(len(g)) < len(factors)) for g in seen.grades]
        known = [np.maximum(g, 0.0) / v["gmax"] for g in seen.grades]
        return linear(*signed(seen, at, known), min(float(levels[-1]) / v["gmax"], 1.0))

    return way


def _scaled(v: Values) -> Floats:
    discounts = 1.0 / np.log2(np.arange(2, min(v["k"], DEPTH) + 2))
    found: Floats = discounts / discounts.sum()
    return found


def _patient(v: Values) -> Floats:
    """W(i) of INSQ."""
    i = np.arange(1, DEPTH)
    go_on = ((i + 2 * v["T"] - 1) / (i + 2 * v["T"])) ** 2
    look = np.concatenate([np.ones(1), np.cumprod(go_on)])
    found: Floats = look / look.sum()
    return found


_WAYS: dict[str, Way] = {
    "nDCG": ndcg_bound,
    "DCG": dcg_bound,
    "nDCG_JK": jk_bound,
    "AnDCG": jk_average_bound,
    "NCG": ncg_bound,
    "SDCG": _weighted(_scaled),
    "INSQ": _weighted(_patient),
    "P": _precision,
    "P_Wu": _weighted(lambda v: np.full(v["k"], 1.0 / v["k"])),
    "R": counted_bound(recall),
    "F": counted_bound(f_measure),
    "RelP": counted_bound(relative_precision),
    "SetAP": counted_bound(set_average),
    "Rprec": r_precision_bound,
    "AP": average_bound,
    "GAP": gap_bound,
    "Q": q_bound,
    "bpref": bpref_bound,
    "RR": first_bound(lambda rank: 1.0 / (rank + 1)),
    "RR_Wu": grade_first_bound,
    "Success": first_bound(lambda rank: np.ones(len(rank))),
    "ERR": err_bound,
    "nERR": nerr_bound,
    "RBP": _rbp,
}
