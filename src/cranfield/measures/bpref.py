"""Preference over judged documents only."""

from __future__ import annotations

import numpy as np

from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats
from cranfield.measures.measure import family
from cranfield.measures.params import REL
from cranfield.measures.views import GradeView, share


@family(
    "bpref",
    title="binary preference: how few judged non-relevant documents stand above the relevant ones",
    formula=(
        "bpref = (1/R) · Σ_{relevant r returned} (1 − min(n_r, R) / min(N, R)), n_r the judged "
        "non-relevant above r, N all of the topic; 1 where n_r = 0"
    ),
    source="Buckley & Voorhees 2004, as trec_eval computes it since 8.0",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    aliases=("Bpref", "BPref", "BPREF"),
    example=Example(
        "bpref", (1, 0, None, 1, 0), (1, 0), 0.5555555556, "R = N = 3: (1 + (1 − 1/3) + 0) / 3"
    ),
)
def bpref(view: GradeView, *, rel: float) -> Floats:
    """bpref."""
    return binary_preference(view, rel)


def binary_preference(view: GradeView, rel: float) -> Floats:
    """[n_queries] bpref."""
    R, N = view.judgments.num_rel(rel), view.judgments.num_nonrel(rel)
    above = np.minimum(view.nonrelevant_so_far(rel), R[view.query])
    return share(view.sum(1.0 - share(above, np.minimum(N, R)[view.query]), view.relevant(rel)), R)
