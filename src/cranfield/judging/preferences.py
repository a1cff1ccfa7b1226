"""Preferences in the label store: which of two documents answers a query better.

A row holds one question, with the documents in the order in which they were shown. Whoever is
asked in both orders and says different things has no preference but a habit (models favour a
place; Zheng et al. 2023), so that such a pair is inconsistent and no preference.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cranfield.errors import InputError
from cranfield.judging.judgment import ALL, Judge, Judgment, Wanted
from cranfield.judging.labels import Labels
from cranfield.judging.tables import TABLES

TABLE = "preferences"
BETTER = ("a", "b", "tie")


@dataclass(frozen=True)
class Preference:
    """A row: of `doc_a`, shown first, and `doc_b` the better one, `a`, `b` or `tie`; None unless
    the state is `graded`. The other fields are those of a `Judgment`."""

    query: str
    doc_a: str
    doc_b: str
    better: str | None = None
    state: str = "graded"
    source: str = "human"
    assessor: str = ""
    model: str = ""
    prompt: str = ""
    sample: int = 0
    rubric: str = ""
    reason: str = ""
    at: str = ""
    seconds: float | None = None
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)
    id: int = 0

    def __post_init__(self) -> None:
        where = f"query {self.query!r}, documents {self.doc_a!r} and {self.doc_b!r}"
        if self.doc_a == self.doc_b:
            raise InputError(f"{where}: no document is better than itself")
        if (self.better is not None) != (self.state == "graded"):
            raise InputError(f"{where}: the state {self.state!r} goes with {self.better!r}")
        if self.better is not None and self.better not in BETTER:
            raise InputError(f"{where}: better is {self.better!r}", f"one of {', '.join(BETTER)}")
        if self.state == "undone":
            raise InputError(f"{where}: a preference is not undone", "give it again")
        for doc in (self.doc_a, self.doc_b):  # what holds of a judgment holds of these
            self._judgment(doc)

    @property
    def judge(self) -> Judge:
        return self._judgment(self.doc_a).judge

    @property
    def pair(self) -> tuple[str, str, str]:
        """The query and the two documents, in the order of their ids."""
        first, second = sorted((self.doc_a, self.doc_b))
        return self.query, first, second

    @property
    def winner(self) -> str | None:
        """The better document; None for a tie or no answer."""
        return {"a": self.doc_a, "b": self.doc_b}.get(self.better or "")

    def _judgment(self, doc: str) -> Judgment:
        state: Any = "unsure" if self.state == "graded" else self.state
        source: Any = self.source
        return Judgment(
            self.query,
            doc,
            state=state,
            source=source,
            assessor=self.assessor,
            model=self.model,
            prompt=self.prompt,
            sample=self.sample,
            rubric=self.rubric,
            reason=self.reason,
        )


def record(labels: Labels, given: Iterable[Preference]) -> tuple[Preference, ...]:
    """Add preferences, all of them or none; as they are kept, with number and time."""
    at = labels.time()
    rows = [p if p.at else replace(p, at=at) for p in given]
    if not rows:
        return ()
    numbers = labels.database.add(TABLE, [_to_row(p) for p in rows])
    return tuple(replace(p, id=n) for p, n in zip(rows, numbers, strict=True))


def current(labels: Labels, wanted: Wanted = ALL) -> tuple[Preference, ...]:
    """What each judge says now of each question, in the order in which the rows came."""
    latest: dict[tuple[str, str, str, Judge], Preference] = {}
    for row in labels.database.rows(TABLE, replace(wanted, states=()).columns()):
        p = Preference(**{**row, "details": json.loads(row["details"])})
        latest[(p.query, p.doc_a, p.doc_b, p.judge)] = p
    found = sorted(latest.values(), key=lambda p: p.id)
    return tuple(p for p in found if not wanted.states or p.state in wanted.states)


@dataclass(frozen=True)
class Settled:
    """What all that one judge said of one pair comes to: the `winner`, and the `loser`; neither
    for a `tie`, or where the answers are `inconsistent` or all `failed`."""

    judge: Judge
    query: str
    docs: tuple[str, str]
    outcome: str  # preferred, tie, inconsistent, failed, one-sided
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
        return Settled(judge, query, both, "failed")
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


def _to_row(preference: Preference) -> dict[str, Any]:
    row = {name: getattr(preference, name) for name in TABLES[TABLE]}
    row["details"] = json.dumps(dict(preference.details), sort_keys=True, allow_nan=False)
    return row
