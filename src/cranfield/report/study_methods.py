"""What the other methods found, as tables and charts. A table is None where its method was not
run."""

from __future__ import annotations

from collections.abc import Callable

from cranfield.metaeval.methods import Methods
from cranfield.report import study_charts as charts
from cranfield.report.blocks import Block, Chart, Details, Heading, Table, Text
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words
from cranfield.report.study_tables import Case


def methods_of(case: Case) -> Methods | None:
    """What was found beside the study, None for nothing."""
    return case.studied.methods.get(case.condition.name)


def blocks(case: Case, w: Words) -> list[Block]:
    """Every method that was run, each with a table and what it means."""
    methods = methods_of(case)
    if methods is None:
        return []
    found: list[Block] = []
    for heading, tables, note in (
        ("power", (power, required), power_note),
        ("errors", (errors,), errors_note),
        ("swaps", (swaps, halves), swaps_note),
        ("design", (design,), design_note),
    ):
        grids = [grid for table in tables if (grid := table(case, w)) is not None]
        if grids:
            found += [Heading(w(f"study.{heading}"), 3), *map(Table, grids)]
            found.append(Text(note(case, methods, w)))
    curve = charts.minority(case, methods, w)
    if curve is not None:
        found += [Heading(w("study.minority"), 3), Chart(curve)]
    if methods.power is not None:
        tests = dict.fromkeys(test for _, test in methods.power.curves)
        drawn = tuple(Chart(charts.p_curves(case, methods, t, w), table=False) for t in tests)
        found.append(Details(w("study.p_curves", name=charts.name_of(case, w)), drawn))
    return [Heading(w("study.methods")), *found] if found else []


def agreement(case: Case, w: Words) -> list[Block]:
    """Which measures order the systems alike."""
    methods = methods_of(case)
    if methods is None or methods.agreement is None:
        return []
    chart = charts.agreement(case, methods, w)
    out: list[Block] = [Heading(w("study.agreement"))]
    if chart is not None:
        out.append(Chart(chart))
    more = [grid for table in (taus_ap, overlaps) if (grid := table(case, w)) is not None]
    if len(methods.agreement.measures) > 1:
        said = Text(w("study.agreement.top.note", p=methods.agreement.rbo_p))
        out.append(Details(w("study.agreement.top"), (*map(Table, more), said)))
    left_out = methods.agreement.dendrogram.left_out
    if left_out:
        out.append(Text(w("study.left_out", names=", ".join(left_out))))
    return out


def taus(case: Case, w: Words) -> Grid | None:
    """Tau-b between all measures."""
    return _between(case, "τ_b", "tau")


def taus_ap(case: Case, w: Words) -> Grid | None:
    """Tau-AP,b, which weighs the top of the order more."""
    return _between(case, "τ_AP,b", "tau_ap")


def overlaps(case: Case, w: Words) -> Grid | None:
    """Rank-biased overlap of the ordered systems."""
    return _between(case, "RBO", "rbo")


def _between(case: Case, corner: str, what: str) -> Grid | None:
    methods = methods_of(case)
    found = None if methods is None else methods.agreement
    if found is None:
        return None
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *line) for name, line in zip(found.measures, getattr(found, what), strict=True)
    )
    return Grid((corner, *found.measures), ("text", *("score",) * len(rows)), rows)


def power(case: Case, w: Words) -> Grid | None:
    """Share of pairs, a row a test and a column a measure, the t-test first."""
    return _tests(case, "none", "share", "percent", w)


def required(case: Case, w: Words) -> Grid | None:
    """The difference of means that a test requires, of those that say so."""
    grid = _tests(case, "none", "required", "score", w)
    if grid is None:
        return None
    rows = tuple(row for row in grid.rows if any(v is not None for v in row[1:]))
    head = (w("study.col.required"), *grid.columns[1:])
    return Grid(head, grid.kinds, rows) if rows else None


def corrected(case: Case, w: Words) -> Grid | None:
    """The share with every correction for the number of pairs."""
    methods = methods_of(case)
    found = None if methods is None else methods.power
    if found is None:
        return None
    rows: list[tuple[Cell, ...]] = []
    for test in dict.fromkeys(row.test for row in found.rows):
        for how in dict.fromkeys(r.correction for r in found.rows if r.test == test):
            values = [found.row(m, test, how).share for m in found.measures]
            rows.append((w(f"study.test.{test}"), how, *values))
    head = (w("study.col.test"), w("study.col.correction"), *found.measures)
    return Grid(head, ("text", "text", *("percent",) * len(found.measures)), tuple(rows))


def _tests(case: Case, how: str, what: str, kind: str, w: Words) -> Grid | None:
    methods = methods_of(case)
    found = None if methods is None else methods.power
    if found is None:
        return None
    rows: list[tuple[Cell, ...]] = [
        (
            w(f"study.test.{test}"),
            *(getattr(r, what) for r in found.rows if (r.test, r.correction) == (test, how)),
        )
        for test in dict.fromkeys(row.test for row in found.rows)
    ]
    head = (w("study.col.test"), *found.measures)
    return Grid(head, ("text", *(kind,) * len(found.measures)), tuple(rows))


