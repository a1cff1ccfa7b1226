"""An experiment for people (a page) and for programs (JSON, one grid a table)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from cranfield.experiment.cells import Outcome
from cranfield.experiment.matrix import Experiment
from cranfield.experiment.measured import judge_rate
from cranfield.experiment.plan import PlannedSystem
from cranfield.experiment.prepared import CollectionFacts
from cranfield.experiment.tables import LEVEL, Average, Row, averages, rows
from cranfield.kit.address import shown
from cranfield.report.blocks import Block, Chart, Heading, Note, Table, Text
from cranfield.report.comparison_charts import intervals
from cranfield.report.experiment_grids import (
    averages_grid,
    collections_grid,
    differences_grid,
    results_grid,
    scope_of,
)
from cranfield.report.lab_words import Count
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.remarks import percent

SCHEMA = "cranfield.experiment/1"
ENDS = ("holes", "at_least", "at_most", "exact")  # of a mean, by what nobody judged


def page(found: Experiment, lang: str = "en", *, charts: bool = True) -> Page:
    """Collections, results, differences, averages; what failed comes first.

    Parameters
    ----------
    charts : draw the differences beside their table
    """
    w = words(lang)
    table = rows(found)
    means = averages(found, table)
    measure = found.plan.measures[0]
    blocks: list[Block] = [
        Text(
            w(
                "experiment.head",
                runs=Count(len(table)),
                collections=Count(len(found.facts)),
                k=found.plan.k,
                seed=found.plan.seed,
            )
        ),
        *_failures(found, w),
        Heading(w("experiment.collections")),
        Table(collections_grid(found.facts, w)),
        *(Text(line) for line in _about(found.facts, w)),
    ]
    if table:
        blocks += [
            Heading(w("experiment.results", measure=measure, k=found.plan.judged_at)),
            Table(results_grid(found, table, w)),
            Text(w("experiment.interval", level=percent(LEVEL))),
            *_open(table, measure, w),
            Text(w("experiment.judge_rate", k=found.plan.judged_at)),
            *_shallow(found, table, w),
        ]
    compared = [row for row in table if row.differences]
    if compared:
        blocks += _differences(found, compared, w, charts)
    if means:
        blocks += _averages(found, table, means, w)
    return Page(w("experiment.title"), lang, tuple(blocks))


def _failures(found: Experiment, w: Words) -> list[Block]:
    blocks: list[Block] = []
    if found.failed:
        lines = tuple(
            w("experiment.failed_cell", collection=o.cell.collection.name, run=_run(o), why=o.why)
            for o in found.failed
        )
        blocks.append(Note(w("experiment.not_carried_out", n=len(lines)), lines, "caution"))
    if found.incomplete:
        lines = tuple(
            w(
                "experiment.incomplete_cell",
                collection=o.cell.collection.name,
                run=_run(o),
                n=len(o.errors or ()),
                of=len(o.queries),
            )
            for o in found.incomplete
        )
        blocks.append(Note(w("experiment.incomplete", n=len(lines)), lines, "caution"))
    return blocks


def _run(outcome: Outcome) -> str:
    return outcome.cell.label


def _about(facts: Sequence[CollectionFacts], w: Words) -> list[str]:
    """What a reader of the collections' numbers should know."""
    said = [
        w(f"experiment.{key}", collection=f.plan.name, n=getattr(f, key))
        for f in facts
        for key in ("textless", "lacking", "below")
        if getattr(f, key)
    ]
    bare = [f.plan.name for f in facts if not f.negative and not f.below]
    return [*said, w("experiment.no_negatives", collections=", ".join(bare))] if bare else said


def _differences(found: Experiment, compared: Sequence[Row], w: Words, charts: bool) -> list[Block]:
    comparison = next(m.comparison for m in found.measured if m.comparison is not None)
    choices = comparison.choices
    measure = found.plan.measures[0]
    lines = [(f"{r.cell.collection.name}: {r.cell.label}", r.differences[0]) for r in compared]
    title = w("experiment.chart", measure=measure)
    chart = intervals(comparison, lines, title, w("chart.axis", measure=measure), w)
    return [
        Heading(w("experiment.differences")),
        Table(differences_grid(compared, w)),
        *(Text(w("experiment.labels")) for _ in range(any(any(r.labels) for r in compared))),
        Text(w("experiment.families", test=choices.test, correction=choices.correction)),
        *((Chart(chart, table=False),) if charts else ()),
    ]


def _open(table: Sequence[Row], measure: str, w: Words) -> list[Block]:
    """What the ranges that holes leave mean; nothing where there are no holes."""
    means = [mean for row in table for mean in (*row.means[:1], *row.base[:1]) if mean.holes]
    said = ["experiment.open"] if any(m.at_least is not None for m in means) else []
    said += ["experiment.open.without"] if any(m.at_least is None for m in means) else []
    said += ["experiment.open.outer"] if any(not m.exact for m in means) else []
    return [Text(w(key, measure=measure)) for key in said]


