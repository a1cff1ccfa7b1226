"""Average precision inferred from a pool of which only a sample was judged."""

from __future__ import annotations

import numpy as np

from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats
from cranfield.measures.measure import family
from cranfield.measures.params import REL
from cranfield.measures.views import GradeView, share

EPSILON = 1e-5  # smooths the share of relevant documents where few were judged


@family(
    "infAP",
    title="inferred average precision: AP estimated where only a sample of the pool was judged",
    formula=(
        "infAP = (1/R) · Σ_{relevant at i} (1/i + ((i−1)/i) · (p/(i−1)) · (r + ε)/(r + n + 2ε)); "
        "above i: p pooled documents, r relevant, n judged not relevant; ε = 0.00001"
    ),
    source="Yilmaz & Aslam 2006; trec_eval, infAP",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    condensable=False,
    aliases=("infap", "InfAP"),
    example=Example(
        "infAP",
        (0, 1, -1, None, 1, -1, 1, 0, None),
        (1, 0, 0),
        0.4047629563,
        "a grade of -1 is in the pool and not judged; (0.25 + 0.5000 + 0.5357 …) / 4 up to ε",
    ),
)
def infAP(view: GradeView, *, rel: float) -> Floats:
    """infAP."""
    i = view.rank + 1
    pooled = np.arange(len(i)) - np.searchsorted(view.query, view.query)
    r = view.relevant_so_far(rel) - 1
    n = view.nonrelevant_so_far(rel)
    chance = (r + EPSILON) / (r + n + 2 * EPSILON)
    above = view.rank / i * (pooled / np.maximum(view.rank, 1)) * chance
    found = view.sum(1.0 / i + above, view.relevant(rel))
    return share(found, view.judgments.num_rel(rel))
