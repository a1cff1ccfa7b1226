"""A check as a page (text, Markdown, HTML) and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from cranfield.diagnosis.finding import SEVERITIES, CheckResult, Finding, Hole, Rows, Said, Section
from cranfield.diagnosis.finding import Cell as DataCell
from cranfield.report.blocks import Block, Details, Facts, Heading, Note, Table, Text, Tone
from cranfield.report.grid import Cell, Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.remarks import some

SCHEMA = "cranfield.check/1"
MOST = 20  # rows of a table that is shown
TONES: dict[str, Tone] = {
    "info": "plain",
    "caution": "caution",
    "warning": "undecided",
    "error": "refused",
}
_KEYS = ("of", "kind", "becomes", "agree", "policy")  # columns whose cells are keys


def page(found: CheckResult, lang: str = "en") -> Page:
    """Findings first, then what was looked at."""
    w = words(lang)
    return Page(w("check.title", collection=found.collection), lang, tuple(blocks(found, w)))


def blocks(found: CheckResult, w: Words, *, folded: bool = False) -> list[Block]:
    """The blocks of a check, for a page of its own or as a part of another."""
    made: list[Block] = []
    if found.runs:
        about = ((w("check.runs"), some(found.runs)), (w("check.measures"), some(found.measures)))
        bounded = "levels" in found.settings  # the doctor bounds nothing
        graded = ((w("scale.fact"), _scale(found, w)),) if bounded else ()
        made.append(Facts((*about, *graded)))
    made.append(Text(headline(found, w)))
    if found.findings and not found.runs:
        made.append(Text(w("check.no_runs")))
    for finding in found.findings:
        made += _finding(finding, w, priced=bool(found.runs))
    for section in found.sections:
        inner = _section(section, w)
        title = w(f"check.section.{section.key}")
        made += [Details(title, tuple(inner))] if folded else [Heading(title), *inner]
    if found.notes:
        made.append(Text("\n".join(found.notes)))
    return made


def _scale(found: CheckResult, w: Words) -> str:
    """The grades that unjudged documents were supposed to have, and whose word that is."""
    source = "seen" if found.settings["scale"] is None else "given"
    return w(f"scale.{source}", top=f"{max(found.settings['levels']):g}")


def appended(report: Page, found: CheckResult) -> Page:
    """A report that ends with the check: findings to be read, sections folded away."""
    w = words(report.lang)
    title = Heading(w("check.title", collection=found.collection))
    return replace(report, blocks=(*report.blocks, title, *blocks(found, w, folded=True)))


def headline(found: CheckResult, w: Words) -> str:
    """How many findings of which severity."""
    if not found.findings:
        return w("check.none")
    counted = Counter(f.severity for f in found.findings)
    counts = w("check.and").join(
        f"{counted[s]} {w(f'check.severity.{s}')}" for s in reversed(SEVERITIES) if counted[s]
    )
    return w("check.found", n=Count(len(found.findings)), counts=counts)


def sentence(finding: Finding, w: Words) -> str:
    """What was found; of several runs with one ailment that of the first, for all of them."""
    text = w(f"check.finding.{finding.key}", **_values(finding.values, w))
    if finding.rows is None or finding.rows.key != "of_runs":
        return text
    names = finding.values["runs"]
    return w("check.of_runs", n=len(names), runs=some(names), text=text)


def advice(finding: Finding, w: Words) -> str:
    """What to do about it."""
    return w(f"check.advice.{finding.advice or finding.key}", **_values(finding.values, w))


def _values(values: Mapping[str, Any], w: Words) -> dict[str, Any]:
    def said(value: Any) -> Any:
        if isinstance(value, Said):
            return w(f"check.said.{value.key}", **value.values)
        if isinstance(value, (tuple, list)):
            return some([str(said(v)) for v in value])
        return Count(value) if type(value) is int else value

    return {name: said(value) for name, value in values.items()}


def _finding(finding: Finding, w: Words, *, priced: bool) -> list[Block]:
    lines = []
    if finding.effect:
        effects = ", ".join(
            f"{m} {v:+.4f}" if v < 0 else f"{m} {v:.4f}" for m, v in finding.effect.items()
        )
        lines.append(w("check.effect", effects=effects))
    elif finding.unpriced and priced:  # said once where there are no runs at all
        lines.append(w("check.unpriced", why=w(f"check.why.{finding.unpriced}")))
    if finding.sure != "certain":
        lines.append(w(f"check.sure.{finding.sure}"))
    lines.append(advice(finding, w))
    severity = w(f"check.severity.{finding.severity}")
    note = Note(
        w("check.says", severity=severity, text=sentence(finding, w)),
        tuple(lines),
        TONES[finding.severity],
    )
    if finding.rows is None:
        return [note]
    return [note, *_table(finding.rows, w, 5, titled=False)]


def _section(section: Section, w: Words) -> list[Block]:
    made: list[Block] = []
    if section.facts:
        made.append(Facts(tuple(_fact(key, value, w) for key, value in section.facts)))
    for rows in section.tables:
        if rows.rows:
            made += _table(rows, w, MOST, titled=True)
    return made


def _fact(key: str, value: DataCell, w: Words) -> tuple[str, str]:
    name, _, measure = key.partition(":")
    if value is None:
        text = "–"
    elif isinstance(value, str):
        text = w(f"check.cell.{value}")
    else:
        text = str(value) if isinstance(value, int) else f"{value:.4f}"
    return w(f"check.fact.{name}", measure=measure), text


def _table(rows: Rows, w: Words, most: int, *, titled: bool) -> list[Block]:
    made: list[Block] = [Text(w(f"check.table.{rows.key}"))] if titled else []
    made.append(Table(grid(rows, w, most)))
    if len(rows.rows) > most:
        made.append(Text(w("check.more", n=len(rows.rows) - most)))
    return made


def grid(rows: Rows, w: Words, most: int | None = None) -> Grid:
    """A table with its columns, and cells that are keys, in words."""

    def cell(column: str, value: DataCell) -> Cell:
        return w(f"check.cell.{value}") if column in _KEYS and value is not None else value

    return Grid(
        tuple(w(f"check.column.{column}") for column in rows.columns),
        rows.kinds,
        tuple(
            tuple(cell(c, v) for c, v in zip(rows.columns, row, strict=True))
            for row in rows.rows[:most]
        ),
    )


def holes(some: Sequence[Hole]) -> Grid:
    """A whole work-list, for a file."""
    columns = ["query", "document", "rank", "runs", "weight", "certainty"]
    kinds = ["text", "text", "count", "count", "score", "score"]
    rows: list[tuple[Cell, ...]] = [
        (h.query, h.document, h.rank, h.runs, h.weight, h.certainty) for h in some
    ]
    if any(h.swing is not None for h in some):
        rows = [(*row, h.swing) for row, h in zip(rows, some, strict=True)]
        columns, kinds = [*columns, "swing"], [*kinds, "score"]
    return Grid(tuple(columns), tuple(kinds), tuple(rows))


def to_json(found: CheckResult, lang: str = "en") -> str:
    """Everything, for programs; no table is cut but the work-list, which has a file of its own."""
    w = words(lang)
    data = {
        "schema": SCHEMA,
        "collection": found.collection,
        "runs": list(found.runs),
        "measures": list(found.measures),
        "settings": dict(found.settings),
        "findings": [
            {
                "key": f.key,
                "severity": f.severity,
                "sure": f.sure,
                "effect": dict(f.effect),
                "unpriced": f.unpriced,
                "values": {name: _plain(value) for name, value in f.values.items()},
                "sentence": sentence(f, w),
                "advice": advice(f, w),
                "rows": None if f.rows is None else _records(f.rows),
            }
            for f in found.findings
        ],
        "sections": [
            {
                "key": s.key,
                "facts": dict(s.facts),
                "tables": {rows.key: _records(rows) for rows in s.tables},
            }
            for s in found.sections
        ],
        "n_holes": len(found.holes),
        "holes": [asdict(h) for h in found.holes[:MOST]],
        "n_suspects": len(found.suspects),
        "suspects": [asdict(h) for h in found.suspects],
        "notes": list(found.notes),
    }
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Said):
        return {"said": value.key, **value.values}
    return [_plain(v) for v in value] if isinstance(value, (tuple, list)) else value


def _records(rows: Rows) -> list[dict[str, DataCell]]:
    return [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]
