"""The tables of an experiment as grids."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cranfield.experiment.matrix import Experiment
from cranfield.experiment.prepared import CollectionFacts
from cranfield.experiment.tables import Average, Mean, Row, averages, rows
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words
from cranfield.report.ranged import NARROW
from cranfield.report.remarks import p_text, percent

TABLES = ("collections", "results", "averages")


def collections_grid(facts: Sequence[CollectionFacts], w: Words) -> Grid:
    """What each collection holds (the first table of Elastic's article on BEIR)."""
    texts = ("collection", "task", "domain")
    counts = ("documents", "queries", "judged", "positive", "negative")
    sampled = any(f.asked != f.judged for f in facts)
    own = ("asked",) if sampled else ()
    names = (*texts, *counts, "positive_per_query", "negative_per_query", *own)
    kinds = (*("text",) * 3, *("count",) * 5, "short", "short", *(("count",) if sampled else ()))
    return Grid(
        tuple(w(f"experiment.column.{name}") for name in names),
        kinds,
        tuple(_facts(f, sampled) for f in facts),
    )


def _facts(f: CollectionFacts, sampled: bool) -> tuple[Cell, ...]:
    return (
        f.plan.name,
        f.plan.task or "",
        f.plan.domain or "",
        f.documents,
        f.queries,
        f.judged,
        f.positive,
        f.negative,
        f.positive / f.judged,
        f.negative / f.judged,
        *((f.asked,) if sampled else ()),
    )


def results_grid(found: Experiment, table: Sequence[Row], w: Words) -> Grid:
    """One row a collection, retriever and set of queries: mean and judge rate after retrieval and
    after each reranking (the second table of Elastic's article)."""
    second = list(dict.fromkeys(r.cell.reranker.label for r in table if r.cell.reranker))
    measure, k = found.plan.measures[0], found.plan.judged_at
    heads = [w(f"experiment.column.{c}") for c in ("collection", "system", "n")]
    open_ = any_open([mean for row in table for mean in (*row.means[:1], *row.base[:1])])
    for name in ("", *(f"+{label} " for label in second)):
        heads += [f"{name}{measure}", *([f"{name}{w('experiment.column.open')}"] * open_)]
        heads += [f"{name}{w('experiment.column.judge_rate')}@{k}"]
    kinds = ("text", "text", "count", *("text",) * (len(heads) - 3))
    lines: dict[tuple[str, str, int], dict[str, tuple[Mean, Mean]]] = {}
    for row in table:
        key = row.cell.collection.name, row.cell.system.label, row.n
        line = lines.setdefault(key, {})
        if row.cell.reranker is None:
            line[""] = row.means[0], row.judged
        else:
            assert row.base_judged is not None
            line.setdefault("", (row.base[0], row.base_judged))
            line[row.cell.reranker.label] = row.means[0], row.judged
    return Grid(
        tuple(heads),
        kinds,
        tuple(
            (*key, *(text for name in ("", *second) for text in _stage(line.get(name), open_, w)))
            for key, line in lines.items()
        ),
    )


def _stage(both: tuple[Mean, Mean] | None, open_: bool, w: Words) -> tuple[str, ...]:
    """Mean, what holes leave open of it, and judge rate after one stage."""
    if both is None:
        return ("",) * (2 + open_)
    mean, judged = both
    left = (_left_open(mean, w),) * open_
    return (_with_interval(mean), *left, _percent(judged.value))


def any_open(means: Sequence[Mean]) -> bool:
    """Whether holes leave anything open."""
    return any(mean.holes for mean in means)


def _left_open(mean: Mean, w: Words) -> str:
    if mean.holes == 0:
        return w("experiment.open.nothing")
    return _range(mean.at_least, mean.at_most) or w("experiment.open.unknown")


def _range(low: float | None, high: float | None) -> str:
    """Three decimals, rounded outwards: what lies between the ends lies between these."""
    if low is None or high is None:
        return ""
    return f"{math.floor(low * 1e3 + 1e-6) / 1e3:.3f}–{math.ceil(high * 1e3 - 1e-6) / 1e3:.3f}"


def _with_interval(mean: Mean) -> str:
    if mean.value is None:
        return "–"
    if mean.low is None or mean.high is None:
        return f"{mean.value:.4f}"
    return f"{mean.value:.4f} [{mean.low:.3f}, {mean.high:.3f}]"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}%"


