"""Measures of a list in which a document is relevant or not: trec_eval's family.

A document is relevant when its grade is at least `rel`; R is the number of relevant documents of
the topic, retrieved or not. The divisors follow trec_eval: P@k divides by k even when fewer
documents came back, AP@k by R even when k is smaller.
"""

from __future__ import annotations

import math

import numpy as np

from cranfield.measures.declaration import Example
from cranfield.measures.hits import Bools, Floats, runs_of
from cranfield.measures.measure import family
from cranfield.measures.params import REL, Param, one_of, read_positive
from cranfield.measures.ties import expected_precisions, expected_reciprocal
from cranfield.measures.views import GradeView, share

RANKED = (1, 0, 2, 0, None)  # the list of most examples below
MISSED = (1, 0)

NORM = Param(
    "norm",
    "rel",
    'what the sum of precisions is divided by: "rel" R, "min" the smaller of R and k',
    '"rel" or "min"',
    one_of("rel", "min"),
)
BETA2 = Param(
    "beta2",
    1.0,
    "the square of β, the weight of recall against precision (trec_eval's parameter)",
    "a number above 0",
    read_positive,
)
MULT = Param(
    "mult",
    1.0,
    "how many times the number of relevant documents the depth is",
    "a number above 0",
    read_positive,
)


@family(
    "P",
    title="precision: the share of the list that is relevant",
    formula="P@k = (1/k) · Σ_{i≤k} rel_i; without a cutoff the divisor is the number returned",
    source="trec_eval, P and set_P",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    cutoff="optional",
    ties="expected",
    aliases=("Precision", "precision", "SetP", "set_P"),
    example=Example("P@5", RANKED, MISSED, 0.4, "2 of the first 5 are relevant"),
)
def P(view: GradeView, *, k: int | None, rel: float) -> Floats:
    """P, P@k."""
    found = view.sum(view.inside(k), view.relevant(rel))
    return share(found, view.n_ret) if k is None else found / k


@family(
    "R",
    title="recall: the share of the relevant documents that the list holds",
    formula="R@k = (1/R) · Σ_{i≤k} rel_i",
    source="trec_eval, recall and set_recall",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    cutoff="optional",
    ties="expected",
    aliases=("Recall", "recall", "SetR", "set_recall"),
    example=Example("R@5", RANKED, MISSED, 0.6666666667, "2 of 3 relevant documents"),
)
def R(view: GradeView, *, k: int | None, rel: float) -> Floats:
    """R, R@k."""
    found = view.sum(view.inside(k), view.relevant(rel))
    return share(found, view.judgments.num_rel(rel))


@family(
    "F",
    title="F: the weighted harmonic mean of precision and recall",
    formula="F = (1 + b) · P · R / (b · P + R), b = β²",
    source="trec_eval, set_F; van Rijsbergen 1979",
    no_relevant="0",
    range=(0, 1),
    params=(REL, BETA2),
    cutoff="optional",
    aliases=("F1", "SetF", "set_F"),
    example=Example("F", RANKED, MISSED, 0.5, "P = 2/5, R = 2/3: 2 · (4/15) / (16/15)"),
)
def F(view: GradeView, *, k: int | None, rel: float, beta2: float) -> Floats:
    """F, F@k."""
    found = view.sum(view.inside(k), view.relevant(rel))
    precision = share(found, view.n_ret) if k is None else found / k
    recall = share(found, view.judgments.num_rel(rel))
    return share((1 + beta2) * precision * recall, beta2 * precision + recall)


@family(
    "Success",
    title="success (hit rate): whether the first k hold a relevant document",
    formula="Success@k = 1 if Σ_{i≤k} rel_i > 0, else 0",
    source="trec_eval, success",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    cutoff="required",
    aliases=("success", "HitRate", "hit_rate"),
    example=Example("Success(rel=2)@2", RANKED, MISSED, 0, "the grade 2 comes third"),
)
def Success(view: GradeView, *, k: int, rel: float) -> Floats:
    """Success@k."""
    return (view.count(view.relevant(rel) & view.within(k)) > 0).astype(np.float64)


@family(
    "Rprec",
    title="R-precision: precision at rank R, or at a multiple of R",
    formula="Rprec = (1/d) · Σ_{i≤d} rel_i, d = mult · R + 0.9 without its fraction: R for mult=1",
    source="trec_eval, Rprec and Rprec_mult",
    no_relevant="0",
    range=(0, 1),
    params=(REL, MULT),
    aliases=("RPrec", "R-prec"),
    example=Example("Rprec", RANKED, MISSED, 0.6666666667, "R = 3; 2 of the first 3"),
)
def Rprec(view: GradeView, *, rel: float, mult: float) -> Floats:
    """Rprec."""
    depth = np.floor(mult * view.judgments.num_rel(rel) + 0.9)
    return share(view.count(view.relevant(rel) & (view.rank < depth[view.query])), depth)


@family(
    "RR",
    title="reciprocal rank of the first relevant document; its mean is MRR",
    formula="RR@k = 1 / min{i ≤ k: rel_i}, 0 if there is none",
    source="trec_eval, recip_rank",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    cutoff="optional",
    ties="expected",
    aliases=("MRR", "mrr", "recip_rank"),
    example=Example("RR(rel=2)", RANKED, MISSED, 0.3333333333, "the grade 2 comes third"),
)
def RR(view: GradeView, *, k: int | None, rel: float) -> Floats:
    """RR, RR@k."""
    first = first_of(view, view.relevant(rel))
    value = np.where(view.within(k), 1.0 / (view.rank + 1), 0.0)
    if view.expected:
        tied = view.tie_len[first] > 1
        value[first] = np.where(tied, expected_reciprocal(view, first, rel, k), value[first])
    return view.sum(value, first)


@family(
    "AP",
    title="average precision: precision at each relevant document, averaged; its mean is MAP",
    formula="AP@k = (1/R) · Σ_{i≤k} rel_i · (1/i) · Σ_{j≤i} rel_j; what was not returned adds 0",
    source="trec_eval, map and map_cut",
    no_relevant="0",
    range=(0, 1),
    params=(REL, NORM),
    cutoff="optional",
    ties="expected",
    aliases=("MAP", "map"),
    example=Example("AP", RANKED, MISSED, 0.5555555556, "(1/1 + 2/3) / 3"),
)
def AP(view: GradeView, *, k: int | None, rel: float, norm: str) -> Floats:
    """AP, AP@k."""
    return average_precision(view, k, rel, norm)


def average_precision(
    view: GradeView, k: int | None = None, rel: float = 1.0, norm: str = "rel"
) -> Floats:
    """[n_queries] AP@k."""
    hit = view.relevant(rel)
    precision = np.where(view.within(k), view.relevant_so_far(rel) / (view.rank + 1), 0.0)
    if view.expected:
        tied = view.tie_len[hit] > 1
        precision[hit] = np.where(tied, expected_precisions(view, rel, k), precision[hit])
    R = view.judgments.num_rel(rel)
    return share(view.sum(precision, hit), np.minimum(R, k or math.inf) if norm == "min" else R)


def first_of(view: GradeView, mask: Bools) -> Bools:
    """[hit] the first marked hit of each query."""
    marked = np.flatnonzero(mask)
    first = np.zeros(len(mask), np.bool_)
    first[marked[runs_of(view.query[marked])]] = True
    return first
