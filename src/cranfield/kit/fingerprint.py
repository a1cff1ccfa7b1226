"""Fingerprints: the sha256 of what something holds, the same on every platform.

Equal fingerprints mean equal content; a name, a path or a time never goes in. Parts are hashed
with their lengths, so that ("ab", "c") and ("a", "bc") differ.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

from cranfield.kit.files import open_input

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHORT = 12  # digits that are shown


def of_stream(stream: BinaryIO) -> str:
    """Of all bytes that are left in a stream."""
    found = hashlib.sha256()
    while piece := stream.read(1 << 20):
        found.update(piece)
    return found.hexdigest()


def of_file(path: str | os.PathLike[str]) -> str:
    """Of the decompressed bytes of a file, so that packing it changes nothing.

    Raises
    ------
    NoSuchInput, InputError
        It cannot be read.
    """
    with open_input(path) as stream:
        return of_stream(stream)


def of_parts(parts: Iterable[bytes | str]) -> str:
    """Of texts or bytes in their order."""
    found = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        found.update(b"%d:" % len(data))
        found.update(data)
    return found.hexdigest()


def of_numbers(values: NDArray[np.float64]) -> bytes:
    """The little-endian bytes of an array of float64, a part for `of_parts`; -0 counts as 0."""
    return (values + 0.0).astype("<f8").tobytes()


def of_mapping(value: Mapping[str, Any]) -> str:
    """Of a configuration: JSON with sorted keys; what JSON cannot say counts as its text."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str, separators=(",", ":"))
    return of_parts([text])
