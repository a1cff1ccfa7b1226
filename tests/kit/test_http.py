"""Requests to real servers on loopback that refuse, stall, cut and babble."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from typing import Any

import pytest

from cranfield.errors import CranfieldError, InputError, ServiceError, UsageError
from cranfield.kit.address import address
from cranfield.kit.http import Client, retry_after
from cranfield.kit.rate import Rate
from cranfield.kit.retry import Backoff

Serve = Callable[..., str]
QUICK = Backoff(3, first=0.01, most=0.05)


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client(timeout=2, backoff=QUICK)
    yield made
    made.close()


def test_json_goes_both_ways(serve: Serve, client: Client) -> None:
    url = serve(lambda asked: (200, {"X-Kind": asked.headers["content-type"]}, asked.body))
    reply = client.send("POST", f"{url}/x", data={"问": ["答", 1.5, None]})
    assert reply.json() == {"问": ["答", 1.5, None]}
    assert reply.headers["x-kind"] == "application/json"


@pytest.mark.parametrize("kind", ["chunked", "gzip"])
def test_other_ways_to_send_a_body(serve: Serve, client: Client, kind: str) -> None:
    whole = json.dumps(["死锁"] * 50_000).encode()
    if kind == "gzip":
        url = serve(lambda asked: (200, {"Content-Encoding": "gzip"}, gzip.compress(whole)))
    else:
        parts = [whole[at : at + 9999] for at in range(0, len(whole), 9999)] + [b""]
        body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts)

        def answer(asked: Any) -> tuple[int, dict[str, Any], bytes]:
            return 200, {"Transfer-Encoding": "chunked", "Content-Length": None}, body

        url = serve(answer)
    for _ in range(2):
        assert client.send("GET", url).body == whole


def test_connections_stay_open(client: Client) -> None:
    """Two requests come over one connection."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        seen = []

        def answer() -> None:
            peer, _ = listening.accept()
            with peer:
                for _ in range(2):
                    seen.append(peer.recv(65536))
                    peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")

        thread = threading.Thread(target=answer)
        thread.start()
        for _ in range(2):
            assert (
                client.send("GET", f"http://127.0.0.1:{listening.getsockname()[1]}/").json() == {}
            )
        thread.join()
        assert len(seen) == 2


def test_nobody_listens(client: Client) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(ServiceError, match=r"cannot be reached \(.*refused\)"):
        client.send("GET", f"http://127.0.0.1:{port}/")


def test_no_such_host(client: Client) -> None:
    with pytest.raises(ServiceError, match=r"http://nowhere.invalid cannot be reached"):
        client.send("GET", "http://nowhere.invalid/")


def test_hung_up(serve: Serve, client: Client) -> None:
    with pytest.raises(ServiceError, match="cannot be reached"):
        client.send("GET", serve(lambda asked: None))


def test_a_body_cut_short(serve: Serve, client: Client) -> None:
    url = serve(lambda asked: (200, {"Content-Length": "100", "Connection": "close"}, b"{}"))
    with pytest.raises(ServiceError):
        client.send("GET", url)


def test_too_late(serve: Serve) -> None:
    url = serve(lambda asked: time.sleep(1) or (200, {}, b"{}"))
    begun = time.monotonic()
    with pytest.raises(ServiceError, match=r"no answer within 0.2 s"):
        Client(timeout=0.2).send("GET", url)
    assert time.monotonic() - begun < 0.9


