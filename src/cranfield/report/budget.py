"""A budget of labels as a page and as data."""

from __future__ import annotations

import json
from dataclasses import asdict

from cranfield.judging.budget import FEW, BudgetPlan
from cranfield.report.blocks import Block, Facts, Note, Table, Text
from cranfield.report.grid import Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.scaled import scale_said

SCHEMA = "cranfield.budget/1"
COLUMNS = (
    *("depth", "labels", "queries", "spread", "error", "bias", "bias_se", "se", "rmse"),
    *("detectable", "t"),
)


def page(plan: BudgetPlan, lang: str = "en") -> Page:
    """What a budget buys at each depth."""
    w = words(lang)
    what = "budget.mean" if plan.base is None else "budget.difference"
    facts = [
        (w("budget.what"), w(what, run=plan.run, base=plan.base, measure=plan.measure)),
        (w("budget.budget"), w("budget.labels", n=f"{plan.budget:g}")),
        (
            w("budget.pilot"),
            w(
                "budget.pilot.value",
                n=Count(plan.pilot),
                mean=f"{plan.mean:+.4f}",
                sd=f"{plan.between:.4f}",
            ),
        ),
    ]
    facts.append((w("scale.fact"), scale_said(plan.scale, w)))
    if plan.per_query:
        facts.append((w("budget.per_query"), w("budget.labels", n=f"{plan.per_query:g}")))
    if plan.most_queries is not None:
        facts.append((w("budget.most"), str(plan.most_queries)))
    made: list[Block] = [Facts(tuple(facts))]
    if plan.pilot < FEW:
        made.append(Note(w("budget.careful"), (w("budget.few", n=plan.pilot),), "caution"))
    made += [Table(grid(plan, lang)), Text(_advice(plan, w)), Text(w("budget.method"))]
    made += [Text("\n".join(plan.notes))] if plan.notes else []
    return Page(w("budget.title"), lang, tuple(made))


def _advice(plan: BudgetPlan, w: Words) -> str:
    if plan.best is None or plan.clearest is None:
        return w("budget.poor")
    at = {d.depth: d for d in plan.depths}
    best, clearest = at[plan.best], at[plan.clearest]
    said = w("budget.best", depth=best.depth, n=Count(best.queries), rmse=f"{best.rmse or 0:.4f}")
    if plan.base is None:
        return said
    t = f"{clearest.t or 0:+.2f}"
    more = w("budget.clearest", depth=clearest.depth, n=Count(clearest.queries), t=t)
    return f"{said} {more}"


def grid(plan: BudgetPlan, lang: str = "en") -> Grid:
    """One row a depth."""
    w = words(lang)
    return Grid(tuple(w(f"budget.column.{c}") for c in COLUMNS), _KINDS, _rows(plan))


def flat(plan: BudgetPlan) -> Grid:
    """The same under plain names, for programs."""
    return Grid(COLUMNS, _KINDS, _rows(plan))


_KINDS = ("count", "short", "count", *("score",) * 2, "signed", *("score",) * 4, "short")


def _rows(plan: BudgetPlan) -> tuple[tuple[float | None, ...], ...]:
    return tuple(tuple(getattr(d, c) for c in COLUMNS) for d in plan.depths)


def to_json(plan: BudgetPlan) -> str:
    """All of it; schema `cranfield.budget/1`."""
    data = {"schema": SCHEMA, **asdict(plan)}
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
