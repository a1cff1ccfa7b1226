"""A name in, a backend out: ours and a stranger's come through the same door, entry points."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from cranfield.errors import UnknownName, UsageError

SYSTEMS = "cranfield.systems"


@cache
def _registered(group: str) -> dict[str, EntryPoint]:
    return {e.name: e for e in entry_points(group=group)}


def names(group: str) -> tuple[str, ...]:
    """The registered names of a group, sorted."""
    return tuple(sorted(_registered(group)))


def load(group: str, name: str) -> Any:
    """What is registered under a name.

    Raises
    ------
    UnknownName
        Nothing is; the hint names the nearest and all.
    """
    found = _registered(group).get(name)
    if found is None:
        import difflib

        have = ", ".join(names(group)) or "none"
        near = difflib.get_close_matches(name, names(group), 1)
        hint = f"did you mean {near[0]}? " if near else ""
        kind = group.split(".")[-1].removesuffix("s")
        raise UnknownName(f"no {kind} named {name!r}", f"{hint}registered: {have}")
    return found.load()


def system(name: str, **options: Any) -> Any:
    """A retrieval system by name, for example `system("scan", documents=...)`."""
    factory = load(SYSTEMS, name)
    from inspect import signature

    try:
        signature(factory).bind(**options)
    except TypeError as e:
        takes = ", ".join(n for n in parameters(SYSTEMS, name) if n != "documents")
        raise UsageError(f"system {name!r}: {e}", f"its parameters: {takes or 'none'}") from None
    return factory(**options)


def parameters(group: str, name: str) -> tuple[str, ...]:
    """The names of what a backend takes."""
    from inspect import signature

    return tuple(signature(load(group, name)).parameters)