def differences_grid(compared: Sequence[Row], w: Words) -> Grid:
    """Each run against its base: the difference, its interval and the verdict."""
    own = ("collection", "run", "against", "n", "base")
    level = percent(0.95)
    heads = [w(f"experiment.column.{c}") for c in own]
    heads += [w(f"column.{c}", level=level) for c in ("measure", "difference", "interval")]
    heads += [w("column.p_adjusted"), w("column.verdict")]
    kinds = ["text", "text", "text", "count", "score", "text", "signed", "text", "text", "text"]
    told = any(any(row.labels) for row in compared)
    heads += [w("experiment.column.labels")] * told
    kinds += ["text"] * told
    lines = []
    for row in compared:
        for d, labels in zip(row.differences, row.labels, strict=True):
            interval = "–" if d.low is None or d.high is None else f"[{d.low:+.4f}, {d.high:+.4f}]"
            cells: tuple[Cell, ...] = (row.cell.collection.name, row.cell.label, row.against or "")
            cells += (d.n, d.base_mean, d.measure, d.difference, interval, p_text(d.p_adjusted))
            cells += (w(f"verdict.{d.verdict.kind}"),)
            by_labels = w(f"experiment.labels.{labels}") if labels else ""
            lines.append((*cells, *([by_labels] * told)))
    return Grid(tuple(heads), tuple(kinds), tuple(lines))


def averages_grid(found: Experiment, means: Sequence[Average], w: Words) -> Grid:
    """Averages over all collections, by task, by group."""
    measures, k = found.plan.measures, found.plan.judged_at
    heads = [w("experiment.column.of"), w("experiment.column.run")]
    heads += [w("experiment.column.collections_n")]
    kinds = ["text", "text", "text"]
    open_ = [
        any(_apart(mean.at_least[i], mean.at_most[i], mean.means[i]) for mean in means)
        for i in range(len(measures))
    ]
    for measure, own in zip(measures, open_, strict=True):
        name = w("experiment.column.open")
        heads += [measure, *([name if len(measures) == 1 else f"{measure} {name}"] * own)]
        kinds += ["score", *(["text"] * own)]
    heads += [f"{w('experiment.column.judge_rate')}@{k}"]
    heads += [w("experiment.column.base_same"), w("experiment.column.verdicts")]
    kinds += ["text", "score", "text"]
    lines = tuple(
        (
            scope_of(mean, w),
            mean.label,
            f"{mean.n}" if mean.n == mean.of else f"{mean.n}/{mean.of}",
            *(cell for i, own in enumerate(open_) for cell in _average(mean, i, own, w)),
            _percent(mean.judged),
            mean.base[0] if mean.base else None,
            ", ".join(f"{w(f'verdict.{v}')} {n}" for v, n in (mean.verdicts or {}).items()),
        )
        for mean in means
    )
    return Grid(tuple(heads), tuple(kinds), lines)


def _average(mean: Average, i: int, open_: bool, w: Words) -> tuple[Cell, ...]:
    if not open_:
        return (mean.means[i],)
    low, high = mean.at_least[i], mean.at_most[i]
    if not _apart(low, high, mean.means[i]):
        return mean.means[i], w("experiment.open.nothing")
    return mean.means[i], _range(low, high) or w("experiment.open.unknown")


def _apart(low: float | None, high: float | None, mean: float | None) -> bool:
    """Whether holes leave an average open, or may, for all that is known."""
    if low is None or high is None:
        return mean is not None
    return high - low > NARROW