def test_a_body_that_drips_ends_in_time() -> None:
    """Every byte comes well within the timeout; the whole does not."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            peer, _ = listening.accept()
            with peer:
                peer.recv(65536)
                try:
                    peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                    for _ in range(60):
                        peer.sendall(b" ")
                        time.sleep(0.05)
                except OSError:
                    pass

        thread = threading.Thread(target=drip)
        thread.start()
        begun = time.monotonic()
        with pytest.raises(ServiceError, match=r"within 0.3 s"):
            Client(timeout=0.3).send("GET", f"http://127.0.0.1:{listening.getsockname()[1]}/")
        assert time.monotonic() - begun < 2
        thread.join()


@pytest.mark.parametrize(
    "body", [b"", b"<html>busy</html>", b'{"hits": [', b"\xff\xfe", b"[" * 200_000]
)
def test_an_answer_that_is_not_json(serve: Serve, client: Client, body: bytes) -> None:
    with pytest.raises(ServiceError, match="not JSON"):
        client.send("GET", serve(lambda asked: (200, {}, body))).json()


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, InputError),
        (401, UsageError),
        (403, UsageError),
        (404, InputError),
        (408, ServiceError),
        (429, ServiceError),
        (500, ServiceError),
        (503, ServiceError),
    ],
)
def test_statuses(serve: Serve, client: Client, status: int, kind: type[CranfieldError]) -> None:
    url = serve(lambda asked: (status, {}, "忙\n busy".encode()))
    with pytest.raises(kind, match=f"status {status}: 忙 busy"):
        client.send("GET", url)


def test_moved_is_said_and_not_followed(serve: Serve, client: Client) -> None:
    """Another host must not get the headers."""
    url = serve(lambda asked: (301, {"Location": "http://elsewhere.invalid/?token=s"}, b""))
    with pytest.raises(UsageError, match=r"moved to http://elsewhere.invalid/\?token=\(hidden\)"):
        client.send("GET", url)


def test_asked_again_until_it_answers(serve: Serve, client: Client) -> None:
    statuses = iter([503, 429, 200])
    url = serve(lambda asked: (next(statuses), {"Retry-After": "0"}, b"[1]"))
    assert client.request("GET", url).json() == [1]


def test_retry_after_is_obeyed(serve: Serve) -> None:
    pauses: list[float] = []
    statuses = iter([429, 200])
    url = serve(lambda asked: (next(statuses), {"Retry-After": "7"}, b"{}"))
    Client(backoff=Backoff(3, first=0.01, sleep=pauses.append)).request("GET", url)
    assert pauses == [7.0]


def test_a_wrong_request_is_not_asked_again(serve: Serve, client: Client) -> None:
    count: list[int] = []
    url = serve(lambda asked: count.append(1) or (400, {}, b""))
    with pytest.raises(InputError):
        client.request("GET", url)
    assert len(count) == 1


def test_retry_after_forms() -> None:
    assert retry_after("3") == 3
    assert retry_after(None) is None
    assert retry_after("soon") is None
    assert 50 < (retry_after(formatdate(time.time() + 60, usegmt=True)) or 0) <= 60
    assert retry_after(formatdate(time.time() - 60, usegmt=True)) == 0


def test_secrets_come_from_the_environment_and_are_not_shown(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", " s3cret\n")
    seen: list[str] = []
    url = serve(lambda asked: seen.append(asked.headers["authorization"]) or (500, {}, b""))
    with pytest.raises(ServiceError) as error:
        Client(headers={"Authorization": "Bearer {env.MY_KEY}"}).send("GET", f"{url}/a?key=s3cret")
    assert seen == ["Bearer s3cret"]
    assert "s3cret" not in str(error.value)
    echo = serve(lambda asked: (500, {}, b"no " + asked.headers["authorization"].encode()))
    with pytest.raises(ServiceError, match=r"no Bearer \(hidden\)"):
        Client(headers={"Authorization": "Bearer {env.MY_KEY}"}).send("GET", echo)


@pytest.mark.parametrize(
    ("headers", "told"),
    [
        ({"X": "{env.CRANFIELD_NOT_SET}"}, "CRANFIELD_NOT_SET, which is not set"),
        ({"X": "a\r\nY: b"}, "control character"),
        ({"X": "密"}, "outside ASCII"),
        ({"X": 1}, "are texts"),
    ],
)
def test_headers_that_cannot_be_sent(headers: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError) as error:
        Client(headers=headers)
    assert told in str(error.value)


@pytest.mark.parametrize(
    "url",
    ["localhost:9200", "ftp://a/", "http://", "http://a:99999/", "http://u:p@a/", "http://[::1"],
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(UsageError) as error:
        address(url)
    assert "u:p" not in str(error.value)


def test_an_address_is_shown_without_its_query() -> None:
    assert address("https://[::1]:9200/a/?key=1#x") == "https://[::1]:9200/a"


def test_the_proxy_of_the_environment_is_used(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = serve(lambda asked: (200, {}, b'"%s"' % asked.path.encode()))
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    client = Client()
    assert client.send("GET", "http://far.invalid/x").json() == "http://far.invalid/x"
    assert client.send("GET", f"{proxy}/near").json() == "/near"


def test_an_answer_without_end_is_cut_off(serve: Serve) -> None:
    url = serve(lambda asked: (200, {}, b"x" * 200_000))
    with pytest.raises(ServiceError, match="more than 100,000 bytes"):
        Client(most=100_000).send("GET", url)


def test_rate_spaces_calls_over_all_threads() -> None:
    rate = Rate(50)
    begun = time.monotonic()
    threads = [threading.Thread(target=rate.wait) for _ in range(11)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 0.2 <= time.monotonic() - begun < 2


@pytest.mark.parametrize("rate", [0, -1, float("inf")])
def test_rates_that_are_none(rate: float) -> None:
    with pytest.raises(UsageError):
        Rate(rate)


def test_the_wrong_certificate_is_said(serve: Serve) -> None:
    """Speaking TLS to a server that does not."""
    url = serve(lambda asked: (200, {}, b"{}")).replace("http:", "https:")
    with pytest.raises(ServiceError) as error:
        Client(timeout=2).send("GET", url)
    assert "Traceback" not in str(error.value) and url in str(error.value)


def test_other_settings_are_checked(tmp_path: object) -> None:
    with pytest.raises(UsageError):
        Client(timeout=0)
    with pytest.raises(UsageError, match="no such file"):
        Client(ca_certs=f"{tmp_path}/none.pem")
