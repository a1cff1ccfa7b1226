"""Discounted cumulative gain and its share of the best possible.

The discount is log2(rank + 1) with ranks from 1, so that the first place counts in full (Burges et
al. 2005; trec_eval's ndcg). Järvelin and Kekäläinen's own discount, none before rank b, is another
measure. The gain is printed in every full name: with gain="linear" nDCG@10 is the number of
trec_eval, pytrec_eval and BEIR, with gain="exp" that of most papers on learning to rank, and the
two can order two systems differently.
"""

from __future__ import annotations

import numpy as np

from cranfield.errors import MeasureError
from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats, Judgments, sum_by_query
from cranfield.measures.measure import family
from cranfield.measures.params import GAIN, Gain, write
from cranfield.measures.ties import expected_discount
from cranfield.measures.views import GradeView, share

RANKED = (3, 0, 2, 1, 3)
TOO_LARGE = 'use gain="linear" or a table such as gain={0:0,1:1,2:5}, or rescale the grades'


@family(
    "DCG",
    title="discounted cumulative gain",
    formula="DCG@k = Σ_{i≤k} gain(g_i) / log2(i + 1)",
    source="Järvelin & Kekäläinen 2002, with the discount of Burges et al. 2005",
    no_relevant="0",
    range=(0, np.inf),
    params=(GAIN,),
    cutoff="optional",
    ties="expected",
    aliases=("dcg",),
    example=Example(
        'DCG(gain="exp")@5', RANKED, (), 11.6386462087, "7 + 0 + 3/2 + 1/2.3219 + 7/2.5850"
    ),
)
def DCG(view: GradeView, *, k: int | None, gain: Gain) -> Floats:
    """DCG, DCG@k."""
    return view.keep(("DCG", k, gain), lambda: _dcg(view, k, gain))


@family(
    "nDCG",
    title="normalised discounted cumulative gain: the share of the best possible DCG",
    formula="nDCG@k = DCG@k / IDCG@k, IDCG@k the DCG@k of all judged documents in their best order",
    source="Järvelin & Kekäläinen 2002; trec_eval, ndcg and ndcg_cut, when gain is linear",
    no_relevant="0",
    range=(0, 1),
    params=(GAIN,),
    cutoff="optional",
    ties="expected",
    aliases=("NDCG", "ndcg"),
    example=Example(
        'nDCG(gain="exp")@5', RANKED, (), 0.8719925853, "11.638646 / 13.347185 (order 3 3 2 1 0)"
    ),
)
def nDCG(view: GradeView, *, k: int | None, gain: Gain) -> Floats:
    """nDCG, nDCG@k."""
    found = view.keep(("DCG", k, gain), lambda: _dcg(view, k, gain))
    best = view.judgments.keep(("IDCG", k, gain), lambda: _ideal_dcg(view, k, gain))
    return share(found, best)


def gains(judgments: Judgments, gain: Gain) -> Floats:
    """[row] what each judged document is worth; 0 for grades of 0 and below.

    Raises
    ------
    MeasureError
        A grade that the table lacks, or one so large that 2^g is not finite.
    """
    levels, codes = judgments.levels
    worth = [gain_of(grade, gain) if grade > 0 else 0.0 for grade in levels.tolist()]
    return np.array(worth, np.float64)[codes]


def gain_of(grade: float, gain: Gain) -> float:
    """What a grade above 0 is worth."""
    if gain == "linear":
        return grade
    if gain == "exp":
        try:
            return float(2.0**grade) - 1.0
        except OverflowError:
            raise MeasureError(
                f'gain="exp" of grade {write(grade)}, 2^{write(grade)}, is too large a number',
                TOO_LARGE,
            ) from None
    if not isinstance(gain, str) and grade in (table := dict(gain)):
        return table[grade]
    raise MeasureError(
        f"the judgments hold grade {write(grade)}, which the gain table does not have",
        f"add {write(grade)} to {write(gain)}",
    )


def _dcg(view: GradeView, k: int | None, gain: Gain) -> Floats:
    worth = gains(view.judgments, gain)[view.row]
    gained = worth > 0
    worth = worth[gained]
    found = np.where(view.within(k)[gained], worth / view.log2()[view.rank[gained]], 0.0)
    if view.expected:
        tied = view.tie_len[gained] > 1
        found = np.where(tied, worth * expected_discount(view, gained, k), found)
    return sum_by_query(view.query[gained], found, None, view.n_queries)


def best_gains(judgments: Judgments, gain: Gain) -> Floats:
    """[entry of the ideal list] what the best list holds there: its gains, descending."""
    ideal = judgments.ideal
    worth = gains(judgments, gain)[ideal.row]
    if not isinstance(gain, str):  # a table may give a higher grade a smaller gain
        worth = worth[np.lexsort((-worth, ideal.query))]
    return worth


def _ideal_dcg(view: GradeView, k: int | None, gain: Gain) -> Floats:
    ideal = view.judgments.ideal
    worth = best_gains(view.judgments, gain)
    inside = None if k is None else ideal.rank < k
    return sum_by_query(ideal.query, worth / view.log2()[ideal.rank], inside, view.n_queries)
