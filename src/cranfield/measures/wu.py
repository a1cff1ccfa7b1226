"""Precision, R-precision, reciprocal rank and average precision for grades, after Wu and McClean.

The formulas of the paper survive in words only, and the words allow three readings of average
precision: `variant` says which. With grades 0 and 1 all of these are the binary measures, but for
AP_Wu(variant="ideal").
"""

from __future__ import annotations

import numpy as np

from cranfield.measures.best import best, gain_so_far, total_at
from cranfield.measures.cascade import refuse_above
from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats, sum_by_query
from cranfield.measures.measure import family
from cranfield.measures.params import GMAX, Param, one_of, read_flag
from cranfield.measures.views import GradeView, share

RANKED = (1, None, 3)
MISSED = (2,)
SOURCE = "Wu & McClean 2006, as Wu, Tan & Shi 2015 describe it"

VARIANT = Param(
    "variant",
    "ideal",
    'what cg(t) is divided by: "ideal" the gain of the best list, "padded" the same, growing by '
    'one a rank below its end; "weighted": each precision is weighed by its document\'s grade',
    '"ideal", "padded" or "weighted"',
    one_of("ideal", "padded", "weighted"),
    always=True,
)
BY_LEVEL = Param(
    "by_level",
    False,
    "average over the grades l = 1, 2, … of the same at the number of documents of grade ≥ l",
    "true or false",
    read_flag,
)


@family(
    "AP_Wu",
    title="average precision for grades: the gain so far against that of the best list",
    formula=(
        "AP_Wu = (1/R) · Σ_j cg(t_j) / cg*(t_j), t_j the rank of the j-th document of grade > 0; "
        "weighted: (1/Σ g*) · Σ_j g(t_j) · cg(t_j) / (t_j · n), n the topic's largest grade"
    ),
    source=f"{SOURCE} (weighted: a later paper of Wu); ideal is Sakai's average weighted precision",
    no_relevant="0",
    range=(0, 1),
    params=(VARIANT,),
    example=Example("AP_Wu", RANKED, MISSED, 0.3333333333, "(1/3 + 4/6) / 3; best 3, 2, 1"),
)
def AP_Wu(view: GradeView, *, variant: str) -> Floats:
    """AP_Wu."""
    ideal, cg, relevant = best(view.judgments), gain_so_far(view), view.grade > 0
    depth = view.rank + 1
    if variant == "weighted":
        scale = view.judgments.largest_grade * _total(view)
        return share(view.sum(view.grade * cg / depth, relevant), scale)
    most = ideal.gain_at(view.query, depth)
    if variant == "padded":
        most = most + np.maximum(depth - ideal.count[view.query], 0)
    return share(view.sum(share(cg, most), relevant), ideal.count)


@family(
    "P_Wu",
    title="precision for grades: the gain of the first k against k documents of the best grade",
    formula="P_Wu@k = Σ_{i≤k} g_i / (k · n), n the largest grade of the scale (gmax)",
    source=SOURCE,
    no_relevant="0",
    range=(0, 1),
    params=(GMAX,),
    cutoff="required",
    aliases=("P10_Wu",),
    example=Example("P_Wu(gmax=3)@10", RANKED, MISSED, 0.1333333333, "(1 + 3) / (10 · 3)"),
)
def P_Wu(view: GradeView, *, k: int, gmax: float) -> Floats:
    """P_Wu@k."""
    refuse_above(view, gmax, "P_Wu")
    return view.sum(view.grade, (view.grade > 0) & view.within(k)) / (k * gmax)


@family(
    "RP_Wu",
    title="R-precision for grades: the gain of the first R against that of the best list",
    formula="RP_Wu = cg(R) / cg*(R), R the documents of grade > 0",
    source=f"{SOURCE}; by_level: a later paper of Wu",
    no_relevant="0",
    range=(0, 1),
    params=(BY_LEVEL,),
    example=Example("RP_Wu", RANKED, MISSED, 0.6666666667, "(1 + 0 + 3) / (3 + 2 + 1)"),
)
def RP_Wu(view: GradeView, *, by_level: bool) -> Floats:
    """RP_Wu."""
    ideal, cg = best(view.judgments), gain_so_far(view)
    if not by_level:
        everyone = np.arange(view.n_queries)
        return share(total_at(view, cg, everyone, ideal.count), _total(view))
    step = ideal.steps()
    query, grade = ideal.query[step], np.floor(ideal.worth[step])
    next_is_same = np.zeros(len(step), np.bool_)
    next_is_same[:-1] = query[1:] == query[:-1]
    below = np.where(next_is_same, np.roll(grade, -1), 0.0)  # the topic's next lower grade
    ratio = total_at(view, cg, query, ideal.rank[step] + 1) / ideal.so_far[step]
    found = sum_by_query(query, (grade - below) * ratio, None, view.n_queries)
    return share(found, np.floor(view.judgments.largest_grade))


@family(
    "RR_Wu",
    title="reciprocal rank for grades: a lower grade counts for less",
    formula="RR_Wu = max_i g_i / (n · i), n the largest grade of the scale (gmax)",
    source=SOURCE,
    no_relevant="0",
    range=(0, 1),
    params=(GMAX,),
    example=Example("RR_Wu(gmax=3)", RANKED, MISSED, 0.3333333333, "(1/3)/1 and (3/3)/3"),
)
def RR_Wu(view: GradeView, *, gmax: float) -> Floats:
    """RR_Wu."""
    refuse_above(view, gmax, "RR_Wu")
    return view.largest(np.maximum(view.grade, 0.0) / gmax / (view.rank + 1))


def _total(view: GradeView) -> Floats:
    """[n_queries] the sum of all grades above 0."""
    ideal = best(view.judgments)
    return ideal.gain_at(np.arange(view.n_queries), ideal.count)
