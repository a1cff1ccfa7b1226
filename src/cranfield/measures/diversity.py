"""Measures of diversity: a list is good when it covers what different people may have meant.

They need judgments by subtopic (column 2 of a TREC qrels file). A document is about a subtopic
when its grade there is at least `rel`; S is the number of subtopics with such a document. The
best list is built greedily, as ndeval does, equal documents by descending id: finding the very
best one takes too long.
"""

from __future__ import annotations

import numpy as np

from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats
from cranfield.measures.measure import family
from cranfield.measures.params import REL, Param, read_flag, read_fraction, read_share
from cranfield.measures.subtopics import Pairs, SubtopicView
from cranfield.measures.views import log2_table, power_table, share

RANKED = ((1, 2), (1,), None, (3,))
MISSED = ((2, 3), (4,))
GREEDY_BOUND = 1.582  # e / (e − 1): a greedy list has at least 63% of the best one's gain

ALPHA = Param(
    "alpha",
    0.5,
    "how much of a document's worth for a subtopic is lost with each earlier one on it",
    "a number from 0 to 1",
    read_share,
    always=True,
)
PATIENCE = Param(
    "beta",
    0.5,
    "the probability that the reader goes on to the next document",
    "a number between 0 and 1, both left out",
    read_fraction,
    always=True,
)
NORMALIZE = Param(
    "normalize",
    False,
    "divide by the DCG of a list of documents about all S subtopics (ndeval's alpha-DCG)",
    "true or false",
    read_flag,
    always=True,
)
GAIN = "G_i = Σ_{s of d_i} (1 − α)^{documents on s above i}"
NDEVAL = "Clarke et al. 2008; ndeval"


@family(
    "alpha_DCG",
    title="DCG where a document counts less for subtopics that were there before",
    formula=f"alpha_DCG@k = Σ_{{i≤k}} G_i / log2(i + 1), {GAIN}",
    source=NDEVAL,
    no_relevant="0",
    range=(0, np.inf),
    params=(REL, ALPHA, NORMALIZE),
    cutoff="required",
    view="subtopics",
    aliases=("α_DCG", "alpha-DCG", "α-DCG"),
    example=Example("alpha_DCG@5", RANKED, MISSED, 2.7461414349, "2 + 0.5/1.5850 + 1/2.3219"),
)
def alpha_DCG(view: SubtopicView, *, k: int, rel: float, alpha: float, normalize: bool) -> Floats:
    """alpha_DCG@k."""
    found = _discounted(view, view.pairs(rel), k, alpha)
    if not normalize:
        return found
    return share(found, view.most(rel, _fading(alpha, k) / log2_table(k)[:k]))


@family(
    "alpha_nDCG",
    title="alpha_DCG as a share of that of the greedily best list",
    formula=f"alpha_nDCG@k = alpha_DCG@k / that of the greedy list; {GAIN}",
    source=NDEVAL,
    no_relevant="0",
    range=(0, GREEDY_BOUND),
    params=(REL, ALPHA),
    cutoff="required",
    view="subtopics",
    aliases=("α_nDCG", "alpha-nDCG", "α-nDCG"),
    example=Example(
        "alpha_nDCG@2", RANKED, MISSED, 0.7858637987, "(2 + 0.5/1.585) / (2 + 1.5/1.585)"
    ),
)
def alpha_nDCG(view: SubtopicView, *, k: int, rel: float, alpha: float) -> Floats:
    """alpha_nDCG@k."""
    found = _discounted(view, view.pairs(rel), k, alpha)
    return share(found, _discounted(view, view.best(rel, alpha), k, alpha))


@family(
    "ERR_IA",
    title="intent-aware ERR: a reader who wants one subtopic and leaves when satisfied",
    formula=f"ERR_IA@k = Σ_{{i≤k}} G_i / i, over S · Σ_{{i≤k}} (1 − α)^{{i−1}} / i; {GAIN}",
    source="Chapelle et al. 2011; ndeval, which does not divide at k=1",
    no_relevant="0",
    range=(0, 1),
    params=(REL, ALPHA),
    cutoff="required",
    view="subtopics",
    aliases=("ERR-IA",),
    example=Example("ERR_IA@2", RANKED, MISSED, 0.45, "(2 + 0.5/2) / (4 · (1 + 0.5/2))"),
)
def ERR_IA(view: SubtopicView, *, k: int, rel: float, alpha: float) -> Floats:
    """ERR_IA@k."""
    found = _reciprocal(view, view.pairs(rel), k, alpha)
    return share(found, view.most(rel, _fading(alpha, k) / np.arange(1, k + 1)))


@family(
    "nERR_IA",
    title="ERR_IA as a share of that of the greedily best list",
    formula="nERR_IA@k = ERR_IA@k / that of the greedy list",
    source="ndeval",
    no_relevant="0",
    range=(0, GREEDY_BOUND),
    params=(REL, ALPHA),
    cutoff="required",
    view="subtopics",
    aliases=("nERR-IA",),
    example=Example("nERR_IA@2", RANKED, MISSED, 0.8181818182, "(2 + 0.5/2) / (2 + 1.5/2)"),
)
def nERR_IA(view: SubtopicView, *, k: int, rel: float, alpha: float) -> Floats:
    """nERR_IA@k."""
    found = _reciprocal(view, view.pairs(rel), k, alpha)
    return share(found, _reciprocal(view, view.best(rel, alpha), k, alpha))


