"""What the commands that make runs share: parameters, a place for the result, latency in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.errors import NoSuchInput, UsageError

if TYPE_CHECKING:
    from cranfield.data.card import RunCard
    from cranfield.data.run import Run


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


def write_both(run: Run, card: RunCard, output: str, form: str) -> tuple[str, ...]:
    """The card and then the run, which is never there without what its card says of failures.

    Where the run cannot be written, what was there before is there still, its card too.
    """
    from cranfield.formats.card import ENDING, write_card
    from cranfield.formats.write import write_run
    from cranfield.kit.files import write_whole

    place = Path(output + ENDING)
    before = place.read_bytes() if place.exists() else None
    write_card(card, output)
    try:
        return write_run(run, output, form)
    except BaseException:
        if before is None:
            place.unlink(missing_ok=True)
        else:
            with write_whole(place) as stream:
                stream.write(before)
        raise


def latency_of(latency: Any) -> str:
    if not latency:
        return "no query answered"
    import numpy as np

    half, most = np.percentile(list(latency.values()), [50, 95])
    return f"{len(latency)} queries answered, half within {half:.1f} ms, 95 % within {most:.1f} ms"
