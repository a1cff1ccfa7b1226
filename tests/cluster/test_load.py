"""Making an index: nothing dropped in silence, and nothing written that was there before."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from cranfield import Document, Query
from cranfield.errors import InputError, ServiceError, UnknownName, UsageError
from cranfield.kit.retry import Backoff
from cranfield.retrieval.cluster import load as loading
from cranfield.retrieval.cluster.engine import OpenSearchEngine, Place
from cranfield.retrieval.cluster.index import Definition, make
from cranfield.retrieval.cluster.system import OpenSearch

Make = Callable[..., OpenSearch]
QUICK = Backoff(4, first=0.02, most=0.1)
NUMBER = {"properties": {"text": {"type": "text"}, "year": {"type": "integer"}}}


def many(count: int) -> list[Document]:
    return [Document(f"d{n}", f"title {n}", f"word{n % 7} 文本") for n in range(count)]


def test_every_document_goes_in(
    cluster: Any, opensearch: Make, new_index: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "MOST_BYTES", 5_000)
    system = opensearch(many(500), index=new_index, create=True)
    assert cluster.ask("GET", f"/{new_index}/_count")["count"] == 500
    assert system.notes == (f"index {new_index}: 500 documents, was made",)


def test_a_refused_document_is_named(opensearch: Make, new_index: str) -> None:
    given = [
        Document("good", "", "a", {"year": 1999}),
        Document("坏", "", "b", {"year": "next year"}),
        Document("y" * 513, "", "c"),
    ]
    options = {"index": new_index, "create": True, "mappings": NUMBER}
    with pytest.raises(InputError) as error:
        opensearch(given, **options)
    told = str(error.value)
    assert "2 documents were refused" in told and "坏: failed to parse field [year]" in told
    assert "yyyy…: the id has more than 512 bytes" in told and "skip_rejected" in told
    system = opensearch(given, **options, skip_rejected=True)
    assert any("坏" in note for note in system.notes)
    assert system.config["index"]["rejected"] == ["y" * 513, "坏"]
    again = opensearch(given, **options, skip_rejected=True)
    assert again.config == system.config


def test_a_document_twice_is_an_error(opensearch: Make, new_index: str) -> None:
    with pytest.raises(InputError, match="'d1' comes twice"):
        opensearch([*many(3), *many(2)[1:]], index=new_index, create=True)


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (Document("x", "", "\ud800"), "cannot be sent as JSON"),
        (Document("x", "", "", {"f": float("nan")}), "cannot be sent as JSON"),
        (Document("x", "", "", {"title": "t"}), "further field 'title'"),
    ],
)
def test_a_document_that_cannot_be_sent(
    opensearch: Make, new_index: str, document: Document, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        opensearch([document], index=new_index, create=True)


BUSY = json.dumps({"error": {"type": "rejected_execution_exception", "reason": "queue"}}).encode()


def test_bulk_requests_that_fail_are_sent_again(
    cluster: Any, front: Callable[..., str], new_index: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "MOST_DOCUMENTS", 100)
    faults = iter([(429, {}, BUSY), "hang up", (503, {}, b"<html>"), (200, {}, b'{"items": [')])

    def fault(asked: Any) -> Any:
        return next(faults, None) if "_bulk" in asked.path else None

    engine = OpenSearchEngine(Place((front(fault),)))
    made = make(engine, new_index, iter(many(300)), Definition(), Backoff(6, first=0.01))
    assert made.config["corpus"]["documents"] == 300 and next(faults, None) is None
    assert cluster.ask("GET", f"/{new_index}/_count")["count"] == 300
    engine.close()


def test_only_documents_that_were_not_taken_are_sent_again(
    front: Callable[..., str], new_index: str
) -> None:
    """A node that is busy takes a part of a bulk request."""
    sizes: list[int] = []

    def change(asked: Any, answer: Any) -> Any:
        status, headers, body = answer
        if "_bulk" in asked.path:
            reply = json.loads(body)
            sizes.append(len(reply["items"]))
            if len(sizes) == 1:
                for item in reply["items"][::2]:
                    item["index"] |= {"status": 429, "error": {"type": "x", "reason": "queue"}}
                body = json.dumps(reply).encode()
        return status, headers, body

    engine = OpenSearchEngine(Place((front(change=change),)))
    make(engine, new_index, iter(many(100)), Definition(), QUICK)
    assert sizes == [100, 50]
    engine.close()


def test_a_load_that_cannot_end_says_so_and_goes_on_later(
    front: Callable[..., str], new_index: str
) -> None:
    down = threading.Event()
    down.set()

    def fault(asked: Any) -> Any:
        return (503, {}, BUSY) if "_bulk" in asked.path and down.is_set() else None

    url = front(fault)
    engine = OpenSearchEngine(Place((url,)))
    with pytest.raises(ServiceError, match="50 documents could not be loaded, tried 4 times"):
        make(engine, new_index, iter(many(50)), Definition(), QUICK)
    down.clear()
    made = make(engine, new_index, iter(many(50)), Definition(), QUICK)
    assert made.config["corpus"]["documents"] == 50
    engine.close()


def test_an_index_is_made_once(cluster: Any, opensearch: Make, new_index: str) -> None:
    first = opensearch(many(30), index=new_index, create=True)
    before = writes(cluster, new_index)
    second = opensearch(many(30), index=new_index, create=True)
    assert second.config == first.config and "has them already" in second.notes[0]
    assert writes(cluster, new_index) == before
    for change in ({"analyzer": "cjk"}, {"shards": 2}):
        with pytest.raises(UsageError, match="other settings or mappings; it is left as it is"):
            opensearch(many(30), index=new_index, create=True, **change)
    with pytest.raises(UsageError, match="holds other documents; it is left as it is"):
        opensearch(many(31), index=new_index, create=True)
    assert writes(cluster, new_index) == before


def writes(cluster: Any, index: str) -> Any:
    """What changes with any write: the counters of the shards, and mappings and settings."""
    cluster.ask("POST", f"/{index}/_flush")
    stats = cluster.ask("GET", f"/{index}/_stats/indexing,docs,refresh")["_all"]["primaries"]
    indexing = {k: stats["indexing"][k] for k in ("index_total", "delete_total")}
    return stats["docs"], indexing, cluster.ask("GET", f"/{index}")


def test_an_index_of_somebody_else_is_only_read(
    cluster: Any, opensearch: Make, front: Callable[..., str], new_index: str
) -> None:
    cluster.ask("PUT", f"/{new_index}")
    cluster.ask("PUT", f"/{new_index}/_doc/1?refresh=true", {"title": "deadlock", "text": "x"})
    before = writes(cluster, new_index)
    seen: list[tuple[str, str]] = []
    url = front(lambda asked: seen.append((asked.method, asked.path.split("?")[0])))
    system = opensearch(many(3), index=new_index, hosts=url)
    assert system.search(Query("q", "deadlock"), 5)[0][0] == "1"
    assert len(system.search_many([Query("q", "deadlock")], 5)[0]) == 1
    with pytest.raises(UsageError, match="was not made here; it is left as it is"):
        opensearch(many(3), index=new_index, hosts=url, create=True)
    assert {call for call in seen if call[0] != "GET"} == {
        ("POST", f"/{new_index}/_search"),
        ("POST", "/_msearch"),
    }
    assert writes(cluster, new_index) == before
    assert new_index in cluster.ask("GET", f"/{new_index}")


def test_an_index_that_is_not_there_is_not_made(cluster: Any, opensearch: Make) -> None:
    with pytest.raises(UnknownName, match="no such index"):
        opensearch(many(3), index="not-there")
    with pytest.raises(UnknownName, match="no index matches"):
        opensearch(many(3), index="not-there-*")
    assert "not-there" not in cluster.ask("GET", "/_all")


@pytest.mark.parametrize("name", ["", "a b", "a/b", "x?y", "UPPER"])
def test_names_that_are_none(opensearch: Make, name: str) -> None:
    with pytest.raises((UsageError, InputError)):
        opensearch(many(1), index=name, create=True)


def test_one_index_is_made_at_a_time(opensearch: Make) -> None:
    with pytest.raises(UsageError, match="more than one index"):
        opensearch(many(1), index="a*", create=True)
    with pytest.raises(UsageError, match="needs documents"):
        opensearch(index="a", create=True)
