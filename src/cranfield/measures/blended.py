"""Sakai's measures of the blended ratio: precision and graded gain in one."""

from __future__ import annotations

import numpy as np

from cranfield.measures.best import best, gain_so_far
from cranfield.measures.declaration import Example
from cranfield.measures.hits import Bools, Floats
from cranfield.measures.measure import family
from cranfield.measures.params import GAIN, REL, Gain, Param, read_number
from cranfield.measures.precision import first_of
from cranfield.measures.views import GradeView, share

RANKED = (1, 0, 3, None)
MISSED = (2,)
SOURCE = "Sakai 2004 and 2014; NTCIREVAL"


def _read_weight(value: object) -> float:
    number = read_number(value)
    if number < 0:
        raise ValueError
    return number


BETA = Param(
    "beta",
    1.0,
    "the weight of graded gain against precision; 0 leaves precision alone",
    "a number of at least 0",
    _read_weight,
)
PARAMS = (REL, BETA, GAIN)


@family(
    "Q",
    title="Q-measure: average precision with the blended ratio in the place of precision",
    formula=(
        "Q = (1/R) · Σ_i rel_i · BR(i), BR(i) = (C(i) + β · cg(i)) / (i + β · cg*(i)), C(i) the "
        "relevant documents down to i, cg and cg* the gain of the list and of the best list; "
        "Q@k divides by the smaller of R and k"
    ),
    source=SOURCE,
    no_relevant="0",
    range=(0, 1),
    params=PARAMS,
    cutoff="optional",
    aliases=("Q-measure", "Qmeasure"),
    example=Example("Q", RANKED, MISSED, 0.3888888889, "((1+1)/(1+3) + (2+4)/(3+6)) / 3"),
)
def Q(view: GradeView, *, k: int | None, rel: float, beta: float, gain: Gain) -> Floats:
    """Q, Q@k."""
    R = view.judgments.num_rel(rel)
    found = view.sum(_ratio(view, rel, beta, gain), view.relevant(rel) & view.within(k))
    return share(found, R if k is None else np.minimum(R, k))


@family(
    "O",
    title="O-measure: the blended ratio at the first relevant document",
    formula="O = BR(i), i the rank of the first relevant document (BR: see Q)",
    source=SOURCE,
    no_relevant="0",
    range=(0, 1),
    params=PARAMS,
    aliases=("O-measure", "Omeasure"),
    example=Example("O", RANKED, MISSED, 0.5, "(1 + 1) / (1 + 3)"),
)
def O(view: GradeView, *, rel: float, beta: float, gain: Gain) -> Floats:  # noqa: E743
    """O."""
    return view.sum(_ratio(view, rel, beta, gain), first_of(view, view.relevant(rel)))


@family(
    "PMeasure",
    title="P-measure: the blended ratio at the first document of the best grade returned",
    formula="P-measure = BR(i), i the preferred rank: the first of the highest grade in the list",
    source=SOURCE,
    no_relevant="0",
    range=(0, 1),
    params=PARAMS,
    aliases=("P-measure", "Pmeasure"),
    example=Example("PMeasure", RANKED, MISSED, 0.6666666667, "(2 + 4) / (3 + 6)"),
)
def PMeasure(view: GradeView, *, rel: float, beta: float, gain: Gain) -> Floats:
    """PMeasure."""
    return view.sum(_ratio(view, rel, beta, gain), _preferred(view, rel))


@family(
    "PPlus",
    title="P+: the blended ratio averaged over the relevant documents down to the preferred rank",
    formula="P+ = mean of BR(i) over relevant i ≤ preferred rank (see PMeasure)",
    source=SOURCE,
    no_relevant="0",
    range=(0, 1),
    params=PARAMS,
    aliases=("P+", "P-plus"),
    example=Example("PPlus", RANKED, MISSED, 0.5833333333, "(2/4 + 6/9) / 2"),
)
def PPlus(view: GradeView, *, rel: float, beta: float, gain: Gain) -> Floats:
    """PPlus."""
    preferred = _preferred(view, rel)
    depth = np.full(view.n_queries, -1)
    depth[view.query[preferred]] = view.rank[preferred]
    counted = view.relevant(rel) & (view.rank <= depth[view.query])
    return share(view.sum(_ratio(view, rel, beta, gain), counted), view.count(counted))


def _ratio(view: GradeView, rel: float, beta: float, gain: Gain) -> Floats:
    """[hit] the blended ratio BR at the hit's rank."""
    i = view.rank + 1
    most = best(view.judgments, gain).gain_at(view.query, i)
    return (view.relevant_so_far(rel) + beta * gain_so_far(view, gain)) / (i + beta * most)


def _preferred(view: GradeView, rel: float) -> Bools:
    """[hit] the first relevant hit of the highest grade in its list."""
    relevant = view.relevant(rel)
    return first_of(view, relevant & (view.grade == view.largest(view.grade, relevant)[view.query]))