@family(
    "NRBP",
    title="novelty- and rank-biased precision: RBP for readers who want one subtopic",
    formula=f"NRBP = (1 − (1 − α) · β) / S · Σ_i G_i · β^{{i−1}}; {GAIN}",
    source="Clarke, Kolla & Vechtomova 2009; ndeval",
    no_relevant="0",
    range=(0, 1),
    params=(REL, ALPHA, PATIENCE),
    view="subtopics",
    example=Example("NRBP", RANKED, MISSED, 0.4453125, "0.75/4 · (2 + 0.5 · 0.5 + 1 · 0.125)"),
)
def NRBP(view: SubtopicView, *, rel: float, alpha: float, beta: float) -> Floats:
    """NRBP."""
    found = _biased(view, view.pairs(rel), alpha, beta)
    return share((1 - (1 - alpha) * beta) * found, view.count(rel))


@family(
    "nNRBP",
    title="NRBP as a share of that of the greedily best list",
    formula="nNRBP = NRBP / that of the greedy list",
    source="ndeval",
    no_relevant="0",
    range=(0, GREEDY_BOUND),
    params=(REL, ALPHA, PATIENCE),
    view="subtopics",
    example=Example(
        "nNRBP", RANKED, MISSED, 0.7676767677, "2.375 / (2 + 1.5/2 + 1/4 + 0.5/8 + 0.5/16)"
    ),
)
def nNRBP(view: SubtopicView, *, rel: float, alpha: float, beta: float) -> Floats:
    """nNRBP."""
    found = _biased(view, view.pairs(rel), alpha, beta)
    return share(found, _biased(view, view.best(rel, alpha), alpha, beta))


@family(
    "StRecall",
    title="subtopic recall: the share of the subtopics that the list covers",
    formula="StRecall@k = #{s: some d_i with i ≤ k is about s} / S",
    source="Zhai, Cohen & Lafferty 2003; ndeval, strec",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    cutoff="required",
    view="subtopics",
    aliases=("strec", "S-recall"),
    example=Example("StRecall@3", RANKED, MISSED, 0.5, "subtopics 1 and 2 of 1, 2, 3, 4"),
)
def StRecall(view: SubtopicView, *, k: int, rel: float) -> Floats:
    """StRecall@k."""
    pairs = view.pairs(rel)
    first = (pairs.earlier == 0) & (pairs.rank < k)
    return share(view.total(first.astype(np.float64), pairs), view.count(rel))


@family(
    "P_IA",
    title="intent-aware precision: precision for each subtopic, averaged",
    formula="P_IA@k = (1/S) · Σ_s P@k for subtopic s",
    source="Agrawal et al. 2009, all subtopics equally likely; ndeval",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    cutoff="required",
    view="subtopics",
    aliases=("P-IA",),
    example=Example("P_IA@2", RANKED, MISSED, 0.375, "(2/2 + 1/2 + 0 + 0) / 4"),
)
def P_IA(view: SubtopicView, *, k: int, rel: float) -> Floats:
    """P_IA@k."""
    pairs = view.pairs(rel)
    return share(view.total((pairs.rank < k).astype(np.float64), pairs), k * view.count(rel))


@family(
    "AP_IA",
    title="intent-aware average precision: AP for each subtopic, averaged",
    formula="AP_IA = (1/S) · Σ_s AP for subtopic s",
    source="Agrawal et al. 2009, all subtopics equally likely; ndeval, MAP-IA",
    no_relevant="0",
    range=(0, 1),
    params=(REL,),
    view="subtopics",
    aliases=("MAP_IA", "MAP-IA", "AP-IA"),
    example=Example("AP_IA", RANKED, MISSED, 0.40625, "((1 + 1)/2 + 1/2 + (1/4)/2 + 0) / 4"),
)
def AP_IA(view: SubtopicView, *, rel: float) -> Floats:
    """AP_IA."""
    pairs = view.pairs(rel)
    precision = (pairs.earlier + 1) / (pairs.rank + 1)
    return share(view.total(precision / view.relevant_of(rel, pairs), pairs), view.count(rel))


def _fading(alpha: float, size: int) -> Floats:
    """(1 − α)^i for i from 0; α = 1 leaves the first."""
    return power_table(1.0 - alpha, size)[:size]


def _novelty(pairs: Pairs, alpha: float) -> Floats:
    """[pair] what the document is still worth for the subtopic."""
    return _fading(alpha, int(pairs.earlier.max(initial=0)) + 1)[pairs.earlier]


def _discounted(view: SubtopicView, pairs: Pairs, k: int, alpha: float) -> Floats:
    table = log2_table(int(pairs.rank.max(initial=0)) + 1)
    weights = np.where(pairs.rank < k, _novelty(pairs, alpha) / table[pairs.rank], 0.0)
    return view.total(weights, pairs)


def _reciprocal(view: SubtopicView, pairs: Pairs, k: int, alpha: float) -> Floats:
    weights = np.where(pairs.rank < k, _novelty(pairs, alpha) / (pairs.rank + 1), 0.0)
    return view.total(weights, pairs)


def _biased(view: SubtopicView, pairs: Pairs, alpha: float, beta: float) -> Floats:
    table = power_table(beta, int(pairs.rank.max(initial=0)) + 1)
    return view.total(_novelty(pairs, alpha) * table[pairs.rank], pairs)
