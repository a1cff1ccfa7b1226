"""What preferences come to: which of two documents a judge prefers, and files of it.

Whoever is asked in both orders and says different things has no preference but a habit (models
favour a place; Zheng et al. 2023), so that such a pair is inconsistent and no preference.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cranfield.errors import NothingToEvaluate
from cranfield.judging.judgment import ALL, Judge, Wanted
from cranfield.judging.labels import Labels, at_hand
from cranfield.judging.preferences import Preference, current_preferences
from cranfield.kit.files import write_whole


@dataclass(frozen=True)
class Settled:
    """What all that one judge said of one pair comes to: the `winner`, and the `loser`; neither
    for a `tie`, or where the answers are `inconsistent` or there is none: all `failed`, or
    `undecided` (unsure, put aside)."""

    judge: Judge
    query: str
    docs: tuple[str, str]
    outcome: str  # preferred, tie, inconsistent, failed, undecided, one-sided
    winner: str | None = None

    @property
    def loser(self) -> str | None:
        if self.winner is None:
            return None
        return self.docs[self.winner == self.docs[0]]


def settled(rows: Sequence[Preference]) -> tuple[Settled, ...]:
    """One a judge and pair. Samples are answers of one judge: in each order the majority of them
    counts. A preference needs both orders to agree; a pair asked in one order alone is
    `one-sided`, unless a person was asked."""
    asked: dict[tuple[Judge, tuple[str, str, str]], list[Preference]] = {}
    for p in rows:
        asked.setdefault((replace(p.judge, sample=0), p.pair), []).append(p)
    return tuple(_settle(judge, pair, own) for (judge, pair), own in asked.items())


def _settle(judge: Judge, pair: tuple[str, str, str], own: Sequence[Preference]) -> Settled:
    query, *docs = pair
    both = (docs[0], docs[1])
    orders: dict[str, Counter[str]] = {}
    for p in own:
        if p.better is not None:
            orders.setdefault(p.doc_a, Counter())[p.winner or "tie"] += 1
    if not orders:
        failed = all(p.state == "failed" for p in own)
        return Settled(judge, query, both, "failed" if failed else "undecided")
    if len(orders) == 1 and judge.source == "llm":
        return Settled(judge, query, both, "one-sided")
    said = {_most(votes) for votes in orders.values()}
    if len(said) > 1:
        return Settled(judge, query, both, "inconsistent")
    (one,) = said
    if one == "tie":
        return Settled(judge, query, both, "tie")
    return Settled(judge, query, both, "preferred", one)


def _most(votes: Counter[str]) -> str:
    """What most samples say; a tie where two answers are said as often."""
    best = max(votes.values())
    named = [answer for answer, n in votes.items() if n == best]
    return named[0] if len(named) == 1 else "tie"


@dataclass(frozen=True)
class Written:
    """A file of preferences.

    Parameters
    ----------
    text : lines `query group part document level`.
    preferences : in it.
    outcomes : {outcome: pairs}, of all pairs.
    groups : in it.
    circles : queries of a judge whose preferences run in a circle, so that each pair stands alone.
    """

    text: str
    preferences: int
    outcomes: Mapping[str, int]
    groups: int
    circles: int


def prefs_lines(found: Sequence[Settled]) -> Written:
    """Preferences as the preference measures read them: a judge is a group, a pair a part of it.

    What follows from several preferences of a group is a preference too, and a group that runs in
    a circle is refused by the reader; in such a query every pair becomes a group of its own. The
    better document has level 2 and the other level 1: neither is said to be not relevant.
    """
    of: dict[tuple[str, Judge], list[Settled]] = {}
    for s in found:
        if s.winner is not None:
            of.setdefault((s.query, s.judge), []).append(s)
    names = _names([judge for _, judge in of])
    lines, circles = [], 0
    for (query, judge), own in of.items():
        runs = circular({(str(s.winner), str(s.loser)) for s in own})
        circles += runs
        for n, s in enumerate(own, 1):
            group = f"{names[judge]}/{n}" if runs else names[judge]
            lines.append(f"{query} {group} p{n} {s.winner} 2")
            lines.append(f"{query} {group} p{n} {s.loser} 1")
    outcomes = Counter(s.outcome for s in found)
    text = "".join(f"{line}\n" for line in lines)
    groups = {line.split(" ")[1] for line in lines}
    return Written(text, len(lines) // 2, dict(outcomes), len(groups), circles)


def export_preferences(
    labels: Labels | str | os.PathLike[str],
    path: str | os.PathLike[str] | None = None,
    *,
    wanted: Wanted = ALL,
) -> Written:
    """The preferences of a store, written to a file where a path is given.

    Parameters
    ----------
    labels : a store, or where it is.
    wanted : only these.

    Raises
    ------
    NothingToEvaluate
        There is no preference.
    """
    with at_hand(labels) as store:
        found = settled(current_preferences(store, wanted))
    made = prefs_lines(found)
    if not made.preferences:
        raise NothingToEvaluate(
            f"no preference among {len(found)} pairs",
            "cranfield judge serve or judge llm with --rubric preference",
        )
    if path is not None:
        with write_whole(path) as stream:
            stream.write(made.text.encode())
    return made


def circular(edges: set[tuple[str, str]]) -> bool:
    """Whether preferences (better, worse) run in a circle."""
    below: dict[str, set[str]] = {}
    above = Counter(worse for _, worse in edges)
    for better, worse in edges:
        below.setdefault(better, set()).add(worse)
    free = [doc for doc in below if not above[doc]]
    left = len(edges)
    while free:
        for worse in below.get(free.pop(), ()):
            left -= 1
            above[worse] -= 1
            if not above[worse]:
                free.append(worse)
    return left > 0


def _names(judges: Sequence[Judge]) -> dict[Judge, str]:
    """Names without blanks, each once."""
    names: dict[Judge, str] = {}
    for judge in dict.fromkeys(judges):
        base = "_".join(judge.name.split()) or judge.source
        name, n = base, 1
        while name in names.values():
            n += 1
            name = f"{base}~{n}"
        names[judge] = name
    return names
