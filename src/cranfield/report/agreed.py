"""Agreement of judges as a page (text, Markdown, HTML), as one flat table, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

import numpy as np

from cranfield.comparison.outcome import Remark
from cranfield.judging.agreement import Agreement
from cranfield.judging.raters import Raters
from cranfield.judging.systems import Order
from cranfield.report.agreed_systems import order_blocks, own_blocks, run_blocks
from cranfield.report.blocks import Block, Facts, Heading, Note, Table, Text
from cranfield.report.grid import Cell, Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.remarks import some
from cranfield.stats.coefficients import Coefficient

SCHEMA = "cranfield.agreement/1"


def page(found: Agreement | Raters, lang: str = "en", more: Sequence[Remark] = ()) -> Page:
    """Coefficients first, then where the labels part and what that does to systems.

    Parameters
    ----------
    more : what else is to be said, as of looks.
    """
    w = words(lang)
    if isinstance(found, Raters):
        return Page(w("agree.raters", name=found.name), lang, tuple(_raters(found, w, more)))
    return Page(w("agree.title", a=found.a, b=found.b), lang, tuple(_both(found, w, more)))


def _both(found: Agreement, w: Words, more: Sequence[Remark]) -> list[Block]:
    facts = [
        (w("agree.pairs"), w("agree.pairs.value", n=found.n, queries=Count(found.queries))),
        (w("agree.only", name=found.a), str(found.only_a)),
        (w("agree.only", name=found.b), str(found.only_b)),
    ]
    if found.part:
        facts.append((w("agree.part"), w(f"agree.part.{found.part}")))
    made: list[Block] = [Facts(tuple(facts)), *_cautions((*found.cautions, *more), w)]
    made += [Heading(w("agree.coefficients")), Table(coefficients_grid(found, w))]
    undefined = [c for c in (*found.pooled, *found.by_query) if c.value is None]
    if undefined:
        named = some([name_of(c, w) for c in undefined])
        made.append(Text(w("agree.undefined", named=named)))
    made += [Heading(w("agree.matrix", a=found.a, b=found.b)), Table(_matrix(found, w))]
    made += [Heading(w("agree.relevant", rel=f"{found.how.rel:g}")), Facts(_relevant(found, w))]
    made += [Heading(w("agree.grades")), Table(_grades(found, w))]
    if found.slices:
        made += [Heading(w("agree.slices")), Table(_slices(found, w))]
    made += order_blocks(found, w)
    made += run_blocks(found, w)
    made += own_blocks(found, w)
    made += [Heading(w("agree.method")), Text(_method(found, w))]
    return made + ([Text("\n".join(found.notes))] if found.notes else [])


def _raters(found: Raters, w: Words, more: Sequence[Remark]) -> list[Block]:
    facts = [
        (w("agree.judges"), str(len(found.judges))),
        (w("agree.units"), w("agree.units.value", n=found.units, all=found.pairs)),
        (w("agree.disputed"), str(found.disputed)),
    ]
    if found.part:
        facts.append((w("agree.part"), w(f"agree.part.{found.part}")))
    made: list[Block] = [Facts(tuple(facts)), *_cautions((*found.cautions, *more), w)]
    made += [Heading(w("agree.coefficients")), Table(coefficients_grid(found, w))]
    columns = ("judge", "other", "shared", "percent", "kappa", "quadratic")
    kinds = ("text", "text", "count", "share", "score", "score")
    rows = tuple((p.a, p.b, p.n, p.percent, p.kappa, p.quadratic) for p in found.table)
    grid = Grid(tuple(w(f"agree.column.{c}") for c in columns), kinds, rows)
    return [*made, Heading(w("agree.each_two")), Table(grid)]


def _cautions(remarks: Sequence[Remark], w: Words) -> list[Block]:
    lines = tuple(in_words(remark, w) for remark in remarks)
    return [Note(w("agree.cautions"), lines, "caution")] if lines else []


def in_words(remark: Remark, w: Words) -> str:
    """One sentence."""

    def said(value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return some([f"{v:g}" if isinstance(v, float) else str(v) for v in value])
        if isinstance(value, float):
            return f"{value:.3f}"
        return Count(value) if type(value) is int else value

    return w(remark.key, **{name: said(value) for name, value in remark.values.items()})


def name_of(c: Coefficient, w: Words) -> str:
    return w(f"agree.name.{c.name}")


def coefficients_grid(found: Agreement | Raters, w: Words) -> Grid:
    """A row a coefficient with its interval."""
    level = f"{found.how.level:.0%}"
    columns = ("coefficient", "value", "low", "high", "over")
    listed: tuple[Coefficient, ...] = (
        found.coefficients
        if isinstance(found, Raters)
        else (*found.pooled, *found.by_query, found.bias)
    )
    rows = []
    for c in listed:
        low, high = (c.interval.low, c.interval.high) if c.interval else (None, None)
        by_query = c.name.endswith("by query")
        unit = "queries" if by_query else "values" if isinstance(found, Raters) else "pairs"
        over = w(f"agree.over.{unit}", n=Count(c.n))
        rows.append((name_of(c, w), c.value, low, high, over))
    names = tuple(w(f"agree.column.{c}", level=level) for c in columns)
    return Grid(names, ("text", "score", "score", "score", "text"), tuple(rows))


def _matrix(found: Agreement, w: Words) -> Grid:
    """Counts with the marginals, without which no coefficient can be read."""
    levels = [f"{g:g}" for g in found.levels.tolist()]
    total = w("agree.column.total")
    rows: list[tuple[Cell, ...]] = []
    for level, row in zip(levels, found.matrix.astype(int).tolist(), strict=True):
        rows.append((level, *row, sum(row)))
    sums = found.matrix.sum(axis=0).astype(int).tolist()
    rows.append((total, *sums, sum(sums)))
    columns = (f"{found.a} ↓ {found.b} →", *levels, total)
    return Grid(columns, ("text", *("count",) * (len(levels) + 1)), tuple(rows))


def _relevant(found: Agreement, w: Words) -> tuple[tuple[str, str], ...]:
    r = found.relevant
    interval = f"[{r.interval.low:.4f}, {r.interval.high:.4f}]"
    shown = (
        ("agreement", f"{r.agreement:.4f} {w('agree.wilson', interval=interval)}"),
        ("precision", _four(r.precision)),
        ("recall", _four(r.recall)),
        ("f1", _four(r.f1)),
        ("overlap", _four(r.overlap)),
        ("kappa", _four(r.kappa)),
    )
    return tuple((w(f"agree.relevant.{key}"), value) for key, value in shown)


def _four(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _grades(found: Agreement, w: Words) -> Grid:
    columns = ("grade", "pairs", "same", "mean", "bias")
    rows = tuple((f"{g.grade:g}", g.n, g.same, g.mean, g.bias) for g in found.grades)
    kinds = ("text", "count", "share", "score", "signed")
    return Grid(tuple(w(f"agree.column.{c}", a=found.a, b=found.b) for c in columns), kinds, rows)


def _slices(found: Agreement, w: Words) -> Grid:
    columns = ("field", "label", "queries", "pairs", "percent", "kappa", "quadratic", "bias")
    rows = tuple(
        (w.name(s.field), w.name(s.label), s.queries, s.n, s.percent, s.kappa, s.quadratic, s.bias)
        for s in found.slices
    )
    kinds = ("text", "text", "count", "count", "share", "score", "score", "signed")
    return Grid(tuple(w(f"agree.column.{c}") for c in columns), kinds, rows)


def _method(found: Agreement, w: Words) -> str:
    h = found.how
    said = [w("agree.method.labels", level=f"{h.level:.0%}", resamples=h.resamples, seed=h.seed)]
    if found.orders:
        said.append(
            w(
                "agree.method.systems",
                pairs=w(f"agree.pairs.{h.pairs}"),
                test=h.test,
                correction=h.correction,
                alpha=h.alpha,
            )
        )
    return " ".join(said)


def flat(found: Agreement | Raters) -> Grid:
    """Every figure as a row: part, name, value, low, high, n; for CSV and TSV."""
    rows: list[tuple[Cell, ...]] = []

    def add(part: str, name: str, value: Any, interval: Any = None, n: int | None = None) -> None:
        low, high = (interval.low, interval.high) if interval is not None else (None, None)
        rows.append((part, name, None if value is None else float(value), low, high, n))

    if isinstance(found, Raters):
        for c in found.coefficients:
            add("coefficient", c.name, c.value, c.interval, c.n)
        for p in found.table:
            for what in ("percent", "kappa", "quadratic"):
                add(what, f"{p.a} | {p.b}", getattr(p, what), None, p.n)
    else:
        for c in (*found.pooled, *found.by_query, found.bias):
            add("coefficient", c.name, c.value, c.interval, c.n)
        levels = [f"{g:g}" for g in found.levels.tolist()]
        for i, j in np.ndindex(found.matrix.shape):
            add("matrix", f"{levels[i]} | {levels[j]}", found.matrix[i, j])
        add("relevant", "agreement", found.relevant.agreement, found.relevant.interval, found.n)
        for what in ("precision", "recall", "f1", "overlap", "kappa"):
            add("relevant", what, getattr(found.relevant, what))
        for g in found.grades:
            add("grade bias", f"{g.grade:g}", g.bias, None, g.n)
        for s in found.slices:
            add("slice kappa", f"{s.field}={s.label}", s.kappa, None, s.n)
            add("slice bias", f"{s.field}={s.label}", s.bias, None, s.n)
        for r in found.runs:
            add("run bias", r.run, r.bias, r.interval, r.n)
        for order in found.orders:
            _flat_order(order, add)
        for own in found.own:
            add(f"own family {own.measure}", own.judge or "-", own.excess, own.interval)
    return Grid(
        ("part", "name", "value", "low", "high", "n"),
        ("text", "text", "score", "score", "score", "count"),
        tuple(rows),
    )


def _flat_order(order: Order, add: Any) -> None:
    for name in ("tau_b", "tau_ap_b", "top_tau_b", "top_tau_ap_b"):
        tau = getattr(order, name)
        add(f"order {order.measure}", name, tau.value, tau.interval, order.n)
    for name in ("pairs", "kept", "lost", "gained", "reversed", "opposite"):
        add(f"differences {order.measure}", name, getattr(order.differences, name))


def to_json(found: Agreement | Raters, lang: str = "en", more: Sequence[Remark] = ()) -> str:
    """Everything, for programs."""
    w = words(lang)
    body = {
        "schema": SCHEMA,
        "kind": "raters" if isinstance(found, Raters) else "labels",
        **_plain(found),
        "cautions": [
            {"key": r.key, "values": _plain(dict(r.values)), "sentence": in_words(r, w)}
            for r in (*found.cautions, *more)
        ],
    }
    return json.dumps(body, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value
