"""A small lab in a folder of its own, with a clock that ticks a minute a call."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cranfield import plugins
from cranfield.experiment.config import make_lab, read_config
from cranfield.experiment.lab import Lab

QRELS = "q1 0 a 2\nq1 0 b 0\nq1 0 c 1\nq2 0 a 0\nq2 0 b 1\nq3 0 d 3\nq4 0 e 0\n"
GOOD = "q1 Q0 a 1 3 s\nq1 Q0 b 2 2 s\nq2 Q0 b 1 2 s\nq3 Q0 d 1 1 s\n"
BAD = "q1 Q0 b 1 3 s\nq1 Q0 a 2 2 s\nq2 Q0 a 1 2 s\nq2 Q0 b 2 1 s\nq3 Q0 x 1 1 s\n"
TEXTS = {"q1": "倒排索引", "q2": "connection pool", "q3": "HTTP 429", "q4": "sourdough"}
TYPES = {"q1": "exact", "q2": "exact", "q3": "code", "q4": "code"}


class Clock:
    """A minute later at each call."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a collection `c`, the runs good.run and bad.run, and a cranfield.toml."""
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "qrels.txt").write_text(QRELS)
    lines = [json.dumps({"_id": q, "text": t, "type": TYPES[q]}) for q, t in TEXTS.items()]
    (tmp_path / "c" / "queries.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "good.run").write_text(GOOD)
    (tmp_path / "bad.run").write_text(BAD)
    monkeypatch.chdir(tmp_path)
    make_lab(tmp_path, "c", ["nDCG@10", "AP"])
    return tmp_path


@pytest.fixture
def lab(folder: Path) -> Callable[[], Lab]:
    """Open the lab (again); the clock goes on."""
    clock = Clock()
    return lambda: Lab(read_config(folder / "cranfield.toml"), clock=clock, patience=5)


def _load(name: str):
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


matrices = _load("matrices")


@pytest.fixture
def toys(tmp_path_factory: pytest.TempPathFactory, monkeypatch) -> Iterator[Path]:
    """A stranger's package of back ends, here and in processes started from here; the file in
    which they note what they were asked."""
    folder = tmp_path_factory.mktemp("toys")
    matrices.write_toys(folder)
    monkeypatch.syspath_prepend(str(folder))
    before = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{before}".rstrip(os.pathsep))
    log = folder / "log"
    log.write_text("")
    monkeypatch.setenv("TOYS_LOG", str(log))
    plugins._registered.cache_clear()
    yield log
    plugins._registered.cache_clear()
    sys.modules.pop("toys", None)


@pytest.fixture
def matrix(tmp_path: Path, toys: Path, monkeypatch) -> Path:
    """A folder with two collections and a cranfield.toml with a matrix of eight cells."""
    matrices.write_collection(tmp_path / "one")
    matrices.write_collection(tmp_path / "two", 5, seed=2)
    (tmp_path / "cranfield.toml").write_text(matrices.MATRIX)
    monkeypatch.chdir(tmp_path)
    return tmp_path
