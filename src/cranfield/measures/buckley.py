"""Measures that trec_eval tried out: costs that depend on what stands above, and averages of nDCG
and of precision that are easier to average over topics."""

from __future__ import annotations

import math

import numpy as np

from cranfield.measures.best import best, gain_so_far, total_at, worth_of
from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats, sum_by_query
from cranfield.measures.measure import family
from cranfield.measures.params import GAIN, REL, Gain
from cranfield.measures.precision import average_precision
from cranfield.measures.views import GradeView, log2_table, running, share

RANKED = (1, 0, 2, 0, None)
MISSED = (1, 0)


@family(
    "binG",
    title="binary G: a relevant document pays for each other one above it",
    formula="binG = (1/R) · Σ_i rel_i / log2(2 + i − Σ_{j≤i} rel_j)",
    source="trec_eval, binG (Buckley 2008)",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    example=Example("binG", RANKED, MISSED, 0.5436432512, "(1/log2(2) + 1/log2(3)) / 3"),
)
def binG(view: GradeView, *, rel: float) -> Floats:
    """binG."""
    hit = view.relevant(rel)
    others = (view.rank + 1 - view.relevant_so_far(rel))[hit]
    table = log2_table(int(others.max(initial=0)) + 1)
    found = sum_by_query(view.query[hit], 1.0 / table[others], None, view.n_queries)
    return share(found, view.judgments.num_rel(rel))


@family(
    "G",
    title="normalised gain: a document pays for what the best list would have gained more by then",
    formula=(
        "G = Σ_i g_i / log2(2 + cost(i) − cg(i)) / Σ g*, cg(i) the gain of the list down to i, "
        "cost(i) = Σ_{j≤i} max(g*_j, 1) down the best list, 1 below it"
    ),
    source="trec_eval, G (Buckley 2008)",
    no_relevant="0",
    range=(0, 1),
    params=(GAIN,),
    example=Example(
        "G", RANKED, MISSED, 0.4731973152, "(1/log2(3) + 2/log2(3)) / 4; costs 2, 3, 4, 5, 6"
    ),
)
def G(view: GradeView, *, gain: Gain) -> Floats:
    """G."""
    ideal, worth = best(view.judgments, gain), worth_of(view, gain)
    gained = worth > 0
    query, depth = view.query[gained], view.rank[gained] + 1
    costs = running(np.maximum(ideal.worth, 1.0), ideal.query)
    below = np.maximum(depth - ideal.count[query], 0)
    cost = ideal.at(costs, query, depth) + below
    behind = (2.0 + cost - gain_so_far(view, gain)[gained]).tolist()
    paid = np.fromiter(map(math.log2, behind), np.float64, len(behind))
    found = sum_by_query(query, worth[gained] / paid, None, view.n_queries)
    return share(found, sum_by_query(ideal.query, ideal.worth, None, view.n_queries))


@family(
    "nDCG_rel",
    title="nDCG averaged over the relevant documents, each at its own rank",
    formula=(
        "mean over documents of gain > 0 of DCG@i / IDCG@i, i the document's rank; "
        "DCG / IDCG of the whole list for one that was not returned"
    ),
    source="trec_eval, ndcg_rel",
    no_relevant="0",
    range=(0, 1),
    params=(GAIN,),
    aliases=("ndcg_rel",),
    example=Example("nDCG_rel", RANKED, MISSED, 0.5925252577, "(1/2 + 2/3.1309 + 2/3.1309) / 3"),
)
def nDCG_rel(view: GradeView, *, gain: Gain) -> Floats:
    """nDCG_rel."""
    ideal, dcg, idcg = best(view.judgments, gain), _dcg(view, gain), _idcg(view, gain)
    gained = worth_of(view, gain) > 0
    query, depth = view.query[gained], view.rank[gained] + 1
    found = sum_by_query(query, share(dcg[gained], ideal.at(idcg, query, depth)), None, _n(view))
    R = np.bincount(ideal.query[ideal.worth > 0], minlength=view.n_queries)
    return share(found + (R - view.count(gained)) * _whole(view, gain), R)


@family(
    "Rndcg",
    title="nDCG averaged over the ranks where the best list goes from one grade to the next",
    formula=(
        "mean of DCG@d / IDCG@d over the depths d at which the best list leaves a gain above 0, "
        "and over the end of the list where that is longer than the best one by 2 or more"
    ),
    source="trec_eval, Rndcg",
    no_relevant="0",
    range=(0, 1),
    params=(GAIN,),
    aliases=("RnDCG",),
    example=Example(
        "Rndcg", RANKED, MISSED, 0.5925252577, "d = 1, 3, 5: (1/2 + 2/3.1309 + 2/3.1309) / 3"
    ),
)
def Rndcg(view: GradeView, *, gain: Gain) -> Floats:
    """Rndcg."""
    ideal = best(view.judgments, gain)
    step = ideal.steps()
    query = ideal.query[step]
    points = total_at(view, _dcg(view, gain), query, ideal.rank[step] + 1)
    points = share(points, _idcg(view, gain)[step])
    R = np.bincount(ideal.query[ideal.worth > 0], minlength=view.n_queries)
    longer = (view.n_ret > R + 1) & (R > 0)
    total = sum_by_query(query, points, None, view.n_queries)
    count = np.bincount(query, minlength=view.n_queries) + longer
    return share(total + np.where(longer, _whole(view, gain), 0.0), count)


@family(
    "yaap",
    title="yet another average precision: a log-odds of AP that may be averaged over topics",
    formula="ln((1 + s) / (1 + R − s)), s = R · AP",
    source="Robertson 2012, On Smoothing Average Precision; trec_eval, yaap",
    no_relevant="0",
    range=(-np.inf, np.inf),
    params=(REL,),
    aliases=("YAAP",),
    example=Example("yaap", RANKED, MISSED, 0.1335313926, "s = 1/1 + 2/3: ln((8/3) / (7/3))"),
)
def yaap(view: GradeView, *, rel: float) -> Floats:
    """yaap."""
    R = view.judgments.num_rel(rel)
    s = average_precision(view, rel=rel) * R
    odds = ((1.0 + s) / (1.0 + R - s)).tolist()
    return np.fromiter(map(math.log, odds), np.float64, len(odds))


def _n(view: GradeView) -> int:
    return view.n_queries


def _dcg(view: GradeView, gain: Gain) -> Floats:
    """[hit] DCG down to this hit."""
    return running(worth_of(view, gain) / view.log2()[view.rank], view.query)


def _idcg(view: GradeView, gain: Gain) -> Floats:
    """[place of the best list] DCG of the best list down to this place."""
    ideal = best(view.judgments, gain)
    return running(ideal.worth / view.log2()[ideal.rank], ideal.query)


def _whole(view: GradeView, gain: Gain) -> Floats:
    """[n_queries] nDCG of the whole list."""
    ideal = best(view.judgments, gain)
    everyone = np.arange(view.n_queries)
    end = ideal.at(_idcg(view, gain), everyone, ideal.count)
    return share(total_at(view, _dcg(view, gain), everyone, view.n_ret), end)
