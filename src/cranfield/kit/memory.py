"""Scratch memory that is used again instead of being fetched from the system each time."""

from __future__ import annotations

from functools import cache

import numpy as np


@cache
def keep_scratch() -> None:
    """Let glibc keep freed arrays of up to 31 MiB for the next ones.

    By default it takes every array over 128 KiB fresh from the system and hands it back at once,
    so that each page is cleared again and again; work by chunks then spends more time on that
    than on arithmetic. Freeing one large block raises both limits for the process ("dynamic mmap
    threshold" in mallopt(3)). Elsewhere it does nothing.
    """
    np.empty(31 << 20, np.uint8)
