"""What all tests share: where the shared data lie, and small files to read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("cranfield", deadline=None)  # CI machines have bad moments
settings.load_profile("cranfield")


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
