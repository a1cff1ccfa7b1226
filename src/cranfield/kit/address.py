"""Addresses, headers and bodies as a user gives them: checked, secrets taken from the environment
and never shown."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote, urlsplit

from cranfield.errors import UsageError, clip

_SECRET = re.compile(r"\{env\.([^{}]*)\}")
# Names of headers and parameters whose values open doors.
_PRIVATE = re.compile(
    r"authoriz|authentic|auth(?:\Z|[-_])|cookie|token\Z|secret|passw|(?:\A|[-_])pass\Z|signature"
    r"|credential|(?:\A|api|access|[-_])(?:key|sig)\Z",
    re.IGNORECASE,
)
# What a request leaves open; `{` alone may be part of a secret.
_PLACE = re.compile(r"\{(?:env\.|query\b|k\}|filters\})")
HIDDEN = "(hidden)"


def with_secrets(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers with `{env.NAME}` filled in from the environment."""
    out = {}
    for name, value in headers.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise UsageError(f"header {name!r} is {value!r}", "names and values are texts")
        said = _SECRET.sub(partial(_secret, f"header {name!r}"), value)
        if any(ord(c) < 32 or ord(c) == 127 for c in name + said):
            raise UsageError(f"header {name!r} has a line end or another control character in it")
        if not (name + said).isascii():
            raise UsageError(f"header {name!r} has characters outside ASCII")
        out[name] = said
    return out


def filled(value: Any, name: str) -> Any:
    """A JSON value with `{env.NAME}` in its texts filled in; `name` is what it is called.

    Raises
    ------
    UsageError
        A variable is not set; the message names it and the place.
    """
    if isinstance(value, str):
        return _SECRET.sub(partial(_secret, name), value)
    if isinstance(value, Mapping):
        return {key: filled(inner, f"{name}.{key}") for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, name) for inner in value]
    return value


def filled_url(url: str) -> str:
    """A URL, or a template of one, with `{env.NAME}` filled in; behind the question mark
    percent-encoded. `UsageError` as `filled`."""

    def encoded(found: re.Match[str]) -> str:
        return quote(_secret("url", found), safe="")

    start, mark, query = url.partition("?")
    return _SECRET.sub(partial(_secret, "url"), start) + mark + _SECRET.sub(encoded, query)


def secrets_in(*values: Any) -> list[str]:
    """What must not be repeated of these headers, bodies and URLs, the longest first: values that
    come from the environment, percent-encoded too, and those that stand openly under the name of a
    secret. What has less than four characters is none."""
    found: set[str] = set()
    for value in values:
        for text, _, hidden in _leaves(value):
            for name in _SECRET.findall(text):
                said = os.environ.get(name, "").strip()
                found |= {said, quote(said, safe="")}
            if hidden:
                found.add(text)
    return sorted((v for v in found if len(v) > 3), key=len, reverse=True)


def shown(value: Any) -> Any:
    """Headers, a body, a URL, parameters of a back end as they may be shown: texts and numbers
    that stand openly under the name of a secret are hidden, places such as `{env.NAME}` kept."""
    return _shown(value, False)


def shown_url(url: str) -> str:
    """A URL, or a template of one, whose parameters with the name of a secret are hidden."""
    start, mark, query = url.partition("?")
    parts = []
    for part in query.split("&"):
        name, equals, value = part.partition("=")
        hide = equals and _PRIVATE.search(name) and not _PLACE.search(value)
        parts.append(f"{name}={HIDDEN}" if hide else part)
    return start + mark + "&".join(parts)


def openly(**values: Any) -> tuple[str, ...]:
    """A sentence for each place in which a secret seems to stand openly."""
    places = dict.fromkeys(
        name for key, value in values.items() for _, name, hidden in _leaves(value, key) if hidden
    )
    return tuple(
        f"{place} looks like a secret that stands openly; it is hidden in what is written, and "
        "{env.NAME} in its place takes it from the environment"
        for place in places
    )


def _shown(value: Any, private: bool) -> Any:
    if isinstance(value, Mapping):
        return {k: _shown(v, private or _is_private(k)) for k, v in value.items()}
    if isinstance(value, list):
        return [_shown(inner, private) for inner in value]
    if private and _stands(value):
        return HIDDEN
    return shown_url(value) if isinstance(value, str) else value


def _leaves(value: Any, name: str = "", private: bool = False) -> Iterator[tuple[str, str, bool]]:
    """(text, its place, whether it is a secret that stands openly) of each text and number."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{name}.{key}" if name else key, private or _is_private(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, name, private)
    elif isinstance(value, str) and "?" in value and not private:
        yield value, name, False
        for part in value.partition("?")[2].split("&"):
            key, _, inner = part.partition("=")
            yield inner, f"{name}, {key}", bool(_PRIVATE.search(key)) and _stands(inner)
    elif isinstance(value, (str, int, float)):
        yield str(value), name, private and _stands(value)


def _is_private(key: object) -> bool:
    return isinstance(key, str) and bool(_PRIVATE.search(key))


def _stands(value: Any) -> bool:
    """Whether a value is there in the open, and not as a place to be filled."""
    if isinstance(value, str):
        return bool(value) and not _PLACE.search(value)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _secret(place: str, found: re.Match[str]) -> str:
    variable = found[1]
    value = os.environ.get(variable)
    if value is None:
        raise UsageError(
            f"{place} needs the environment variable {variable}, which is not set",
            f"export {variable}=...",
        )
    return value.strip()


def address(url: str) -> str:
    """A URL as it may be shown: without user, password and query, where secrets stand.

    Raises
    ------
    UsageError
        It is no http or https URL, or holds a password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UsageError(
            f"{clip(url)!r} is no address", "for example http://localhost:8080"
        ) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{clip(url)!r} is no address", "it begins with http:// or https://")
    if parts.username or parts.password:
        raise UsageError(
            "the address holds a user or a password", "hand secrets over in the environment"
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{parts.path.rstrip('/')}"
