"""`cranfield retrieve --system http` against real servers on loopback."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

Serve = Callable[..., str]


def _collection(folder: Path) -> Path:
    """Three queries and no corpus: a collection behind somebody's API."""
    (folder / "qrels").mkdir(parents=True)
    rows = [json.dumps({"_id": name, "text": name}) + "\n" for name in ("一", "two", "three")]
    (folder / "queries.jsonl").write_text("".join(rows), encoding="utf-8")
    lines = ["query-id\tcorpus-id\tscore\n", *(f"{n}\td1\t1\n" for n in ("一", "two", "three"))]
    (folder / "qrels" / "test.tsv").write_text("".join(lines), encoding="utf-8")
    return folder


def test_the_command_resumes_what_failed(cranfield: Any, serve: Serve, tmp_path: Path) -> None:
    left = {"two": 2}

    def answer(asked: Any) -> tuple[int, dict[str, str], bytes]:
        query = parse_qs(urlsplit(asked.path).query)["q"][0]
        left[query] = left.get(query, 0) - 1
        return (503, {}, b"starting") if left[query] >= 0 else (200, {}, b'["d1", "d2"]')

    request = tmp_path / "api.json"
    said = {"url": serve(answer) + "/?q={query}", "hits": "$", "id": "$"}
    request.write_text(json.dumps(said), encoding="utf-8")
    output = tmp_path / "api.run"
    command = ["retrieve", str(_collection(tmp_path / "c")), "--system", "http"]
    command += ["-p", f"request={request}", "-o", str(output), "--attempts", "1"]
    first = cranfield(*command)
    assert first.code == 0, first.err
    assert "1 query failed" in first.err and "503" in first.err
    card = json.loads((tmp_path / "api.run.card.json").read_text(encoding="utf-8"))
    assert card["failed"] == ["two"]
    cranfield(*command)
    third = cranfield(*command)
    assert "resumed: 2 of 3" in third.err, third.err
    assert len(output.read_text(encoding="utf-8").splitlines()) == 6
    assert not (tmp_path / "api.run.part").exists()


def test_the_command_says_what_is_wrong(cranfield: Any, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["retrieve", str(_collection(tmp_path / "c")), "--system", "http", "--attempts", "1"]
    command += ["-p", f"url=http://127.0.0.1:{port}/?q={{query}}", "-p", "hits=$", "-p", "id=$"]
    told = cranfield(*command, "-o", tmp_path / "x.run")
    assert told.code == 9 and "refused" in told.err
    assert not list(tmp_path.glob("x.run*")), "nothing was written, it says"


def test_the_run_has_the_name_that_the_system_is_given(
    cranfield: Any, serve: Serve, tmp_path: Path
) -> None:
    url = serve(lambda asked: (200, {}, b'["d1"]'))
    command = ["retrieve", str(_collection(tmp_path / "c")), "--system", "http"]
    command += ["-p", f"url={url}/?q={{query}}", "-p", "hits=$", "-p", "id=$", "-p", "name=ours"]
    done = cranfield(*command, "-o", tmp_path / "x.run")
    assert done.code == 0, done.err
    assert json.loads((tmp_path / "x.run.card.json").read_text())["name"] == "ours"


@pytest.mark.parametrize(
    ("parameter", "told"),
    [
        ("headers=abc", "headers is an object"),
        ('headers=["a"]', "headers is an object"),
        ("rate=fast", "rate is a number"),
        ("timeout=true", "timeout is a number"),
        ("timeout=NaN", "seconds, above 0"),
        ("verify=3", "verify is true or false"),
        ("name=4", "name is a text; in quotes it is one: 'name=\"4\"'"),
    ],
)
def test_a_parameter_of_another_type_is_a_wrong_call(
    cranfield: Any, tmp_path: Path, parameter: str, told: str
) -> None:
    command = ["retrieve", str(_collection(tmp_path / "c")), "--system", "http"]
    command += ["-p", "url=http://127.0.0.1/?q={query}", "-p", "hits=$", "-p", "id=$"]
    done = cranfield(*command, "-p", parameter, "-o", tmp_path / "x.run")
    assert done.code == 2 and told in done.err, done.err
    assert "Traceback" not in done.err


def test_an_open_secret_is_told_and_reaches_no_file(
    cranfield: Any, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARCH_PIN", "fr0m-env")
    request = tmp_path / "api.json"
    said = {
        "url": serve(lambda asked: (200, {}, b'["d1"]')),
        "body": {"q": "{query}", "api_key": "0penly", "pin": "{env.SEARCH_PIN}"},
        "hits": "$",
        "id": "$",
    }
    request.write_text(json.dumps(said), encoding="utf-8")
    command = ["retrieve", str(_collection(tmp_path / "c")), "--system", "http"]
    done = cranfield(*command, "-p", f"request={request}", "-o", tmp_path / "x.run")
    assert done.code == 0, done.err
    assert "note: body.api_key looks like a secret that stands openly" in done.err
    written = (tmp_path / "x.run.card.json").read_text(encoding="utf-8")
    assert "0penly" not in written + done.err and "fr0m-env" not in written + done.err
    assert "(hidden)" in written and "{env.SEARCH_PIN}" in written
    monkeypatch.delenv("SEARCH_PIN")
    done = cranfield(*command, "-p", f"request={request}", "-o", tmp_path / "y.run")
    assert done.code == 2 and "body.pin needs the environment variable SEARCH_PIN" in done.err
