"""The label store: judgments are added, never changed, and read as they stand now or as they
came."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from cranfield.errors import InputError, UnknownName, UsageError
from cranfield.judging.judgment import ALL, Judge, Judgment, Wanted
from cranfield.judging.tables import FOUND_BY, TABLES, Database
from cranfield.kit.clock import Clock, now, written

FILE = ".cranfield/labels.sqlite"  # in a lab
ADDRESS = "CRANFIELD_LABELS"  # a path or an address that stands for --labels


class Recorded(Protocol):
    """What judgments and preferences have in common."""

    @property
    def query(self) -> str: ...
    @property
    def state(self) -> str: ...
    @property
    def at(self) -> str: ...
    @property
    def undoes(self) -> int | None: ...
    @property
    def id(self) -> int: ...


R = TypeVar("R", bound=Recorded)


class Labels:
    """Judgments in a database.

    Parameters
    ----------
    database : see `open_labels`.
    clock : what time it is; for tests.
    """

    def __init__(self, database: Database, *, clock: Clock = now) -> None:
        self.database = database
        self._clock = clock

    def __repr__(self) -> str:
        return f"Labels({self.database.name!r}: {self.last()} rows)"

    @property
    def name(self) -> str:
        return self.database.name

    def time(self) -> str:
        """Now, as it is written."""
        return written(self._clock())

    def record(self, judgments: Iterable[Judgment]) -> tuple[Judgment, ...]:
        """Add judgments in this order, all of them or none; as they are kept, with number and
        time. A judgment of a pair by a judge who judged it before is a change: the earlier row
        stays and counts no more.

        Raises
        ------
        InputError
            The details of one hold what JSON cannot.
        UsageError
            A row that is to be undone has been undone already.
        """
        given = list(judgments)
        if not given:
            return ()
        at = times(self.database, "judgments", given, self.time())
        rows = [replace(j, at=t) for j, t in zip(given, at, strict=True)]
        numbers = self.database.add("judgments", [_to_row(j) for j in rows])
        kept = (replace(j, id=n) for j, n in zip(rows, numbers, strict=True))
        return tuple(
            replace(j, undoes=numbers[-j.undoes - 1]) if j.undoes and j.undoes < 0 else j
            for j in kept
        )

    def undo(self, number: int, reason: str = "") -> Judgment:
        """Take one row back: what its judge said before of the pair counts again, if anything.

        Raises
        ------
        UnknownName
            There is no row of this number.
        UsageError
            It has been undone already, or is itself an undoing (judge again instead).
        """
        found = self.database.rows("judgments", {"id": [number]})
        if not found:
            raise UnknownName(f"no judgment number {number}", f"there are 1 to {self.last()}")
        old = _from_row(found[0])
        if old.state == "undone":
            raise UsageError(f"judgment {number} undoes another", "judge the document again")
        row = Judgment(
            old.query,
            old.doc,
            state="undone",
            source=old.source,
            assessor=old.assessor,
            model=old.model,
            prompt=old.prompt,
            sample=old.sample,
            rubric=old.rubric,
            reason=reason,
            undoes=number,
        )
        return self.record([row])[0]

    def history(self, wanted: Wanted = ALL, *, after: int = 0) -> tuple[Judgment, ...]:
        """Every row, changed and undone ones too, in the order in which they came."""
        found = self.database.rows("judgments", wanted.columns(), after=after)
        return tuple(_from_row(row) for row in found)

    def current(self, wanted: Wanted = ALL) -> tuple[Judgment, ...]:
        """What each judge says now of each pair, in the order in which the rows came."""
        rows = self.history(replace(wanted, states=()))
        return tuple(j for j in standing(rows) if not wanted.states or j.state in wanted.states)

    def last(self) -> int:
        """The number of the last row, 0 where there is none."""
        return self.database.last("judgments")

    def close(self) -> None:
        self.database.close()


def standing(rows: Iterable[Judgment]) -> tuple[Judgment, ...]:
    """Of rows those that count: of each judge and pair the newest that is not undone. Rows that
    have no number yet, as those of a file, count from 1 as they stand, and what undoes -n undoes
    the n-th."""
    return newest(rows, lambda j: (*j.pair, j.judge))


def newest(rows: Iterable[R], about: Callable[[R], Hashable]) -> tuple[R, ...]:
    """Of rows about the same the one with the latest time that is not undone, in the order of the
    rows; of one time, the last. The time is the row's own, so that rows of an older store that are
    brought in later do not count instead of newer ones."""
    listed = list(rows)
    undone = {r.undoes for r in listed if r.undoes is not None}
    latest: dict[Hashable, int] = {}
    for place, r in enumerate(listed):
        if r.state == "undone" or (r.id or -place - 1) in undone:
            continue
        what = about(r)
        if what not in latest or r.at >= listed[latest[what]].at:
            latest[what] = place
    return tuple(listed[place] for place in sorted(latest.values()))


def times(database: Database, table: str, rows: Sequence[Recorded], at: str) -> list[str]:
    """A time for each row that has none: `at`, or that of the newest row about the same if it is
    later, for what is said now is newer than what was said, whatever the clocks of a team say."""
    query, doc = FOUND_BY[table]
    fresh = [(r.query, getattr(r, doc)) for r in rows if not r.at]
    late: dict[tuple[str, str], str] = {}
    if fresh:
        asked = {query: sorted({q for q, _ in fresh}), doc: sorted({d for _, d in fresh})}
        for row in database.rows(table, asked):
            about = row[query], row[doc]
            late[about] = max(row["at"], late.get(about, at))
    return [r.at or late.get((r.query, getattr(r, doc)), at) for r in rows]


def open_labels(
    where: str | os.PathLike[str], *, clock: Clock = now, patience: float = 30.0
) -> Labels:
    """A label store: a path (SQLite) or `postgresql://…`.

    Raises
    ------
    MissingExtra, UsageError
        An address, and the extra `postgres` is not installed; an address of something else.
    """
    text = os.fspath(where)
    scheme = text.partition("://")[0] if "://" in text else ""
    if scheme in ("postgresql", "postgres", "postgresql+psycopg"):
        from cranfield.judging.postgres import PostgresLabels

        url = text if scheme != "postgres" else f"postgresql{text.removeprefix('postgres')}"
        return Labels(PostgresLabels(url), clock=clock)
    if scheme:
        raise UsageError(f"no label store at {scheme}://", "a path, or postgresql://host/database")
    from cranfield.judging.sqlite import SQLiteLabels

    return Labels(SQLiteLabels(Path(text), patience=patience), clock=clock)


@contextlib.contextmanager
def at_hand(labels: Labels | str | os.PathLike[str]) -> Iterator[Labels]:
    """A label store, or the one at a path or address, which is closed again."""
    if isinstance(labels, Labels):
        yield labels
        return
    found = open_labels(labels)
    try:
        yield found
    finally:
        found.close()


def _to_row(judgment: Judgment) -> dict[str, Any]:
    row = {name: getattr(judgment, name) for name in TABLES["judgments"]}
    try:
        row["details"] = json.dumps(
            dict(judgment.details), ensure_ascii=True, sort_keys=True, allow_nan=False
        )
    except (TypeError, ValueError) as e:
        where = f"query {judgment.query!r}, document {judgment.doc!r}"
        raise InputError(f"{where}: details that cannot be kept: {e}") from None
    return row


def _from_row(row: Mapping[str, Any]) -> Judgment:
    values = {**row, "details": {} if row["details"] == "{}" else json.loads(row["details"])}
    return Judgment(**values)


def as_record(judgment: Judgment) -> dict[str, Any]:
    """For JSON: everything that is said, without what is empty."""
    row = asdict(replace(judgment, details={}))
    row["details"] = dict(judgment.details)
    return {k: v for k, v in row.items() if v not in ("", None, {}) and (k, v) != ("sample", 0)}


def judges(rows: Sequence[Judgment]) -> dict[Judge, int]:
    """{judge: how many of the rows are theirs}, in order of appearance."""
    found: dict[Judge, int] = {}
    for j in rows:
        found[j.judge] = found.get(j.judge, 0) + 1
    return found
