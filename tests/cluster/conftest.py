"""A real OpenSearch of three nodes, each a process of its own, for the tests in this folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from cranfield.retrieval.cluster.system import OpenSearch

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "opensearch.py"
HERE = Path(__file__).parent
# The default, 1024 terms, refuses the longest query of the contract.
LONG_QUERIES = "indices.query.bool.max_clause_count=10000"
_numbers = count()


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """They are slow, and the one that breaks the cluster comes last."""
    ours = [item for item in items if HERE in item.path.parents]
    for item in ours:
        item.add_marker(pytest.mark.slow)
    last = [item for item in ours if item.get_closest_marker("last")]
    items[:] = [item for item in items if item not in last] + last


@dataclass(frozen=True)
class Cluster:
    """The nodes, and plain requests to them."""

    nodes: list[dict[str, Any]]

    @property
    def urls(self) -> list[str]:
        return [node["url"] for node in self.nodes]

    @property
    def hosts(self) -> str:
        return ",".join(self.urls)

    def ask(self, method: str, path: str, body: Any = None, node: int = 0) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(
            self.urls[node] + path, data=data, method=method, headers=headers
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def kill(self, node: int) -> None:
        os.kill(self.nodes[node]["pid"], signal.SIGKILL)

    def wait_for(self, status: str, index: str, node: int = 0) -> None:
        last = time.monotonic() + 60
        while self.ask("GET", f"/_cluster/health/{index}", node=node)["status"] != status:
            assert time.monotonic() < last, f"{index} is not {status}"
            time.sleep(0.2)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Started once; in CI one that cannot be started is a failure."""
    folder = tmp_path_factory.mktemp("opensearch")
    tool = [sys.executable, str(TOOL)]
    begun = subprocess.run(
        [*tool, "start", "--dir", folder, "--owner", str(os.getpid()), "--setting", LONG_QUERIES],
        capture_output=True,
        text=True,
        check=False,
    )
    if begun.returncode == 3 and not os.environ.get("CI"):
        pytest.skip(f"no search cluster on this machine: {begun.stderr.strip()}")
    assert begun.returncode == 0, begun.stderr
    try:
        yield Cluster(json.loads(begun.stdout)["nodes"])
    finally:
        subprocess.run([*tool, "stop", "--dir", folder], check=True, capture_output=True)


@pytest.fixture
def front(cluster: Cluster, serve: Callable[..., str]) -> Callable[..., str]:
    """Start a proxy before the cluster and return its address.

    `fault(asked)` is an answer in place of the cluster's, "hang up", or None for no fault;
    `change(asked, answer)` makes another answer of the cluster's.
    """

    def started(fault: Any = lambda asked: None, change: Any = lambda asked, answer: answer) -> str:
        def answer(asked: Any) -> Any:
            given = fault(asked)
            if given is not None:
                return None if given == "hang up" else given
            return change(asked, _forward(cluster.urls[0], asked))

        return serve(answer)

    return started


def _forward(url: str, asked: Any) -> tuple[int, dict[str, str], bytes]:
    lines = "ndjson" in asked.headers.get("content-type", "")
    headers = {"Content-Type": "application/x-ndjson" if lines else "application/json"}
    data = asked.body or None
    request = urllib.request.Request(url + asked.path, data, headers, method=asked.method)
    kind = {"Content-Type": "application/json"}
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, kind, response.read()
    except urllib.error.HTTPError as e:
        with e:
            return e.code, kind, e.read()


@pytest.fixture
def new_index() -> str:
    """A name that no other test has."""
    return f"test-{next(_numbers)}"


@pytest.fixture
def opensearch(cluster: Cluster) -> Iterator[Callable[..., OpenSearch]]:
    """The system on this cluster; closed afterwards."""
    made: list[OpenSearch] = []

    def make(documents: Any = None, **options: Any) -> OpenSearch:
        made.append(OpenSearch(documents, **{"hosts": cluster.hosts, **options}))
        return made[-1]

    yield make
    for system in made:
        system.close()
