"""Average precision inferred from a pool of which only a sample was judged."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from cranfield.errors import MeasureError
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


def xinfap(
    ranking: Sequence[Hashable],
    strata: Sequence[Mapping[Hashable, float | None]],
    rel: float = 1.0,
) -> float:
    """Extended infAP of one topic: the pool was cut in strata, each judged at a rate of its own.

    With one stratum that holds the whole pool it is infAP. It is an estimate and may exceed 1.

    Parameters
    ----------
    ranking : document ids, the best first.
    strata : for each the documents in it with their grades; None for one that was not sampled.
        A document in no stratum was not pooled.
    rel : the lowest grade that counts as relevant.

    Returns
    -------
    float
        0 where no sampled document is relevant (Yilmaz, Kanoulas & Aslam 2008).

    Raises
    ------
    MeasureError
        A document in two strata.
    """
    home = _strata_of(strata)
    sampled = [[g for g in s.values() if g is not None] for s in strata]
    weight = [len(s) / len(own) if own else 0.0 for s, own in zip(strata, sampled, strict=True)]
    estimated = sum(w * sum(g >= rel for g in own) for w, own in zip(weight, sampled, strict=True))
    above = [[0, 0, 0] for _ in strata]  # of each stratum: pooled, judged, relevant
    total = 0.0
    for before, doc in enumerate(ranking):
        if doc not in home:
            continue
        grade = strata[home[doc]][doc]
        if grade is not None and grade >= rel:
            total += weight[home[doc]] * _expected_precision(before, above)
        counts = above[home[doc]]
        counts[0] += 1
        counts[1] += grade is not None
        counts[2] += grade is not None and grade >= rel
    return total / estimated if estimated else 0.0


def _strata_of(strata: Sequence[Mapping[Hashable, float | None]]) -> dict[Hashable, int]:
    """The stratum of each document."""
    home = {doc: s for s, stratum in enumerate(strata) for doc in stratum}
    if len(home) < sum(map(len, strata)):
        raise MeasureError("xinfap: a document stands in two strata", "strata share no document")
    return home


def _expected_precision(before: int, above: list[list[int]]) -> float:
    """Of a relevant document with `before` documents above it."""
    share_above = sum(
        pooled * (relevant + EPSILON) / (judged + 2 * EPSILON)
        for pooled, judged, relevant in above
        if pooled
    )
    return (1 + share_above) / (before + 1)
