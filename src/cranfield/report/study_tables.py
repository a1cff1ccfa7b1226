"""The tables of a study: the same for a page, Markdown, CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cranfield.metaeval.results import Condition, Order
from cranfield.metaeval.sizes_results import PartCurve
from cranfield.metaeval.studied import Studied
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words


@dataclass(frozen=True)
class Case:
    """One condition of one collection."""

    studied: Studied
    condition: Condition

    @property
    def collection(self) -> str:
        return self.studied.study.name


def cases(several: Sequence[Studied]) -> list[Case]:
    """Every condition of every collection, in order."""
    return [Case(s, condition) for s in several for condition in s.study.conditions]


def collections(several: Sequence[Studied], w: Words) -> Grid:
    """What each study is over: Table 1 of Wu, Tan and Shi (2015)."""
    head = ("collection", "queries", "no_relevant", "runs", "below_floor", "pairs", "conditions")
    rows: list[tuple[Cell, ...]] = []
    for s in several:
        kept = s.study.selection
        m = len(kept.runs)
        names = ", ".join(w(f"study.condition.{c.name}") for c in s.study.conditions)
        dropped = len(kept.dropped_queries)
        # of bare scores it is not known which queries have a relevant document
        unknown = not dropped and s.study.conditions[0].name == "given"
        rows.append(
            (s.study.name, len(kept.queries), None if unknown else dropped, m,
             None if kept.min_ap is None else len(kept.dropped_runs), m * (m - 1) // 2, names)
        )  # fmt: skip
    kinds = ("text", *("count",) * 5, "text")
    return Grid(tuple(w(f"study.col.{h}") for h in head), kinds, tuple(rows))


def shares(case: Case, w: Words) -> Grid:
    """Share of significant pairs, a row a level and a column a measure, the mean last."""
    found = case.condition.discrimination
    rows: list[tuple[Cell, ...]] = [
        (f"{level:g}", *column) for level, column in
        zip(found.levels, found.share.T.tolist(), strict=True)
    ]  # fmt: skip
    rows.append((w("study.mean_of_levels"), *found.overall.tolist()))
    head = (w("study.col.level"), *found.measures)
    return Grid(head, ("text", *("percent",) * len(found.measures)), tuple(rows))


def intervals(case: Case, level: float | None, w: Words) -> Grid:
    """The measures in order at one level (None: by the mean over all), each with its interval and
    whether it is above the next one for sure."""
    found = case.condition.discrimination
    order, b = found.order(level), found.bootstrap
    at = len(found.levels) if level is None else found.levels.index(level)
    rows: list[tuple[Cell, ...]] = []
    for i, (measure, share) in enumerate(zip(order.measures, order.shares, strict=True)):
        j = found.measures.index(measure)
        if b is None:
            rows.append((i + 1, measure, share))
            continue
        last = i == len(order.measures) - 1
        above: Cell = None if last else order.above_next[i]
        settled = "" if last else w("study.settled" if order.settled[i] else "study.unsettled")
        rows.append(
            (i + 1, measure, share, float(b.low[j, at]), float(b.high[j, at]), above, settled)
        )
    head = ["place", "measure", "share"]
    kinds = ["count", "text", "percent"]
    if b is not None:
        head += ["low", "high", "above_next", "settled"]
        kinds += ["percent", "percent", "percent", "text"]
    return Grid(tuple(w(f"study.col.{h}") for h in head), tuple(kinds), tuple(rows))


def orders(case: Case, w: Words) -> Grid:
    """The order of the measures at every level: > where it is settled, ≥ where it is not."""
    found = case.condition.discrimination
    rows: list[tuple[Cell, ...]] = []
    for level in (*found.levels, None):
        order = found.order(level)
        name = w("study.mean_of_levels") if level is None else f"{level:g}"
        rows.append((name, in_order(order), order.probability))
    head = tuple(w(f"study.col.{h}") for h in ("level", "order", "probability"))
    kinds = ("text", "text", "percent")
    if found.bootstrap is None:
        return Grid(head[:2], kinds[:2], tuple(row[:2] for row in rows))
    return Grid(head, kinds, tuple(rows))


def in_order(order: Order) -> str:
    """`NDCG > AP ≥ RP`: > where the resamples settle it, ≥ where they do not, = for equal
    shares."""
    text = order.measures[0]
    for i, measure in enumerate(order.measures[1:]):
        same = order.shares[i] == order.shares[i + 1]
        sure = bool(order.settled) and order.settled[i]
        text += f" {'=' if same else '>' if sure else '≥'} {measure}"
    return text


def improvements(case: Case, level: float, w: Words) -> Grid:
    """By how much the share of the measure of a row is above that of a column, relative to it."""
    found = case.condition.discrimination
    names = found.order(level).measures
    rows: list[tuple[Cell, ...]] = [
        (a, *(None if a == b else found.improvement(a, b, level) for b in names)) for a in names
    ]
    head = (w("study.col.improvement"), *names)
    return Grid(head, ("text", *("gain",) * len(names)), tuple(rows))


def part_rows(case: Case, level: float, w: Words) -> Grid:
    """The share at one level with all queries and with each part of them."""
    found = case.condition.discrimination
    at = found.levels.index(level)
    rows: list[tuple[Cell, ...]] = [(1, str(found.queries), "", None, *found.share[:, at].tolist())]
    for part in case.condition.parts:
        way = w(f"study.how.{part.how}")
        rows.append((part.parts, sizes_text(part), way, part.repeats, *part.share[:, at].tolist()))
    head = tuple(w(f"study.col.{h}") for h in ("parts", "part_sizes", "how", "repeats"))
    kinds = ("count", "text", "text", "count", *("percent",) * len(found.measures))
    return Grid((*head, *found.measures), kinds, tuple(rows))


def sizes_text(part: PartCurve) -> str:
    """`50 × 4 + 49`: the sizes of the parts."""
    several = {n: part.sizes.count(n) for n in part.sizes}
    return " + ".join(str(n) if k == 1 else f"{n} × {k}" for n, k in several.items())


def part_curves(case: Case, measure: str, w: Words) -> Grid:
    """The curve of one measure with all queries and with each way of cutting them."""
    found = case.condition.discrimination
    i = found.measures.index(measure)
    parts = case.condition.parts
    rows: list[tuple[Cell, ...]] = [
        (f"{level:g}", float(found.share[i, j]), *(float(p.share[i, j]) for p in parts))
        for j, level in enumerate(found.levels)
    ]
    several = len({p.how for p in parts}) > 1
    names = [part_name(p, several, w) for p in parts]
    head = (w("study.col.level"), w("study.whole", n=found.queries), *names)
    return Grid(head, ("text", *("percent",) * (len(parts) + 1)), tuple(rows))


def part_name(part: PartCurve, several: bool, w: Words) -> str:
    """What a way of cutting is called in a chart."""
    name = w("study.parts", n=part.parts, sizes=sizes_text(part))
    return f"{name}, {w(f'study.how.{part.how}')}" if several else name


def size_rows(case: Case, level: float, w: Words) -> Grid:
    """The share against the number of queries, seen and then forecast."""
    curve = case.condition.sizes
    assert curve is not None
    at = curve.levels.index(level)
    rows: list[tuple[Cell, ...]] = [
        (n, w("study.seen"), *curve.share[:, at, z].tolist()) for z, n in enumerate(curve.sizes)
    ]
    rows += [
        (n, w("study.forecast"), *curve.predicted[:, at, z].tolist())
        for z, n in enumerate(curve.predicted_sizes) if n > curve.sizes[-1]
    ]  # fmt: skip
    head = (w("study.col.queries"), w("study.col.from"), *curve.measures)
    return Grid(head, ("count", "text", *("percent",) * len(curve.measures)), tuple(rows))


def needed(case: Case, level: float, w: Words) -> Grid:
    """How many queries each measure needs to tell a share of the pairs apart."""
    curve = case.condition.sizes
    assert curve is not None
    head = ("measure", "share", "like", "needed", "low", "high", "beyond")
    rows = tuple(
        (n.measure, n.share, n.like or "", n.queries, n.low, n.high,
         w("study.never") if n.queries is None else w("study.yes") if n.extrapolated else "")
        for n in curve.needed if n.level == level and n.like != n.measure
    )  # fmt: skip
    kinds = ("text", "percent", "text", "count", "count", "count", "text")
    return Grid(tuple(w(f"study.col.{h}") for h in head), kinds, rows)


def needed_at_a_glance(case: Case, level: float, w: Words) -> Grid:
    """The same with a row a measure: `36 [30, 43]*`."""
    curve = case.condition.sizes
    assert curve is not None
    cells: dict[str, dict[str, str]] = {m: {} for m in curve.measures}
    columns: dict[str, None] = {}
    for n in curve.needed:
        if n.level != level:
            continue
        name = f"{n.share:.0%}" if n.like is None else w("study.as_measure", measure=n.like)
        columns[name] = None
        if n.like != n.measure:
            star = "*" if n.extrapolated else ""
            high = "…" if n.high is None else n.high
            interval = "" if n.low is None else f" [{n.low}, {high}]"
            text = w("study.never") if n.queries is None else f"{n.queries}{interval}{star}"
            cells[n.measure][name] = text
    rows = tuple((m, *(cells[m].get(c, "") for c in columns)) for m in curve.measures)
    return Grid((w("study.col.measure"), *columns), ("text",) * (1 + len(columns)), rows)


def difficulty(case: Case, w: Words) -> Grid:
    """Difficulty in its three readings, the easiest measure first: Table 2 of Wu, Tan and Shi
    (2015)."""
    found = case.condition.difficulty
    readings = [found.index(kind) for kind in ("one_minus", "mean", "reciprocal")]
    rows = tuple((m, *(r[found.measures.index(m)] for r in readings)) for m in found.order())
    head = ("measure", "one_minus", "mean", "reciprocal")
    kinds = ("text", "score", "score", "score")
    return Grid(tuple(w(f"study.col.{h}") for h in head), kinds, rows)


def labelled(several: Sequence[Studied], table: Callable[[Case], Grid | None], w: Words) -> Grid:
    """A table of every case that has one, below each other, with columns for the collection and
    the condition where there are several. Columns that one case lacks are empty there."""
    all_cases = cases(several)
    found = [(case, grid) for case in all_cases if (grid := table(case)) is not None]
    before: list[tuple[str, Callable[[Case], str]]] = []
    if len(several) > 1:
        before.append((w("study.col.collection"), lambda case: case.collection))
    if any(len(s.study.conditions) > 1 for s in several):
        name = w("study.col.condition")
        before.append((name, lambda case: w(f"study.condition.{case.condition.name}")))
    kinds: dict[str, str] = {}
    for _, grid in found:
        kinds |= {c: k for c, k in zip(grid.columns, grid.kinds, strict=True) if c not in kinds}
    rows: list[tuple[Cell, ...]] = []
    for case, grid in found:
        where = [value(case) for _, value in before]
        rows += [(*where, *(record.get(c) for c in kinds)) for record in grid.records()]
    head = (*(name for name, _ in before), *kinds)
    return Grid(head, (*("text",) * len(before), *kinds.values()), tuple(rows))
