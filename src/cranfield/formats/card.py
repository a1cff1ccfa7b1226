"""The card of a run as a JSON file beside it: `<run file>.card.json`."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cranfield.data.card import RunCard
from cranfield.errors import FormatError, InputError
from cranfield.kit.files import open_input, write_whole

ENDING = ".card.json"
FORM = (
    'a card is {"name": …, "config": {…}, "latency_ms": {query: ms}, "cost": {query: x}, '
    '"currency": …, "failed": [query, …], "empty": [query, …]}; every member may be left out'
)
_PACKED = re.compile(r"\.(?:gz|bz2|xz|zst)\Z", re.IGNORECASE)
_KNOWN = ("name", "config", "latency_ms", "cost", "currency", "failed", "empty")


def card_path(run: str | os.PathLike[str]) -> Path | None:
    """The card beside a run file, where there is one: `x.run.gz` has `x.run.gz.card.json` or
    `x.run.card.json`."""
    path = os.fspath(run)
    for stem in dict.fromkeys((path, _PACKED.sub("", path))):
        if os.path.isfile(stem + ENDING):
            return Path(stem + ENDING)
    return None


def read_card(path: str | os.PathLike[str], name: str | None = None) -> RunCard:
    """A card from its file.

    Parameters
    ----------
    name : of the run; by default the card's own, else that of the file

    Raises
    ------
    FormatError
        Not JSON, or a member of another shape; the message names the file and the member.
    """
    file = os.fspath(path)
    with open_input(path) as stream:
        raw = stream.read()
    try:
        value = json.loads(raw.decode("utf-8-sig"))
    except json.JSONDecodeError as e:
        raise FormatError(f"not JSON ({e.msg})", FORM, file=file, line=e.lineno) from None
    except (UnicodeDecodeError, RecursionError) as e:
        raise FormatError(f"not JSON in UTF-8 ({e})", FORM, file=file) from None
    if not isinstance(value, dict):
        raise FormatError("not a JSON object", FORM, file=file)
    own = _text(value, "name", file) or os.path.basename(file).removesuffix(ENDING)
    unknown = [key for key in value if key not in _KNOWN]
    notes = (f"{file}: unknown members not used: {', '.join(unknown)}",) if unknown else ()
    return RunCard(
        name=own if name is None else name,
        config=_object(value, "config", file),
        latency=_numbers(value, "latency_ms", file),
        cost=_numbers(value, "cost", file),
        failed=_queries(value, "failed", file),
        empty=_queries(value, "empty", file),
        currency=_text(value, "currency", file),
        notes=notes,
    )


def write_card(card: RunCard, run: str | os.PathLike[str]) -> Path:
    """Write the card beside a run file, whole or not at all; its path.

    Raises
    ------
    InputError
        The configuration holds what JSON cannot.
    """
    members = {
        "name": card.name,
        "config": dict(card.config),
        "latency_ms": dict(card.latency),
        "cost": dict(card.cost),
        "currency": card.currency,
        "failed": list(card.failed),
        "empty": list(card.empty),
    }
    try:
        text = json.dumps(
            {key: value for key, value in members.items() if value},
            ensure_ascii=False,
            indent=1,
            allow_nan=False,
        )
    except (TypeError, ValueError) as e:
        raise InputError(f"the card of {card.name!r} cannot be written: {e}") from None
    path = Path(os.fspath(run) + ENDING)
    with write_whole(path) as stream:
        stream.write(text.encode() + b"\n")
    return path


def _object(value: Mapping[str, Any], key: str, file: str) -> dict[str, Any]:
    found = value.get(key)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise FormatError(f"{key!r} is {_what(found)}, not an object", FORM, file=file)
    return found


def _numbers(value: Mapping[str, Any], key: str, file: str) -> dict[str, float]:
    found = _object(value, key, file)
    for query, number in found.items():
        good = isinstance(number, (int, float)) and not isinstance(number, bool)
        if not good or not 0 <= number < math.inf:
            problem = f"{key!r} of query {query!r} is {json.dumps(number)[:40]}"
            raise FormatError(problem, "a number, 0 or above", file=file)
    return {query: float(number) for query, number in found.items()}


def _queries(value: Mapping[str, Any], key: str, file: str) -> tuple[str, ...]:
    found = value.get(key)
    if found is None:
        return ()
    if not isinstance(found, list) or not all(isinstance(q, str) for q in found):
        raise FormatError(f"{key!r} is not a list of query ids", FORM, file=file)
    return tuple(dict.fromkeys(found))


def _text(value: Mapping[str, Any], key: str, file: str) -> str:
    found = value.get(key)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise FormatError(f"{key!r} is {_what(found)}, not a text", FORM, file=file)
    return found


def _what(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(value), "a number")
