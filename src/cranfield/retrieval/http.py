"""The system `http`: any search API, by a template of its request and paths into its answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from cranfield.data.collection import Query
from cranfield.errors import InputError, MissingExtra, UsageError, clip
from cranfield.kit.address import address, filled, filled_url, shown
from cranfield.kit.http import Client, Reply
from cranfield.retrieval.template import Template, read_template

_METHODS = ("GET", "POST", "PUT")
_KEYS = ("url", "method", "body", "headers", "hits", "id", "score")


class HttpSearch:
    """A search API.

    What is sent and where the results are in the JSON that comes back is said by these parameters,
    or by a JSON object that holds them (``request``, or a file). JSONPath is that of RFC 9535.

    Parameters
    ----------
    url : with `{query}`, `{query.FIELD}` and `{k}`, which are put in percent-encoded, as is
        `{env.NAME}`, a variable of the environment
    method : GET, POST or PUT; by default POST where there is a body
    body : JSON with these and `{filters}`, an object {field: value}
    headers : of the request; `{env.NAME}` here too
    hits : JSONPath of the list of results; an answer without it is an error, an empty list is not
    id : JSONPath of the document's id in a result
    score : JSONPath of its score; without it the order of the API counts (score 1/rank)
    lower_is_better : the score is a distance
    rate : requests a second at most
    timeout, verify, ca_certs : of the connection
    name : of the system
    """

    thread_safe = True

    def __init__(
        self,
        *,
        request: str | Mapping[str, Any] | None = None,
        url: str | None = None,
        method: str | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        hits: str | None = None,
        id: str | None = None,
        score: str | None = None,
        lower_is_better: bool = False,
        rate: float | None = None,
        timeout: float = 30.0,
        verify: bool = True,
        ca_certs: str | None = None,
        name: str = "http",
    ) -> None:
        given = (url, method, body, headers, hits, id, score)
        said = _request(request) | {
            key: value for key, value in zip(_KEYS, given, strict=True) if value is not None
        }
        self.name = _word(name)
        self._said = said
        self._method = _method(said)
        self._url = Template(filled_url(_needed(said, "url")))
        self._body = Template(filled(said.get("body"), "body"))
        places = self._url.places | self._body.places
        if not any(place.startswith("query") for place in places):
            raise UsageError(
                "neither url nor body has a place for the query", "{query} stands for it"
            )
        if "filters" in self._url.places:
            raise UsageError("{filters} stands in the body, not in the address")
        address(self._url.tree)
        self.takes_filters = "filters" in self._body.places
        self._hits, self._id = _path(said, "hits"), _path(said, "id")
        self._score = _path(said, "score") if said.get("score") is not None else None
        self._sign = -1.0 if lower_is_better else 1.0
        self._client = Client(
            timeout=timeout,
            headers={"Accept": "application/json", **said.get("headers", {})},
            verify=verify,
            ca_certs=ca_certs,
            rate=rate,
            private={"url": said["url"], "body": said.get("body")},
        )

    @classmethod
    def ready(cls, **options: Any) -> HttpSearch:
        """The system itself, which asks nothing before its first query."""
        return cls(**options)

    @property
    def notes(self) -> tuple[str, ...]:
        """Secrets that stand openly, in words."""
        return self._client.notes

    @property
    def config(self) -> dict[str, Any]:
        """The request and the paths as given, so without what stands in the environment, and
        without what looks like a secret."""
        return {"request": {**shown(self._said), "lower_is_better": self._sign < 0}}

    def search(
        self, query: Query, k: int, filters: Mapping[str, Any] | None = None
    ) -> list[tuple[str, float]]:
        """The first k results of the API.

        Raises
        ------
        ServiceError
            No answer, or one that is not JSON.
        InputError
            An answer in which results, ids or scores are not where they should be, or whose scores
            are not in order.
        """
        url = self._url.fill(_encoded(query), k)
        body = None
        if "body" in self._said:
            body = self._body.fill(query, k, dict(filters or {}))
        reply = self._client.send(self._method, url, data=body)
        return self._read(reply.json(), k, reply)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _read(self, answer: Any, k: int, reply: Reply) -> list[tuple[str, float]]:
        where = reply.where
        found = self._hits.find_one(answer)
        if found is None or not isinstance(found.value, list):
            what = "nothing" if found is None else f"{type(found.value).__name__}, not a list"
            raise InputError(
                f"{where}: {self._hits} leads to {what}",
                f"the answer begins: {clip(reply.hide(repr(answer)))}",
            )
        items = found.value[:k]
        ids = [_id(self._value(self._id, item, where)) for item in items]
        if self._score is None:
            return [(doc, 1 / (place + 1)) for place, doc in enumerate(ids)]
        scores = [_number(self._value(self._score, item, where), where) for item in items]
        signed = [self._sign * score for score in scores]
        if signed != sorted(signed, reverse=True):
            hint = "leave score out to keep the order of the API, or say lower_is_better=true"
            raise InputError(f"{where}: the scores of the results are not in order", hint)
        return list(zip(ids, signed, strict=True))

    def _value(self, path: Any, item: Any, where: str) -> Any:
        found = path.find_one(item)
        if found is None:
            raise InputError(f"{where}: a result without {path}", f"it is: {clip(repr(item))}")
        return found.value


def _request(given: str | Mapping[str, Any] | None) -> dict[str, Any]:
    if given is None:
        return {}
    tree: dict[str, Any] = read_template(given, "request")
    unknown = [key for key in tree if key not in _KEYS]
    if unknown:
        raise UsageError(f"request has a key {unknown[0]!r}", f"its keys: {', '.join(_KEYS)}")
    return tree


def _needed(said: Mapping[str, Any], key: str) -> str:
    value = said.get(key)
    if not isinstance(value, str) or not value:
        raise UsageError(
            f"http: {key} is needed, a text", "a file holds url, hits and id: request=api.json"
        )
    return value


def _method(said: Mapping[str, Any]) -> str:
    method = str(said.get("method") or ("POST" if "body" in said else "GET")).upper()
    if method not in _METHODS:
        raise UsageError(f"method is {method!r}", f"one of {', '.join(_METHODS)}")
    return method


def _path(said: Mapping[str, Any], key: str) -> Any:
    """A JSONPath that leads to one place at most."""
    try:
        import jsonpath_rfc9535 as jsonpath
    except ImportError:
        raise MissingExtra("the system http", "http") from None
    text = _needed(said, key)
    try:
        path = jsonpath.compile(text)
    except jsonpath.JSONPathError as e:
        raise UsageError(
            f"{key}: {text!r} is no JSONPath ({clip(str(e))})", "for example $.hits"
        ) from None
    if not path.singular_query():
        raise UsageError(
            f"{key}: {text!r} may lead to several places",
            "name the list of results with hits, and paths in one result with id and score",
        )
    return path


def _encoded(query: Query) -> Query:
    """The query for an address."""
    fields = {n: quote(str(v), safe="") for n, v in query.fields.items() if v is not None}
    return Query(quote(query.id, safe=""), quote(query.text, safe="", errors="replace"), fields)


def _id(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise InputError(f"the id of a result is {clip(repr(value))}", "a text or a whole number")
    return str(value)


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InputError(f"{where}: the score of a result is {clip(repr(value))}", "a number")
    return float(value)


def _word(name: str) -> str:
    if not name or any(c.isspace() for c in name):
        raise UsageError(f"name is {name!r}", "one word")
    return name
