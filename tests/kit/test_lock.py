"""A lock between processes: the second is refused, a dead holder blocks nobody."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cranfield.errors import CranfieldError, NoSuchInput
from cranfield.kit.lock import one_at_a_time

HOLD = """
import sys, time
from cranfield.kit.lock import one_at_a_time
with one_at_a_time(sys.argv[1], "the work"):
    print("held", flush=True)
    time.sleep(60)
"""


def held(path: Path) -> subprocess.Popen[str]:
    other = subprocess.Popen([sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None and other.stdout.readline() == "held\n"
    return other


def test_another_process_is_named_and_a_killed_one_blocks_nobody(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "work.lock"
    other = held(path)
    try:
        for _ in range(2):
            with pytest.raises(CranfieldError) as error, one_at_a_time(path, "the work"):
                pytest.fail("two hold it")
            assert f"the work is under way here, by process {other.pid} since 2" in str(error.value)
            assert error.value.exit_code == 8
    finally:
        os.kill(other.pid, signal.SIGKILL)
        other.wait()
        other.stdout.close()  # type: ignore[union-attr]
    assert path.exists()
    with one_at_a_time(path, "the work"):
        assert str(os.getpid()) in path.read_text()


def test_it_is_given_back_after_an_error_too(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with pytest.raises(ValueError, match="inside"), one_at_a_time(path, "it"):
        raise ValueError("inside")
    with one_at_a_time(path, "it"), pytest.raises(CranfieldError), one_at_a_time(path, "it"):
        pytest.fail("two hold it")
    with one_at_a_time(path, "it"):
        pass


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "lock"
    with pytest.raises(NoSuchInput, match="cannot be written"), one_at_a_time(path, "it"):
        pytest.fail("no lock")
