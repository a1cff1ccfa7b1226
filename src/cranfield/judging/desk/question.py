"""What people are asked at a desk: how good a document is, or which of two is better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cranfield.judging import preferences
from cranfield.judging.desk.pairs import Pair
from cranfield.judging.judgment import Judgment, Wanted
from cranfield.judging.labels import Labels, standing
from cranfield.judging.llm.rubric import Rubric
from cranfield.judging.preferences import BETTER, Preference

Row = Judgment | Preference
Said = int | str
ASIDE = ("unsure", "skip")  # what can be said to any question


class Question(Protocol):
    """One kind of question, as rows of its own table of the store."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the parts of a pair, in addresses and forms."""
        ...

    @property
    def answers(self) -> tuple[Said, ...]:
        """What can be said."""
        ...

    def history(self, labels: Labels, wanted: Wanted, after: int) -> Sequence[Any]: ...

    def standing(self, rows: Iterable[Any]) -> Sequence[Any]: ...

    def last(self, labels: Labels) -> int:
        """The number of the last row of the table."""
        ...

    def record(self, labels: Labels, row: Any) -> Any: ...

    def undo(self, labels: Labels, number: int) -> None: ...

    def pair(self, row: Any) -> Pair:
        """What a row is about."""
        ...

    def row(self, pair: Pair, said: Said, common: Mapping[str, Any]) -> Any: ...

    def said(self, row: Any) -> Said:
        """The answer that a row holds."""
        ...


@dataclass(frozen=True)
class HowGood:
    """A document gets a grade of the rubric."""

    rubric: Rubric
    names: tuple[str, ...] = ("query", "doc")

    @property
    def answers(self) -> tuple[Said, ...]:
        return (*self.rubric.scale, *ASIDE)

    def history(self, labels: Labels, wanted: Wanted, after: int) -> tuple[Judgment, ...]:
        return labels.history(wanted, after=after)

    def standing(self, rows: Iterable[Judgment]) -> tuple[Judgment, ...]:
        return standing(rows)

    def last(self, labels: Labels) -> int:
        return labels.last()

    def record(self, labels: Labels, row: Judgment) -> Judgment:
        return labels.record([row])[0]

    def undo(self, labels: Labels, number: int) -> None:
        labels.undo(number)

    def pair(self, row: Judgment) -> Pair:
        return row.pair

    def row(self, pair: Pair, said: Said, common: Mapping[str, Any]) -> Judgment:
        query, doc = pair
        if isinstance(said, str):
            state: Any = said
            return Judgment(query, doc, state=state, **common)
        return Judgment(query, doc, float(said), **common)

    def said(self, row: Judgment) -> Said:
        return row.state if row.grade is None else int(row.grade)


@dataclass(frozen=True)
class WhichBetter:
    """Of two documents, in the order in which they are shown, the first (`a`) is better, the
    second (`b`), or neither (`tie`)."""

    names: tuple[str, ...] = ("query", "doc_a", "doc_b")
    answers: tuple[Said, ...] = (*BETTER, *ASIDE)

    def history(self, labels: Labels, wanted: Wanted, after: int) -> tuple[Preference, ...]:
        return preferences.history(labels, wanted, after=after)

    def standing(self, rows: Iterable[Preference]) -> tuple[Preference, ...]:
        return preferences.standing(rows)

    def last(self, labels: Labels) -> int:
        return preferences.last(labels)

    def record(self, labels: Labels, row: Preference) -> Preference:
        return preferences.record_preferences(labels, [row])[0]

    def undo(self, labels: Labels, number: int) -> None:
        preferences.undo(labels, number)

    def pair(self, row: Preference) -> Pair:
        return row.query, row.doc_a, row.doc_b

    def row(self, pair: Pair, said: Said, common: Mapping[str, Any]) -> Preference:
        query, a, b = pair
        if said in BETTER:
            return Preference(query, a, b, str(said), **common)
        return Preference(query, a, b, state=str(said), **common)

    def said(self, row: Preference) -> Said:
        return row.better or row.state


def question_of(rubric: Rubric) -> Question:
    """What a rubric asks."""
    return HowGood(rubric) if rubric.kind == "grades" else WhichBetter()
