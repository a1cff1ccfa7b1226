"""Measures whose values are summarised by a geometric mean: bad topics weigh more."""

from __future__ import annotations

from cranfield.measures.bpref import binary_preference
from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats
from cranfield.measures.measure import family
from cranfield.measures.params import REL
from cranfield.measures.precision import average_precision
from cranfield.measures.views import GradeView

LOG = "over n topics exp((1/n) · Σ ln max(value, 0.00001))"


@family(
    "GMAP",
    title="average precision, its mean the geometric one: bad topics weigh more",
    formula=f"AP of each topic; {LOG}",
    source="Robertson 2006, On GMAP; trec_eval, gm_map",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    aggregate="gm",
    aliases=("GM-AP", "GM_AP", "gm_map", "gm_ap"),
    example=Example("GMAP", (1, 0, 2, 0, None), (1, 0), 0.5555555556, "one topic: its AP"),
)
def GMAP(view: GradeView, *, rel: float) -> Floats:
    """GMAP."""
    return average_precision(view, rel=rel)


@family(
    "GMbpref",
    title="bpref, its mean the geometric one: bad topics weigh more",
    formula=f"bpref of each topic; {LOG}",
    source="trec_eval, gm_bpref",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    aggregate="gm",
    aliases=("GM_bpref", "gm_bpref"),
    example=Example("GMbpref", (1, 0, None, 1, 0), (1, 0), 0.5555555556, "one topic: its bpref"),
)
def GMbpref(view: GradeView, *, rel: float) -> Floats:
    """GMbpref."""
    return binary_preference(view, rel)