def scope_of(mean: Average, w: Words) -> str:
    """What an average is over, in words."""
    return w(f"experiment.{mean.scope}", name=mean.name)


def states_grid(found: Experiment, w: Words) -> Grid:
    """What a dry run shows: every cell and what is there."""
    names = ("collection", "run", "n", "state", "file")
    lines = tuple(
        (
            o.cell.collection.name,
            o.cell.label,
            len(o.queries),
            w(f"experiment.state.{o.state}", why=o.why),
            "" if o.path is None else o.path.relative_to(found.plan.folder).as_posix(),
        )
        for o in found.outcomes
    )
    kinds = ("text", "text", "count", "text", "text")
    return Grid(tuple(w(f"experiment.column.{name}") for name in names), kinds, lines)


def plain_grid(found: Experiment, table: str) -> Grid:
    """One of `TABLES` for programs: a number a cell, columns by fixed names."""
    lines = rows(found)
    if table == "collections":
        return _plain_collections(found.facts)
    if table == "averages":
        return _plain_averages(found, averages(found, lines))
    heads = ["collection", "task", "domain", "group", "system", "reranker", "run", "n"]
    for measure in found.plan.measures:
        heads += [measure, f"{measure} low", f"{measure} high"]
    heads += ["judge_rate", "judge_rate low", "judge_rate high", "against", "base"]
    heads += ["difference", "low", "high", "p", "p_adjusted", "verdict"]
    texts = ("collection", "task", "domain", "group", "system", "reranker", "run")
    kinds = ["text" if h in (*texts, "against", "verdict") else "score" for h in heads]
    kinds[heads.index("n")] = "count"
    for measure in found.plan.measures:  # last, so that those before stay where they were
        heads += [f"{measure} holes", f"{measure} at least", f"{measure} at most"]
        kinds += ["count", "score", "score"]
    return Grid(tuple(heads), tuple(kinds), tuple(_plain_row(row) for row in lines))


def _plain_row(row: Row) -> tuple[Cell, ...]:
    cell, one = row.cell, row.cell.collection
    cells: list[Cell] = [one.name, one.task, one.domain, one.group, cell.system.label]
    cells += [None if cell.reranker is None else cell.reranker.label, cell.label, row.n]
    for mean in (*row.means, row.judged):
        cells += [mean.value, mean.low, mean.high]
    ends = [x for mean in row.means for x in (mean.holes, mean.at_least, mean.at_most)]
    if not row.differences:
        return (*cells, *(None,) * 8, *ends)
    d = row.differences[0]
    cells += [row.against, d.base_mean, d.difference, d.low, d.high, d.p, d.p_adjusted]
    return (*cells, d.verdict.kind, *ends)


def _plain_collections(facts: Sequence[CollectionFacts]) -> Grid:
    first = ("documents", "queries", "judged", "positive", "negative", "below")
    numbers = (*first, "asked", "textless", "lacking")
    return Grid(
        ("collection", "task", "domain", "group", *numbers),
        (*("text",) * 4, *("count",) * len(numbers)),
        tuple(
            (
                *(f.plan.name, f.plan.task, f.plan.domain, f.plan.group),
                *(getattr(f, name) for name in numbers),
            )
            for f in facts
        ),
    )


def _plain_averages(found: Experiment, means: Sequence[Average]) -> Grid:
    measures = found.plan.measures
    ends = [f"{measure} {end}" for measure in measures for end in ("at least", "at most")]
    heads = ("scope", "name", "run", "collections", "of", *measures, "judge_rate", "base", *ends)
    kinds = ("text", "text", "text", "count", "count", *("score",) * (3 * len(measures) + 2))
    lines = tuple(
        (
            *(m.scope, m.name, m.label, m.n, m.of, *m.means, m.judged),
            m.base[0] if m.base else None,
            *(end for both in zip(m.at_least, m.at_most, strict=True) for end in both),
        )
        for m in means
    )
    return Grid(heads, kinds, lines)
