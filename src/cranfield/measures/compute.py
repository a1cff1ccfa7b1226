"""The values of measures on a block of topics."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from cranfield.errors import MeasureError
from cranfield.measures.declaration import CATALOG
from cranfield.measures.hits import Bools, Floats, Hits, Judgments
from cranfield.measures.measure import Measure, no_cutoff
from cranfield.measures.opinions import GroupView, PreferenceView
from cranfield.measures.subtopics import SubtopicView
from cranfield.measures.views import GradeView

# What a family may read: (judgments, hits, condensed, expected) -> the object its formula gets.
VIEWS: dict[str, Callable[[Judgments, Hits, bool, bool], object]] = {
    "grades": GradeView,
    "subtopics": SubtopicView,
    "preferences": PreferenceView,
    "groups": GroupView,
    "strata": GradeView,
}


def compute(
    measures: Sequence[Measure],
    judgments: Judgments,
    hits: Hits,
    *,
    expected_ties: bool = False,
) -> tuple[Floats, Bools]:
    """The value of each measure for each topic of the block.

    A topic's values depend on nothing but its own rows: cutting a block in two changes no bit.

    Parameters
    ----------
    measures : `gmax` resolved where the formula reads it, a cutoff where one is needed.
    judgments, hits : the block.
    expected_ties : expectations over random orders of equal scores instead of the values of the
        order that the hits are in.

    Returns
    -------
    values : [n_queries, n_measures]; 0.0 where a value is not defined, never NaN.
    valid : the same shape; false where the measure is not defined for the topic. A topic without
        relevant documents is defined: it has the value that the family's declaration says.

    Raises
    ------
    MeasureError
        A measure that is incomplete, that has no expectation over ties, or that cannot be
        computed from the grades of the block.
    """
    for measure in measures:
        require_complete(measure)
        if expected_ties:
            _require_expectation(measure)
    values = np.zeros((judgments.n_queries, len(measures)))
    valid = np.ones(values.shape, np.bool_)
    views: dict[tuple[str, bool], object] = {}
    for column, measure in enumerate(measures):
        family, given = measure.definition, measure.values
        condensed = bool(given.pop("condensed", False))
        if (family.view, condensed) not in views:
            view = VIEWS[family.view](judgments, hits, condensed, expected_ties)
            views[family.view, condensed] = view
        found = family.function(views[family.view, condensed], **given)
        if isinstance(found, tuple):
            found, valid[:, column] = found
        _require_finite(measure, found)
        values[:, column] = np.where(valid[:, column], found, 0.0)
    return values, valid


def require_complete(measure: Measure) -> None:
    """MeasureError when the measure lacks a cutoff or a largest grade that its formula reads."""
    if measure.lacks_cutoff:
        raise no_cutoff(measure)
    if measure.lacks_gmax:
        example = measure(gmax=3)
        raise MeasureError(
            f"{measure} needs the largest grade of the collection",
            f"write for example {example}, or resolve it: measure.resolve(max_grade)",
        )


def _require_expectation(measure: Measure) -> None:
    if measure.definition.ties == "ordered":
        able = ", ".join(name for name, family in CATALOG.items() if family.ties != "ordered")
        raise MeasureError(
            f"{measure} has no expectation over tied scores",
            f"measures that have one: {able}",
        )


def _require_finite(measure: Measure, found: Floats) -> None:
    if not np.isfinite(found).all():
        raise MeasureError(
            f"{measure} is not a finite number on these grades",
            'rescale the grades, or use gain="linear" or a table of gains',
        )
