"""What all tests share: where the shared data lie, and small files to read."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("cranfield", deadline=None)  # CI machines have bad moments
settings.load_profile("cranfield")

ALLOWED_SKIPS = Path(__file__).parent / "allowed-skips.txt"
_skipped: dict[str, str] = {}


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note_skip(report)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note_skip(report)


def _note_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """In CI a skipped test is a failure unless `allowed-skips.txt` names it with the reason."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
        _skipped[report.nodeid] = str(reason)


def _forbidden_skips() -> dict[str, str]:
    lines = ALLOWED_SKIPS.read_text().splitlines()
    allowed = {line.split("  #")[0].strip() for line in lines if line and line[0] != "#"}
    return {t: why for t, why in _skipped.items() if not allowed & {t, t.split("[")[0]}}


def pytest_sessionfinish(session: pytest.Session) -> None:
    if os.environ.get("CI") and _forbidden_skips() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if os.environ.get("CI"):
        for test, why in _forbidden_skips().items():
            terminalreporter.write_line(
                f"SKIPPED IN CI, not in {ALLOWED_SKIPS.name}: {test}: {why}"
            )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests go to whichever worker is free, but those of the search cluster to one: there is one
    cluster."""
    from xdist.scheduler import LoadScopeScheduling

    class OneCluster(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return "cluster" if nodeid.startswith("tests/cluster/") else nodeid

    return OneCluster(config, log)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of collections, runs and golden outputs, which lies beside the repository and
    not in it: `$CRANFIELD_SHARED`, else `../shared`."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(os.environ.get("CRANFIELD_SHARED", beside))
    if not (folder / "spec" / "SPEC.md").exists():
        pytest.skip("the shared data are not here; CRANFIELD_SHARED may say where they are")
    return folder


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a small file and return its path."""

    def written(name: str, text: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


@dataclass(frozen=True)
class Asked:
    """A request as a server got it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Start a server on loopback and return its address.

    `answer(asked)` returns (status, headers, body), where a header None is not sent; or None, to
    hang up without an answer.
    """
    running: list[ThreadingHTTPServer] = []

    def started(answer: Callable[[Asked], tuple[int, dict[str, str | None], bytes] | None]) -> str:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # head and body leave together; apart they would wait for each other

            def _do(self) -> None:
                size = int(self.headers.get("Content-Length") or 0)
                sent = {name.lower(): value for name, value in self.headers.items()}
                asked = Asked(self.command, self.path, sent, self.rfile.read(size))
                given = answer(asked)
                if given is None:
                    self.close_connection = True
                    return
                status, headers, body = given
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **headers}.items():
                    if value is not None:
                        self.send_header(name, value)
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = _do

            def log_message(self, *args: object) -> None:
                pass

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *args: object) -> None:
                """A client that went away is what some tests are about."""

        server = Quiet(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        running.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield started
    for server in running:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def chat_server() -> ModuleType:
    """The scripted model beside the rooms of the tests."""
    place = Path(__file__).parent / "chat_server.py"
    spec = importlib.util.spec_from_file_location("chat_server", place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
