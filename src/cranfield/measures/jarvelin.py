"""Järvelin and Kekäläinen's own nDCG, its average over ranks, and gain without a discount."""

from __future__ import annotations

import math

import numpy as np

from cranfield.measures.best import Best, best, gain_so_far, total_at, worth_of
from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats
from cranfield.measures.measure import family
from cranfield.measures.params import GAIN, Gain, Param, read_number
from cranfield.measures.views import GradeView, running, share

RANKED = (3, 0, 2, 1, 3)


def _read_base(value: object) -> float:
    number = read_number(value)
    if number <= 1:
        raise ValueError
    return number


BASE = Param(
    "b",
    2.0,
    "base of the logarithm, and the first rank that is discounted: "
    "the larger it is, the more patient the reader",
    "a number above 1",
    _read_base,
    always=True,
)


@family(
    "nDCG_JK",
    title="nDCG with its first authors' discount: none before rank b",
    formula="DCG@k = Σ_{i≤k} gain(g_i) / max(1, log_b(i)); nDCG_JK = DCG@k / the best DCG@k",
    source="Järvelin & Kekäläinen 2002; with b=2 the NDCG of Wu, Tan & Shi 2015",
    no_relevant="0",
    range=(0, 1),
    params=(BASE, GAIN),
    cutoff="optional",
    aliases=("nDCG_Wu", "ndcg_jk", "ndcg_wu"),
    example=Example(
        "nDCG_JK@5",
        RANKED,
        (),
        0.7799534604,
        "(3 + 2/1.585 + 1/2 + 3/2.322) / (6 + 2/1.585 + 1/2)",
    ),
)
def nDCG_JK(view: GradeView, *, k: int | None, b: float, gain: Gain) -> Floats:
    """nDCG_JK, nDCG_JK@k."""
    return _at(view, k, b, gain)


@family(
    "AnDCG",
    title="average of nDCG_JK over the ranks 1 to k",
    formula="AnDCG@k = (1/k) · Σ_{i≤k} nDCG_JK@i",
    source="Järvelin & Kekäläinen 2002; Sakai's AnDCG",
    no_relevant="0",
    range=(0, 1),
    params=(BASE, GAIN),
    cutoff="required",
    aliases=("andcg",),
    example=Example("AnDCG@2", RANKED, (), 0.75, "(3/3 + 3/6) / 2"),
)
def AnDCG(view: GradeView, *, k: int, b: float, gain: Gain) -> Floats:
    """AnDCG@k."""
    total = np.zeros(view.n_queries)
    for depth in range(1, k + 1):
        total += _at(view, depth, b, gain)
    return total / k


@family(
    "NCG",
    title="normalised cumulative gain: nDCG without a discount, graded recall",
    formula="NCG@k = Σ_{i≤k} gain(g_i) / Σ_{i≤k} gain(g*_i), g* the best order",
    source="Järvelin & Kekäläinen 2002 (nCG); TREC Deep Learning, NCG@100",
    no_relevant="0",
    range=(0, 1),
    params=(GAIN,),
    cutoff="optional",
    aliases=("nCG", "ncg"),
    example=Example("NCG@3", RANKED, (), 0.625, "(3 + 0 + 2) / (3 + 3 + 2)"),
)
def NCG(view: GradeView, *, k: int | None, gain: Gain) -> Floats:
    """NCG, NCG@k."""
    ideal = best(view.judgments, gain)
    return _ratio(view, gain_so_far(view, gain), ideal.so_far, ideal, k)


def _at(view: GradeView, k: int | None, b: float, gain: Gain) -> Floats:
    ideal = best(view.judgments, gain)
    deepest = max(int(view.rank.max(initial=0)), int(ideal.rank.max(initial=0)))
    table = view.keep(("jk", b), lambda: _discounts(b, deepest + 1))
    found = view.keep(
        ("jk dcg", b, gain), lambda: running(worth_of(view, gain) / table[view.rank], view.query)
    )
    most = view.keep(
        ("jk idcg", b, gain), lambda: running(ideal.worth / table[ideal.rank], ideal.query)
    )
    return _ratio(view, found, most, ideal, k)


def _ratio(view: GradeView, found: Floats, most: Floats, ideal: Best, k: int | None) -> Floats:
    """[n_queries] a running total of the list over one of the best list, k documents deep."""
    everyone = np.arange(view.n_queries)
    depth = np.full(view.n_queries, k if k is not None else max(view.n_ret.max(initial=0), 1))
    end = depth if k is not None else ideal.count
    return share(total_at(view, found, everyone, depth), ideal.at(most, everyone, end))


def _discounts(b: float, size: int) -> Floats:
    logs = (1.0 if i < b else math.log2(i) / math.log2(b) for i in range(1, size + 1))
    return np.fromiter(logs, np.float64, size)
