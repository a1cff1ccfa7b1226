"""Average precision inferred from a pool of which only a sample was judged: infAP where the whole
pool was sampled at one rate, xinfAP where it was cut into strata with rates of their own."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from cranfield.measures.declaration import Example, Sampled
from cranfield.measures.hits import Floats
from cranfield.measures.measure import family
from cranfield.measures.params import REL, Param, read_positive
from cranfield.measures.views import GradeView, share

EPSILON = 1e-5  # smooths the share of relevant documents where few were judged
_1, _2 = partial(Sampled, 1), partial(Sampled, 2)


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


OUTCOMES = Param(
    "outcomes",
    2.0,
    "how many times ε is added below the line: 2 as the authors write, 3 as NIST's sample_eval",
    "a number above 0",
    read_positive,
)


@family(
    "xinfAP",
    title="extended inferred AP: AP estimated from a pool that was sampled by strata",
    formula=(
        "xinfAP = (1/R̂) · Σ_{sampled relevant d of stratum s at i} (N_s/n_s) · (1/i + "
        "((i−1)/i) · Σ_t (p_t/(i−1)) · (r_t + ε)/(m_t + outcomes·ε)), R̂ = Σ_s r_s·N_s/n_s; of "
        "stratum s: N_s documents, n_s of them judged, r_s relevant; above i: p_t documents of "
        "stratum t, m_t judged, r_t relevant; ε = 0.00001"
    ),
    source="Yilmaz, Kanoulas & Aslam 2008; sample_eval of NIST, infAP",
    no_relevant="0",
    range=(0, math.inf),
    params=(REL, OUTCOMES),
    condensable=False,
    view="strata",
    aliases=("xinfap", "XinfAP"),
    example=Example(
        "xinfAP",
        (_1(0), _1(1), _2(-1), None, _1(1), _2(-1), _2(1), _2(0), None),
        (_2(1), _2(0), _2(0)),
        0.3750009028,
        "R̂ = 3·2/3 + 7·2/5 = 4.8; (0.5 + 0.5 + 7/5 · 0.5714 …) / 4.8 up to ε",
    ),
)
def xinfAP(view: GradeView, *, rel: float, outcomes: float) -> Floats:
    """xinfAP."""
    of = view.judgments
    stratum = np.zeros(len(of.grade), np.int64) if of.stratum is None else of.stratum
    mine = stratum[view.row]
    relevant = view.relevant(rel)
    above, scaled = np.zeros(len(view.rank)), np.zeros(len(view.rank))
    estimated = np.zeros(view.n_queries)
    for s in np.flatnonzero(np.bincount(stratum)).tolist():
        here, inside = stratum == s, mine == s
        size, judged, found = (
            np.bincount(of.query[mask], minlength=view.n_queries)
            for mask in (here, here & (of.grade >= 0), here & (of.grade >= rel))
        )
        weight = share(size.astype(np.float64), judged)
        estimated += weight * found
        scaled[inside] = weight[view.query[inside]]
        p, m, r = (
            view.so_far(mask) - mask for mask in (inside, inside & view.judged, inside & relevant)
        )
        above += p * (r + EPSILON) / (m + outcomes * EPSILON)
    precision = (1 + above) / (view.rank + 1)
    return share(view.sum(scaled * precision, relevant), estimated)
