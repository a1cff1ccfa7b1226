"""Interpolated precision: the curve of precision over recall, and the average of it."""

from __future__ import annotations

import numpy as np

from cranfield.measures.declaration import Example
from cranfield.measures.hits import Floats
from cranfield.measures.measure import family
from cranfield.measures.params import REL, Levels, Param, one_of, read_levels, read_share
from cranfield.measures.views import GradeView

RANKED = (1, 0, 1, 0, 0, 1)
MISSED = (1, 1)
ELEVEN = tuple(i / 10 for i in range(11))

LEVEL = Param("level", None, "the level of recall", "a number from 0 to 1", read_share)
LEVELS = Param(
    "levels",
    ELEVEN,
    "the levels of recall that are averaged",
    "a list of numbers from 0 to 1, such as [0.2,0.5,0.8]",
    read_levels,
)
CONVENTION = Param(
    "convention",
    "ceil",
    "how many of R documents recall L takes: "
    '"ceil" L · R rounded up, "lround" rounded to the nearest (trec_eval 10), "v9" L · R + 0.9 '
    "without its fraction (trec_eval 9)",
    '"ceil", "lround" or "v9"',
    one_of("ceil", "lround", "v9"),
)


@family(
    "IPrec",
    title="interpolated precision: the best precision at this recall or beyond",
    formula="IPrec@L = max {hits(i) / i: hits(i) ≥ L · R}, hits(i) = Σ_{j≤i} rel_j",
    source="trec_eval, iprec_at_recall",
    no_relevant="0",
    range=(0, 1),
    params=(REL, CONVENTION),
    cutoff="required",
    at=LEVEL,
    aliases=("iprec", "iprec_at_recall"),
    example=Example("IPrec@0.5", RANKED, MISSED, 0.5, "3 of 5 needed: 3/6"),
)
def IPrec(view: GradeView, *, level: float, rel: float, convention: str) -> Floats:
    """IPrec@level."""
    return _interpolated(view, level, rel, convention)


@family(
    "IPrecAvg",
    title="interpolated precision averaged over levels of recall: the 11-point average",
    formula="mean of IPrec@L over the levels L",
    source="trec_eval, 11pt_avg",
    no_relevant="0",
    range=(0, 1),
    params=(REL, LEVELS, CONVENTION),
    example=Example(
        "IPrecAvg(levels=[0,0.4,1])", RANKED, MISSED, 0.5555555556, "(1 + 2/3 + 0) / 3"
    ),
)
def IPrecAvg(view: GradeView, *, rel: float, levels: Levels, convention: str) -> Floats:
    """IPrecAvg."""
    total = np.zeros(view.n_queries)
    for level in levels:
        total += _interpolated(view, level, rel, convention)
    return total / len(levels)


def _interpolated(view: GradeView, level: float, rel: float, convention: str) -> Floats:
    at = level * view.judgments.num_rel(rel)
    if convention == "ceil":
        needed = np.ceil(at - 1e-9)  # 0.1 · 30 is a little above 3 in a computer
    else:
        needed = np.floor(at + (0.5 if convention == "lround" else 0.9))
    found = view.relevant_so_far(rel)
    precision = found / (view.rank + 1)
    return view.largest(precision, view.relevant(rel) & (found >= needed[view.query]))
