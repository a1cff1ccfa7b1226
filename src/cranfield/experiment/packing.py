"""Columns as the ledger keeps them: a vector of values is one packed cell, not a row a value.

A hundred thousand queries under five measures would be half a million rows of some fifty bytes;
packed they are five cells that are written and read at once. Nothing is lost: float64 stays
float64.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Floats

_LEVEL = 1  # most of the gain for little of the time


def pack(values: Floats) -> bytes:
    """Float64, little-endian, deflated."""
    return zlib.compress(values.astype("<f8").tobytes(), _LEVEL)


def unpack(cell: bytes) -> Floats:
    return np.frombuffer(zlib.decompress(cell), "<f8").astype(np.float64)


def pack_mask(mask: NDArray[np.bool_]) -> bytes | None:
    """Bits; None where all are set."""
    return None if mask.all() else zlib.compress(np.packbits(mask).tobytes(), _LEVEL)


def unpack_mask(cell: bytes | None, n: int) -> NDArray[np.bool_]:
    if cell is None:
        return np.ones(n, bool)
    bits = np.frombuffer(zlib.decompress(cell), np.uint8)
    return np.unpackbits(bits, count=n).astype(bool)


def pack_json(value: Mapping[str, Any] | Sequence[Any]) -> bytes:
    return zlib.compress(text_of(value).encode(), _LEVEL)


def unpack_json(cell: bytes) -> Any:
    return json.loads(zlib.decompress(cell))


def text_of(value: Any) -> str:
    """JSON in one form: the same value is the same text. What JSON cannot say (a path, a date)
    becomes its text, as it would be printed."""
    return json.dumps(value, ensure_ascii=False, default=str, separators=(",", ":"))
