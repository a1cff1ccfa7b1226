"""The label store in PostgreSQL, for a team (the extra `postgres`: SQLAlchemy and psycopg)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cranfield.errors import InputError, MissingExtra, NoSuchInput, UsageError
from cranfield.judging.sqlite import UNDONE_ALREADY, pointed
from cranfield.judging.tables import (
    ADDED,
    EMPTY,
    FOUND_BY,
    OCCUPIED,
    ONCE,
    RULES,
    TABLES,
    VERSION,
    Row,
    column_of,
)

PREFIX = "cranfield_"  # of the tables, which may stand beside others
_LOCK = 0x43524E4A  # held while tables are made, so that two do not make them at once
_GUARD = f"""
CREATE OR REPLACE FUNCTION {PREFIX}only_added_to() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the label store is only added to'; END $$"""


class PostgresLabels:
    """A `Database` in PostgreSQL; its tables are made at the first use.

    Parameters
    ----------
    url : `postgresql://user@host:port/database`; the password may come from PGPASSWORD or
        ~/.pgpass. `?options=-csearch_path%3Dshop` keeps the tables in a schema of their own.

    Raises
    ------
    MissingExtra
        SQLAlchemy or psycopg is not installed.
    UsageError
        The address is none.
    NoSuchInput
        The server does not answer, or refuses.
    InputError
        The tables there were made by a newer Cranfield.
    """

    def __init__(self, url: str) -> None:
        try:
            import psycopg  # noqa: F401
            import sqlalchemy
        except ImportError:
            raise MissingExtra("a label store in PostgreSQL", "postgres") from None
        self._sql = sqlalchemy
        try:
            address = sqlalchemy.make_url(url)
        except (sqlalchemy.exc.ArgumentError, ValueError):
            raise UsageError(
                "the address of the label store cannot be read",
                "for example postgresql://user@host/database",
            ) from None
        self.name = address.render_as_string(hide_password=True)
        self._engine = sqlalchemy.create_engine(
            address.set(drivername="postgresql+psycopg"), pool_pre_ping=True
        )
        self._tables = self._described()
        self._ready = False

    def add(self, table: str, rows: Sequence[Row]) -> list[int]:
        if not rows:
            return []
        where = self._tables[table]
        statement = self._sql.insert(where).returning(where.c.id, sort_by_parameter_order=True)
        with self._transaction() as db:
            # one writer at a time, so that the numbers rise in the order of the commits
            db.execute(self._sql.text(f"LOCK TABLE {where.name} IN SHARE ROW EXCLUSIVE MODE"))
            numbers: list[int] = []
            for together in _stretches(rows):
                given = [{**row, **pointed(row, numbers)} for row in together]
                numbers += [int(n) for n in db.execute(statement, given).scalars()]
        return numbers

    def fill(self, tables: Mapping[str, Sequence[Row]]) -> None:
        text = self._sql.text
        with self._transaction() as db:
            for table in TABLES:
                db.execute(text(f"LOCK TABLE {PREFIX}{table} IN SHARE ROW EXCLUSIVE MODE"))
                if db.execute(text(f"SELECT 1 FROM {PREFIX}{table} LIMIT 1")).first():
                    raise UsageError(OCCUPIED, EMPTY)
            for table, rows in tables.items():
                columns = ["id", *TABLES[table]]
                places = ", ".join(f":{c}" for c in columns)
                if rows:
                    # numbers are the server's to give, unless it is told otherwise
                    db.execute(
                        text(
                            f"INSERT INTO {PREFIX}{table} ({', '.join(columns)}) "
                            f"OVERRIDING SYSTEM VALUE VALUES ({places})"
                        ),
                        [{c: column_of(row, table, c) for c in columns} for row in rows],
                    )
                    name, top = PREFIX + table, max(row["id"] for row in rows)
                    db.execute(
                        text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :top)"),
                        {"name": name, "top": top},
                    )

    def rows(
        self, table: str, where: Mapping[str, Sequence[Any]], *, after: int = 0
    ) -> list[Mapping[str, Any]]:
        found = self._tables[table]
        asked = self._sql.select(found).where(found.c.id > after).order_by(found.c.id)
        for column, allowed in where.items():
            asked = asked.where(found.c[column] == self._sql.any_(list(allowed)))
        with self._transaction() as db:
            return [dict(row) for row in db.execute(asked).mappings()]

    def last(self, table: str) -> int:
        with self._transaction() as db:
            asked = self._sql.select(self._sql.func.max(self._tables[table].c.id))
            return int(db.execute(asked).scalar() or 0)

    def close(self) -> None:
        self._engine.dispose()

    def _described(self) -> dict[str, Any]:
        sql = self._sql
        kinds = {"text": sql.Text, "number": sql.Double, "whole": sql.BigInteger}
        data = sql.MetaData()
        made = {}
        for table, columns in TABLES.items():
            parts: list[Any] = [
                sql.Column(
                    name,
                    kinds[kind],
                    nullable=missing,
                    unique=(table, name) in ONCE or None,
                )
                for name, (kind, missing) in columns.items()
            ]
            if table in FOUND_BY:
                parts.append(sql.Index(f"{PREFIX}{table}_by", *FOUND_BY[table]))
            if table in RULES:
                parts.append(sql.CheckConstraint(RULES[table]))
            number = sql.Column("id", sql.BigInteger, sql.Identity(always=True), primary_key=True)
            made[table] = sql.Table(PREFIX + table, data, number, *parts)
        made["version"] = sql.Table(PREFIX + "version", data, sql.Column("version", sql.Integer))
        return made

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Any]:
        """A connection whose changes are made together at the end, or none of them; the server's
        errors in our words, without a password."""
        errors = self._sql.exc
        try:
            with self._engine.begin() as db:
                if not self._ready:
                    self._make(db)
                yield db
            self._ready = True
        except errors.IntegrityError as e:
            if "undoes" not in str(e.orig) or "unique" not in str(e.orig):
                raise
            raise UsageError(UNDONE_ALREADY) from None
        except (errors.OperationalError, errors.ProgrammingError, errors.InternalError) as e:
            why = str(e.orig).strip().splitlines()[0]
            raise NoSuchInput(
                f"the label store {self.name} cannot be used: {why}",
                "is the server there, and may this user write?",
            ) from None

    def _make(self, db: Any) -> None:
        """Bring the tables to this version."""
        sql = self._sql
        db.execute(sql.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        if not sql.inspect(db).has_table(PREFIX + "version"):
            self._tables["version"].metadata.create_all(db)
            db.execute(sql.text(_GUARD))
            for table in TABLES:
                db.execute(
                    sql.text(
                        f"CREATE TRIGGER {PREFIX}{table}_guard BEFORE UPDATE OR DELETE OR TRUNCATE "
                        f"ON {PREFIX}{table} EXECUTE FUNCTION {PREFIX}only_added_to()"
                    )
                )
            db.execute(sql.insert(self._tables["version"]), [{"version": VERSION}])
        version = db.execute(sql.select(self._tables["version"].c.version)).scalar()
        if version is None or version > VERSION:
            raise InputError(
                f"the label store {self.name} was written by a newer Cranfield (version {version} "
                f"of its tables; this one knows {VERSION})",
                "update: pip install --upgrade cranfield",
            )
        for later in range(version + 1, VERSION + 1):
            self._add(db, *ADDED[later])
        if version < VERSION:
            db.execute(sql.update(self._tables["version"]).values(version=VERSION))

    def _add(self, db: Any, table: str, column: str) -> None:
        """Bring a column to a table that was made without it."""
        kind = self._tables[table].c[column].type.compile(dialect=self._engine.dialect)
        once = " UNIQUE" if (table, column) in ONCE else ""
        db.execute(self._sql.text(f"ALTER TABLE {PREFIX}{table} ADD COLUMN {column} {kind}{once}"))


def _stretches(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The rows cut before each that undoes one of them, whose number has to be known by then."""
    together: list[Row] = []
    for row in rows:
        if together and (row.get("undoes") or 0) < 0:
            yield together
            together = []
        together.append(row)
    yield together
