"""The scale that labels are given on: from the caller, from the rubric in the rows, or only from
the grades that were seen, which a later label may pass."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from cranfield.errors import UsageError
from cranfield.judging.labels import Labels
from cranfield.judging.sets import LabelSet
from cranfield.kit.arguments import positive

From = Literal["given", "rubric", "seen", "none"]


@dataclass(frozen=True)
class Scale:
    """The grades from 0 to `top` that a label may give.

    Parameters
    ----------
    source : "given" by the caller; "rubric": the rows name rubrics whose grades are known; "seen":
        the largest grade so far; "none": nothing is graded above 0, and 1 is supposed.
    rubrics : versions that say so.
    """

    top: float
    source: From
    rubrics: tuple[str, ...] = ()

    @property
    def sure(self) -> bool:
        """Whether somebody said so; else a label may have a larger grade than any so far."""
        return self.source in ("given", "rubric")


def scale_of(
    sets: Iterable[LabelSet], given: float | None = None, labels: Labels | None = None
) -> Scale:
    """The scale of labels.

    Parameters
    ----------
    given : the largest grade, as the caller says.
    labels : the store they are from, which keeps in full the rubrics that models were asked by.

    Raises
    ------
    UsageError
        `given` is no number above 0, or less than a grade there is.
    """
    sets = tuple(sets)
    seen = max((float(s.qrels.max_grade) for s in sets), default=0.0)
    if given is not None:
        top = positive("scale", given)
        if top < seen:
            raise UsageError(f"the scale ends at {top:g}, and there are grades of {seen:g}")
        return Scale(top, "given")
    used = dict.fromkeys(j.rubric for s in sets for j in s.judgments if j.rubric)
    known = {**_asked(labels), **_bundled(), **_told(sets)} if used else {}
    tops = {version: known[version] for version in used if version in known}
    top = max(tops.values(), default=0.0)
    if tops and top >= seen:
        return Scale(top, "rubric", tuple(v for v in tops if tops[v] == top))
    return Scale(seen, "seen") if seen > 0 else Scale(1.0, "none")


@cache
def _bundled() -> dict[str, float]:
    """{version: largest grade} of the rubrics that come with the package."""
    from cranfield.judging.llm.rubric import bundled, read_rubric

    found = [read_rubric(name) for name in bundled()]
    return {r.version: float(r.scale[-1]) for r in found if r.grades}


def _told(sets: Iterable[LabelSet]) -> dict[str, float]:
    """The same of those that people judged by at a desk, which says it in each row."""
    rows = (j for s in sets for j in s.judgments if j.rubric)
    return {j.rubric: float(j.details["scale"]) for j in rows if "scale" in j.details}


def _asked(labels: Labels | None) -> dict[str, float]:
    """The same of those that models were asked by, which a store keeps in full."""
    found: dict[str, float] = {}
    for row in labels.database.rows("askings", {}) if labels is not None else ():
        said: dict[str, Any] = json.loads(row["content"])
        grades = [g["grade"] for g in said.get("rubric_in_full", {}).get("grades", ())]
        if grades:
            found[str(said.get("rubric", ""))] = float(max(grades))
    return found
