"""Queries as JSON lines, the form that every command reads."""

from __future__ import annotations

import json
from collections.abc import Iterable

from cranfield.data.collection import Query
from cranfield.errors import InputError


def to_lines(queries: Iterable[Query]) -> str:
    """One object a line: `_id`, `text`, and every further field beside them.

    Raises
    ------
    InputError
        A field holds what JSON cannot.
    """
    lines = []
    for query in queries:
        rest = {k: v for k, v in query.fields.items() if k not in ("_id", "text")}
        record = {"_id": query.id, "text": query.text, **rest}
        try:
            lines.append(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
        except (TypeError, ValueError) as e:
            raise InputError(f"query {query.id!r} cannot be written as JSON ({e})") from None
    return "".join(lines)
