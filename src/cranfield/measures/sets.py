"""Measures of a list as a set, and precision against the best that is possible."""

from __future__ import annotations

import numpy as np

from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats
from cranfield.measures.measure import family
from cranfield.measures.params import REL, Param, read_number
from cranfield.measures.views import GradeView, share

RANKED = (1, 0, 2, 0, None)
MISSED = (1, 0)


@family(
    "RelP",
    title="relative precision: precision divided by the best that is possible",
    formula="RelP@k = Σ_{i≤k} rel_i / min(k, R); without a cutoff k is the number returned",
    source="trec_eval, relative_P and set_relative_P",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    cutoff="optional",
    aliases=("relative_P", "set_relative_P", "SetRelP"),
    example=Example("RelP@2", RANKED, MISSED, 0.5, "1 of the 2 that fit"),
)
def RelP(view: GradeView, *, k: int | None, rel: float) -> Floats:
    """RelP, RelP@k."""
    found = view.count(view.relevant(rel) & view.within(k))
    return share(found, np.minimum(view.n_ret if k is None else k, view.judgments.num_rel(rel)))


@family(
    "SetAP",
    title="average precision of a set: precision times recall",
    formula="SetAP = (Σ_i rel_i)² / (number returned · R)",
    source="trec_eval, set_map",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    ties="order-free",
    aliases=("set_map", "SetMAP"),
    example=Example("SetAP", RANKED, MISSED, 0.2666666667, "2² / (5 · 3)"),
)
def SetAP(view: GradeView, *, rel: float) -> Floats:
    """SetAP."""
    found = view.count(view.relevant(rel)).astype(np.float64)
    return share(found * found, view.n_ret * view.judgments.num_rel(rel))


def _worth(name: str, default: float, of: str) -> Param:
    return Param(name, default, f"what a document is worth that is {of}", "a number", read_number)


@family(
    "Utility",
    title="utility of a set: so much for each document returned or left out",
    formula=(
        "Utility = a · (relevant, returned) + b · (not relevant, returned) "
        "+ c · (relevant, left out) + d · (not relevant, left out)"
    ),
    source="trec_eval, utility, where the number of documents is option -N",
    no_relevant="as for any topic",
    range=(-np.inf, np.inf),
    params=(
        REL,
        _worth("a", 1.0, "relevant and returned"),
        _worth("b", -1.0, "not relevant and returned"),
        _worth("c", 0.0, "relevant and left out"),
        _worth("d", 0.0, "not relevant and left out"),
        Param("docs", 0.0, "documents in the collection, for d", "a number", read_number),
    ),
    ties="order-free",
    aliases=("utility",),
    example=Example("Utility(c=-2)", RANKED, MISSED, -3, "2 · 1 + 3 · (−1) + 1 · (−2)"),
)
def Utility(
    view: GradeView, *, rel: float, a: float, b: float, c: float, d: float, docs: float
) -> Floats:
    """Utility."""
    found, R, returned = view.count(view.relevant(rel)), view.judgments.num_rel(rel), view.n_ret
    rest = docs - (returned + R - found)
    worth: Floats = a * found + b * (returned - found) + c * (R - found) + d * rest
    return worth
