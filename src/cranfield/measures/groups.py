"""Measures averaged over the people who judged: trec_eval's judgment groups.

Two people who judge the same documents give different grades. Each measure here is computed for
the grades of each of them alone, and averaged. Plain judgments are those of one person: the
measures then are AP, P@k and Rprec.
"""

from __future__ import annotations

from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats
from cranfield.measures.measure import family
from cranfield.measures.opinions import GroupView
from cranfield.measures.params import REL
from cranfield.measures.precision import AP, MULT, NORM, P, Rprec

RANKED = ({"A": 1, "B": 0}, {"B": 1}, None, {"A": 1})  # what A and what B gave
MISSED = ({"A": 0, "B": 1},)


@family(
    "AP_avgjg",
    title="average precision for the grades of each group that judged, averaged over groups",
    formula="mean over groups of AP@k",
    source="trec_eval, map_avgjg",
    no_relevant="0, as a topic and as a group of it",
    range=(0, 1),
    params=(REL, NORM),
    cutoff="optional",
    ties="expected",
    view="groups",
    aliases=("map_avgjg", "MAP_avgjg"),
    example=Example("AP_avgjg", RANKED, MISSED, 0.5, "A: (1/1 + 2/4) / 2; B: (1/2) / 2"),
)
def AP_avgjg(view: GroupView, *, k: int | None, rel: float, norm: str) -> Floats:
    """AP_avgjg, AP_avgjg@k."""
    return view.mean(AP.definition.function, k=k, rel=rel, norm=norm)


@family(
    "P_avgjg",
    title="precision for the grades of each group that judged, averaged over groups",
    formula="mean over groups of P@k",
    source="trec_eval, P_avgjg",
    no_relevant="0, as a topic and as a group of it",
    range=(0, 1),
    params=(REL,),
    cutoff="required",
    ties="expected",
    view="groups",
    example=Example("P_avgjg@4", RANKED, MISSED, 0.375, "A: 2/4; B: 1/4"),
)
def P_avgjg(view: GroupView, *, k: int, rel: float) -> Floats:
    """P_avgjg@k."""
    return view.mean(P.definition.function, k=k, rel=rel)


@family(
    "Rprec_avgjg",
    title="R-precision for the grades of each group that judged, averaged over groups",
    formula="mean over groups of Rprec, each at its own R",
    source="trec_eval, Rprec_mult_avgjg",
    no_relevant="0, as a topic and as a group of it",
    range=(0, 1),
    params=(REL, MULT),
    view="groups",
    example=Example("Rprec_avgjg", RANKED, MISSED, 0.5, "A: R = 2, 1 of the first 2; B: the same"),
)
def Rprec_avgjg(view: GroupView, *, rel: float, mult: float) -> Floats:
    """Rprec_avgjg."""
    return view.mean(Rprec.definition.function, rel=rel, mult=mult)
