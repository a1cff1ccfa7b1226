"""Ids of which some begin in another way than those they mean: `MD_7` for `md:7`, where other ids
of the same run are right as they stand, or begin otherwise still.

What both sides end with leads from one to the other: the last word of an id, letters and digits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from cranfield.diagnosis.idforms import LEAST, Form, Match

ENDS = 8  # beginnings that are remembered of one last word; of more it says nothing
AHEAD = 2  # times as many ids as the next explanation must have
_WORD = re.compile(r"[^\W_]+\Z")
Tails = Mapping[str, frozenset[str]]


def tails_of(known: Iterable[str]) -> dict[str, frozenset[str]]:
    """{last word: what stands before it}, in as many ids as have it."""
    found: dict[str, set[str]] = {}
    for name in known:
        if word := _WORD.search(name):
            found.setdefault(word.group(), set()).add(name[: word.start()])
    return {word: frozenset(fronts) for word, fronts in found.items() if len(fronts) <= ENDS}


def partly(lost: Collection[str], known: Collection[str], tails: Tails) -> Match | None:
    """What one beginning of the lost ids stands for; the pair that explains most of them. None
    where that is fewer than `LEAST`, or where another pair explains about as many.

    Parameters
    ----------
    lost : ids that are not known
    tails : of the known ones
    """
    pairs: Counter[tuple[str, str]] = Counter()
    for name in lost:
        word = _WORD.search(name)
        if word is None:
            continue
        front = name[: word.start()]
        pairs.update((front, other) for other in tails.get(word.group(), ()) if other != front)
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


def _alike(one: str, other: str) -> bool:
    """Whether two beginnings differ in case and signs only."""

    def bare(text: str) -> str:
        return "".join(c for c in text.casefold() if c.isalnum())

    return bool(bare(one)) and bare(one) == bare(other)
