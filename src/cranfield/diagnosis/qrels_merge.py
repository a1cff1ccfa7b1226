"""`qrels_merge`: several sets of judgments made one, with an account of what came from where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cranfield.data.columns import Ids
from cranfield.data.qrels import NO_ITERATION, Qrels, grade_text, qrels_fingerprint
from cranfield.diagnosis.qrels_rows import Key, keyed, texts
from cranfield.errors import InputError, UsageError
from cranfield.formats.readers import read_qrels
from cranfield.kit.progress import progress

Policy = Literal["error", "first", "last", "max", "min", "majority"]
Tie = Literal["error", "first", "last", "max", "min"]
POLICIES: tuple[Policy, ...] = ("error", "first", "last", "max", "min", "majority")
TIES: tuple[Tie, ...] = ("error", "first", "last", "max", "min")


@dataclass(frozen=True)
class Source:
    """A set that went in: its name, its fingerprint, its rows, how many of them agree with what
    was kept, and how many were overruled."""

    name: str
    fingerprint: str
    rows: int
    agreed: int
    overruled: int


@dataclass(frozen=True)
class Conflict:
    """A document that sets judge differently: the grade that each gives, None without a judgment
    (no row, or a grade below 0), and the one kept; None where the policy has no answer."""

    query: str
    document: str
    subtopic: str | None
    grades: tuple[float | None, ...]
    kept: float | None


@dataclass(frozen=True, eq=False)
class Merged:
    """The judgments, and where they came from.

    Parameters
    ----------
    qrels : queries and their rows in the order in which the sets bring them; None where conflicts
        are left that the policy does not decide.
    policy, on_tie : how conflicts were decided, and equal votes of a majority.
    sources : the sets, in the order given.
    given_by : [row] the numbers of the sets that give the row the grade it has.
    conflicts : every one, decided or not.
    own_source : whether rows came with a source of their own.
    notes : what readers said.
    """

    qrels: Qrels | None
    policy: Policy
    on_tie: Tie
    sources: tuple[Source, ...]
    given_by: tuple[tuple[int, ...], ...]
    conflicts: tuple[Conflict, ...]
    own_source: bool = False
    notes: tuple[str, ...] = ()

    @property
    def undecided(self) -> tuple[Conflict, ...]:
        return tuple(c for c in self.conflicts if c.kept is None)

    def provenance(self) -> list[tuple[tuple[int, ...], list[tuple[int, int]]]]:
        """(sets, stretches of rows that they give), each stretch its first and its last row, from
        1; sets in the order of their first rows."""
        found: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for row, sets in enumerate(self.given_by, 1):
            stretches = found.setdefault(sets, [])
            if stretches and stretches[-1][1] == row - 1:
                stretches[-1] = (stretches[-1][0], row)
            else:
                stretches.append((row, row))
        return list(found.items())

    def decided(self) -> Qrels:
        """The judgments.

        Raises
        ------
        InputError
            A conflict is left.
        """
        if self.qrels is None:
            raise conflict_error(self)
        return self.qrels


def qrels_merge(
    sets: Sequence[Any],
    *,
    policy: Policy = "error",
    on_tie: Tie = "error",
    name: str = "merged",
    qrels_format: str | None = None,
    split: str | None = None,
    on_duplicate: Any = "error",
) -> Merged:
    """Make one set of judgments of several.

    A conflict is a document that two sets give different grades of 0 or more for a query. A grade
    below 0 (pooled, not judged) is no judgment: it is in conflict with none, and stays only where
    no set judges the document.

    Parameters
    ----------
    sets : two or more, each as the qrels of `evaluate`
    policy : of conflicts. `error`: there may be none. `first`, `last`: the first (last) set that
        judges the document. `max`, `min`: the greatest (least) grade. `majority`: the grade that
        most sets give.
    on_tie : for `majority`, which of the grades with most votes counts, or `error`
    name : of the merged set

    Returns
    -------
    Merged
        With conflicts that the policy does not decide, `decided()` raises.

    Raises
    ------
    UsageError
        Fewer than two sets, or no such policy.
    InputError
        Preferences, or judgments of several groups.
    And as `read_qrels`.
    """
    for what, value, allowed in (("policy", policy, POLICIES), ("tie", on_tie, TIES)):
        if value not in allowed:
            raise UsageError(f"no {what} {value!r}", f"one of {', '.join(allowed)}")
    if len(sets) < 2:
        raise UsageError("one set of judgments and nothing to merge it with", "give two or more")
    how: dict[str, Any] = {"format": qrels_format, "split": split, "on_duplicate": on_duplicate}
    given = [read_qrels(source, **how) for source in sets]
    rows = keyed(given, "merged")
    names = _told_apart([qrels.name for qrels in given])
    kept: list[tuple[Key, int, tuple[int, ...]]] = []  # key, set of the row, sets that agree
    conflicts: list[Conflict] = []
    agreed, overruled = Counter[int](), Counter[int]()
    order = _ordered(rows)
    grades = [qrels.grade.tolist() for qrels in given]
    with progress("merging judgments", len(order)) as advance:
        for i, key in enumerate(order):
            if not i % 10_000:
                advance(min(10_000, len(order) - i))
            found = {s: grades[s][mine[key]] for s, mine in enumerate(rows) if key in mine}
            votes = {s: g for s, g in found.items() if g >= 0} or found
            grade = _decide(list(votes.values()), policy, on_tie)
            if len(set(votes.values())) > 1 and min(votes.values()) >= 0:
                query, document, *more = texts(key)
                each = tuple(votes.get(s) for s in range(len(rows)))
                subtopic = more[0] if more else None
                conflicts.append(Conflict(query, document, subtopic, each, grade))
            if grade is not None:
                sides = tuple(s for s, g in found.items() if g == grade)
                kept.append((key, sides[0], sides))
                agreed.update(sides)
                overruled.update(s for s in found if s not in sides)
    undecided = any(c.kept is None for c in conflicts)
    return Merged(
        qrels=None if undecided else _qrels(given, rows, kept, names, name),
        policy=policy,
        on_tie=on_tie,
        sources=tuple(
            Source(n, qrels_fingerprint(q), len(q), agreed[s], overruled[s])
            for s, (n, q) in enumerate(zip(names, given, strict=True))
        ),
        given_by=tuple(sides for _, _, sides in kept),
        conflicts=tuple(conflicts),
        own_source=any(qrels.source is not None for qrels in given),
        notes=tuple(f"{n}: {x}" for n, q in zip(names, given, strict=True) for x in q.notes),
    )


def _decide(votes: list[float], policy: Policy | Tie, on_tie: Tie) -> float | None:
    """The grade that is kept; None where that is not decided."""
    if len(set(votes)) == 1:
        return votes[0]
    if max(votes) < 0 and policy in ("error", "majority"):  # nobody judged it: any will do
        return votes[0]
    if policy == "error":
        return None
    if policy == "majority":
        counted = Counter(votes)
        most = max(counted.values())
        best = [g for g in votes if counted[g] == most]
        return _decide(best, on_tie, on_tie)
    picked: dict[str, float] = {
        "first": votes[0],
        "last": votes[-1],
        "max": max(votes),
        "min": min(votes),
    }
    return picked[policy]


def _ordered(rows: list[dict[Key, int]]) -> list[Key]:
    """All keys: queries as they first come, and within each its rows as they first come."""
    by_query: dict[bytes, dict[Key, None]] = {}
    for mine in rows:
        for key in mine:
            by_query.setdefault(key[0], {})[key] = None
    return [key for keys in by_query.values() for key in keys]


def _qrels(
    given: list[Qrels],
    rows: list[dict[Key, int]],
    kept: list[tuple[Key, int, tuple[int, ...]]],
    names: list[str],
    name: str,
) -> Qrels:
    """The kept rows with their further columns; where a row does not say who said so, `source` is
    the names of the sets that give the grade."""

    def column(which: str, missing: bytes) -> Ids | None:
        has = [getattr(qrels, which) for qrels in given]
        if all(c is None for c in has):
            return None
        cells = [None if c is None else c.to_bytes() for c in has]
        picked = ((cells[s], rows[s][key]) for key, s, _ in kept)
        return Ids.of(missing if c is None else c[row] for c, row in picked)

    said = column("source", b"")
    own = said.to_bytes() if said is not None else [b""] * len(kept)
    source = Ids.of(
        cell or " + ".join(names[s] for s in sides).encode()
        for cell, (_, _, sides) in zip(own, kept, strict=True)
    )
    scales = [qrels.scale for qrels in given if qrels.scale is not None]
    return Qrels.from_columns(
        Ids.of(key[0] for key, _, _ in kept),
        Ids.of(key[1] for key, _, _ in kept),
        np.array([float(given[s].grade[rows[s][key]]) for key, s, _ in kept], np.float64),
        iteration=column("iteration", NO_ITERATION),
        source=source,
        assessor=column("assessor", b""),
        note=column("note", b""),
        scale=max(scales, default=None),
        name=name,
    )


def _told_apart(names: list[str]) -> list[str]:
    """Names, with a number where one comes again."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found


def conflict_error(found: Merged) -> InputError:
    """What is said of conflicts that the policy does not decide."""
    left = found.undecided
    some = "; ".join(_said(c, found) for c in left[:3]) + ("; …" if len(left) > 3 else "")
    many = "document is" if len(left) == 1 else "documents are"
    what = "with as many votes for one grade as for another" if found.policy == "majority" else ""
    return InputError(
        f"{len(left)} {many} judged differently{' ' * bool(what)}{what}: {some}",
        "--on-tie says which grade counts then: first, last, max or min"
        if found.policy == "majority"
        else "--policy says which grade counts: first, last, max, min or majority; "
        "--conflicts writes them all",
    )


def _said(conflict: Conflict, found: Merged) -> str:
    grades: Iterator[str] = (
        f"{source.name} {grade_text(grade)}"
        for source, grade in zip(found.sources, conflict.grades, strict=True)
        if grade is not None
    )
    return f"query {conflict.query!r}, document {conflict.document!r}: {', '.join(grades)}"
