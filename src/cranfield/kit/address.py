"""Addresses and headers as a user gives them: checked, secrets taken from the environment and
never shown."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from cranfield.errors import UsageError, clip

_SECRET = re.compile(r"\{env\.([^{}]*)\}")
# Names of headers and parameters whose values open doors.
_PRIVATE = re.compile(
    r"authoriz|authentic|auth(?:\Z|[-_])|cookie|token\Z|secret|passw|signature|credential|(?:\A|api|access|[-_])(?:key|sig)\Z",
    re.IGNORECASE,
)
HIDDEN = "(hidden)"


def with_secrets(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers with `{env.NAME}` filled in from the environment."""
    out = {}
    for name, value in headers.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise UsageError(f"header {name!r} is {value!r}", "names and values are texts")
        filled = _SECRET.sub(partial(_secret, name), value)
        if any(ord(c) < 32 or ord(c) == 127 for c in name + filled):
            raise UsageError(f"header {name!r} has a line end or another control character in it")
        if not (name + filled).isascii():
            raise UsageError(f"header {name!r} has characters outside ASCII")
        out[name] = filled
    return out


def secrets_in(headers: Mapping[str, str]) -> list[str]:
    """The values that `with_secrets` takes from the environment, the longest first; what has less
    than four characters is none."""
    names = (name for value in headers.values() for name in _SECRET.findall(value))
    values = {os.environ.get(name, "").strip() for name in names}
    return sorted((v for v in values if len(v) > 3), key=len, reverse=True)


def shown_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers as they may be shown: a value that stands there openly under the name of a secret
    is hidden, a place `{env.NAME}` is kept."""
    return {
        name: HIDDEN if _PRIVATE.search(name) and not _SECRET.search(str(value)) else value
        for name, value in headers.items()
    }


def shown_url(url: str) -> str:
    """A URL, or a template of one, whose parameters with the name of a secret are hidden."""
    start, mark, query = url.partition("?")
    parts = []
    for part in query.split("&"):
        name, equals, value = part.partition("=")
        hide = equals and _PRIVATE.search(name) and not value.startswith("{")
        parts.append(f"{name}={HIDDEN}" if hide else part)
    return start + mark + "&".join(parts)


def shown_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of a back end with `headers` and `url` as they may be shown."""
    out = dict(parameters)
    if isinstance(out.get("headers"), Mapping):
        out["headers"] = shown_headers(out["headers"])
    if isinstance(out.get("url"), str):
        out["url"] = shown_url(out["url"])
    return out


def _secret(header: str, found: re.Match[str]) -> str:
    variable = found[1]
    value = os.environ.get(variable)
    if value is None:
        raise UsageError(
            f"header {header!r} needs the environment variable {variable}, which is not set",
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
