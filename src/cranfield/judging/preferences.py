"""Preferences in the label store: which of two documents answers a query better.

A row holds one question, with the documents in the order in which they were shown. As with
judgments nothing is overwritten: another answer is a new row, and so is taking one back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from cranfield.errors import InputError, UnknownName, UsageError
from cranfield.judging.judgment import ALL, Judge, Judgment, Wanted
from cranfield.judging.labels import Labels, newest, times
from cranfield.judging.tables import TABLES

TABLE = "preferences"
BETTER = ("a", "b", "tie")


@dataclass(frozen=True)
class Preference:
    """A row: of `doc_a`, shown first, and `doc_b` the better one, `a`, `b` or `tie`; None unless
    the state is `graded`. The other fields are those of a `Judgment`."""

    query: str
    doc_a: str
    doc_b: str
    better: str | None = None
    state: str = "graded"
    source: str = "human"
    assessor: str = ""
    model: str = ""
    prompt: str = ""
    sample: int = 0
    rubric: str = ""
    reason: str = ""
    at: str = ""
    seconds: float | None = None
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)
    undoes: int | None = None
    id: int = 0

    def __post_init__(self) -> None:
        where = f"query {self.query!r}, documents {self.doc_a!r} and {self.doc_b!r}"
        if self.doc_a == self.doc_b:
            raise InputError(f"{where}: no document is better than itself")
        if (self.better is not None) != (self.state == "graded"):
            raise InputError(f"{where}: the state {self.state!r} goes with {self.better!r}")
        if self.better is not None and self.better not in BETTER:
            raise InputError(f"{where}: better is {self.better!r}", f"one of {', '.join(BETTER)}")
        if (self.undoes is not None) != (self.state == "undone"):
            raise InputError(f"{where}: only a row that is undone names the row that it undoes")
        for doc in (self.doc_a, self.doc_b):  # what holds of a judgment holds of these
            self._judgment(doc)

    @property
    def judge(self) -> Judge:
        return self._judgment(self.doc_a).judge

    @property
    def pair(self) -> tuple[str, str, str]:
        """The query and the two documents, in the order of their ids."""
        first, second = sorted((self.doc_a, self.doc_b))
        return self.query, first, second

    @property
    def winner(self) -> str | None:
        """The better document; None for a tie or no answer."""
        return {"a": self.doc_a, "b": self.doc_b}.get(self.better or "")

    def _judgment(self, doc: str) -> Judgment:
        state: Any = "unsure" if self.state in ("graded", "undone") else self.state
        source: Any = self.source
        return Judgment(
            self.query,
            doc,
            state=state,
            source=source,
            assessor=self.assessor,
            model=self.model,
            prompt=self.prompt,
            sample=self.sample,
            rubric=self.rubric,
            reason=self.reason,
        )


def record_preferences(labels: Labels, given: Iterable[Preference]) -> tuple[Preference, ...]:
    """Add preferences, all of them or none; as they are kept, with number and time.

    Raises
    ------
    UsageError
        A row that is to be undone has been undone already.
    """
    found = list(given)
    if not found:
        return ()
    at = times(labels.database, TABLE, found, labels.time())
    rows = [replace(p, at=t) for p, t in zip(found, at, strict=True)]
    numbers = labels.database.add(TABLE, [_to_row(p) for p in rows])
    kept = (replace(p, id=n) for p, n in zip(rows, numbers, strict=True))
    return tuple(
        replace(p, undoes=numbers[-p.undoes - 1]) if p.undoes and p.undoes < 0 else p for p in kept
    )


def undo(labels: Labels, number: int, reason: str = "") -> Preference:
    """Take one row back: what its judge said before to the same question counts again, if
    anything.

    Raises
    ------
    UnknownName
        There is no row of this number.
    UsageError
        It has been undone already, or is itself an undoing.
    """
    found = labels.database.rows(TABLE, {"id": [number]})
    if not found:
        raise UnknownName(f"no preference number {number}", f"there are 1 to {last(labels)}")
    old = _from_row(found[0])
    if old.state == "undone":
        raise UsageError(f"preference {number} undoes another", "judge the two documents again")
    taken = replace(
        old, better=None, state="undone", reason=reason, at="", seconds=None, details={},
        undoes=number, id=0,
    )  # fmt: skip
    return record_preferences(labels, [taken])[0]


def history(labels: Labels, wanted: Wanted = ALL, *, after: int = 0) -> tuple[Preference, ...]:
    """Every row, changed and undone ones too, in the order in which they came."""
    found = labels.database.rows(TABLE, wanted.columns(), after=after)
    return tuple(_from_row(row) for row in found)


def standing(rows: Iterable[Preference]) -> tuple[Preference, ...]:
    """Of rows those that count: the newest of each judge and question that is not undone.
    The same documents in the other order are another question."""
    return newest(rows, lambda p: (p.query, p.doc_a, p.doc_b, p.judge))


def current_preferences(labels: Labels, wanted: Wanted = ALL) -> tuple[Preference, ...]:
    """What each judge says now to each question, in the order in which the rows came."""
    rows = standing(history(labels, replace(wanted, states=())))
    return tuple(p for p in rows if not wanted.states or p.state in wanted.states)


def last(labels: Labels) -> int:
    """The number of the last row, 0 where there is none."""
    return labels.database.last(TABLE)


def as_record(preference: Preference) -> dict[str, Any]:
    """For JSON: everything that is said, without what is empty."""
    row = asdict(replace(preference, details={}))
    row["details"] = dict(preference.details)
    return {k: v for k, v in row.items() if v not in ("", None, {}) and (k, v) != ("sample", 0)}


def _from_row(row: Mapping[str, Any]) -> Preference:
    return Preference(**{**row, "details": json.loads(row["details"])})


def _to_row(preference: Preference) -> dict[str, Any]:
    row = {name: getattr(preference, name) for name in TABLES[TABLE]}
    row["details"] = json.dumps(dict(preference.details), sort_keys=True, allow_nan=False)
    return row
