"""The history of a lab: its table, its trend lines, and one entry in full."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cranfield.comparison.outcome import Remark
from cranfield.experiment.entries import NO_BOUNDS, Entry, RunEntry
from cranfield.experiment.history import History, Point
from cranfield.kit.fingerprint import SHORT, of_file
from cranfield.report.blocks import Block, Facts, Heading, Table, Text
from cranfield.report.charts.data import Line, Trend
from cranfield.report.grid import Cell, Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.ranged import COUNTING, apart, below

SPARKS = 60  # values in a line of a terminal


def said(remarks: Sequence[Remark], lang: str = "en") -> list[str]:
    """Remarks of a lab in words."""
    w = words(lang)
    return [
        w(
            f"remark.{r.key}",
            **{k: Count(v) if type(v) is int else v for k, v in r.values.items()},
        )
        for r in remarks
    ]


def trend(found: History, lang: str = "en", most: int | None = None) -> Trend:
    """The points as lines, one for each stretch of comparable evaluations. A place is an
    evaluation; of several runs in one evaluation the first stands for it."""
    w = words(lang)
    firsts = {
        p.entry.id: p for points in found.trends.values() for p in reversed(points)
    }  # the last assignment is the first run
    points = (
        [firsts[i] for i in sorted(firsts)][-most:] if most else [firsts[i] for i in sorted(firsts)]
    )
    several = len({p.series for p in points}) > 1
    lines = []
    for series in dict.fromkeys(p.series for p in points):
        mine = [p if p.series == series else None for p in points]
        label = _label(next(p for p in mine if p), w) if several else found.measure
        lines.append(Line(label, tuple(None if p is None else p.value for p in mine)))
    steps = tuple(f"@{p.entry.id}" for p in points)
    summary = ""
    if steps:
        summary = w("lab.log.summary", n=len(steps), first=steps[0], last=steps[-1])
    title = w("lab.log.title", measure=found.full)
    return Trend(title, summary, steps, tuple(lines), found.full, {"step": w("lab.log.step")})


def _label(point: Point, w: Words) -> str:
    """What tells a stretch of evaluations from another."""
    entry = point.entry
    return f"{entry.qrels} {entry.qrels_fingerprint[:6]}, {entry.split or w('lab.log.all')}"


def log_grid(found: History, lang: str = "en") -> Grid:
    """One row a run of an evaluation, the oldest first; columns that nobody filled are left
    out."""
    w = words(lang)
    columns: list[tuple[str, str, list[Cell]]] = [
        ("@", "text", [f"@{p.entry.id}" for p in found.points]),
        (
            w("lab.log.time"),
            "text",
            [_time(p.entry.at) for p in found.points],
        ),
        (w("lab.log.run"), "text", [p.run.name for p in found.points]),
        (w("lab.log.split"), "text", [p.entry.split or w("lab.log.all") for p in found.points]),
        ("n", "count", [p.n for p in found.points]),
        (found.full, "score", [p.value for p in found.points]),
        *_ends(found, w),
        (w("lab.log.difference"), "signed", [p.difference for p in found.points]),
        (
            w("lab.log.against"),
            "text",
            [None if p.before is None else f"@{p.before}" for p in found.points],
        ),
        (w("lab.log.latency"), "short", [p.run.latency_median for p in found.points]),
        (w("lab.log.p95"), "short", [p.run.latency_p95 for p in found.points]),
        (w("lab.log.cost"), "short", [p.run.cost_mean for p in found.points]),
        (w("lab.log.changed"), "text", [_changed(p, w) for p in found.points]),
        (w("lab.log.note"), "text", [p.entry.note for p in found.points]),
    ]
    always = {"@", w("lab.log.run"), found.full, w("lab.log.changed")}
    kept = [c for c in columns if c[0] in always or any(v is not None for v in c[2])]
    if all(p.entry.split is None for p in found.points):
        kept = [c for c in kept if c[0] != w("lab.log.split")]
    rows = tuple(zip(*(c[2] for c in kept), strict=True))
    return Grid(tuple(c[0] for c in kept), tuple(c[1] for c in kept), rows)


def _ends(found: History, w: Words) -> list[tuple[str, str, list[Cell]]]:
    """Columns of the ends of the ranges; none where nothing is known to be open."""
    ranges = [p.run.ranges.get(found.measure) for p in found.points]
    if not any(r is not None and apart(r.low, r.high) for r in ranges):
        return []
    return [
        (w("lab.log.at_least"), "score", [None if r is None else r.low for r in ranges]),
        (w("lab.log.at_most"), "score", [None if r is None else r.high for r in ranges]),
    ]


def _time(at: str) -> str:
    return at.rstrip("Z").replace("T", " ")


def _changed(point: Point, w: Words) -> str:
    """What is known to have changed since the last time, the most important first."""
    parts = []
    if point.qrels_before is not None:
        parts.append(w("lab.log.qrels", id=point.qrels_before))
    if point.settings_changed and point.before is None:  # why there is nothing to compare with
        parts += [_pair(k, a, b) for k, (a, b) in point.settings_changed.items()]
    if point.before is not None:
        if point.same_run:
            parts.append(w("lab.log.same"))
        if point.changed:  # also of the same run: then the key changed nothing, or was mistyped
            parts += [_pair(k, a, b) for k, (a, b) in point.changed.items()]
        elif not point.same_run:
            parts.append(w("lab.log.nothing" if point.changed is not None else "lab.log.unknown"))
    return "; ".join(parts)


def _pair(key: str, then: Any, now: Any) -> str:
    return f"{key}: {_value(then)} → {_value(now)}"


def _value(value: Any) -> str:
    text = (
        "–"
        if value is None
        else value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False)
    )
    return text if len(text) <= 40 else text[:39] + "…"


def log_notes(found: History, lang: str = "en") -> list[str]:
    """What has to be said beside the table."""
    w = words(lang)
    if not found.points:
        return [w("lab.log.empty")]
    notes = []
    if any(p.qrels_before is not None for p in found.points):
        notes.append(w("lab.log.qrels_note"))
    if _ends(found, w):
        notes.append(w("lab.log.ranges"))
    if found.without:
        notes.append(w("lab.log.without", n=Count(found.without), measure=found.full))
    return notes


# ---------------------------------------------------------------------------------- one entry


def entry_page(entry: Entry, folder: Path, lang: str = "en", *, beside: bool = False) -> Page:
    """An evaluation in full: what was scored, how, with which result.

    Parameters
    ----------
    beside : ends of ranges in columns beside the means, for programs, and not in rows below them
    """
    w = words(lang)
    blocks: list[Block] = [Facts(tuple(_facts(entry, w))), Table(_means(entry, beside, w))]
    blocks += [Text(line) for line in _of_ranges(entry, w)]
    for run in entry.runs:
        blocks += [Heading(w("lab.show.run", name=run.name)), Facts(tuple(_run(run, folder, w)))]
    return Page(f"@{entry.id}", lang, tuple(blocks))


def _facts(entry: Entry, w: Words) -> list[tuple[str, str]]:
    queries = f"{entry.n_queries} ({entry.split or w('lab.log.all')})"
    if entry.split_fingerprint:
        queries += f" {entry.split_fingerprint[:SHORT]}"
    facts = [
        (w("lab.show.time"), entry.at),
        (w("lab.show.command"), entry.command),
        (w("lab.show.versions"), _named(entry.versions)),
        (w("lab.show.qrels"), f"{entry.qrels}  {entry.qrels_fingerprint[:SHORT]}"),
        (w("lab.show.queries"), queries),
        (w("lab.show.settings"), _named(entry.settings)),
    ]
    if entry.seed is not None:
        facts.append((w("lab.show.seed"), str(entry.seed)))
    if entry.note:
        facts.append((w("lab.show.note"), entry.note))
    return facts


def _named(values: Any) -> str:
    return ", ".join(f"{k} {_value(v)}" for k, v in values.items())


def _run(run: RunEntry, folder: Path, w: Words) -> list[tuple[str, str]]:
    facts = [(w("lab.show.file"), f"{_file(run, folder, w)}  {run.fingerprint[:SHORT]}")]
    if run.config:
        facts.append((w("lab.show.config"), _named(run.config)))
    if run.latency_median is not None and run.latency_p95 is not None:
        value = w("lab.show.latency_value", median=run.latency_median, p95=run.latency_p95)
        facts.append((w("lab.show.latency"), value))
    if run.cost_mean is not None:
        value = w("lab.show.cost_value", mean=run.cost_mean, currency=run.currency)
        facts.append((w("lab.show.cost"), " ".join(value.split())))
    return facts


def _file(run: RunEntry, folder: Path, w: Words) -> str:
    """The path, and whether the file still holds what was recorded."""
    if run.path is None:
        return w("lab.show.memory")
    path = os.path.join(folder, run.path)
    if not os.path.exists(path):
        state = "gone"
    else:
        state = "unchanged" if of_file(path) == run.fingerprint else "altered"
    return f"{run.path} ({w(f'lab.show.{state}')})"


def _of_ranges(entry: Entry, w: Words) -> list[str]:
    """What is to be said of the ranges that unjudged documents leave open."""
    if entry.bounds is None or entry.bounds == NO_BOUNDS:
        return [w("lab.show.no_ranges" if entry.bounds else "lab.show.not_kept")]
    known = [(m.full, run.ranges.get(m.text)) for run in entry.runs for m in entry.measures]
    said = []
    if any(r is not None and apart(r.low, r.high) for _, r in known):
        said.append(w("lab.show.ranges", world=w(f"lab.show.{entry.bounds}")))
    bare = [name for name, r in known if r is not None and r.holes and r.low is None]
    bare = [name for name in bare if not name.startswith(COUNTING)]
    outer = [name for name, r in known if r is not None and not r.exact]
    if bare:
        said.append(w("lab.show.unbounded", measures=", ".join(dict.fromkeys(bare))))
    if outer:
        said.append(w("lab.show.outer", measures=", ".join(dict.fromkeys(outer))))
    return said


def _means(entry: Entry, beside: bool, w: Words) -> Grid:
    columns, kinds = ["run"], ["text"]
    ends: dict[int, tuple[int, int]] = {}
    own_n = {m.text for m in entry.measures if len({r.means[m.text][1] for r in entry.runs}) > 1}
    for m in entry.measures:
        columns.append(m.full)
        kinds.append("count" if m.aggregate == "sum" else "score")
        ranges = [run.ranges.get(m.text) for run in entry.runs]
        if any(r is not None and apart(r.low, r.high) for r in ranges):
            at = len(columns)
            ends[at - 1] = (at, at + 1)
            columns += [f"low {m.full}", f"high {m.full}"]
            kinds += ["score", "score"]
        if m.text in own_n:
            columns.append(f"n of {m.full}")
            kinds.append("count")
    columns += ["judged", "missing", "empty", "unlabelled"]
    kinds += ["share", "count", "count", "count"]
    rows = []
    for run in entry.runs:
        row: list[Cell] = [run.name]
        for m in entry.measures:
            value, n = run.means[m.text]
            row.append(value)
            if len(row) - 1 in ends:
                own = run.ranges.get(m.text)
                row += [None, None] if own is None else [own.low, own.high]
            if m.text in own_n:
                row.append(n)
        rows.append((*row, run.judged, run.n_missing, run.n_empty, run.n_unlabelled))
    grid = Grid(tuple(columns), tuple(kinds), tuple(rows))
    names = [f"  {w(f'lab.log.{end}')}" for end in ("at_least", "at_most")]
    return grid if beside else below(grid, ends, 0, names)
