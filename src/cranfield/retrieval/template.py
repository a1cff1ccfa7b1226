"""Requests as JSON with places left open: `{query}`, `{query.FIELD}`, `{k}`, `{filters}`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from typing import Any

from cranfield.data.collection import Query
from cranfield.errors import InputError, UsageError
from cranfield.kit.files import open_input

_PLACE = re.compile(r"\{(query(?:\.[^{}]+)?|k|filters)\}")
_MISSING = object()


class Template:
    """A JSON value whose texts have places to be filled in.

    A text that is nothing but a place becomes the value itself: `"{k}"` the number k, `"{filters}"`
    what the filters are for the system, spliced into a list that it stands in. Elsewhere in a text
    the value is put in as text. `{query.FIELD}` is a field of the query, `{query.id}` its id. Other
    braces mean nothing, and names of keys are left as they are.
    """

    def __init__(self, tree: Any) -> None:
        self.tree = tree
        self.places = frozenset(_places(tree))

    def fill(self, query: Query, k: int, filters: Any = _MISSING) -> Any:
        """The value for one query. Without filters `{filters}` is left out of a list, and null
        elsewhere.

        Raises
        ------
        InputError
            The query lacks a field.
        """

        def value(place: str) -> Any:
            if place == "k":
                return k
            if place == "query":
                return query.text
            if place == "filters":
                return filters
            return _field(query, place.removeprefix("query."))

        return _filled(self.tree, value)


def read_template(given: str | os.PathLike[str] | Mapping[str, Any], what: str) -> Any:
    """A template given as it is or as a file that holds it.

    Raises
    ------
    UsageError
        It is no JSON object, or holds no JSON at all.
    """
    if isinstance(given, Mapping):
        return dict(given)
    with open_input(given) as stream:
        text = stream.read()
    try:
        tree = json.loads(text)
    except ValueError as e:
        raise UsageError(f"{what} {os.fspath(given)}: not JSON ({e})") from None
    if not isinstance(tree, dict):
        raise UsageError(f"{what} {os.fspath(given)}: not a JSON object", '{"...": ...}')
    return tree


def _places(tree: Any) -> list[str]:
    if isinstance(tree, str):
        return [m[1] for m in _PLACE.finditer(tree)]
    if isinstance(tree, Mapping):
        return [place for inner in tree.values() for place in _places(inner)]
    if isinstance(tree, list):
        return [place for inner in tree for place in _places(inner)]
    return []


def _filled(tree: Any, value: Callable[[str], Any]) -> Any:
    if isinstance(tree, str):
        whole = _PLACE.fullmatch(tree)
        if whole:
            found = value(whole[1])
            return None if found is _MISSING else found
        return _PLACE.sub(lambda m: _text(value(m[1])), tree)
    if isinstance(tree, Mapping):
        return {key: _filled(inner, value) for key, inner in tree.items()}
    if isinstance(tree, list):
        out: list[Any] = []
        for inner in tree:
            if inner == "{filters}":
                given = value("filters")
                out += [] if given is _MISSING else given if isinstance(given, list) else [given]
            else:
                out.append(_filled(inner, value))
        return out
    return tree


def _text(value: Any) -> str:
    if value is _MISSING:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _field(query: Query, name: str) -> Any:
    if name == "id":
        return query.id
    if query.fields.get(name) is None:
        have = ", ".join(query.fields) or "none"
        raise InputError(f"query {query.id!r} has no field {name!r}", f"its fields: {have}")
    return query.fields[name]
