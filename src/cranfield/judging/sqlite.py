"""The label store in one SQLite file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cranfield.errors import UsageError
from cranfield.judging.tables import (
    ADDED,
    EMPTY,
    FOUND_BY,
    OCCUPIED,
    ONCE,
    RULES,
    TABLES,
    Row,
    column_of,
)
from cranfield.kit.store import PATIENCE, Store

APPLICATION = 0x43524E4A  # "CRNJ"
_TYPES = {"text": "TEXT", "number": "REAL", "whole": "INTEGER"}
UNDONE_ALREADY = "somebody has undone that judgment already"


def _statements() -> tuple[str, ...]:
    """The first tables. A step is never changed once it has been released."""
    made = []
    for table, columns in TABLES.items():
        lines = ["id INTEGER PRIMARY KEY AUTOINCREMENT"]
        for name, (kind, missing) in columns.items():
            if (table, name) in ADDED.values():
                continue
            once = " UNIQUE" if (table, name) in ONCE else ""
            lines.append(f"{name} {_TYPES[kind]}{'' if missing else ' NOT NULL'}{once}")
        lines += [f"CHECK ({RULES[table]})"] if table in RULES else []
        made.append(f"CREATE TABLE {table} ({', '.join(lines)})")
        if table in FOUND_BY:
            made.append(f"CREATE INDEX {table}_by ON {table} ({', '.join(FOUND_BY[table])})")
        made += [
            f"""CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table}
            BEGIN SELECT RAISE(ABORT, 'the label store is only added to'); END"""
            for verb in ("UPDATE", "DELETE")
        ]
    return tuple(made)


def _later() -> tuple[tuple[str, ...], ...]:
    """The steps that lead to the later versions."""
    steps = []
    for table, name in ADDED.values():
        made = [f"ALTER TABLE {table} ADD COLUMN {name} {_TYPES[TABLES[table][name][0]]}"]
        if (table, name) in ONCE:
            made.append(f"CREATE UNIQUE INDEX {table}_{name} ON {table} ({name})")
        steps.append(tuple(made))
    return tuple(steps)


def pointed(row: Row, numbers: Sequence[int]) -> dict[str, int]:
    """What stands instead of an undoing of the n-th row of those that were just added."""
    undoes = row.get("undoes")
    return {"undoes": numbers[-undoes - 1]} if undoes is not None and undoes < 0 else {}


class SQLiteLabels:
    """A `Database` in a file; made at the first row that is added.

    Raises
    ------
    As `Store`.
    """

    def __init__(self, path: Path, *, patience: float = PATIENCE) -> None:
        self.store = Store(
            path,
            (_statements(), *_later()),
            application_id=APPLICATION,
            what="the label store",
            patience=patience,
        )
        self.name = str(path)

    def add(self, table: str, rows: Sequence[Row]) -> list[int]:
        columns = list(TABLES[table])
        statement = (
            f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        )
        numbers: list[int] = []
        with self.store.transaction() as db:
            for row in rows:
                try:
                    values = {**row, **pointed(row, numbers)}
                    done = db.execute(statement, [values[c] for c in columns])
                except sqlite3.IntegrityError as e:
                    if "UNIQUE" not in str(e):
                        raise
                    raise UsageError(UNDONE_ALREADY) from None
                numbers.append(int(done.lastrowid or 0))
        return numbers

    def fill(self, tables: Mapping[str, Sequence[Row]]) -> None:
        with self.store.transaction() as db:
            for table in TABLES:
                if db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():
                    raise UsageError(OCCUPIED, EMPTY)
            for table, rows in tables.items():
                columns = ["id", *TABLES[table]]
                db.executemany(
                    f"INSERT INTO {table} ({', '.join(columns)}) "
                    f"VALUES ({', '.join('?' * len(columns))})",
                    [[column_of(row, table, c) for c in columns] for row in rows],
                )

    def rows(
        self, table: str, where: Mapping[str, Sequence[Any]], *, after: int = 0
    ) -> list[Mapping[str, Any]]:
        conditions = ["id > ?"]
        values: list[Any] = [after]
        for column, allowed in where.items():
            # as JSON, so that there may be more values than SQLite takes parameters
            conditions.append(f"{column} IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(list(allowed)))
        found = self.store.rows(
            f"SELECT * FROM {table} WHERE {' AND '.join(conditions)} ORDER BY id", values
        )
        return [dict(row) for row in found]

    def last(self, table: str) -> int:
        found = self.store.rows(f"SELECT max(id) FROM {table}")
        return int(found[0][0] or 0) if found else 0

    def close(self) -> None:
        self.store.close()