def _shallow(found: Experiment, table: Sequence[Row], w: Words) -> list[Block]:
    """Rerankers that cannot bring another document among those that the judge rate is over."""
    k = found.plan.judged_at
    second = {r.cell.reranker.label: r.cell.reranker for r in table if r.cell.reranker}
    runs = [f"+{label}" for label, own in second.items() if own.depth <= k]
    return [Text(w("experiment.shallow", runs=", ".join(runs), k=k))] if runs else []


def _averages(
    found: Experiment, table: Sequence[Row], means: Sequence[Average], w: Words
) -> list[Block]:
    blocks: list[Block] = [
        Heading(w("experiment.averages")),
        Table(averages_grid(found, means, w)),
    ]
    groups = dict.fromkeys(f.plan.group for f in found.facts if f.plan.group)
    if groups:
        blocks.append(Text(w("experiment.group_note", groups=", ".join(map(str, groups)))))
    blocks += [
        Text(
            w(
                "experiment.without",
                scope=scope_of(mean, w),
                run=mean.label,
                names=", ".join(mean.without),
            )
        )
        for mean in means
        if mean.without
    ]
    n = [row.n for row in table]
    lines = [w("experiment.mislead.weight", fewest=min(n), most=max(n))]
    lines += [
        w(
            "experiment.mislead.hides",
            run=mean.label,
            base=mean.label.partition("+")[0],
            better=mean.verdicts.get("better", 0),
            worse=mean.verdicts.get("worse", 0),
            n=sum(mean.verdicts.values()),
            difference=f"{(mean.means[0] or 0) - (mean.base[0] or 0):+.4f}",
        )
        for mean in means
        if mean.scope == "all" and mean.base and mean.verdicts
    ]
    lines += [w("experiment.mislead.sample"), w("experiment.mislead.read")]
    return [*blocks, Note(w("experiment.mislead"), tuple(lines), "caution")]


def to_json(found: Experiment) -> bytes:
    """The same as data; schema `cranfield.experiment/1`. Whether a run was made now or before does
    not show, so that the same experiment gives the same bytes."""
    plan = found.plan
    table = rows(found)
    value = {
        "schema": SCHEMA,
        "settings": {
            "k": plan.k,
            "measures": list(plan.measures),
            "judge_rate": judge_rate(plan),
            "level": LEVEL,
            "seed": plan.seed,
            "attempts": plan.attempts,
        },
        "collections": [_collection(f) for f in found.facts],
        "results": [_result(row, found) for row in table],
        "averages": [
            asdict(mean)
            | {
                name: _named(plan.measures, getattr(mean, name))
                for name in ("means", "base", "at_least", "at_most")
            }
            for mean in averages(found, table)
        ],
        "failed": [_failed(o, o.why) for o in found.failed],
        "incomplete": [_failed(o, dict(o.errors or {})) for o in found.incomplete],
    }
    return (json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()


def _named(measures: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(measures, values, strict=False))


def _failed(outcome: Outcome, why: Any) -> dict[str, Any]:
    return {"collection": outcome.cell.collection.name, "run": outcome.cell.label, "why": why}


def _collection(facts: CollectionFacts) -> dict[str, Any]:
    plan = facts.plan
    own = {"name": plan.name, "task": plan.task, "domain": plan.domain, "group": plan.group}
    numbers = {key: value for key, value in asdict(facts).items() if key != "plan"}
    return {**own, "split": plan.split, "sample": plan.sample, **numbers}


def _result(row: Row, found: Experiment) -> dict[str, Any]:
    cell, measures = row.cell, found.plan.measures
    second = cell.reranker
    path = os.path.relpath(str(row.outcome.path), found.plan.folder)
    out: dict[str, Any] = {
        "collection": cell.collection.name,
        "run": cell.label,
        "system": _system(cell.system),
        "reranker": None
        if second is None
        else {"name": second.name, "depth": second.depth, "parameters": shown(second.parameters)},
        "file": path.replace(os.sep, "/"),
        "n": row.n,
        "means": _named(measures, [asdict(mean) for mean in row.means]),
        "judge_rate": {k: v for k, v in asdict(row.judged).items() if k not in ENDS},
    }
    if row.against is not None:
        out["against"] = row.against
        out["base"] = _named(measures, [asdict(mean) for mean in row.base])
        out["differences"] = [
            {**_difference(d), "labels": labels}
            for d, labels in zip(row.differences, row.labels, strict=True)
        ]
    return out


def _system(system: PlannedSystem) -> dict[str, Any]:
    cut = {} if system.passages is None else {"passages": dict(system.passages)}
    filters = {"filters": list(system.filters)} if system.filters else {}
    return {"name": system.name, "parameters": shown(system.parameters), **cut, **filters}


def _difference(row: Any) -> dict[str, Any]:
    names = ("measure", "n", "difference", "low", "high", "p", "p_adjusted", "wins", "ties")
    found: Mapping[str, Any] = {name: getattr(row, name) for name in (*names, "losses")}
    return {**found, "verdict": row.verdict.kind}
