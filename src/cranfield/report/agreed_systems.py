"""What two sets of labels do to the systems, in blocks."""

from __future__ import annotations

import numpy as np

from cranfield.judging.agreement import Agreement
from cranfield.judging.systems import Order, Tau
from cranfield.report.blocks import Block, Details, Heading, Table, Text
from cranfield.report.grid import Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import Words
from cranfield.report.remarks import some
from cranfield.stats.arrays import DECIMALS


def order_blocks(found: Agreement, w: Words) -> list[Block]:
    """One section a measure."""
    made: list[Block] = []
    for order in found.orders:
        title = w("agree.order", measure=order.measure, m=Count(len(order.runs)))
        made += [Heading(title), Table(_taus(order, w, found.how.level))]
        made.append(Text(_in_words(order, found, w)))
        d = order.differences
        made.append(
            Text(
                w(
                    "agree.differences",
                    pairs=Count(d.pairs),
                    sure=Count(d.kept + d.lost + d.reversed),
                    a=found.a,
                    b=found.b,
                    kept=d.kept,
                    lost=d.lost,
                    opposite=d.opposite,
                    reversed=d.reversed,
                    gained=d.gained,
                )
            )
        )
        if d.which_reversed:
            listed = some([f"{x} > {y}" for x, y in d.which_reversed])
            made.append(Text(w("agree.reversed", listed=listed)))
        made.append(Details(w("agree.systems"), (Table(_systems(order, found, w)),)))
    return made


def _taus(order: Order, w: Words, level: float) -> Grid:
    def row(key: str, tau: Tau, m: int) -> tuple[str | float | int | None, ...]:
        i = tau.interval
        return w(key), m, tau.value, i.low if i else None, i.high if i else None

    rows = [
        row("agree.tau_b", order.tau_b, len(order.runs)),
        row("agree.tau_ap_b", order.tau_ap_b, len(order.runs)),
    ]
    if order.top < len(order.runs):
        rows += [
            row("agree.tau_b", order.top_tau_b, order.top),
            row("agree.tau_ap_b", order.top_tau_ap_b, order.top),
        ]
    columns = ("coefficient", "of_systems", "value", "low", "high")
    names = tuple(w(f"agree.column.{c}", level=f"{level:.0%}") for c in columns)
    return Grid(names, ("text", "count", "score", "score", "score"), tuple(rows))


def _in_words(order: Order, found: Agreement, w: Words) -> str:
    run, before, after = order.moved
    best = order.runs[0]
    if order.best_b == best:
        first = w("agree.same_best", run=best)
    else:
        first = w("agree.other_best", a=found.a, b=found.b, one=best, two=order.best_b)
    if before == after:
        return first
    return f"{first} " + w("agree.moved", run=run, before=before, after=after, a=found.a, b=found.b)


def _systems(order: Order, found: Agreement, w: Words) -> Grid:
    columns = ("run", "rank_a", "rank_b", "mean_a", "mean_b", "shift")
    names = tuple(w(f"agree.column.{c}", a=found.a, b=found.b) for c in columns)
    ranks = [
        1 + (np.round(m, DECIMALS)[None, :] > np.round(m, DECIMALS)[:, None]).sum(axis=1)
        for m in (order.mean_a, order.mean_b)
    ]
    rows = tuple(
        (run, int(i), int(j), float(x), float(y), float(y - x))
        for run, i, j, x, y in zip(order.runs, *ranks, order.mean_a, order.mean_b, strict=True)
    )
    return Grid(names, ("text", "count", "count", "score", "score", "signed"), rows)


def run_blocks(found: Agreement, w: Words) -> list[Block]:
    """Grades of the first results of each run."""
    if not found.runs:
        return []
    columns = ("run", "graded", "returned", "mean_a", "mean_b", "bias", "low", "high")
    level = f"{found.how.level:.0%}"
    names = tuple(w(f"agree.column.{c}", a=found.a, b=found.b, level=level) for c in columns)
    rows = []
    for r in found.runs:
        i = r.interval
        ends = (i.low, i.high) if i else (None, None)
        rows.append((r.run, r.n, r.returned, r.mean_a, r.mean_b, r.bias, *ends))
    kinds = ("text", "count", "count", "score", "score", "signed", "signed", "signed")
    grid = Grid(names, kinds, tuple(rows))
    return [Heading(w("agree.runs", k=found.how.k)), Table(grid)]


def own_blocks(found: Agreement, w: Words) -> list[Block]:
    """Whether the judge's own family gains by its labels."""
    made: list[Block] = []
    columns = ("family", "runs", "mean_a", "mean_b", "shift", "rank_a", "rank_b")
    names = tuple(w(f"agree.column.{c}", a=found.a, b=found.b) for c in columns)
    kinds = ("text", "count", "score", "score", "signed", "short", "short")
    for own in found.own:
        rows = tuple(
            (f.family, len(f.runs), f.mean_a, f.mean_b, f.shift, f.rank_a, f.rank_b)
            for f in own.families
        )
        made += [Heading(w("agree.own", measure=own.measure)), Table(Grid(names, kinds, rows))]
        if own.excess is not None:
            i = own.interval
            interval = "" if i is None or i.low is None else f" [{i.low:+.4f}, {i.high:+.4f}]"
            values = {"family": own.judge, "excess": f"{own.excess:+.4f}", "interval": interval}
            made.append(Text(w("agree.excess", **values)))
    return made
