"""Programs that work until they are killed, and what they had finished by then."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path


class Worker:
    """A Python program in a process of its own that prints a line after each piece of work."""

    def __init__(self, program: str, *args: object, said: Path) -> None:
        self._said = said
        with said.open("wb") as out:  # a file, so that no line is lost in a pipe's buffer
            call = [sys.executable, "-c", program, *map(str, args)]
            self._process = subprocess.Popen(call, stdout=out)

    def finished(self) -> int:
        """Pieces of work that it said are done."""
        return self._said.read_bytes().count(b"\n")

    def wait_for(self, pieces: int) -> None:
        """Until so many are done."""
        end = time.monotonic() + 120
        while self.finished() < pieces:
            assert self._process.poll() is None, "it ended by itself"
            assert time.monotonic() < end, "it does nothing"
            time.sleep(0.002)

    def kill(self) -> int:
        """Kill it with SIGKILL, at whatever it is doing; how many pieces were done."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(timeout=60)
        assert self._process.returncode == -signal.SIGKILL, "it ended by itself"
        return self.finished()
