"""One process at a time: a lock that goes with the process that holds it, however that ends."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from cranfield.errors import CranfieldError, NoSuchInput


@contextlib.contextmanager
def one_at_a_time(path: str | os.PathLike[str], what: str) -> Iterator[None]:
    """Hold the lock of a file while the block runs.

    The operating system holds it, so that a killed process leaves nothing that blocks; the file
    stays there and says who was the last. On a file system that knows no locks there is none.

    Parameters
    ----------
    what : is being done, for the message: `an experiment`

    Raises
    ------
    CranfieldError
        Another process holds it, or this one in another thread.
    NoSuchInput
        The file cannot be written.
    """
    place = Path(path)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        stream = place.open("a+b")
    except OSError as e:
        raise NoSuchInput(f"{place} cannot be written: {e.strerror}") from None
    with stream:
        if not taken(stream):
            raise CranfieldError(
                f"{what} is under way here{_by(place)}",
                "wait until it has ended; nothing was changed",
            )
        now = datetime.now(UTC).isoformat(timespec="seconds")
        stream.truncate(0)
        stream.write(json.dumps({"process": os.getpid(), "since": now}).encode())
        stream.flush()
        yield  # closing the file gives the lock back


def _by(place: Path) -> str:
    """Who holds it, as far as the file says."""
    try:
        said = json.loads(place.read_bytes())
        return f", by process {said['process']} since {said['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return ""


if sys.platform == "win32":

    def taken(stream: IO[bytes]) -> bool:
        """Lock an open file until it is closed; false where somebody else holds the lock."""
        import msvcrt

        stream.seek(1 << 30)  # beyond what is written, which others may then read
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def taken(stream: IO[bytes]) -> bool:
        """Lock an open file until it is closed; false where somebody else holds the lock."""
        import errno
        import fcntl

        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as e:
            return e.errno not in (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES)
        return True
