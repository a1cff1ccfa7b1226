"""What the other methods found, as tables and charts."""

from __future__ import annotations

from collections.abc import Callable

from cranfield.metaeval.methods import Methods
from cranfield.report import study_charts as charts
from cranfield.report.blocks import Block, Chart, Details, Heading, Table, Text
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words
from cranfield.report.study_tables import Case


def blocks(case: Case, methods: Methods, w: Words) -> list[Block]:
    """Every method that was run, each with a table and what it means."""
    found: list[Block] = []
    for heading, table, note in (
        ("power", power, power_note),
        ("errors", errors, errors_note),
        ("swaps", swaps, swaps_note),
        ("design", design, design_note),
    ):
        grid = table(methods, w)
        if grid is not None:
            found += [Heading(w(f"study.{heading}"), 3), Table(grid), Text(note(methods, w))]
    drawn: list[Block] = []
    if methods.power is not None:
        tests = dict.fromkeys(test for _, test in methods.power.curves)
        drawn += [Chart(charts.p_curves(case, methods, t, w), table=False) for t in tests]
    if methods.minority:
        found += [
            Heading(w("study.minority"), 3),
            Chart(charts.minority(case, methods, w), table=True),
        ]
    if drawn:
        title = w("study.chart.asl", name=charts.name_of(case, w))
        found.append(Details(title, tuple(drawn)))
    return [Heading(w("study.methods")), *found] if found else []


def agreement(case: Case, methods: Methods, w: Words) -> list[Block]:
    """Which measures order the systems alike."""
    found = methods.agreement
    if found is None:
        return []
    chart = charts.agreement(case, methods, w)
    out: list[Block] = [Heading(w("study.agreement"))]
    if chart is not None:
        out.append(Chart(chart))
    if found.dendrogram.left_out:
        out.append(Text(w("study.left_out", names=", ".join(found.dendrogram.left_out))))
    return out


def taus(methods: Methods, w: Words) -> Grid | None:
    """Tau-b between all measures."""
    found = methods.agreement
    if found is None:
        return None
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *line) for name, line in zip(found.measures, found.tau, strict=True)
    )
    return Grid(("τ_b", *found.measures), ("text", *("score",) * len(rows)), rows)


def power(methods: Methods, w: Words) -> Grid | None:
    """Share of pairs by each test, the t-test first, and the difference each requires."""
    found = methods.power
    if found is None:
        return None
    rows = tuple(
        (w(f"study.test.{row.test}"), row.measure, row.share, row.required, row.smallest)
        for test in dict.fromkeys(row.test for row in found.rows)
        for row in found.rows
        if row.test == test and row.correction == "none"
    )
    head = ("test", "measure", "share", "required", "smallest")
    kinds = ("text", "text", "percent", "score", "score")
    return Grid(tuple(w(f"study.col.{h}") for h in head), kinds, rows)


def corrected(methods: Methods, w: Words) -> Grid | None:
    """The same with every correction for the number of pairs."""
    found = methods.power
    if found is None:
        return None
    rows = tuple((w(f"study.test.{r.test}"), r.correction, r.measure, r.share) for r in found.rows)
    head = ("test", "correction", "measure", "share")
    kinds = ("text", "text", "text", "percent")
    return Grid(tuple(w(f"study.col.{h}") for h in head), kinds, rows)


def power_note(methods: Methods, w: Words) -> str:
    assert methods.power is not None
    made = dict.fromkeys(row.method for row in methods.power.rows)
    return w("study.power.note", alpha=methods.power.alpha, draws="; ".join(made) + ".")


def errors(methods: Methods, w: Words) -> Grid | None:
    """Error and tie rate in both readings, and the second as one figure."""
    if not methods.stable:
        return None
    weight = methods.draws.weight
    rows = tuple(
        (name, one.error, one.tie, two.error, two.tie, two.single(weight))
        for name, one, two in zip(methods.measures, methods.worded, methods.stable, strict=True)
    )
    head = ("measure", "error_worded", "tie_worded", "error", "tie", "single")
    kinds = ("text", *("percent",) * 5)
    return Grid(tuple(w(f"study.col.{h}") for h in head), kinds, rows)


def errors_note(methods: Methods, w: Words) -> str:
    d = methods.draws
    return w("study.errors.note", sets=d.sets, fuzziness=d.fuzziness, seed=d.seed,
             weight=d.weight, rest=1 - d.weight)  # fmt: skip


def swaps(methods: Methods, w: Words) -> Grid | None:
    """The swap method, split halves and the normal model, as far as they were run."""
    n = len(methods.measures)
    columns: list[tuple[str, str, list[Cell]]] = []
    if methods.swaps:
        columns += [
            ("swap_required", "score", [s.required() for s in methods.swaps]),
            ("sensitivity", "percent", [s.sensitivity() for s in methods.swaps]),
            ("swap_rate", "percent", [s.rate for s in methods.swaps]),
        ]
    if methods.normal:
        columns += [
            ("normal_rate", "percent", [float(s.rates[0]) for s in methods.normal]),
            ("normal_all", "percent", [float(s.rates[-1]) for s in methods.normal]),
        ]
    if methods.halves:
        columns += [
            ("half_power", "percent", [s.power for s in methods.halves]),
            ("half_error", "percent", [s.error for s in methods.halves]),
        ]
    if not columns:
        return None
    rows = tuple((methods.measures[i], *(c[2][i] for c in columns)) for i in range(n))
    head = (w("study.col.measure"), *(w(f"study.col.{c[0]}") for c in columns))
    return Grid(head, ("text", *(c[1] for c in columns)), rows)


def swaps_note(methods: Methods, w: Words) -> str:
    d = methods.draws
    if methods.swaps:
        size = methods.swaps[0].size
    else:
        size = methods.normal[0].sizes[0] if methods.normal else methods.halves[0].sizes[0]
    return w("study.swaps.note", size=size, trials=d.trials, halves=d.halves, alpha=d.alpha,
             seed=d.seed)  # fmt: skip


def design(methods: Methods, w: Words) -> Grid | None:
    """How many queries each measure needs to find a difference."""
    found = methods.design
    if found is None:
        return None
    rows = tuple(
        (r.measure, r.difference, r.sd, None if r.t is None else r.t.n,
         None if r.interval is None else r.interval.n)
        for r in found.rows
    )  # fmt: skip
    head = ("measure", "difference", "sd", "design_t", "design_interval")
    kinds = ("text", "score", "score", "count", "count")
    return Grid(tuple(w(f"study.col.{h}") for h in head), kinds, rows)


def design_note(methods: Methods, w: Words) -> str:
    found = methods.design
    assert found is not None
    return w("study.design.note", asked=found.asked, alpha=found.alpha, power=found.power,
             topics=found.topics)  # fmt: skip


TABLES: dict[str, Callable[[Methods, Words], Grid | None]] = {
    "power": power,
    "corrected": corrected,
    "errors": errors,
    "swaps": swaps,
    "design": design,
    "agreement": taus,
}