def power_note(case: Case, methods: Methods, w: Words) -> str:
    assert methods.power is not None
    made = {row.test: row.method for row in methods.power.rows}
    draws = "; ".join(f"{w(f'study.test.{test}')}: {how}" for test, how in made.items())
    return w("study.power.note", alpha=methods.power.alpha, draws=f"{draws}.")


def errors(case: Case, w: Words) -> Grid | None:
    """Error and tie rate in both readings, and the second as one figure."""
    rows: list[tuple[Cell, ...]] = []
    methods = methods_of(case)
    for r in () if methods is None else methods.reliability:
        one, two = r.by_topic, r.by_sets
        if one is not None and two is not None:
            single = two.single(case.studied.weight)
            rows.append((r.measure, one.error, one.tie, two.error, two.tie, single))
    head = ("measure", "error_worded", "tie_worded", "error", "tie", "single")
    return _grid(head, ("text", *("percent",) * 5), rows, w)


def errors_note(case: Case, methods: Methods, w: Words) -> str:
    weight = case.studied.weight
    return w("study.errors.note", sets=methods.draws.sets, fuzziness=methods.fuzziness,
             seed=methods.seed, weight=weight, rest=1 - weight)  # fmt: skip


def swaps(case: Case, w: Words) -> Grid | None:
    """The swap method with disjoint sets, extrapolated to all queries, with samples of all, and
    by the normal model."""
    rows: list[tuple[Cell, ...]] = []
    methods = methods_of(case)
    for r in () if methods is None else methods.reliability:
        cells: list[Cell] = [r.measure]
        for found in (r.swaps, r.beyond, r.swaps_replacement):
            known = found is not None
            cells += [found.required(), found.sensitivity()] if known else [None, None]  # type: ignore[union-attr]
        cells.append(None if r.swaps is None else r.swaps.rate)
        cells.append(None if r.normal is None else float(r.normal.rates[0]))
        if any(cell is not None for cell in cells[1:]):
            rows.append(tuple(cells))
    head = ("measure", "swap_required", "sensitivity", "beyond_required", "beyond_sensitivity",
            "sampled_required", "sampled_sensitivity", "swap_rate", "normal_rate")  # fmt: skip
    kinds = ("text", *("score", "percent") * 3, "percent", "percent")
    return _grid(head, kinds, rows, w)


def halves(case: Case, w: Words) -> Grid | None:
    """Split halves: what is significant on one half, and how much of it the other denies."""
    methods = methods_of(case)
    rows: list[tuple[Cell, ...]] = [
        (r.measure, r.halves.power, r.halves.error)
        for r in (() if methods is None else methods.reliability)
        if r.halves is not None
    ]
    head = ("measure", "half_power", "half_error")
    return _grid(head, ("text", "percent", "percent"), rows, w)


def swaps_note(case: Case, methods: Methods, w: Words) -> str:
    n = len(case.condition.matrix.queries)
    d = methods.draws
    said = []
    if any(r.swaps is not None or r.normal is not None for r in methods.reliability):
        said.append(w("study.swaps.note", size=n // 2, n=n, trials=d.trials, seed=methods.seed))
    half = next((r.halves for r in methods.reliability if r.halves is not None), None)
    if half is not None:
        said.append(w("study.halves.note", trials=half.trials, alpha=half.alpha, seed=half.seed))
    return " ".join(said)


def design(case: Case, w: Words) -> Grid | None:
    """How many queries each measure needs to find a difference."""
    methods = methods_of(case)
    found = None if methods is None else methods.design
    if found is None:
        return None
    rows: list[tuple[Cell, ...]] = [
        (r.measure, r.difference, r.sd, None if r.t is None else r.t.n,
         None if r.interval is None else r.interval.n)
        for r in found.rows
    ]  # fmt: skip
    head = ("measure", "difference", "sd", "design_t", "design_interval")
    return _grid(head, ("text", "score", "score", "count", "count"), rows, w)


def design_note(case: Case, methods: Methods, w: Words) -> str:
    found = methods.design
    assert found is not None
    return w("study.design.note", asked=found.asked, unit=w(f"study.unit.{found.unit}"),
             alpha=found.alpha, power=found.power, topics=found.topics)  # fmt: skip


def _grid(
    head: tuple[str, ...], kinds: tuple[str, ...], rows: list[tuple[Cell, ...]], w: Words
) -> Grid | None:
    """A table without the columns that no row has; None without rows."""
    if not rows:
        return None
    kept = [c for c in range(len(head)) if any(row[c] is not None for row in rows)]
    return Grid(
        tuple(w(f"study.col.{head[c]}") for c in kept),
        tuple(kinds[c] for c in kept),
        tuple(tuple(row[c] for c in kept) for row in rows),
    )


TABLES: dict[str, Callable[[Case, Words], Grid | None]] = {
    "power": power,
    "required": required,
    "corrected": corrected,
    "errors": errors,
    "swaps": swaps,
    "halves": halves,
    "design": design,
    "agreement": taus,
    "agreement_ap": taus_ap,
    "agreement_rbo": overlaps,
}
