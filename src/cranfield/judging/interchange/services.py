"""Labels as search services hold them: Elasticsearch's rank_eval, OpenSearch's judgment lists."""

from __future__ import annotations

import json
from typing import Any

from cranfield.errors import FormatError
from cranfield.formats.inputs import Input
from cranfield.formats.text import read_text
from cranfield.judging.interchange.origin import Rows

RANK_EVAL = '{"requests": [{"id": "q1", "ratings": [{"_index": "i", "_id": "d1", "rating": 2}]}]}'
OPENSEARCH = (
    '{"judgmentRatings": [{"query": "a text", "ratings": [{"docId": "d1", "rating": "2.0"}]}]}'
)


def service_of(value: Any) -> str | None:
    """Which of the two a JSON value is, or None."""
    if isinstance(value, dict):
        if isinstance(value.get("requests"), list):
            return "rank-eval"
        if "judgmentRatings" in value or _hits(value) is not None:
            return "opensearch"
    return None


def read_value(source: Input) -> Any:
    """The JSON of a file, None where it is none."""
    try:
        return json.loads(read_text(source))
    except (ValueError, RecursionError):
        return None


def read_rank_eval(value: Any, file: str, into: Rows) -> tuple[str, ...]:
    """The ratings of a `_rank_eval` body. Documents of different indices with one id cannot be
    told apart and are an error."""
    index_of: dict[tuple[str, str], str] = {}
    for request in _list(value, "requests", file, RANK_EVAL):
        query = _text(request, "id", file, RANK_EVAL)
        for rating in _list(request, "ratings", file, RANK_EVAL):
            doc = _text(rating, "_id", file, RANK_EVAL)
            index = str(rating.get("_index", ""))
            if index_of.setdefault((query, doc), index) != index:
                raise FormatError(
                    f"query {query!r}: document {doc!r} is rated in two indices", file=file
                )
            into.add(query, doc, _number(rating, file, query, doc))
    return ()


def read_opensearch(value: Any, file: str, into: Rows) -> tuple[str, ...]:
    """A judgment list of OpenSearch's Search Relevance Workbench: the body that imports one, or
    the answer to a request for one. Queries are texts."""
    notes: tuple[str, ...] = ()
    bodies = [value]
    hits = _hits(value)
    if hits is not None:
        bodies = hits
        if len(hits) != 1:
            raise FormatError(f"{len(hits)} judgment lists in it", "ask for one", file=file)
    for entry in _list(bodies[0], "judgmentRatings", file, OPENSEARCH):
        query = _text(entry, "query", file, OPENSEARCH)
        for rating in _list(entry, "ratings", file, OPENSEARCH):
            doc = _text(rating, "docId", file, OPENSEARCH)
            into.add(query, doc, _number(rating, file, query, doc), by_text=True)
    return notes


def _hits(value: dict[str, Any]) -> list[Any] | None:
    hits = value.get("hits")
    inner = hits.get("hits") if isinstance(hits, dict) else None
    if not isinstance(inner, list):
        return None
    found = [h.get("_source", {}) for h in inner if isinstance(h, dict)]
    return found if found and all("judgmentRatings" in f for f in found) else None


def _list(value: Any, key: str, file: str, form: str) -> list[dict[str, Any]]:
    found = value.get(key) if isinstance(value, dict) else None
    if not isinstance(found, list) or not all(isinstance(x, dict) for x in found):
        raise FormatError(f"no list of objects {key!r} where one belongs", form, file=file)
    return found


def _text(value: dict[str, Any], key: str, file: str, form: str) -> str:
    found = value.get(key)
    if not isinstance(found, str) or not found:
        raise FormatError(f"{key!r} is {found!r}, not a text", form, file=file)
    return found


def _number(rating: dict[str, Any], file: str, query: str, doc: str) -> float:
    """OpenSearch writes ratings as texts."""
    found = rating.get("rating")
    try:
        if isinstance(found, bool) or not isinstance(found, (int, float, str)):
            raise ValueError
        return float(found)
    except ValueError:
        raise FormatError(
            f"query {query!r}, document {doc!r}: the rating {found!r} is not a number", file=file
        ) from None
