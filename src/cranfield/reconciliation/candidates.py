"""Combinations of conventions for one measure on given data: which can matter, and their values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from cranfield.reconciliation.conventions import (
    AXES,
    Conventions,
    asked_conventions,
    differences,
)
from cranfield.reconciliation.material import Material
from cranfield.reconciliation.tools import profiles_of
from cranfield.reconciliation.values import DCG_FAMILIES, DIVIDED, NEGATIVE_COUNTS, Values

ALWAYS = ("gain", "ideal", "divisor", "rounding")  # need nothing odd in the data to matter


@dataclass(frozen=True)
class Candidate:
    """A combination and its value.

    Parameters
    ----------
    value : NaN where no query counts, as `n` says
    changed : {axis: answer} where it differs from what Cranfield does when asked
    tools : those that do so as they come
    notes : what else is known about them
    """

    conventions: Conventions
    value: float
    n: int
    changed: dict[str, Any]
    tools: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass
class Candidates:
    """Values by combination, and the answers worth trying."""

    material: Material
    values: Values
    query: str | None

    def __post_init__(self) -> None:
        self.base = asked_conventions(self.values.measure)
        self.profiles = profiles_of(self.values.measure, self.base)
        self.number = None if self.query is None else self.material.number(self.query)
        self.facts = self.material.facts_of(self.number)

    def candidate(self, c: Conventions) -> Candidate:
        value, n = self.values.mean(c, self.number)
        same = [p for p, says in self.profiles if self._same(says, c)]
        return Candidate(c, value, n, self._told(c), tuple(dict.fromkeys(p.tool for p in same)))

    def _told(self, c: Conventions) -> dict[str, Any]:
        """What differs from the base, without what cannot matter for this measure and data."""
        return {a: v for a, v in differences(self.base, c).items() if self._matters(a)}

    def _same(self, one: Conventions, other: Conventions) -> bool:
        return all(getattr(one, a) == getattr(other, a) for a in AXES if self._matters(a))

    def tools(self) -> Iterator[Candidate]:
        """A candidate for each group of tools that agree wherever it can matter."""
        seen: list[Conventions] = []
        for _, says in self.profiles:
            if any(self._same(says, other) for other in seen):
                continue
            seen.append(says)
            notes = tuple(
                f"{p.tool}: {p.note}"
                for p, other in self.profiles
                if p.note and self._same(says, other)
            )
            yield replace(self.candidate(says), notes=notes)

    def answers(self) -> dict[str, list[Any]]:
        """{axis: the answers other than the base's}, for axes that can matter."""
        found = {axis: self._choices(axis) for axis in AXES if self._matters(axis)}
        return {
            axis: others
            for axis, choices in found.items()
            if (others := [x for x in choices if x != getattr(self.base, axis)])
        }

    def users(self) -> dict[str, dict[Any, tuple[str, ...]]]:
        """{axis: {answer: tools that give it}} for axes that can matter."""
        table: dict[str, dict[Any, tuple[str, ...]]] = {}
        for axis in filter(self._matters, AXES):
            for answer in self._choices(axis):
                tools = (p.tool for p, says in self.profiles if getattr(says, axis) == answer)
                table.setdefault(axis, {})[answer] = tuple(dict.fromkeys(tools))
        return table

    def _matters(self, axis: str) -> bool:
        """Whether the axis can change the value of this measure on these data."""
        measure = self.values.measure
        family, graded = measure.family, measure.family in DCG_FAMILIES
        here = axis in ALWAYS or axis in self.facts
        counts = measure.definition.aggregate == "sum"
        able = {
            "no_answer": not counts,
            "rounding": not counts,
            "gain": graded and self.base.gain != "asked" and "gain" in self.facts,
            "rel": "rel" in measure.values,
            "ideal": family == "nDCG",
            "divisor": family in DIVIDED and not measure.condensed and self._can_divide(),
            "ties": measure.definition.ties != "order-free",
            "width": measure.definition.ties != "order-free",
            "negative": graded or measure.condensed or family in NEGATIVE_COUNTS,
        }
        return here and able.get(axis, True)

    def _can_divide(self) -> bool:
        return self.values.measure.family == "AP" or self.values.measure.cutoff is not None

    def _choices(self, axis: str) -> list[Any]:
        measure = self.values.measure
        if axis == "rel":
            return [g for g in self.material.qrels.levels.tolist() if g > 0][:4]
        choices = list(AXES[axis].answers) or ["standard", "min", "found"]
        left_out = {
            "gain": {"asked"},
            "ties": set() if measure.definition.ties == "expected" else {"average"},
            "divisor": {"found"}
            if measure.family != "AP"
            else set()
            if measure.cutoff is not None
            else {"min"},
            "negative": set()
            if measure.family in DCG_FAMILIES and not measure.condensed
            else {"gain"},
            "ideal": set() if measure.cutoff is not None else {"top", "uncut", "depth"},
        }
        return [c for c in choices if c not in left_out.get(axis, set())]
