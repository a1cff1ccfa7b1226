"""What time it is, and who may say otherwise."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import UTC, datetime

from cranfield.errors import UsageError

Clock = Callable[[], datetime]
CLOCK = "CRANFIELD_CLOCK"  # an ISO time that stands for now, so that output can be repeated


_KEPT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", re.ASCII)


def now() -> datetime:
    """The time in UTC, or what $CRANFIELD_CLOCK says it is."""
    said = os.environ.get(CLOCK)
    if not said:
        return datetime.now(UTC)
    try:
        found = datetime.fromisoformat(said)
    except ValueError:
        raise UsageError(f"{CLOCK} is {said!r}", "a time such as 2026-01-31T12:00:00Z") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def kept(text: str) -> str:
    """A time that somebody wrote, as it is kept; without a zone it is in UTC. What is in UTC and
    says so already stays as it is.

    Raises
    ------
    ValueError
        It is no time.
    """
    found = datetime.fromisoformat(text)
    if _KEPT.fullmatch(text):
        return text
    return written(found if found.tzinfo else found.replace(tzinfo=UTC))


def written(time: datetime) -> str:
    """A time as it is kept: UTC, ISO 8601, whole seconds."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
