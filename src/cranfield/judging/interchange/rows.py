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
from cranfield.judging.tables import TABLES

_KNOWN = {"id", *TABLES["judgments"]}


def looks_like_rows(head: bytes) -> bool:
    """JSON lines whose first has a `state`."""
    try:
        record = json.loads(head.lstrip().split(b"\n", 1)[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and {"query", "doc", "state"} <= record.keys()


def to_lines(judgments: Sequence[Judgment]) -> str:
    return "".join(json.dumps(as_record(j), ensure_ascii=False) + "\n" for j in judgments)


def read_rows(source: Input) -> tuple[Judgment, ...]:
    """Judgments with their time and their judge. One that undoes another names it by the number
    that it had where the file was written; here, by -n for the n-th of the file.

    Raises
    ------
    FormatError
        No record, a member that is unknown or of the wrong kind, or an undoing of a row that is
        not before it in the file.
    """
    found: list[Judgment] = []
    place: dict[int, int] = {}
    for number, line in enumerate(read_lines(source), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            judgment = _judgment(record, place)
        except InputError as e:
            raise FormatError(e.message, e.hint, file=source.name, line=number) from None
        except (ValueError, TypeError, RecursionError) as e:
            raise FormatError(
                f"not a row of a label store ({e})", file=source.name, line=number, text=line
            ) from None
        found.append(judgment)
        if isinstance(record.get("id"), int):
            place[record["id"]] = len(found)
    return tuple(found)


def _judgment(record: Any, place: dict[int, int]) -> Judgment:
    if not isinstance(record, dict):
        raise ValueError("not an object")
    unknown = sorted(set(record) - _KNOWN)
    if unknown:
        raise ValueError(f"unknown member {unknown[0]!r}")
    values = {k: v for k, v in record.items() if k != "id"}
    for name in values.keys() & {"grade", "seconds", "sample", "undoes"}:
        if isinstance(values[name], bool) or not isinstance(values[name], (int, float, type(None))):
            raise ValueError(f"{name} is no number")
    for name, (kind, _) in TABLES["judgments"].items():
        if kind == "text" and name != "details" and not isinstance(values.get(name, ""), str):
            raise ValueError(f"{name} is no text")
    if values.get("undoes") is not None:
        if values["undoes"] not in place:
            raise ValueError(f"row {values['undoes']}, which it undoes, is not before it")
        values["undoes"] = -place[values["undoes"]]
    return Judgment(**values)
