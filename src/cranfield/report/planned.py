"""A plan of queries as a page and as data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from cranfield.comparison.planning import Plan
from cranfield.report.grid import Grid
from cranfield.report.language import Words, words
from cranfield.report.page import Block, Heading, Page, Table, Text
from cranfield.report.remarks import percent


def page(plans: Sequence[Plan], lang: str = "en") -> Page:
    """One part a measure: the spread, queries for differences, differences for queries."""
    w = words(lang)
    blocks: list[Block] = []
    for plan in plans:
        if plan.spread.measure:
            blocks.append(Heading(plan.spread.measure))
        blocks.append(Text(_spread(plan, w)))
        if plan.design is not None:
            blocks.append(Text(_design(plan, w)))
        if plan.needed:
            grid = Grid(
                (w("power.difference"), w("power.d_z"), w("power.queries")),
                ("score", "text", "count"),
                tuple((d, f"{abs(d) / plan.spread.sd:.3f}", n) for d, n in plan.needed),
            )
            blocks.append(Table(grid))
        if plan.detectable:
            grid = Grid(
                (w("power.queries"), w("power.shown"), w("power.d_z")),
                ("count", "score", "text"),
                tuple((n, d, f"{d / plan.spread.sd:.3f}") for n, d in plan.detectable),
            )
            blocks.append(Table(grid))
    tables = any(plan.needed or plan.detectable for plan in plans)
    how = "power.how" if tables else "power.how.design"
    blocks.append(Text(w(how, power=percent(plans[0].power), alpha=f"{plans[0].alpha:g}")))
    if any(plan.spread.n is not None for plan in plans):
        blocks.append(Text(w("power.pilot")))
    return Page(w("power.title"), lang, tuple(blocks))


def _spread(plan: Plan, w: Words) -> str:
    s = plan.spread
    if s.n is None or s.difference is None:
        return w("power.sd", sd=f"{s.sd:.4f}")
    return w("power.spread", sd=f"{s.sd:.4f}", n=s.n, difference=f"{s.difference:+.4f}")


def _design(plan: Plan, w: Words) -> str:
    assert plan.design is not None
    name, values, n, attained = plan.design
    shown = {key: f"{value:g}" for key, value in values.items()}
    shown["sd"] = f"{values['sd']:.4f}"
    got = f"{attained:.4f}" if name == "ci" else percent(attained)
    return w(f"power.design.{name}", **shown, n=n, attained=got)


def as_json(plans: Sequence[Plan]) -> str:
    """All plans as a JSON list."""
    data = []
    for plan in plans:
        one = asdict(plan)
        one["needed"] = [{"difference": d, "queries": n} for d, n in plan.needed]
        one["detectable"] = [{"queries": n, "difference": d} for n, d in plan.detectable]
        if plan.design is not None:
            name, values, n, attained = plan.design
            one["design"] = {"name": name, **values, "queries": n, "attained": attained}
        data.append(one)
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
