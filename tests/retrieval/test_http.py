"""The system `http` against real servers on loopback."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from cranfield import Document, Query
from cranfield.demo import collection
from cranfield.errors import InputError, ServiceError, UsageError
from cranfield.kit.retry import Backoff
from cranfield.retrieval.conduct import Settings, conduct
from cranfield.retrieval.http import HttpSearch
from cranfield.retrieval.scan import SequentialScan
from cranfield.testing import check_system

Serve = Callable[..., str]
POST: dict[str, Any] = {
    "body": {"q": "{query}", "top": "{k}", "where": "{filters}"},
    "hits": "$.answer.results",
    "id": "$.doc.id",
    "score": "$.score",
}
ODD = Query("1", "a&b=c/é?#死锁 +%")


def engine(documents: Iterable[Document]) -> Callable[[Any], tuple[int, dict[str, str], bytes]]:
    """A search API over a sequential scan."""
    scan = SequentialScan(documents)

    def answer(asked: Any) -> tuple[int, dict[str, str], bytes]:
        said = json.loads(asked.body)
        found = scan.search(Query("", said["q"]), said["top"], filters=said["where"])
        results = [{"doc": {"id": doc}, "score": score} for doc, score in found]
        return 200, {}, json.dumps({"answer": {"results": results}}).encode()

    return answer


def fixed(value: Any) -> Callable[[Any], tuple[int, dict[str, str], bytes]]:
    return lambda asked: (200, {}, json.dumps(value).encode())


def test_contract(serve: Serve) -> None:
    bundled = collection()
    assert bundled.documents is not None

    def make(documents: Iterable[Document]) -> HttpSearch:
        return HttpSearch(url=serve(engine(documents)), **POST)

    check_system(make, list(bundled.documents()), bundled.queries)


def test_the_address_is_filled_percent_encoded(serve: Serve) -> None:
    seen: list[str] = []
    url = serve(lambda asked: seen.append(asked.path) or (200, {}, b'{"r": []}'))
    system = HttpSearch(url=url + "/s/{query.id}?q={query}&n={k}&x=1", hits="$.r", id="$")
    assert system.search(ODD, 7) == []
    parts = urlsplit(seen[0])
    assert parse_qs(parts.query) == {"q": [ODD.text], "n": ["7"], "x": ["1"]}
    assert parts.path == "/s/1"


def test_without_scores_the_order_counts(serve: Serve) -> None:
    url = serve(fixed(["b", "a", "文", 7]))
    system = HttpSearch(url=url + "/?q={query}", hits="$", id="$")
    assert system.search(ODD, 3) == [("b", 1.0), ("a", 1 / 2), ("文", 1 / 3)]
    assert system.search(ODD, 9)[3] == ("7", 1 / 4)


def test_distances(serve: Serve) -> None:
    url = serve(fixed({"r": [{"i": 1, "d": 0.5}, {"i": 2, "d": 2}]})) + "/?q={query}"
    near = HttpSearch(url=url, hits="$.r", id="$.i", score="$.d", lower_is_better=True)
    assert near.search(ODD, 5) == [("1", -0.5), ("2", -2.0)]
    with pytest.raises(InputError, match="not in order"):
        HttpSearch(url=url, hits="$.r", id="$.i", score="$.d").search(ODD, 5)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"other": []}, "leads to nothing"),
        ({"r": {"a": 1}}, "dict, not a list"),
        ({"r": [{"i": "x"}]}, "a result without"),
        ({"r": [{"i": None, "s": 1}]}, "the id of a result is None"),
        ({"r": [{"i": "x", "s": "1"}]}, "the score of a result is '1'"),
        ([], "leads to nothing"),
    ],
)
def test_answers_of_another_shape_are_errors_and_not_empty(
    serve: Serve, answer: Any, told: str
) -> None:
    url = serve(fixed(answer)) + "/?q={query}"
    with pytest.raises(InputError) as error:
        HttpSearch(url=url, hits="$.r", id="$.i", score="$.s").search(ODD, 5)
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"url": None}, "url is needed"),
        ({"url": "localhost/{query}"}, "is no address"),
        ({"body": {"q": "x"}}, "has a place for the query"),
        ({"hits": "$.["}, "no JSONPath"),
        ({"hits": "$.r[*]"}, "several places"),
        ({"id": None}, "id is needed"),
        ({"method": "DELETE"}, "method is 'DELETE'"),
        ({"rate": 0}, "rate is 0"),
        ({"name": "a b"}, "one word"),
        ({"url": "http://a/{filters}"}, "stands in the body"),
        ({"request": {"uri": "x"}}, "has a key 'uri'"),
        ({"headers": {"X": "{env.CRANFIELD_NOT_SET}"}}, "is not set"),
        ({"body": {"q": "{query}", "a": ["{env.CRANFIELD_NOT_SET}"]}}, "body.a needs the"),
        ({"url": "http://a/{query}?x={env.CRANFIELD_NOT_SET}"}, "url needs the environment"),
    ],
)
def test_what_it_is_told_is_checked(change: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as error:
        HttpSearch(**({"url": "http://127.0.0.1/", **POST} | change))
    assert told in str(error.value)


def test_secrets_are_sent_and_kept_out_of_the_card(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARCH_KEY", "s3cret")
    seen: list[str] = []
    url = serve(lambda asked: seen.append(asked.headers["x-key"]) or (200, {}, b"[]"))
    request = {"url": url + "/?q={query}", "headers": {"X-Key": "{env.SEARCH_KEY}"}}
    system = HttpSearch(request={**request, "hits": "$", "id": "$"})
    system.search(ODD, 1)
    assert seen == ["s3cret"]
    assert "s3cret" not in json.dumps(system.config) and "{env.SEARCH_KEY}" in str(system.config)


def test_secrets_that_stand_openly_are_kept_out_of_the_card(serve: Serve) -> None:
    seen: list[Any] = []
    url = serve(lambda asked: seen.append((asked.path, asked.headers)) or (200, {}, b"[]"))
    headers = {"Authorization": "Bearer s3cret", "X-Api-Key": "s3cret", "X-Tenant": "acme"}
    address = url + "/?key={query}&api_key=s3cret&n={k}&max_tokens=5"
    system = HttpSearch(url=address, headers=headers, hits="$", id="$")
    system.search(Query("1", "a"), 3)
    path, sent = seen[0]
    assert path == "/?key=a&api_key=s3cret&n=3&max_tokens=5"
    assert sent["authorization"] == "Bearer s3cret"
    request = system.config["request"]
    assert request["headers"] == {
        "Authorization": "(hidden)",
        "X-Api-Key": "(hidden)",
        "X-Tenant": "acme",
    }
    assert request["url"] == url + "/?key={query}&api_key=(hidden)&n={k}&max_tokens=5"


def test_secrets_of_body_and_address_come_from_the_environment(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARCH_KEY", "s3cret/&")
    seen: list[Any] = []
    url = serve(lambda asked: seen.append((asked.path, asked.body)) or (200, {}, b"[]"))
    system = HttpSearch(
        url=url + "/q?sig={env.SEARCH_KEY}",
        body={"q": "{query}", "auth": {"token": "{env.SEARCH_KEY}"}},
        hits="$",
        id="$",
    )
    system.search(Query("1", "{env.SEARCH_KEY}"), 1)  # a query fills in nothing
    assert seen[0][0] == "/q?sig=s3cret%2F%26"
    assert json.loads(seen[0][1]) == {"q": "{env.SEARCH_KEY}", "auth": {"token": "s3cret/&"}}
    assert "s3cret" not in json.dumps(system.config) and system.notes == ()
    assert system.config["request"]["body"]["auth"] == {"token": "{env.SEARCH_KEY}"}


def test_open_secrets_of_a_body_are_hidden_and_told(serve: Serve) -> None:
    seen: list[Any] = []
    url = serve(lambda asked: seen.append(json.loads(asked.body)) or (200, {}, b"[]"))
    body = {"q": "{query}", "apiKey": "s3cret", "login": {"user": "x", "pass": ["s3cret", 7]}}
    system = HttpSearch(url=url, body=body, hits="$", id="$")
    system.search(Query("1", "a"), 1)
    assert seen == [body | {"q": "a"}]
    assert system.config["request"]["body"] == {
        "q": "{query}",
        "apiKey": "(hidden)",
        "login": {"user": "x", "pass": ["(hidden)", "(hidden)"]},
    }
    assert [note.split(" looks")[0] for note in system.notes] == ["body.apiKey", "body.login.pass"]
    assert "s3cret" not in str(system.notes)


@pytest.mark.parametrize("status", [200, 400, 500])
def test_a_service_that_repeats_a_secret(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("SEARCH_KEY", "fr0m-env")
    url = serve(lambda asked: (status, {}, json.dumps(asked.body.decode() + asked.path).encode()))
    body = {"q": "{query}", "password": "0penly", "key": "{env.SEARCH_KEY}"}
    system = HttpSearch(url=url + "/{env.SEARCH_KEY}/x?k=1", body=body, hits="$.h", id="$")
    with pytest.raises((InputError, ServiceError)) as error:
        system.search(Query("1", "a"), 1)
    assert "0penly" not in str(error.value) and "fr0m-env" not in str(error.value)
    assert "(hidden)" in str(error.value)


def test_the_rate_is_kept_by_threads(serve: Serve) -> None:
    url = serve(fixed([])) + "/?q={query}"
    system = HttpSearch(url=url, hits="$", id="$", rate=50)
    begun = time.monotonic()
    threads = [threading.Thread(target=system.search, args=(ODD, 1)) for _ in range(11)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - begun >= 0.2


def _flaky(serve: Serve, faults: dict[str, list[Any]]) -> str:
    """An API that answers with ids "d1", "d2"; first with the faults of a query, one by one."""
    lock = threading.Lock()

    def answer(asked: Any) -> Any:
        query = parse_qs(urlsplit(asked.path).query)["q"][0]
        with lock:
            fault = faults[query].pop(0) if faults.get(query) else None
        if fault is None:
            return 200, {}, b'["d1", "d2"]'
        if fault == "hang":
            time.sleep(0.6)
            return 200, {}, b"[]"
        return fault if isinstance(fault, tuple) else None

    return serve(answer) + "/?q={query}"


FAULTS: dict[str, Any] = {
    "429": (429, {"Retry-After": "0"}, b"slow down"),
    "503": (503, {}, b"starting"),
    "malformed": (200, {}, b'["d1", '),
    "timeout": "hang",
    "hung up": "close",
}


def test_a_fault_that_passes_leaves_no_trace_in_the_run(serve: Serve) -> None:
    faults = {name: [fault, fault] for name, fault in FAULTS.items()}
    system = HttpSearch(url=_flaky(serve, faults), hits="$", id="$", timeout=0.3)
    queries = [Query(name, name) for name in FAULTS]
    done = conduct(system, queries, Settings(k=2, backoff=Backoff(3, first=0.01)))
    assert not done.errors and done.card.failed == ()
    assert all(not left for left in faults.values())
    assert done.run.to_dict() == {name: {"d1": 1.0, "d2": 0.5} for name in FAULTS}


def test_a_fault_that_stays_is_recorded_and_nothing_else_is_lost(serve: Serve) -> None:
    faults = {name: [fault] * 9 for name, fault in FAULTS.items()}
    system = HttpSearch(url=_flaky(serve, faults), hits="$", id="$", timeout=0.3)
    queries = [Query("good", "good"), *(Query(name, name) for name in FAULTS)]
    done = conduct(system, queries, Settings(k=2, backoff=Backoff(2, first=0.01)))
    assert set(done.card.failed) == set(FAULTS) and done.run.queries.to_list() == ["good"]
    assert "status 429" in done.errors["429"] and "status 503" in done.errors["503"]
    assert "not JSON" in done.errors["malformed"] and "within 0.3 s" in done.errors["timeout"]


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(ServiceError):
        HttpSearch(url=f"http://127.0.0.1:{port}/?q={{query}}", hits="$", id="$").search(ODD, 1)
