"""`@7`, `@last`, `@last-1`, `@-2`, `@NAME`: what was recorded, named; and brought together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.data.card import RunCard
from cranfield.data.scores import Scores
from cranfield.errors import UnknownName, UsageError
from cranfield.experiment.entries import Entry
from cranfield.experiment.ledger import Ledger
from cranfield.experiment.ranges import joined

_BACK = re.compile(r"(?:last)?-(\d+)\Z")
FORMS = "@7, @last, @last-1, @-2, @NAME (the last evaluation of a run), or @7:NAME (one run of it)"


@dataclass(frozen=True)
class Reference:
    """An evaluation, and one run of it where one is named."""

    text: str
    id: int
    run: str | None = None


def is_reference(text: str) -> bool:
    """Whether an argument of a command means something recorded. A file of such a name is given
    as ./@name."""
    return text.startswith("@") and len(text) > 1


def resolve(ledger: Ledger, reference: str | int) -> Reference:
    """The evaluation that a reference means.

    Raises
    ------
    UnknownName
        It leads nowhere.
    """
    text = str(reference)
    plain = text.removeprefix("@")
    last = ledger.last()
    if not last:
        raise UnknownName(f"{text}: nothing has been recorded yet", "cranfield evaluate RUN")
    if plain.isdecimal():
        return Reference(text, ledger.entry(int(plain)).id)
    if plain == "last":
        return Reference(text, last)
    if back := _BACK.match(plain):
        number = last - int(back[1]) + (not plain.startswith("last"))
        if number < 1 or number > last:
            raise UnknownName(f"{text}: there are @1 to @{last}")
        return Reference(text, number)
    head, colon, run = plain.partition(":")
    if colon and (head == "last" or head.isdecimal() or _BACK.match(head)):
        found = resolve(ledger, f"@{head}")
        entry = ledger.entry(found.id)
        if entry.run(run) is None:
            have = ", ".join(r.name for r in entry.runs)
            raise UnknownName(f"@{found.id} has no run {run!r}", f"runs: {have}")
        return Reference(text, found.id, run)
    return _by_name(ledger, text, plain)


def _by_name(ledger: Ledger, text: str, name: str) -> Reference:
    rows = ledger.store.rows("SELECT max(evaluation) FROM runs WHERE name = ?", (name,))
    if rows and rows[0][0] is not None:
        return Reference(text, int(rows[0][0]), name)
    import difflib

    names = [str(r[0]) for r in ledger.store.rows("SELECT DISTINCT name FROM runs")]
    near = difflib.get_close_matches(name, names, 1)
    raise UnknownName(
        f"{text}: no run of that name was recorded",
        f"did you mean @{near[0]}?" if near else FORMS,
    )


def merged(
    ledger: Ledger, references: Sequence[str | int], measures: Sequence[str] = ()
) -> tuple[Scores, tuple[Reference, ...], tuple[RunCard, ...]]:
    """The recorded scores of several references as one table, with the cards of its runs.

    Parameters
    ----------
    measures : to keep only these, in this order; without it all must have the same ones.

    Raises
    ------
    UsageError
        The evaluations are not comparable; the message says what differs.
    """
    if not references:
        raise UsageError("no reference given", FORMS)
    found = tuple(resolve(ledger, r) for r in references)
    parts = [_part(ledger, ref, measures) for ref in found]
    first = parts[0]
    for other in parts[1:]:
        _check(first, other)
    names = _names(found, parts)
    if len(parts) == 1:
        return first.scores, found, first.cards
    scores = replace(
        first.scores,
        runs=tuple(names),
        values=np.concatenate([p.scores.values for p in parts]),
        valid=np.concatenate([p.scores.valid for p in parts]),
        reports=tuple(
            replace(report, name=name)
            for name, report in zip(
                names, (r for p in parts for r in p.scores.reports), strict=True
            )
        ),
        notes=tuple(dict.fromkeys(n for p in parts for n in p.scores.notes)),
        open_ends=joined([p.scores for p in parts], tuple(names))
        if len({p.entry.bounds for p in parts}) == 1  # those of two worlds are not comparable
        else None,
    )
    cards = (c for p in parts for c in p.cards)
    return scores, found, tuple(replace(c, name=n) for n, c in zip(names, cards, strict=True))


@dataclass(frozen=True, eq=False)
class _Part:
    entry: Entry
    scores: Scores
    cards: tuple[RunCard, ...]


def _part(ledger: Ledger, reference: Reference, measures: Sequence[str]) -> _Part:
    scores, cards = ledger.scores(reference.id), ledger.cards(reference.id)
    if measures:
        kept = [_place(scores, m, reference.id) for m in measures]
        scores = replace(
            scores,
            measures=tuple(scores.measures[i] for i in kept),
            values=scores.values[:, :, kept],
            valid=scores.valid[:, :, kept],
        )
    if reference.run is not None:
        r = scores.runs.index(reference.run)
        cards = cards[r : r + 1]
        scores = replace(
            scores,
            runs=scores.runs[r : r + 1],
            values=scores.values[r : r + 1],
            valid=scores.valid[r : r + 1],
            reports=scores.reports[r : r + 1],
        )
    return _Part(ledger.entry(reference.id), scores, cards)


def _place(scores: Scores, measure: str, number: int) -> int:
    """Where a measure stands in the scores of an evaluation, whatever it is called."""
    from cranfield.measures import parse

    text = str(parse(measure))
    for i, label in enumerate(scores.measures):
        if text in (label.text, label.full):
            return i
    have = ", ".join(m.text for m in scores.measures)
    raise UnknownName(f"@{number} has no scores for {measure}", f"measures: {have}")


def _check(one: _Part, two: _Part) -> None:
    """UsageError where two evaluations cannot stand in one table."""
    a, b = one.entry, two.entry
    pair = f"@{a.id} and @{b.id}"
    if a.qrels_fingerprint != b.qrels_fingerprint:
        raise UsageError(
            f"{pair} were judged by different qrels ({_differ(a.qrels, b.qrels)})",
            "evaluate both runs again, with the same judgments",
        )
    for key in dict.fromkeys([*a.settings, *b.settings]):
        if a.settings.get(key) != b.settings.get(key):
            raise UsageError(
                f"{pair} differ in {key}: {a.settings.get(key)} and {b.settings.get(key)}",
                "evaluate both runs with the same settings",
            )
    if one.scores.queries != two.scores.queries:
        raise UsageError(
            f"{pair} are over different queries ({_queries_of(one)}; {_queries_of(two)})",
            "evaluate both runs on the same queries",
        )
    ours, theirs = ([m.text for m in p.scores.measures] for p in (one, two))
    if ours != theirs:
        raise UsageError(
            f"{pair} have different measures ({', '.join(ours)}; {', '.join(theirs)})",
            "name those that both have: -m",
        )


def _differ(a: str, b: str) -> str:
    return f"{a}, changed since" if a == b else f"{a}; {b}"


def _queries_of(part: _Part) -> str:
    side = f" of the {part.entry.split} split" if part.entry.split else ""
    return f"{len(part.scores.queries)}{side}"


def _names(references: Sequence[Reference], parts: Sequence[Any]) -> list[str]:
    """Names of runs; one that comes twice gets the number of its evaluation."""
    named = [(n, ref.id) for ref, p in zip(references, parts, strict=True) for n in p.scores.runs]
    count: dict[str, int] = {}
    for name, _ in named:
        count[name] = count.get(name, 0) + 1
    names = [f"{n} @{i}" if count[n] > 1 else n for n, i in named]
    again = next((n for n in names if names.count(n) > 1), None)
    if again is not None:
        raise UsageError(f"{again} is named twice", "each evaluation once")
    return names
