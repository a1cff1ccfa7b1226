"""A name in, a backend out: ours and a stranger's come through the same door, entry points."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from numbers import Integral, Real
from typing import Any

from cranfield.errors import UnknownName, UsageError

SYSTEMS = "cranfield.systems"
EMBEDDERS = "cranfield.embedders"
RERANKERS = "cranfield.rerankers"


_GIVEN = ("documents",)  # what the program gives, not the user
# What the annotations of parameters mean, as far as a command line can say it.
_TYPES: dict[str, tuple[type, str]] = {
    "str": (str, "a text"),
    "int": (Integral, "a whole number"),
    "float": (Real, "a number"),
    "bool": (bool, "true or false"),
    "None": (type(None), ""),
    "Mapping": (Mapping, 'an object, as in {"name": "value"}'),
    "Sequence": (Sequence, "a list"),
    "os.PathLike": (os.PathLike, ""),
}
_INNER = re.compile(r"\[[^\[\]]*\]")


def _kind(group: str) -> str:
    return group.split(".")[-1].removesuffix("s")


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
        raise UnknownName(f"no {_kind(group)} named {name!r}", f"{hint}registered: {have}")
    return found.load()


def make(group: str, name: str, /, **options: Any) -> Any:
    """What is registered under a name, made with these options.

    Raises
    ------
    UnknownName
        Nothing is registered under it.
    UsageError
        It takes no such option, or lacks one, the hint lists what it takes; or an option is of
        another type than its annotation says.
    """
    return _checked(group, name, options)(**options)


def check(group: str, name: str, /, **options: Any) -> Any:
    """What `make` refuses, without making anything: its own checks of the options, and what the
    backend's method ``ready`` says, if it has one. The value of that, else None.

    Raises
    ------
    Others
        As `make`, and what ``ready`` raises.
    """
    ready = getattr(_checked(group, name, options), "ready", None)
    if ready is None:
        return None
    return ready(**{option: value for option, value in options.items() if option not in _GIVEN})


def _checked(group: str, name: str, options: Mapping[str, Any]) -> Any:
    """What is registered under a name, once it is known to take these options."""
    factory = load(group, name)
    from inspect import signature

    found = signature(factory)
    try:
        found.bind(**options)
    except TypeError as e:
        takes = ", ".join(n for n in parameters(group, name) if n not in _GIVEN)
        raise UsageError(
            f"{_kind(group)} {name!r}: {e}", f"its parameters: {takes or 'none'}"
        ) from None
    for option, value in options.items():
        if option in found.parameters and option not in _GIVEN:
            _check_type(option, value, found.parameters[option].annotation)
    return factory


def _check_type(option: str, value: Any, annotation: Any) -> None:
    """Refuse a value of another type; an annotation that is not understood allows all."""
    text = (
        getattr(annotation, "__name__", annotation) if isinstance(annotation, type) else annotation
    )
    said = str(text)
    while said != (said := _INNER.sub("", said)):
        pass
    allowed = [_TYPES.get(part.strip()) for part in said.split("|")]
    known = [kind for kind in allowed if kind is not None]
    if len(known) < len(allowed):
        return
    of_bool = any(kind is bool for kind, _ in known)
    if any(isinstance(value, kind) for kind, _ in known) and (
        of_bool or not isinstance(value, bool)
    ):
        return
    words = " or ".join(word for _, word in known if word)
    number = isinstance(value, Real) and any(kind is str for kind, _ in known)
    quote = f"; in quotes it is one: '{option}=\"{value}\"'" if number else ""
    raise UsageError(f"{option} is {value!r}", f"{option} is {words}{quote}")


def system(name: str, /, **options: Any) -> Any:
    """A retrieval system by name, for example `system("scan", documents=...)`."""
    return make(SYSTEMS, name, **options)


def parameters(group: str, name: str) -> tuple[str, ...]:
    """The names of what a backend takes."""
    from inspect import Parameter, signature

    found = signature(load(group, name)).parameters.values()
    return tuple(p.name for p in found if p.kind is not Parameter.VAR_KEYWORD)


def takes_any(group: str, name: str) -> bool:
    """Whether a backend takes keywords beside those that `parameters` names."""
    from inspect import Parameter, signature

    found = signature(load(group, name)).parameters.values()
    return any(p.kind is Parameter.VAR_KEYWORD for p in found)


def needs(group: str, name: str, parameter: str) -> bool:
    """Whether a backend has this parameter and no default for it."""
    from inspect import Parameter, signature

    found = signature(load(group, name)).parameters.get(parameter)
    return found is not None and found.default is Parameter.empty
