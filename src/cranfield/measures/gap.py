"""Graded average precision: average precision for a reader whose threshold is not known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield.errors import MeasureError
from cranfield.measures.cascade import refuse_above
from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats
from cranfield.measures.measure import family
from cranfield.measures.params import GMAX, Param, Table, read_gain, write
from cranfield.measures.views import GradeView, share

MOST_LEVELS = 1000


def _read_chances(value: object) -> Table:
    table = read_gain(value)
    if isinstance(table, str) or not any(chance for _, chance in table):
        raise ValueError
    return table


CHANCES = Param(
    "g",
    None,
    "how likely the reader's threshold is at each grade; equally likely at 1 to gmax if left out",
    "a table from grade to probability such as {1:0.2,2:0.3,3:0.5}, none below 0",
    _read_chances,
)


@family(
    "GAP",
    title="graded average precision: the reader's threshold of relevance is a random grade",
    formula=(
        "GAP = Σ_t g(t) · R_t · AP(rel=t) / Σ_t g(t) · R_t, g(t) the probability of threshold t, "
        "R_t the documents of grade ≥ t"
    ),
    source="Robertson, Kanoulas & Yilmaz 2010, with its double sum taken threshold by threshold",
    no_relevant="0",
    range=(0, 1),
    params=(CHANCES, replace(GMAX, when=("g", None))),
    example=Example(
        "GAP(g={1:0.5,2:0.5})",
        (1, None, 2),
        (2,),
        0.4,
        "0.5 · (1/1 + 2/3) + 0.5 · (1/3) = 1; 0.5 · 3 + 0.5 · 2 = 2.5",
    ),
)
def GAP(view: GradeView, *, g: Table | None, gmax: float | None) -> Floats:
    """GAP."""
    found, most = np.zeros(view.n_queries), np.zeros(view.n_queries)
    for threshold, chance in g if g is not None else _uniform(view, gmax or 1.0):
        if threshold > 0 and chance > 0:
            precision = view.relevant_so_far(threshold) / (view.rank + 1)
            found += chance * view.sum(precision, view.relevant(threshold))
            most += chance * view.judgments.num_rel(threshold)
    return share(found, most)


def _uniform(view: GradeView, gmax: float) -> Table:
    refuse_above(view, gmax, "GAP")
    if gmax > MOST_LEVELS:
        raise MeasureError(
            f"GAP: grades up to {write(gmax)} are too many thresholds", "give g, the likely ones"
        )
    return tuple((float(t), 1.0) for t in range(1, max(int(gmax), 1) + 1))
