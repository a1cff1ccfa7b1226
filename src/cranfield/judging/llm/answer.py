"""Answers of a model, read strictly: what is not the JSON that was asked for is no answer.

Nothing is guessed from free text. A grade that is found by searching a reply for a digit may be
the digit of a sentence ("I cannot give it a 3").
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cranfield.errors import clip
from cranfield.judging.llm.prompt import Asking
from cranfield.judging.llm.rubric import mean_of
from cranfield.kit.chat import Said, first_token, likely, shares

LEAST_MASS = 0.5  # of the probability of the first token, that has to lie on grades


class Unreadable(Exception):
    """A reply that is no answer; the message says why.

    Parameters
    ----------
    loose : whether it is not what the schema allows; a schema has no say in where an answer is cut
        off, for one.
    """

    def __init__(self, why: str, *, loose: bool = True) -> None:
        super().__init__(why)
        self.loose = loose


@dataclass(frozen=True)
class Verdict:
    """What was read: a grade, or for a preference `A`, `B` or `tie`."""

    value: int | str
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


def verdicts(said: Said, asking: Asking, n: int) -> list[Verdict | Unreadable]:
    """One for each of n documents (one for a preference), in their order.

    Raises
    ------
    Unreadable
        The reply as a whole cannot be read.
    InputError
        Probabilities were asked for, and the service gives none.
    """
    if asking.answer == "token":
        return [_by_token(said, asking)]
    found = _object(said)
    if asking.batch == 1:
        return [_verdict(found, asking)]
    rows = found.get("grades")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise Unreadable("no list `grades` of objects")
    by_number: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        number = row.get("document")
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= n:
            raise Unreadable(f"there is no document {number!r}")
        by_number.setdefault(number, []).append(row)
    short = len(rows) != n
    return [_one_of(by_number.get(i, []), asking, short) for i in range(1, n + 1)]


def _one_of(rows: list[dict[str, Any]], asking: Asking, short: bool) -> Verdict | Unreadable:
    if len(rows) != 1:  # a schema can say how many there are, and not that each comes once
        why = "left out of the answer" if not rows else "graded twice in the answer"
        return Unreadable(why, loose=short)
    try:
        return _verdict(rows[0], asking)
    except Unreadable as e:
        return e


def _verdict(found: Mapping[str, Any], asking: Asking) -> Verdict:
    rubric = asking.rubric
    reason = found.get("reason", "")
    if rubric.reason and "reason" not in found:
        raise Unreadable("no reason")
    if not isinstance(reason, str):
        raise Unreadable(f"the reason is {clip(repr(reason))}")
    if rubric.kind == "preference":
        better = found.get("better")
        if better not in ("A", "B", "tie"):
            raise Unreadable(f"better is {clip(repr(better))}")
        return Verdict(str(better), _holdable(reason))
    grade = found.get("grade")
    if isinstance(grade, bool) or not isinstance(grade, int) or grade not in rubric.scale:
        raise Unreadable(f"the grade is {clip(repr(grade))}")
    return Verdict(grade, _holdable(reason))


def _by_token(said: Said, asking: Asking) -> Verdict:
    """The most probable grade, of equally probable ones the lower; with the distribution."""
    tokens = first_token(said.answer, said.where)
    found, mass = shares(tokens, {str(g): float(g) for g in asking.rubric.scale})
    if mass < LEAST_MASS:
        raise Unreadable(f"the most probable tokens are no grades: {likely(tokens)}", loose=False)
    best = min(found, key=lambda g: (-found[g], g))
    return Verdict(
        int(best),
        details={
            "probabilities": {str(int(g)): round(p, 6) for g, p in sorted(found.items())},
            "expected": round(mean_of(found), 6),
            "mass": round(mass, 6),
        },
    )


def _object(said: Said) -> dict[str, Any]:
    """The JSON object that the whole reply is; a fence of Markdown around all of it is allowed."""
    if said.ended == "length":
        raise Unreadable("cut off at the most tokens an answer may have", loose=False)
    text = said.text.strip()
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        first, _, rest = text.partition("\n")
        if first.strip("`").strip().casefold() in ("", "json"):
            text = rest.removesuffix("```").strip()
    if not text:
        raise Unreadable("empty")
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as e:
        raise Unreadable(f"not JSON ({e})") from None
    if not isinstance(found, dict):
        raise Unreadable("JSON, but no object")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key comes twice")
    return found


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def _holdable(text: str) -> str:
    """A reason as a database can keep it."""
    return text.replace("\0", "�").encode("utf-8", "replace").decode()
