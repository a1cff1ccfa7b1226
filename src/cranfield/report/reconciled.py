"""A number reconciled with the tool it came from, as text and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

from cranfield.reconciliation.candidates import Candidate
from cranfield.reconciliation.conventions import AXES, asked_conventions, in_words
from cranfield.reconciliation.search import Reconciliation
from cranfield.report.grid import Grid
from cranfield.report.render import aligned

DIGITS = 4
SOME = 4  # tools named beside a convention; JSON has all


def as_text(found: Reconciliation, digits: int | None = None) -> str:
    """The answer, the tools, and what each convention alone would change."""
    digits = digits or max(DIGITS, found.target.digits if found.target else 0)
    summary = found.measure.definition.aggregate
    of = f"query {found.query}" if found.query is not None else f"the {summary} over queries"
    lines = [f"{found.measure} of {found.run} against {found.qrels}: {of}", ""]
    if found.target is not None:
        lines += [*_verdict(found, digits), ""]
    lines += ["As tools compute it", ""]
    lines += [aligned(_tools(found, digits)).rstrip("\n"), ""]
    notes = [note for tool in found.tools for note in tool.notes]
    if notes:
        lines += [f"- {note}" for note in dict.fromkeys(notes)] + [""]
    if found.single:
        lines += ["With one convention changed from Cranfield's", ""]
        lines += [aligned(_single(found, digits)).rstrip("\n"), ""]
    if found.facts:
        lines += ["In these data", *(f"- {fact}" for fact in found.facts.values()), ""]
    return "\n".join(lines)


def _verdict(found: Reconciliation, digits: int) -> list[str]:
    assert found.target is not None
    seen = found.target.text
    if found.target.percent:
        seen += f" (read as {found.target.value:.{found.target.digits}f})"
    if found.stage == 0:
        own = ["Cranfield"] if any(not c.changed for c in found.matches) else []
        who = list(dict.fromkeys([*own, *(tool for c in found.matches for tool in c.tools)]))
        return [f"{seen} is what {_listed(who)} {'give' if len(who) > 1 else 'gives'}."]
    if found.stage is not None:
        many = "one convention" if found.stage == 1 else f"{found.stage} conventions"
        return [
            f"No tool as it comes gives {seen}. Cranfield with {many} changed does:",
            *(f"- {_number(c.value, digits)}: {_changes(found, c)}" for c in found.matches),
        ]
    all_of = "all that can differ here" if found.complete else "the limit"
    last = [f"Nothing tried gives {seen} ({found.tried} combinations, {all_of})."]
    if found.nearest is not None:
        near = found.nearest
        of = f" ({_listed(near.tools)})" if near.tools else ""
        how = _changes(found, near) or "Cranfield as asked"
        last.append(f"The nearest is {_number(near.value, digits)}: {how}{of}.")
    return [
        *last,
        "Perhaps other files were compared: `cranfield evaluate` counts what they share.",
    ]


def _tools(found: Reconciliation, digits: int) -> Grid:
    rows = [("Cranfield", found.asked), *((", ".join(c.tools), c) for c in found.tools)]
    return Grid(
        ("value", "n", "tool", "differs from Cranfield in"),
        ("text", "count", "text", "text"),
        tuple(
            (_marked(found, c, digits), c.n, who, _changes(found, c) or "nothing that matters here")
            if c is not found.asked
            else (_marked(found, c, digits), c.n, who, "")
            for who, c in rows
        ),
    )


def _single(found: Reconciliation, digits: int) -> Grid:
    rows = []
    for c in found.single:
        ((axis, answer),) = c.changed.items()
        who = found.users.get(axis, {}).get(answer, ())
        some = ", ".join(who[:SOME]) + (", …" if len(who) > SOME else "")
        rows.append((_marked(found, c, digits), c.n, _changes(found, c), some or "no tool known"))
    return Grid(
        ("value", "n", "convention", "as in"), ("text", "count", "text", "text"), tuple(rows)
    )


def _marked(found: Reconciliation, c: Candidate, digits: int) -> str:
    hit = found.target is not None and found.target.meets(c.value)
    return _number(c.value, digits) + (" =" if hit else "")


def _number(value: float, digits: int) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def _changes(found: Reconciliation, c: Candidate) -> str:
    family = found.measure.family
    return "; ".join(in_words(axis, answer, family) for axis, answer in c.changed.items())


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def as_json(found: Reconciliation) -> str:
    """Everything as one JSON object; a value over no query is null."""
    target = found.target
    data = {
        "measure": found.measure.full_name,
        "run": found.run,
        "qrels": found.qrels,
        "query": found.query,
        "seen": None
        if target is None
        else {"text": target.text, "value": target.value, "digits": target.digits},
        "asked": _plain(found.asked),
        "tools": [_plain(c) for c in found.tools],
        "single": [_plain(c) for c in found.single],
        "matches": [_plain(c) for c in found.matches],
        "nearest": None if found.nearest is None else _plain(found.nearest),
        "stage": found.stage,
        "tried": found.tried,
        "complete": found.complete,
        "facts": found.facts,
        "conventions": _plain_axes(found),
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _plain(c: Candidate) -> dict[str, Any]:
    return {
        "value": None if math.isnan(c.value) else c.value,
        "n": c.n,
        "changed": c.changed,
        "tools": list(c.tools),
        "notes": list(c.notes),
    }


def _plain_axes(found: Reconciliation) -> list[dict[str, Any]]:
    own = asked_conventions(found.measure)
    return [
        {
            "name": axis,
            "question": AXES[axis].question,
            "cranfield": getattr(own, axis),
            "answers": [{"answer": a, "tools": list(who)} for a, who in table.items()],
        }
        for axis, table in found.users.items()
    ]
