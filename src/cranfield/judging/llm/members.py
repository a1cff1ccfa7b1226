"""Members that a user adds to every request, apart from those that are set here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cranfield.errors import UsageError

_NEEDED = ("model", "messages")
_SET = {  # members of a request, and what decides them
    "model": "--model NAME",
    "messages": "--rubric, --field",
    "temperature": "--temperature T",
    "max_tokens": "--max-answer-tokens N",
    "seed": "--seed N",
    "response_format": "--answer json, and what the server knows",
    "logprobs": "--answer token",
    "top_logprobs": "--answer token",
}


def check_members(more: Mapping[str, Any], *, seeded: bool) -> None:
    """Whether these may be added: none of them sets what is set already, but may leave it out
    with None, where a question is one without it.

    Parameters
    ----------
    seeded : whether requests have a seed of their own.

    Raises
    ------
    UsageError
        One is set already, or is nothing that JSON can hold.
    """
    for name, value in more.items():
        free = name == "seed" and not seeded
        if name in _SET and not free and (value is not None or name in _NEEDED):
            raise UsageError(f"{name} of the request is set already", _SET[name])
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise UsageError(f"{name} is {value!r}", "JSON, without NaN or Infinity") from None
