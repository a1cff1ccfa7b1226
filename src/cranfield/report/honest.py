"""Estimates from a model's labels and people's as a page, as one table, and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict

from cranfield.judging.honest import Estimated, Honest
from cranfield.report.agreed import in_words
from cranfield.report.blocks import Block, Facts, Heading, Note, Table, Text
from cranfield.report.grid import Cell, Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.remarks import some
from cranfield.report.scaled import scale_said
from cranfield.stats.ppi import Powered

SCHEMA = "cranfield.estimate/1"


def page(found: Honest, lang: str = "en") -> Page:
    """Each measure with what the model alone, people alone and both say."""
    w = words(lang)
    facts = [
        (w("honest.labelled"), w("honest.queries", n=Count(found.n))),
        (w("honest.others"), w("honest.queries", n=Count(found.others))),
    ]
    facts.append((w("scale.fact"), scale_said(found.scale, w)))
    if found.only_human:
        facts.append((w("honest.left"), some(found.only_human)))
    made: list[Block] = [Facts(tuple(facts))]
    lines = tuple(in_words(remark, w) for remark in found.cautions)
    made += [Note(w("honest.careful"), lines, "caution")] if lines else []
    for row in found.rows:
        made += _row(row, found, w)
    made.append(Text(w("honest.method")))
    made += [Text("\n".join(found.notes))] if found.notes else []
    return Page(w("honest.title", human=found.human, llm=found.llm), lang, tuple(made))


def _row(row: Estimated, found: Honest, w: Words) -> list[Block]:
    key = "honest.mean" if row.base is None else "honest.difference"
    made: list[Block] = [
        Heading(w(key, run=row.run, base=row.base, measure=row.measure)),
        Table(_grid(row, found.level, w)),
    ]
    made += [Text(w("honest.none", reason=p.reason)) for p in _ways(row)[:1] if p.reason]
    if row.worth is not None:
        key = "honest.read" if row.worth > row.tuned.n else "honest.nothing"
        made.append(Text(w(key, n=row.tuned.n, worth=f"{row.worth:.1f}")))
    if row.correlation is not None:
        made.append(Text(w("honest.correlation", r=f"{row.correlation:.3f}")))
    if found.width is not None and row.tuned.doubt:
        made.append(Text(w("honest.unplanned", width=f"{found.width:g}")))
    return made + ([Text(_needed(row, found, w))] if row.needed else [])


def _ways(row: Estimated) -> tuple[Powered, ...]:
    return row.tuned, row.classical, row.true


def _grid(row: Estimated, level: float, w: Words) -> Grid:
    kind = "score" if row.base is None else "signed"
    columns = ("way", "value", "low", "high", "width", "interval", "weight")
    rows: list[tuple[Cell, ...]] = [
        (w(f"honest.way.{p.way}"), p.mean, p.low, p.high, p.width, _kind(p, w), p.weight)
        for p in _ways(row)
    ]
    rows.append((w("honest.way.model"), row.model, None, None, None, None, None))
    return Grid(
        tuple(w(f"honest.column.{c}", level=f"{level:.0%}") for c in columns),
        ("text", kind, kind, kind, "score", "text", "short"),
        tuple(rows),
    )


def _kind(p: Powered, w: Words) -> str | None:
    """Which interval it is; people's values alone get the plain t."""
    plain = p.interval == "careful" and p.way == "true"
    return None if p.low is None else w(f"honest.interval.{'student' if plain else p.interval}")


def _needed(row: Estimated, found: Honest, w: Words) -> str:
    need = row.needed
    assert need is not None and found.width is not None
    alone = w("honest.many") if need.alone is None else str(need.alone)
    values = {"width": f"{found.width:g}", "got": f"{need.width:.4f}", "alone": alone}
    if need.n is None or need.more is None:
        return w("honest.beyond", n=row.tuned.n + row.tuned.others, **values)
    if need.more == 0:
        return w("honest.enough", **values)
    return w("honest.needed", n=need.n, more=Count(need.more), **values)


def flat(found: Honest) -> Grid:
    """One row a measure and way, for programs."""
    columns = (
        *("measure", "run", "base", "from", "value", "low", "high", "se", "df", "weight"),
        *("queries", "others", "interval", "doubt"),
    )
    rows = tuple(
        (
            *(row.measure, row.run, row.base or "", p.way, p.mean, p.low, p.high, p.se),
            *(p.df, p.weight, p.n, p.others, p.interval, p.doubt or ""),
        )
        for row in found.rows
        for p in _ways(row)
    )
    kinds = ("text",) * 4 + ("score",) * 6 + ("count",) * 2 + ("text",) * 2
    return Grid(columns, kinds, rows)


def to_json(found: Honest, lang: str = "en") -> str:
    """All of it; schema `cranfield.estimate/1`."""
    data = {"schema": SCHEMA, **asdict(found)}
    w = words(lang)
    data["cautions"] = [
        {"key": r.key, "text": in_words(r, w), **dict(r.values)} for r in found.cautions
    ]
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
