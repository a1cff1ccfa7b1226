"""What fewer judgments and other cutoffs do to the measures of a study."""

from __future__ import annotations

from collections.abc import Callable

from cranfield.metaeval.robustness import HoleStudy
from cranfield.report.blocks import Block, Heading, Table, Text
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words
from cranfield.report.study_tables import Case


def _holes(case: Case) -> HoleStudy | None:
    robust = case.studied.robust.get(case.condition.name)
    return None if robust is None else robust.holes


def holes(case: Case, w: Words) -> Grid | None:
    """Tau-b with the order that all judgments give, by how many of the judgments are left."""
    found = _holes(case)
    if found is None:
        return None
    rows: list[tuple[Cell, ...]] = [
        (rate, *(found.tau_at(rate, m) for m in found.measures)) for rate in found.rates
    ]
    head = (w("study.col.left"), *(f"τ_b {m}" for m in found.measures))
    return Grid(head, ("percent", *("score",) * len(found.measures)), tuple(rows))


def hole_shares(case: Case, w: Words) -> Grid | None:
    """The share told apart, by how many of the judgments are left; all of them first."""
    found = _holes(case)
    if found is None:
        return None
    rows: list[tuple[Cell, ...]] = [(1.0, *found.full_share.tolist())]
    rows += [(rate, *found.share[i].mean(axis=0).tolist()) for i, rate in enumerate(found.rates)]
    head = (w("study.col.left"), *found.measures)
    return Grid(head, ("percent",) * (1 + len(found.measures)), tuple(rows))


def cutoffs(case: Case, w: Words) -> Grid | None:
    """The share told apart at each cutoff, and tau-b with the order at the deepest."""
    robust = case.studied.robust.get(case.condition.name)
    if robust is None or not robust.cutoffs:
        return None
    rows: list[tuple[Cell, ...]] = [
        (curve.family, k, curve.shares[i], curve.means[i], curve.tau_to_deepest[i])
        for curve in robust.cutoffs
        for i, k in enumerate(curve.ks)
    ]
    head = ("measure", "cutoff", "share", "mean", "tau_deepest")
    kinds = ("text", "count", "percent", "score", "score")
    return Grid(tuple(w(f"study.col.{h}") for h in head), kinds, tuple(rows))


def blocks(case: Case, w: Words) -> list[Block]:
    """Both, each with what it means."""
    found: list[Block] = []
    for heading, tables in (("holes", (holes, hole_shares)), ("cutoffs", (cutoffs,))):
        grids = [grid for table in tables if (grid := table(case, w)) is not None]
        if grids:
            found += [Heading(w(f"study.{heading}")), *map(Table, grids)]
            found.append(Text(w(f"study.{heading}.note")))
    return found


TABLES: dict[str, Callable[[Case, Words], Grid | None]] = {
    "holes": holes,
    "hole_shares": hole_shares,
    "cutoffs": cutoffs,
}
