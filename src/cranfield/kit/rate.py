"""A limit on how often something is done."""

from __future__ import annotations

import threading
import time

from cranfield.errors import UsageError


class Rate:
    """At most so many calls a second, evenly spaced, over all threads."""

    def __init__(self, per_second: float) -> None:
        if not 0 < per_second < float("inf"):
            raise UsageError(f"rate is {per_second}", "requests a second, above 0")
        self._gap = 1 / per_second
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Return when the next call may be made."""
        with self._lock:
            now = time.monotonic()
            at = max(now, self._next)
            self._next = at + self._gap
        time.sleep(at - now)
