"""Rows of files beside those of a store: which are new, which are there already, and what they
change."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cranfield.judging.interchange.origin import Brought
from cranfield.judging.interchange.rows import Row
from cranfield.judging.preferences import Preference
from cranfield.judging.tables import TABLES

# In the details of a row of a model: the number of the row that says in full what it was asked.
# Of another store that number means nothing here, and is kept under the second name.
ASKING, ASKING_THERE = "asking", "asking_there"


@dataclass
class _Known:
    """A row of the store, or one that will be; `number` is its own, or -n for the n-th to come."""

    row: Row
    number: int
    said: Hashable
    file: int  # the how manieth file it came with; 0 for those of the store
    undone: bool = False


@dataclass(eq=False)
class Bringing:
    """Takes file after file; `rows` are then what is to be recorded, in this order."""

    at: str  # of rows that have no time
    rows: list[Row] = field(default_factory=list)
    _of: dict[Hashable, list[_Known]] = field(default_factory=dict)
    _same: dict[Hashable, list[_Known]] = field(default_factory=dict)
    _numbered: dict[int, _Known] = field(default_factory=dict)
    _file: int = 0

    def start(self, stored: Sequence[Row]) -> None:
        """The rows of the store, at least those of the queries that come."""
        for row in stored:
            self._keep(row, row.id)

    def take(self, given: Sequence[Row]) -> Brought:
        """The rows of a file, whose undoings name their row by -n for the n-th of them."""
        self._file += 1
        touched = {_about(row) for row in given}
        before = {about: _said(self._standing(about)) for about in touched}
        places: list[_Known] = []
        used: dict[Hashable, int] = {}
        there = 0
        for row in given:
            target = places[-row.undoes - 1] if row.undoes else None
            said = self._identity(row, target)
            found = self._there(row, target, said, used)
            there += found is not None
            places.append(found or self._add(row, target))
        after = {about: _said(self._standing(about)) for about in touched}
        changed = sum(before[a] is not None and after[a] != before[a] for a in touched)
        return Brought(len(given) - there, there, changed)

    def _there(
        self, row: Row, target: _Known | None, said: Hashable, used: dict[Hashable, int]
    ) -> _Known | None:
        """The row of the store that this one is. With a time it is one that says the same at that
        time; without, what stands of its judge, if that says the same."""
        if target is not None and target.undone:
            return target  # somebody took it back already
        if row.at:
            n = used.get(said, 0)
            same = [k for k in self._same.get(said, ()) if k.file < self._file]
            if n >= len(same):
                return None
            used[said] = n + 1
            return same[n]
        standing = None if target is not None else self._standing(_about(row))
        return standing if standing and _plain(standing.row) == _plain(row) else None

    def _add(self, row: Row, target: _Known | None) -> _Known:
        details = dict(row.details)
        if ASKING in details:
            details[ASKING_THERE] = details.pop(ASKING)
        undoes = None if target is None else target.number
        self.rows.append(replace(row, details=details, undoes=undoes, id=0))
        old = self._standing(_about(row))
        at = row.at or max(self.at, old.row.at if old else "")  # as `times` does
        return self._keep(replace(row, at=at, undoes=undoes), -len(self.rows))

    def _keep(self, row: Row, number: int) -> _Known:
        target = self._numbered.get(row.undoes) if row.undoes else None
        if target is not None:
            target.undone = True
        known = _Known(row, number, self._identity(row, target), self._file)
        self._numbered[number] = known
        self._of.setdefault(_about(row), []).append(known)
        self._same.setdefault(known.said, []).append(known)
        return known

    def _standing(self, about: Hashable) -> _Known | None:
        alive = [k for k in self._of.get(about, ()) if not k.undone and k.row.state != "undone"]
        return max(enumerate(alive), key=lambda x: (x[1].row.at, x[0]))[1] if alive else None

    def _identity(self, row: Row, target: _Known | None) -> Hashable:
        """All that a row says, with what it takes back."""
        details = {k: v for k, v in row.details.items() if k not in (ASKING, ASKING_THERE)}
        kept = json.dumps(details, sort_keys=True, default=str)
        return (*_plain(row), row.at, row.seconds, kept, target and target.said)


def _table(row: Row) -> str:
    return "preferences" if isinstance(row, Preference) else "judgments"


def _plain(row: Row) -> tuple[Any, ...]:
    """What is said, by whom, of what: all but when and how long it took."""
    others = ("at", "seconds", "details", "undoes")
    return tuple(getattr(row, c) for c in TABLES[_table(row)] if c not in others)


def _about(row: Row) -> Hashable:
    docs = (row.doc_a, row.doc_b) if isinstance(row, Preference) else (row.doc,)
    return (row.query, *docs, row.judge)


def _said(known: _Known | None) -> Hashable:
    if known is None:
        return None
    row = known.row
    return row.state, row.better if isinstance(row, Preference) else row.grade
