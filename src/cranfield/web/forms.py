"""Forms as they come in: small, and of one kind."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.requests import Request

MOST_BYTES = 64 * 1024  # of a form
MOST_DIGITS = 18  # of a number; those of rows have fewer
Form = dict[str, str]


@dataclass(frozen=True)
class Refused(Exception):
    """A request that is not answered: the status, and why, as a key of the words."""

    status: int
    key: str
    why: str = ""


def wants_json(request: Request) -> bool:
    """Whether the script asks, and not the browser itself."""
    return request.headers.get("accept") == "application/json"


async def read_form(request: Request) -> Form | None:
    """The fields of a form; None for what is none, or too large."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        return None
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            return None
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict"))
    except ValueError:
        return None


def number(text: str | None) -> float | None:
    """A number in a field; None for what is none."""
    try:
        return float(text or "")
    except ValueError:
        return None


def whole(text: str | None) -> int | None:
    """A whole number from 0 in a field; None for what is none, or longer than any number here."""
    if text is None or not text.isdecimal() or len(text) > MOST_DIGITS:
        return None
    return int(text)
