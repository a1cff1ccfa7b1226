"""Progress on the standard error stream, only on a terminal and only for work over a second."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

_PATIENCE = 1.0  # seconds of silence
_free = threading.Lock()  # held by whoever shows a bar


@contextlib.contextmanager
def progress(label: str, total: float | None) -> Iterator[Callable[[float], None]]:
    """A function that is told how much more has been done, in the unit of `total`.

    Work within work that shows a bar is silent: a terminal has one bar at a time.
    """
    if not sys.stderr.isatty():
        yield lambda amount: None
        return
    begun = time.monotonic()
    done = 0.0
    bar: Any = None
    task: Any = None

    def advance(amount: float) -> None:
        nonlocal done, bar, task
        done += amount
        if bar is None and time.monotonic() - begun > _PATIENCE and _free.acquire(blocking=False):
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            task = bar.add_task(label, total=total)
            bar.start()
        if bar is not None:
            bar.update(task, completed=done)

    try:
        yield advance
    finally:
        if bar is not None:
            bar.stop()
            _free.release()
