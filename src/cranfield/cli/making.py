"""What the commands that make runs share: parameters, a place for the result, latency in words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cranfield.errors import NoSuchInput, UsageError


def read_params(params: tuple[str, ...]) -> dict[str, Any]:
    """Parameters as given: numbers, true, false and JSON as such, anything else as text."""
    import json

    out: dict[str, Any] = {}
    for param in params:
        name, equals, value = param.partition("=")
        if not equals or not name:
            raise UsageError(f"parameter {param!r} is not NAME=VALUE", "for example -p k1=1.2")
        if name in out:
            raise UsageError(f"parameter {name!r} is given twice")
        try:
            out[name] = json.loads(value)
        except ValueError:
            out[name] = value
    return out


def writable(output: str) -> None:
    """A wrong place for the result is said before the work and not after it."""
    import os

    folder = os.path.dirname(os.path.realpath(output))
    if not os.path.isdir(folder):
        raise NoSuchInput(f"{output}: the folder {folder} does not exist")
    if not os.access(folder, os.W_OK):
        raise NoSuchInput(f"{output} cannot be written: permissions of {folder}")


def written(output: str, errors: Mapping[str, Any]) -> None:
    """The run stands whole, so that its journal is needed for failed queries only. It is removed
    here and not before, for a kill in between would have lost the answers."""
    if not errors:
        Path(f"{output}.part").unlink(missing_ok=True)


def latency_of(latency: Mapping[str, float]) -> str:
    if not latency:
        return "no query answered"
    import numpy as np

    half, most = np.percentile(list(latency.values()), [50, 95])
    return f"{len(latency)} queries answered, half within {half:.1f} ms, 95 % within {most:.1f} ms"
