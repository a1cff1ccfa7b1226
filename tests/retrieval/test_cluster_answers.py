"""What is no search cluster, and one that tells little, behind the address of one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from cranfield import Document, Query
from cranfield.errors import ServiceError, UsageError
from cranfield.retrieval.cluster.system import OpenSearch

Serve = Callable[..., str]
HIT = {"_id": "文1", "_score": 2.5}
FOUND = {"hits": {"hits": [HIT]}, "_shards": {"failed": 0}, "timed_out": False}


def says(answers: dict[str, Any], otherwise: Any) -> Callable[[Any], tuple[int, Any, bytes]]:
    """A server that answers by the end of the path."""

    def answer(asked: Any) -> tuple[int, dict[str, str], bytes]:
        path = asked.path.partition("?")[0]
        value = next((v for end, v in answers.items() if path.endswith(end)), otherwise)
        return 200, {"Content-Type": "application/json"}, json.dumps(value).encode()

    return answer


@pytest.mark.parametrize("value", [{}, [], 7, None, "x", {"count": "many"}, {"hits": [1]}])
@pytest.mark.parametrize("create", [False, True])
def test_a_service_that_is_no_cluster(serve: Serve, value: Any, create: bool) -> None:
    pytest.importorskip("opensearchpy")
    options = {"index": "x", "hosts": serve(says({}, value)), "attempts": 1}
    documents = [Document("d", "", "t")] if create else None
    with pytest.raises((ServiceError, UsageError)) as raised:
        OpenSearch(documents, create=create, **options)
    assert raised.value.message


def test_a_user_who_may_search_and_no_more(serve: Serve) -> None:
    """`GET /` needs a right of the cluster, a search one of the index."""
    pytest.importorskip("opensearchpy")
    answers = {"/_count": {"count": 3}, "/_search": FOUND, "/x": {"x": {}}}
    forbidden = {"error": {"type": "security_exception", "reason": "no permissions for main"}}

    def answer(asked: Any) -> Any:
        if asked.path == "/":
            return 403, {"Content-Type": "application/json"}, json.dumps(forbidden).encode()
        return says(answers, {})(asked)

    system = OpenSearch(index="x", hosts=serve(answer))
    assert system.search(Query("q", "死锁"), 5) == [("文1", 2.5)]
    assert system.config["engine"] == {"version": None}
    assert "this user may not ask the cluster for its version" in system.notes
    system.close()
    with pytest.raises(UsageError, match="no permissions for main"):
        OpenSearch(index="x", hosts=serve(lambda asked: (403, {}, json.dumps(forbidden).encode())))


def test_a_cluster_without_a_version_is_searched(serve: Serve) -> None:
    pytest.importorskip("opensearchpy")
    answers = {"/_count": {"count": 3}, "/_search": FOUND, "/x": {"x": {}}}
    system = OpenSearch(index="x", hosts=serve(says(answers, {"version": "2"})))
    assert system.search(Query("q", "死锁"), 5) == [("文1", 2.5)]
    assert system.config["engine"] == {"version": None}
    system.close()
