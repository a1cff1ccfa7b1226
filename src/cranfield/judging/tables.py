"""The tables of the label store, described once for both databases, and the one thing that a
database has to do for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

Kind = Literal["text", "number", "whole"]
Row = Mapping[str, Any]

# {column: (kind, whether it may be missing)}: who said something and how, of a judgment and of a
# preference alike.
SAID: dict[str, tuple[Kind, bool]] = {
    "state": ("text", False),
    "source": ("text", False),
    "assessor": ("text", False),
    "model": ("text", False),
    "prompt": ("text", False),
    "sample": ("whole", False),
    "rubric": ("text", False),
    "reason": ("text", False),
    "seconds": ("number", True),
    "details": ("text", False),  # JSON
}
# {table: columns}; every table has a number `id` as well.
TABLES: dict[str, dict[str, tuple[Kind, bool]]] = {
    "judgments": {
        "at": ("text", False),  # UTC, ISO 8601
        "query": ("text", False),
        "doc": ("text", False),
        "grade": ("number", True),
        **SAID,
        "undoes": ("whole", True),  # id of a judgment, at most once
    },
    # which of two documents answers a query better, in the order in which they were shown
    "preferences": {
        "at": ("text", False),
        "query": ("text", False),
        "doc_a": ("text", False),  # shown first
        "doc_b": ("text", False),
        "better": ("text", True),  # a, b or tie
        **SAID,
        "undoes": ("whole", True),  # id of a preference, at most once
    },
    # what models were asked, in full, and what came of it; a row when they begin, one at the end
    "askings": {
        "at": ("text", False),
        "prompt": ("text", False),  # its fingerprint
        "content": ("text", False),  # JSON
    },
    # which queries a rubric or a prompt may be tuned on, and on which its agreement is reported
    "parts": {
        "at": ("text", False),
        "seed": ("whole", False),
        "share": ("number", False),  # for tuning
        "fingerprint": ("text", False),  # of the queries to report on
        "content": ("text", False),  # JSON: {"tune": [...], "report": [...]}
    },
    # every time agreement on the queries to report on was shown
    "looks": {
        "at": ("text", False),
        "command": ("text", False),
        "part": ("text", False),  # fingerprint of the queries to report on
        "labels": ("text", False),  # JSON: what was compared, by name and fingerprint
    },
}
# Version of the tables, and what came to those of the version before: {version: (table, column)}.
VERSION = 2
ADDED = {2: ("preferences", "undoes")}
ONCE = {("judgments", "undoes"), ("preferences", "undoes")}  # no value comes twice in these columns
FOUND_BY = {"judgments": ("query", "doc"), "preferences": ("query", "doc_a")}  # an index
OCCUPIED = "the label store that is to be filled has rows already"
EMPTY = "a new file, or an empty schema; `judge import` adds rows to what is there"
RULES = {  # a check of every row
    "judgments": "(grade IS NOT NULL) = (state = 'graded')",
    "preferences": "(better IS NOT NULL) = (state = 'graded')",
}


def column_of(row: Row, table: str, column: str) -> Any:
    """What a row says; None for a column that came later than the row's store, which is read as it
    is where it may not be written and so could not be brought to this version."""
    return row.get(column) if (table, column) in ADDED.values() else row[column]


class Database(Protocol):
    """Where rows are kept. They are only ever added, several in one transaction or none."""

    name: str  # for messages, without a password

    def add(self, table: str, rows: Sequence[Row]) -> list[int]:
        """Add rows in this order; their numbers, which rise. A row that undoes -n undoes the n-th
        of these rows."""
        ...

    def fill(self, tables: Mapping[str, Sequence[Row]]) -> None:
        """Take the rows of every table of another store, with their numbers, all or none.

        Raises
        ------
        UsageError
            There is a row here already.
        """
        ...

    def rows(
        self, table: str, where: Mapping[str, Sequence[Any]], *, after: int = 0
    ) -> list[Mapping[str, Any]]:
        """Rows whose columns have one of the values given, numbered above `after`, in the order
        of their numbers. One state of the table, whoever writes meanwhile."""
        ...

    def last(self, table: str) -> int:
        """The greatest number, 0 where there is no row."""
        ...

    def close(self) -> None: ...
