"""What new labels say of the holes, as a page and as JSON."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import Any

from cranfield.errors import clip
from cranfield.judging.filled import Filled
from cranfield.report.blocks import Block, Facts, Heading, Table, Text
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words, words
from cranfield.report.page import Page

SCHEMA = "cranfield.filled/1"
WIDTH = 300  # characters of a document that are shown


def page(found: Filled, lang: str = "en") -> Page:
    """How many are relevant, run by run, what it does to scores, and examples."""
    w = words(lang)
    made: list[Block] = [Facts(tuple(_facts(found, w)))]
    made += [Heading(w("filled.runs")), Table(_runs(found, w))]
    made += [Heading(w("filled.scores")), Table(_scores(found, w))]
    if found.binary:
        made.append(Text(w("filled.binary")))
    if found.examples:
        made.append(Heading(w("filled.examples")))
    for e in found.examples:
        lines = [
            w("filled.example.known", doc=e.known, text=clip(e.known_text, WIDTH)),
            w(
                "filled.example.found",
                doc=e.found,
                rank=e.rank,
                grade=f"{e.grade:g}",
                text=clip(e.found_text, WIDTH),
            ),
        ]
        lines += [w("filled.example.reason", reason=clip(e.reason, WIDTH))] if e.reason else []
        made.append(Heading(w("filled.example", query=e.query, text=clip(e.text)), 3))
        made.append(Text("\n".join(lines)))
    made.append(Text("\n".join((w("filled.method"), *found.notes))))
    return Page(w("filled.title", labels=found.labels), lang, tuple(made))


def to_json(found: Filled) -> str:
    """Everything, for programs."""
    plain = ("labels", "k", "rel", "queries", "known", "holes", "graded", "relevant", "binary")
    low, middle, high = found.expected
    body: dict[str, Any] = {
        "schema": SCHEMA,
        **{name: getattr(found, name) for name in plain},
        "share": found.share,
        "interval": asdict(found.interval),
        "expected": {"low": low, "middle": middle, "high": high},
        "runs": [asdict(r) for r in found.runs],
        "scores": _scores(found, words("en")).records(),
        "examples": [asdict(e) for e in found.examples],
        "notes": list(found.notes),
    }
    return json.dumps(body, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _facts(found: Filled, w: Words) -> list[tuple[str, str]]:
    low, middle, high = found.expected
    interval = found.interval
    return [
        (
            w("filled.holes", k=found.k),
            w("filled.holes.value", n=found.holes, queries=found.queries),
        ),
        (w("filled.graded"), str(found.graded)),
        (
            w("filled.relevant", rel=f"{found.rel:g}"),
            w(
                "filled.relevant.value",
                n=found.relevant,
                share=f"{found.share:.4f}",
                level=f"{interval.level:.0%}",
                low=f"{interval.low or 0:.4f}",
                high=f"{interval.high or 0:.4f}",
            ),
        ),
        (w("filled.known"), str(found.known)),
        (
            w("filled.expected"),
            w(
                "filled.expected.value",
                middle=f"{middle:.0f}",
                low=f"{low:.0f}",
                high=f"{high:.0f}",
            ),
        ),
    ]


def _runs(found: Filled, w: Words) -> Grid:
    names = ("run", "holes", "graded", "relevant", "share", "low", "high")
    rows: list[tuple[Cell, ...]] = [
        (
            *(r.run, r.holes, r.graded, r.relevant),
            r.relevant / r.graded if r.graded else None,
            *(r.interval.low, r.interval.high),
        )
        for r in found.runs
    ]
    kinds = ("text", "count", "count", "count", "share", "share", "share")
    return Grid(tuple(w(f"filled.column.{n}") for n in names), kinds, tuple(rows))


def _scores(found: Filled, w: Words) -> Grid:
    names = ("run", "measure", "before", "after", "change")
    rows: list[tuple[Cell, ...]] = []
    for r, run in enumerate(found.before.runs):
        for m, label in enumerate(found.before.measures):
            a, b = _mean(found.before, r, m), _mean(found.after, r, m)
            change = b - a if a is not None and b is not None else None
            rows.append((run, label.full, a, b, change))
    kinds = ("text", "text", "score", "score", "signed")
    return Grid(tuple(w(f"filled.column.{n}") for n in names), kinds, tuple(rows))


def _mean(scores: Any, run: int, measure: int) -> float | None:
    value, _ = scores.summary(run, measure, scores._mask("all"))
    return None if math.isnan(value) else float(value)
