"""The program as a user starts it, in this process (fast) or in its own (true)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cranfield.cli import main as program


@dataclass
class Ended:
    code: int
    out: str
    err: str


Cranfield = Callable[..., Ended]


@pytest.fixture
def cranfield(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Cranfield:
    """Run `cranfield ARGS...` and say how it ended."""

    def call(*args: object) -> Ended:
        capfd.readouterr()
        monkeypatch.setattr(sys, "argv", ["cranfield", *map(str, args)])
        code = program._run()
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return Ended(code, out, err)

    return call


@pytest.fixture
def files(tmp_path: Path) -> Callable[..., Path]:
    """Write a small file and return its path."""

    def write(name: str, text: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


QRELS = "q1 0 a 2\nq1 0 b 0\nq1 0 c 1\nq2 0 a 0\nq2 0 b 0\nq3 0 d 3\n"
RUN = "q1 Q0 b 1 3 sys\nq1 Q0 a 2 2 sys\nq1 Q0 x 3 1 sys\nq2 Q0 b 1 1 sys\nq9 Q0 z 1 1 sys\n"
