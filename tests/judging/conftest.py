"""A label store of each kind, and a real PostgreSQL server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from cranfield.judging.labels import Labels, open_labels

TOOL = Path(__file__).resolve().parents[2] / "tools" / "postgres.py"
_numbers = count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a server; in CI one that cannot be started is a failure."""
    server = subprocess.Popen(
        [sys.executable, str(TOOL)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None and server.stdout is not None and server.stderr is not None
    line = server.stdout.readline()
    try:
        if not line and server.wait(60) == 3 and not os.environ.get("CI"):
            pytest.skip(server.stderr.read().strip())
        assert line, server.stderr.read()
        yield json.loads(line)["url"]
    finally:
        server.stdin.close()
        server.wait(60)
        server.stdout.close()
        server.stderr.close()


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty store may be made; in PostgreSQL a schema of its own."""
    if request.param == "sqlite":
        return str(tmp_path / "labels.sqlite")
    url: str = request.getfixturevalue("postgres")
    schema = f"test_{os.getpid()}_{next(_numbers)}"
    import psycopg

    with psycopg.connect(url, autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {schema}")
    return f"{url}?options=-csearch_path%3D{schema}"


@pytest.fixture
def labels(address: str) -> Iterator[Labels]:
    found = open_labels(address)
    yield found
    found.close()


@pytest.fixture
def opened(address: str) -> Iterator[Callable[[], Labels]]:
    """Open the same store once more."""
    made: list[Labels] = []

    def once_more() -> Labels:
        made.append(open_labels(address))
        return made[-1]

    yield once_more
    for one in made:
        one.close()
