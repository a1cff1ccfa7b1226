"""The whole label store as JSON lines: every row with everything that is known of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cranfield.errors import FormatError, InputError
from cranfield.formats.inputs import Input
from cranfield.formats.text import read_lines
from cranfield.judging.judgment import Judgment
from cranfield.judging.labels import as_record
from cranfield.judging.preferences import Preference
from cranfield.judging.preferences import as_record as preference_record
from cranfield.judging.tables import TABLES
from cranfield.kit.clock import kept

Row = Judgment | Preference
LARGEST = 2**53  # beyond it neither a float nor a database counts one by one


def looks_like_rows(head: bytes) -> bool:
    """JSON lines whose first has a `state`: rows of judgments, or of preferences."""
    try:
        record = json.loads(head.lstrip().split(b"\n", 1)[0])
    except (ValueError, RecursionError):
        return False
    if not isinstance(record, dict) or not {"query", "state"} <= record.keys():
        return False
    return "doc" in record or {"doc_a", "doc_b"} <= record.keys()


def to_lines(rows: Sequence[Row]) -> str:
    made = (preference_record(r) if isinstance(r, Preference) else as_record(r) for r in rows)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in made)


def read_rows(source: Input) -> tuple[Row, ...]:
    """Judgments, or preferences, with their time and their judge. One that undoes another names it
    by the number that it had where the file was written; here, by -n for the n-th of the file.

    Raises
    ------
    FormatError
        No record, a member that is unknown or of the wrong kind, an undoing of a row that is not
        before it in the file, or rows of both kinds.
    """
    found: list[Row] = []
    place: dict[int, int] = {}
    for number, line in enumerate(read_lines(source), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            row = _row(record, place)
            if row.undoes is not None:
                _fits(row, found[-row.undoes - 1])
            if found and type(row) is not type(found[0]):
                raise ValueError("judgments and preferences in one file")
        except InputError as e:
            raise FormatError(e.message, e.hint, file=source.name, line=number) from None
        except (ValueError, TypeError, RecursionError) as e:
            raise FormatError(
                f"not a row of a label store ({e})", file=source.name, line=number, text=line
            ) from None
        found.append(row)
        if isinstance(record.get("id"), int):
            place[record["id"]] = len(found)
    return tuple(found)


def _row(record: Any, place: dict[int, int]) -> Row:
    if not isinstance(record, dict):
        raise ValueError("not an object")
    table = "preferences" if "doc_a" in record else "judgments"
    unknown = sorted(set(record) - {"id", *TABLES[table]})
    if unknown:
        raise ValueError(f"unknown member {unknown[0]!r}")
    values = {k: v for k, v in record.items() if k != "id"}
    _numbers(values)
    for name, (kind, _) in TABLES[table].items():
        if kind == "text" and name != "details" and not isinstance(values.get(name, ""), str):
            raise ValueError(f"{name} is no text")
    if values.get("at"):
        try:
            values["at"] = kept(values["at"])
        except ValueError:
            raise ValueError(f"at is {values['at']!r}, no time") from None
    if values.get("undoes") is not None:
        if values["undoes"] not in place:
            raise ValueError(f"row {values['undoes']}, which it undoes, is not before it")
        values["undoes"] = -place[values["undoes"]]
    return Preference(**values) if table == "preferences" else Judgment(**values)


def _numbers(values: dict[str, Any]) -> None:
    """Refuse numbers and details that no row can have."""
    for name, value in values.items():
        if name == "details" and not isinstance(value, dict):
            raise ValueError("details is no object")
        if name not in ("grade", "seconds", "sample", "undoes"):
            continue
        if value is None and name != "sample":
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueError(f"{name} is no number")
        if name in ("sample", "undoes"):
            if not isinstance(value, int) or not 0 <= value < LARGEST:
                raise ValueError(f"{name} is {value}, no whole number from 0 on")
        elif not abs(value) < LARGEST or (name == "seconds" and value < 0):
            raise ValueError(f"{name} is {value}")


def _fits(row: Row, undone: Row) -> None:
    """Refuse an undoing that is about something else than the row that it undoes."""
    if (row.pair, row.judge) != (undone.pair, undone.judge) or undone.state == "undone":
        raise ValueError("it undoes a row of another pair or another judge")
