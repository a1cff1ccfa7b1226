"""`qrels_merge`: several sets of judgments made one, with an account of what came from where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.columns import Floats, Ids, Index
from cranfield.data.qrels import NO_ITERATION, Qrels, grade_text, qrels_fingerprint
from cranfield.diagnosis.qrels_rows import Laid, lay
from cranfield.diagnosis.qrels_votes import POLICIES, TIES, Policy, Tie, decide, several
from cranfield.errors import InputError, UsageError
from cranfield.formats.readers import read_sets
from cranfield.measures.hits import Bools


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
    given = read_sets(sets, split, format=qrels_format, on_duplicate=on_duplicate)
    laid = lay(given, "merged")
    names = _told_apart([qrels.name for qrels in given])
    votes = np.where((laid.grade >= 0) | ~(laid.grade >= 0).any(axis=0), laid.grade, np.nan)
    grade = decide(votes, policy, on_tie)
    agreed = laid.grade == grade
    disputed = several(votes) & (np.nanmax(votes, axis=0) >= 0)
    undecided = bool(np.isnan(grade).any())
    return Merged(
        qrels=None if undecided else _qrels(given, laid, grade, agreed, names, name),
        policy=policy,
        on_tie=on_tie,
        sources=tuple(
            Source(n, qrels_fingerprint(q), len(q), mine, len(q) - mine)
            for n, q, mine in zip(names, given, agreed.sum(axis=1).tolist(), strict=True)
        ),
        given_by=_sides(agreed),
        conflicts=tuple(_conflicts(laid, votes, grade, np.flatnonzero(disputed))),
        own_source=any(qrels.source is not None for qrels in given),
        notes=tuple(f"{n}: {x}" for n, q in zip(names, given, strict=True) for x in q.notes),
    )


def _sides(agreed: Bools) -> tuple[tuple[int, ...], ...]:
    """[row] the numbers of the sets that agree."""
    known: dict[bytes, tuple[int, ...]] = {}
    found = []
    for column in np.packbits(agreed, axis=0).T:
        key = column.tobytes()
        if key not in known:
            bits = np.unpackbits(column, count=len(agreed))
            known[key] = tuple(np.flatnonzero(bits).tolist())
        found.append(known[key])
    return tuple(found)


def _conflicts(laid: Laid, votes: Floats, grade: Floats, rows: Index) -> Iterator[Conflict]:
    docs = laid.docs.take(rows).to_list()
    subtopics = None if laid.subtopics is None else laid.subtopics.take(rows).to_list()
    for i, (row, doc) in enumerate(zip(rows.tolist(), docs, strict=True)):
        each = tuple(None if np.isnan(g) else float(g) for g in votes[:, row])
        kept = None if np.isnan(grade[row]) else float(grade[row])
        subtopic = None if subtopics is None else subtopics[i]
        yield Conflict(laid.queries[laid.query[row]], doc, subtopic, each, kept)


def _qrels(
    given: list[Qrels], laid: Laid, grade: Floats, agreed: Bools, names: list[str], name: str
) -> Qrels:
    """The kept rows with their further columns, those of the first set that gives the grade; where
    a row does not say who said so, `source` is the names of the sets that give it."""
    side = agreed.argmax(axis=0)
    row = laid.row[side, np.arange(len(grade))]
    cells = list(zip(side.tolist(), row.tolist(), strict=True))

    def column(which: str, missing: bytes) -> list[bytes] | None:
        has = [getattr(qrels, which) for qrels in given]
        if all(c is None for c in has):
            return None
        own = [None if c is None else c.to_bytes() for c in has]
        return [missing if (c := own[s]) is None else c[r] for s, r in cells]

    said: list[bytes] = column("source", b"") or [b""] * len(cells)
    sides = _sides(agreed)
    labels = {some: " + ".join(names[s] for s in some).encode() for some in set(sides)}
    more: dict[str, list[bytes] | None] = {
        "iteration": column("iteration", NO_ITERATION),
        "source": [cell or labels[some] for cell, some in zip(said, sides, strict=True)],
        "assessor": column("assessor", b""),
        "note": column("note", b""),
    }
    columns: dict[str, Any] = {k: None if v is None else Ids.of(v) for k, v in more.items()}
    scales = [qrels.scale for qrels in given if qrels.scale is not None]
    return Qrels(
        Ids.of(laid.queries),
        laid.query,
        laid.docs,
        grade,
        scale=max(scales, default=None),
        name=name,
        **columns,
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
