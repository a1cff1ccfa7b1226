"""Ids of which some begin in another way than those they mean: `MD_7` for `md:7`, where other ids
of the same run are right as they stand, or begin otherwise still.

What both sides end with leads from one to the other: the last word of an id, letters and digits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable

from cranfield.diagnosis.idforms import LEAST, Form, Match

ENDS = 8  # beginnings that are remembered of one last word; of more it says nothing
AHEAD = 2  # times as many ids as the next explanation must have
_WORD = re.compile(r"[^\W_]+\Z")


def partly(lost: Collection[str], known: Collection[str]) -> Match | None:
    """What one beginning of the lost ids, which are not known, stands for: the pair that explains
    most of them. None where that is fewer than `LEAST`, or where another pair explains about as
    many."""
    wanted = _fronts(lost)
    there = _fronts(known, wanted)
    pairs: Counter[tuple[str, str]] = Counter()
    for word, others in there.items():
        if len(others) <= ENDS:
            pairs.update((front, other) for front in wanted[word] for other in others)
    ranked = sorted(pairs.items(), key=lambda item: (-item[1], not _alike(*item[0]), item[0]))
    if not ranked or ranked[0][1] < LEAST:
        return None
    (front, other), n = ranked[0]
    rivals = [m for (mine, _), m in ranked[1:] if mine == front]
    if rivals and n < AHEAD * rivals[0] and not _alike(front, other):
        return None

    def rule(name: str) -> str:
        if name in known or not name.startswith(front):
            return name
        return other + name.removeprefix(front)

    meant = {name: rule(name) for name in lost if name.startswith(front)}
    fits = {name: there for name, there in meant.items() if there in known}
    form = Form(("prefix",), (front, other))
    return Match(form, fits, len(lost), rule, part=True) if len(fits) >= LEAST else None


def _fronts(names: Iterable[str], words: Collection[str] | None = None) -> dict[str, set[str]]:
    """{last word, one of `words`: what stands before it in the ids that have it}."""
    found: dict[str, set[str]] = {}
    for name in names:
        last = _WORD.search(name)
        if last is not None and (words is None or last.group() in words):
            found.setdefault(last.group(), set()).add(name[: last.start()])
    return found


def _alike(one: str, other: str) -> bool:
    """Whether two beginnings differ in case and signs only."""

    def bare(text: str) -> str:
        return "".join(c for c in text.casefold() if c.isalnum())

    return bool(bare(one)) and bare(one) == bare(other)
