"""How much of a list was judged, and the counts that trec_eval prints."""

from __future__ import annotations

import numpy as np

from cranfield.measures.declaration import Example
from cranfield.measures.hits import Bools, Floats
from cranfield.measures.measure import family
from cranfield.measures.params import REL, Param, one_of, read_flag
from cranfield.measures.views import GradeView, share

RANKED = (1, 0, None, 2)
MISSED = (1, -1)

DENOM = Param(
    "denom",
    "min",
    'the divisor: "min" the smaller of k and the number returned, "k" always k',
    '"min" or "k"',
    one_of("min", "k"),
)
ANY_ROW = Param(
    "any_row",
    False,
    "a document counts when it has any row in the qrels, one with a grade below 0 (pooled and not "
    "judged) too: Elastic's judge rate",
    "true or false",
    read_flag,
)


@family(
    "Judged",
    title="judge rate: the share of the first k that somebody judged",
    formula="Judged@k = #{i ≤ k: d_i judged} / min(k, number returned), judged: grade ≥ 0 "
    "(any_row: any row)",
    source="Elastic's evaluation of BEIR (any_row=true); ir_measures, Judged@k",
    no_relevant="as for any topic; not defined where nothing was returned",
    range=(0, 1),
    params=(DENOM, ANY_ROW),
    cutoff="required",
    condensable=False,
    example=Example("Judged@10", RANKED, MISSED, 0.75, "3 of the 4 returned"),
)
def Judged(view: GradeView, *, k: int, denom: str, any_row: bool) -> tuple[Floats, Bools]:
    """Judged@k. A document without any row is no hit, so that every hit has one."""
    seen = np.minimum(view.n_ret, k)
    judged = view.count(view.within(k) if any_row else view.judged & view.within(k))
    return share(judged, seen if denom == "min" else np.full_like(seen, k)), seen > 0


@family(
    "Unjudged",
    title="the share of the first k that nobody judged",
    formula="Unjudged@k = #{i ≤ k: d_i returned, not judged} / k",
    source="trec_eval, unj",
    no_relevant="as for any topic",
    range=(0, 1),
    cutoff="required",
    condensable=False,
    aliases=("unj",),
    example=Example("Unjudged@10", RANKED, MISSED, 0.1, "the third; nothing came after the fourth"),
)
def Unjudged(view: GradeView, *, k: int) -> Floats:
    """Unjudged@k."""
    return (np.minimum(view.n_ret, k) - view.count(view.judged & view.within(k))) / k


@family(
    "NumQ",
    title="number of topics",
    formula="1 for each topic",
    source="trec_eval, num_q",
    no_relevant="1",
    range=(1, 1),
    condensable=False,
    ties="order-free",
    aggregate="sum",
    aliases=("num_q",),
    example=Example("NumQ", RANKED, MISSED, 1),
)
def NumQ(view: GradeView) -> Floats:
    """NumQ."""
    return np.ones(view.n_queries)


@family(
    "NumRet",
    title="number of documents returned",
    formula="length of the list",
    source="trec_eval, num_ret",
    no_relevant="as for any topic",
    range=(0, np.inf),
    ties="order-free",
    aggregate="sum",
    aliases=("num_ret",),
    example=Example("NumRet", RANKED, MISSED, 4),
)
def NumRet(view: GradeView) -> Floats:
    """NumRet."""
    return view.n_ret.astype(np.float64)


@family(
    "NumRel",
    title="number of relevant documents, returned or not",
    formula="R = #{d: grade ≥ rel}",
    source="trec_eval, num_rel",
    no_relevant="0",
    range=(0, np.inf),
    params=(REL,),
    condensable=False,
    ties="order-free",
    aggregate="sum",
    aliases=("num_rel",),
    example=Example("NumRel", RANKED, MISSED, 3),
)
def NumRel(view: GradeView, *, rel: float) -> Floats:
    """NumRel."""
    return view.judgments.num_rel(rel).astype(np.float64)


@family(
    "NumRelRet",
    title="number of relevant documents returned",
    formula="Σ_i rel_i",
    source="trec_eval, num_rel_ret",
    no_relevant="0",
    range=(0, np.inf),
    params=(REL,),
    ties="order-free",
    aggregate="sum",
    aliases=("num_rel_ret",),
    example=Example("NumRelRet", RANKED, MISSED, 2),
)
def NumRelRet(view: GradeView, *, rel: float) -> Floats:
    """NumRelRet."""
    return view.count(view.relevant(rel)).astype(np.float64)


@family(
    "NumNonrelRet",
    title="number of documents returned that were judged and are not relevant",
    formula="#{i: d_i judged, rel_i = 0}",
    source="trec_eval, num_nonrel_judged_ret",
    no_relevant="as for any topic",
    range=(0, np.inf),
    params=(REL,),
    ties="order-free",
    aggregate="sum",
    aliases=("num_nonrel_judged_ret",),
    example=Example("NumNonrelRet", RANKED, MISSED, 1),
)
def NumNonrelRet(view: GradeView, *, rel: float) -> Floats:
    """NumNonrelRet."""
    return view.count(view.nonrelevant(rel)).astype(np.float64)
