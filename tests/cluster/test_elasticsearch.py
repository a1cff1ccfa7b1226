"""The official elasticsearch client against the same engine, through a proxy that gives it the
header of the product and the content type it asks for. What a real Elasticsearch does otherwise
is not tested here: its own scoring, security and error texts."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from cranfield import Document, Query
from cranfield.demo import collection
from cranfield.errors import (
    CranfieldError,
    InputError,
    ServiceError,
    UnknownName,
    UsageError,
)
from cranfield.retrieval.cluster.engine import Forbidden
from cranfield.retrieval.cluster.system import Elasticsearch, OpenSearch
from cranfield.testing import check_system

Front = Callable[..., str]
KIND = "application/vnd.elasticsearch+json"
DOCUMENTS = [Document("死-1", "deadlock", "two threads wait"), Document("b", "", "cache 缓存")]


def as_elasticsearch(asked: Any, answer: Any) -> Any:
    status, _, body = answer
    assert "vnd.elasticsearch" in asked.headers["accept"]
    return status, {"X-Elastic-Product": "Elasticsearch", "Content-Type": KIND}, body


def test_it_finds_what_the_other_client_finds(
    front: Front, opensearch: Callable[..., OpenSearch], new_index: str
) -> None:
    bundled = collection()
    assert bundled.documents is not None
    url = front(change=as_elasticsearch)
    made = Elasticsearch(bundled.documents(), index=new_index, hosts=url, create=True)
    other = opensearch(index=new_index)
    alone = [made.search(query, 20) for query in bundled.queries]
    assert alone == [other.search(query, 20) for query in bundled.queries] and any(alone)
    assert made.search_many(bundled.queries, 20) == alone
    assert made.search(Query("q", "java"), 5, filters={"none": "such"}) == []
    again = Elasticsearch(bundled.documents(), index=new_index, hosts=url, create=True)
    assert again.config == made.config and again.name == "elasticsearch"
    made.close()
    again.close()


def test_contract(front: Front, new_index: str) -> None:
    bundled = collection()
    assert bundled.documents is not None
    url = front(change=as_elasticsearch)
    names = iter(f"{new_index}-{n}" for n in range(9))

    def make(given: Iterable[Document]) -> Elasticsearch:
        return Elasticsearch(given, index=next(names), hosts=url, create=True)

    check_system(make, list(bundled.documents()), bundled.queries[:5])


def test_another_product_is_refused(cluster: Any) -> None:
    with pytest.raises(UsageError, match="not Elasticsearch") as error:
        Elasticsearch(index="x", hosts=cluster.urls[0])
    assert "--system opensearch" in str(error.value)


def test_refused_documents_are_named(front: Front, new_index: str) -> None:
    mappings = {"properties": {"year": {"type": "integer"}}}
    bad = Document("坏", "", "", {"year": "soon"})
    options = {"index": new_index, "create": True, "mappings": mappings}
    with pytest.raises(InputError, match=r"坏: failed to parse field \[year\]"):
        Elasticsearch([bad], hosts=front(change=as_elasticsearch), **options)


REFUSED = json.dumps({"error": {"type": "security_exception", "reason": "who?"}, "status": 401})
FAULTS: list[tuple[Any, type[CranfieldError], str]] = [
    ((401, {}, REFUSED.encode()), UsageError, "who?"),
    ((403, {}, REFUSED.encode()), Forbidden, "who?"),
    ((429, {}, b"{}"), ServiceError, "429"),
    ((503, {}, b"<html>starting</html>"), ServiceError, "503"),
    ((200, {}, b'{"hits": '), ServiceError, "not JSON"),
    ((200, {}, b"{}"), ServiceError, "without hits"),
    ("hang up", ServiceError, "cannot be reached"),
]


@pytest.mark.parametrize("kind", [OpenSearch, Elasticsearch])
@pytest.mark.parametrize(("fault", "error", "told"), FAULTS, ids=[f[2] for f in FAULTS])
def test_faults_are_said_in_our_words(
    front: Front,
    cluster: Any,
    kind: Any,
    fault: Any,
    error: type[CranfieldError],
    told: str,
    new_index: str,
) -> None:
    cluster.ask("PUT", f"/{new_index}")
    if isinstance(fault, tuple):
        content = "text/html" if b"<" in fault[2] else "application/json"
        product = {"X-Elastic-Product": "Elasticsearch", "Content-Type": content}
        fault = (fault[0], product, fault[2])
    change = as_elasticsearch if kind is Elasticsearch else lambda asked, answer: answer
    url = front(lambda asked: fault if "_search" in asked.path else None, change)
    system = kind(index=new_index, hosts=url)
    with pytest.raises(error) as raised:
        system.search(Query("q", "x"), 5)
    assert told in str(raised.value) and raised.type is error
    system.close()


@pytest.mark.parametrize("kind", [OpenSearch, Elasticsearch])
def test_an_answer_that_lacks_a_shard_is_none(
    front: Front, cluster: Any, kind: Any, new_index: str
) -> None:
    cluster.ask("PUT", f"/{new_index}")

    def change(asked: Any, answer: Any) -> Any:
        status, headers, body = answer
        if "_search" in asked.path:
            reply = json.loads(body)
            reply["_shards"]["failed"] = 1
            body = json.dumps(reply).encode()
        answer = status, headers, body
        return as_elasticsearch(asked, answer) if kind is Elasticsearch else answer

    system = kind(index=new_index, hosts=front(change=change))
    with pytest.raises(ServiceError, match="1 shards failed"):
        system.search(Query("q", "x"), 5)
    system.close()


@pytest.mark.parametrize("kind", [OpenSearch, Elasticsearch])
@pytest.mark.parametrize("way", ["password", "key"])
def test_secrets_come_from_the_environment(
    front: Front, monkeypatch: pytest.MonkeyPatch, kind: Any, way: str, new_index: str
) -> None:
    prefix = kind.__name__.upper()
    basic = "Basic " + base64.b64encode("él密:p:w".encode()).decode()
    expected = basic if way == "password" else "ApiKey a2V5"

    def fault(asked: Any) -> Any:
        right = asked.headers.get("authorization") == expected
        return None if right else (401, {"X-Elastic-Product": "Elasticsearch"}, REFUSED.encode())

    change = as_elasticsearch if kind is Elasticsearch else lambda asked, answer: answer
    url = front(fault, change)
    with pytest.raises(UsageError, match="who") as error:
        kind(DOCUMENTS, index=new_index, hosts=url, create=True)
    assert f"{prefix}_PASSWORD" in str(error.value)
    if way == "password":
        monkeypatch.setenv(f"{prefix}_USERNAME", "él密")
        with pytest.raises(UsageError, match=f"{prefix}_PASSWORD is not set"):
            kind(DOCUMENTS, index=new_index, hosts=url, create=True)
        monkeypatch.setenv(f"{prefix}_PASSWORD", "p:w")
    else:
        monkeypatch.setenv(f"{prefix}_API_KEY", "a2V5")
    system = kind(DOCUMENTS, index=new_index, hosts=url, create=True)
    assert [doc for doc, _ in system.search(Query("q", "deadlock"), 5)] == ["死-1"]
    assert "p:w" not in json.dumps(system.config) and "a2V5" not in json.dumps(system.config)
    system.close()


@pytest.mark.parametrize("kind", [OpenSearch, Elasticsearch])
@pytest.mark.parametrize(
    ("options", "error", "told"),
    [
        ({"hosts": "http://127.0.0.1:1"}, ServiceError, "cannot be reached"),
        ({"hosts": "http://nowhere.invalid"}, ServiceError, "cannot be reached"),
        ({"hosts": "https://127.0.0.1:1"}, ServiceError, "cannot be reached"),
        ({"hosts": "127.0.0.1:9200"}, UsageError, "is no address"),
        ({"hosts": ""}, UsageError, "no host"),
        ({"hosts": "http://a:b@c"}, UsageError, "holds a user or a password"),
        ({"timeout": 0}, UsageError, "timeout is 0"),
        ({"ca_certs": "/none.pem"}, UsageError, "no such file"),
        ({"search_type": "fast"}, UsageError, "search_type is 'fast'"),
        ({"template": {"query": {"match_all": {}}}}, UsageError, "no place for the query"),
    ],
)
def test_what_it_is_told_is_checked(
    kind: Any, options: dict[str, Any], error: type[CranfieldError], told: str
) -> None:
    with pytest.raises(error) as raised:
        kind(**{"index": "x", **options})
    assert told in str(raised.value) and "Traceback" not in str(raised.value)


def test_an_index_that_is_not_there(front: Front) -> None:
    with pytest.raises(UnknownName, match="not-there"):
        Elasticsearch(index="not-there", hosts=front(change=as_elasticsearch))
