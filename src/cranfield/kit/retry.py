"""Asking again after an error, with growing pauses that are the same for the same seed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from cranfield.errors import InputError, MissingExtra, UsageError

T = TypeVar("T")
# Errors of the call or the data themselves: asking again would give them again.
FINAL = (UsageError, InputError, MissingExtra)


@dataclass(frozen=True)
class Backoff:
    """How often, and with what pauses.

    Before attempt n + 1 the pause is `first` · `factor`^(n-1) seconds, at most `most`, times a
    random number between ½ and 1 (jitter, so that many clients do not come back together). It is
    drawn from `seed` and the key of what is asked, so that a second run pauses alike.

    Parameters
    ----------
    attempts : in all; 1 asks once
    first, factor, most : seconds, growth, seconds
    seed : of the jitter
    sleep : what waits
    """

    attempts: int = 4
    first: float = 0.5
    factor: float = 2.0
    most: float = 30.0
    seed: int = 0
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.first < 0 or self.factor < 1 or self.most < 0:
            raise UsageError(
                "a backoff needs 1 attempt or more and pauses that do not shrink",
                "attempts >= 1, first >= 0, factor >= 1, most >= 0",
            )

    def pause(self, key: str, attempt: int, asked: float | None = None) -> float:
        """Seconds to wait after this attempt (from 1); a server that `asked` for a longer pause
        gets it, up to `most`."""
        grown = min(self.first * self.factor ** (attempt - 1), self.most)
        jitter = random.Random(f"{self.seed}\0{key}\0{attempt}").uniform(0.5, 1)
        return max(grown * jitter, min(asked or 0, self.most))

    def call(self, function: Callable[[], T], key: str) -> T:
        """What the function returns, asked again after every error up to the last attempt.

        A `FINAL` error is raised at once. An error may carry `retry_after`, seconds.
        """
        for attempt in range(1, self.attempts):
            try:
                return function()
            except FINAL:
                raise
            except Exception as e:
                asked = getattr(e, "retry_after", None)
                given = float(asked) if isinstance(asked, (int, float)) else None
                self.sleep(self.pause(key, attempt, given))
        return function()
