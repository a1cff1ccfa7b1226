"""The systems `opensearch` and `elasticsearch`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from cranfield.data.collection import Document, Query
from cranfield.errors import ServiceError, UsageError
from cranfield.kit.retry import Backoff
from cranfield.retrieval.cluster.engine import (
    ElasticsearchEngine,
    Engine,
    Forbidden,
    OpenSearchEngine,
    Place,
    hosts_of,
    refused,
)
from cranfield.retrieval.cluster.index import Definition, Index, existing, make, quoted
from cranfield.retrieval.template import Template, read_template

# The lexical baseline of Elastic's article on BEIR: best field of title and text, english analyzer.
PRESET: dict[str, Any] = {
    "query": {
        "multi_match": {
            "query": "{query}",
            "type": "best_fields",
            "fields": ["title", "text"],
            "tie_breaker": 0.5,
        }
    },
    "size": "{k}",
}
Answer = list[tuple[str, float]]
_NOTHING: Iterable[Document] = iter(())  # this very one: see `ready`


class _Cluster:
    """A search cluster.

    An index that is there is searched and never written to. With ``create`` it is made from the
    documents of the collection; a second run finds it as it was made.

    Parameters
    ----------
    documents : of the collection; read only with ``create``
    index : its name; for searching also an alias, a pattern or several with commas
    hosts : http or https addresses of nodes, as a list or with commas
    create : make the index
    template : the body of a search with `{query}`, `{k}` and `{filters}`, or a file that holds it;
        by default a multi_match over title and text (best_fields, tie_breaker 0.5)
    search_type : ``dfs_query_then_fetch`` scores by the statistics of all shards
    id_field : where a hit has the document's id, `_id` or a field of the document
    filter_suffix : put after the name of a field to filter by, such as `.keyword`
    analyzer, shards, replicas, settings, mappings : of an index to be made; the last two are JSON
        or files of it
    skip_rejected : go on without documents that the cluster refuses
    timeout, verify, ca_certs : of the connection
    attempts : how often a bulk request is tried
    """

    name: ClassVar[str]
    takes_filters = True
    thread_safe = True
    _engine_of: ClassVar[type[OpenSearchEngine] | type[ElasticsearchEngine]]
    _prefix: ClassVar[str]

    def __init__(
        self,
        documents: Iterable[Document] | None = None,
        *,
        index: str,
        hosts: str | Sequence[str] = "http://localhost:9200",
        create: bool = False,
        template: str | Mapping[str, Any] | None = None,
        search_type: str = "dfs_query_then_fetch",
        id_field: str = "_id",
        filter_suffix: str = "",
        analyzer: str = "english",
        shards: int = 1,
        replicas: int = 0,
        settings: str | Mapping[str, Any] | None = None,
        mappings: str | Mapping[str, Any] | None = None,
        skip_rejected: bool = False,
        timeout: float = 30.0,
        verify: bool = True,
        ca_certs: str | None = None,
        attempts: int = 6,
    ) -> None:
        if search_type not in ("dfs_query_then_fetch", "query_then_fetch"):
            raise UsageError(
                f"search_type is {search_type!r}", "dfs_query_then_fetch or query_then_fetch"
            )
        self._path, self._index_name = quoted(index), index
        self._search_type, self._id, self._suffix = search_type, id_field, filter_suffix
        tree = PRESET if template is None else read_template(template, "template")
        self._template = _checked_template(tree)
        defined = Definition(
            analyzer, shards, replicas, _given(settings, "settings"), _given(mappings, "mappings")
        )
        place = Place(hosts_of(hosts), timeout, verify, ca_certs)
        self._where = place.where
        self._engine: Engine = self._engine_of(place)
        if documents is _NOTHING:
            return
        try:
            self._about = self._greeting()
            self._index = self._open(documents, create, defined, Backoff(attempts), skip_rejected)
        except BaseException:
            self.close()
            raise
        self.notes = self._index.notes
        if self._about is None:
            self.notes = (*self.notes, "this user may not ask the cluster for its version")

    @classmethod
    def ready(cls, **options: Any) -> Any:
        """The system with a client that has not been used: no cluster is asked."""
        made = cls(_NOTHING, **options)
        made.close()
        return made

    def _greeting(self) -> Any:
        """What the cluster says of itself; nothing where the user may search an index and no
        more, which is how a careful team lets a program in."""
        try:
            return self._engine.call("GET", "/")
        except Forbidden:
            return None

    def _open(
        self,
        documents: Iterable[Document] | None,
        create: bool,
        defined: Definition,
        backoff: Backoff,
        skip: bool,
    ) -> Index:
        if not create:
            return existing(self._engine, self._index_name)
        if documents is None:
            raise UsageError("create=true needs documents", "the collection has none")
        return make(self._engine, self._index_name, documents, defined, backoff, skip_rejected=skip)

    @property
    def config(self) -> dict[str, Any]:
        """The version of the engine, the index and the request; no address and no secret."""
        version = self._about.get("version") if isinstance(self._about, Mapping) else None
        number = version.get("number") if isinstance(version, Mapping) else None
        return {
            "engine": {"version": number},
            "index": self._index.config,
            "request": {"body": self._template.tree, "search_type": self._search_type},
        }

    def search(self, query: Query, k: int, filters: Mapping[str, Any] | None = None) -> Answer:
        """The best k of the index."""
        params = {**self._params(), "request_cache": "false"}
        reply = self._engine.call(
            "POST", f"/{self._path}/_search", params=params, body=self._body(query, k, filters)
        )
        return self._read(reply, k)

    def search_many(
        self,
        queries: Sequence[Query],
        k: int,
        filters: Sequence[Mapping[str, Any] | None] | None = None,
    ) -> list[Answer]:
        """The best k for each query, in one request (msearch); one that fails fails them all."""
        if not queries:
            return []
        wanted = filters if filters is not None else [None] * len(queries)
        head = {"index": self._index_name.split(","), **self._params()}
        head["allow_partial_search_results"] = False
        lines = []
        for query, one in zip(queries, wanted, strict=True):
            lines += [head, self._body(query, k, one)]
        sent = b"".join(_json(line) + b"\n" for line in lines)
        reply = self._engine.call("POST", "/_msearch", lines=sent)
        parts = reply.get("responses") if isinstance(reply, Mapping) else None
        if not isinstance(parts, list) or len(parts) != len(queries):
            raise ServiceError(f"{self._where}: an answer to msearch without its responses")
        return [self._read(part, k) for part in parts]

    def close(self) -> None:
        """Close the connections."""
        self._engine.close()

    def _params(self) -> dict[str, Any]:
        """The same copy of each shard for all queries: copies may order ties differently. And an
        answer that lacks a shard is no answer."""
        return {
            "search_type": self._search_type,
            "preference": "cranfield",
            "allow_partial_search_results": "false",
        }

    def _body(self, query: Query, k: int, filters: Mapping[str, Any] | None) -> dict[str, Any]:
        clauses = [
            {"terms" if isinstance(value, list) else "term": {f"{name}{self._suffix}": value}}
            for name, value in (filters or {}).items()
        ]
        body: dict[str, Any] = self._template.fill(query, k, clauses)
        if clauses and "filters" not in self._template.places:
            if "query" not in body:
                raise UsageError(
                    "the template has no place for filters", '"{filters}" stands for them'
                )
            body["query"] = {"bool": {"must": [body["query"]], "filter": clauses}}
        body.setdefault("size", k)
        body.setdefault("_source", False if self._id == "_id" else [self._id])
        return body

    def _read(self, reply: Any, k: int) -> Answer:
        if isinstance(reply, Mapping) and "error" in reply:
            raise refused(self._where, self._prefix, reply.get("status"), reply)
        try:
            hits = reply["hits"]["hits"][:k]
            failed = reply["_shards"]["failed"]
            timed_out = reply["timed_out"]
        except (KeyError, TypeError):
            raise ServiceError(f"{self._where}: an answer without hits") from None
        if failed or timed_out:
            why = f"{failed} shards failed" if failed else "the search ran out of time"
            raise ServiceError(f"{self._where}: {why}; the answer lacks documents")
        ids = [_id_of(hit, self._id) for hit in hits]
        scores = [hit.get("_score") for hit in hits]
        if any(score is None for score in scores):  # sorted by something else: the order counts
            scores = [1 / (place + 1) for place in range(len(hits))]
        return list(zip(ids, map(float, scores), strict=True))


class OpenSearch(_Cluster):
    __doc__ = _Cluster.__doc__
    name = "opensearch"
    _engine_of = OpenSearchEngine
    _prefix = "OPENSEARCH"


class Elasticsearch(_Cluster):
    __doc__ = _Cluster.__doc__
    name = "elasticsearch"
    _engine_of = ElasticsearchEngine
    _prefix = "ELASTICSEARCH"


def _checked_template(tree: Any) -> Template:
    made = Template(tree)
    if not any(place.startswith("query") for place in made.places):
        raise UsageError("the template has no place for the query", '"{query}" stands for it')
    return made


def _given(value: str | Mapping[str, Any] | None, what: str) -> Mapping[str, Any] | None:
    if value is None:
        return None
    tree: Mapping[str, Any] = read_template(
        os.fspath(value) if isinstance(value, str) else value, what
    )
    return tree


def _id_of(hit: Mapping[str, Any], field: str) -> str:
    if field == "_id":
        return str(hit["_id"])
    value: Any = hit.get("_source") or {}
    for part in field.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    if not isinstance(value, (str, int)):
        raise UsageError(f"hit {hit.get('_id')!r} has no field {field!r}", "id_field=_id")
    return str(value)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
