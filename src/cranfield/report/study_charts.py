"""The charts of a study."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.metaeval.methods import Methods
from cranfield.report.charts.curves_data import Agreement, Curve, Curves, Panels
from cranfield.report.lab_words import Count
from cranfield.report.language import Words
from cranfield.report.study_tables import Case, part_name

MOST_P = 400  # points of a curve of p values; more cannot be told apart in the drawing


def name_of(case: Case, w: Words) -> str:
    """The collection, and the condition where there are several."""
    study = case.studied.study
    condition = w(f"study.condition.{case.condition.name}")
    if len(study.conditions) < 2:
        return study.name or condition
    return w("study.case", name=study.name, condition=condition) if study.name else condition


def curves(case: Case, w: Words, title: str | None = None) -> Curves:
    """Figure 1 of Wu, Tan and Shi (2015): share against level, a line a measure."""
    found = case.condition.discrimination
    lines = tuple(
        Curve(m, tuple(zip(found.levels, row, strict=True)))
        for m, row in zip(found.measures, found.share.tolist(), strict=True)
    )
    about = {"runs": found.runs, "queries": found.queries, "pairs": Count(found.pairs)}
    return Curves(
        w("study.chart.curves", name=name_of(case, w)) if title is None else title,
        w("study.reading", **about),
        lines,
        w("study.chart.level"),
        w("study.chart.share"),
        "even",
        words={"curve": w("study.chart.curve")},
    )


def panels(cases: Sequence[Case], w: Words) -> Panels:
    """Figure 1 for several collections or conditions, side by side."""
    one = len({id(case.studied) for case in cases}) == 1
    name = cases[0].studied.study.name
    return Panels(
        w("study.chart.panels.one", name=name) if one else w("study.chart.panels"),
        w("study.chart.panels.summary"),
        tuple(curves(case, w, name_of(case, w)) for case in cases),
        {"panel": w("study.col.collection")},
    )


def parts(case: Case, measure: str, w: Words) -> Curves:
    """Figure 2 of Wu, Tan and Shi (2015): the curve of one measure with fewer queries."""
    found = case.condition.discrimination
    i, cuts = found.measures.index(measure), case.condition.parts
    several = len({p.how for p in cuts}) > 1
    whole = Curve(
        w("study.whole", n=found.queries),
        tuple(zip(found.levels, found.share[i].tolist(), strict=True)),
    )
    lines = (
        Curve(part_name(p, several, w), tuple(zip(found.levels, p.share[i].tolist(), strict=True)))
        for p in cuts
    )
    return Curves(
        w("study.chart.parts", measure=measure, name=name_of(case, w)),
        w("study.chart.parts.summary"),
        (whole, *lines),
        w("study.chart.level"),
        w("study.chart.share"),
        "even",
        words={"curve": w("study.col.parts")},
    )


def sizes(case: Case, level: float, w: Words) -> Curves:
    """Share against the number of queries, with what the model expects of more."""
    curve = case.condition.sizes
    assert curve is not None
    at, lines = curve.levels.index(level), []
    for i, measure in enumerate(curve.measures):
        seen = tuple(
            (float(n), float(v)) for n, v in zip(curve.sizes, curve.share[i, at], strict=True)
        )
        beyond = tuple(
            (float(n), float(v))
            for n, v in zip(curve.predicted_sizes, curve.predicted[i, at], strict=True)
            if n >= curve.sizes[-1]
        )
        lines.append(Curve(measure, seen, fitted=beyond if len(beyond) > 1 else ()))
    return Curves(
        w("study.chart.sizes", name=name_of(case, w)),
        w("study.chart.sizes.summary", level=level),
        tuple(lines),
        w("study.chart.queries"),
        w("study.chart.share"),
        "linear",
        words={"fitted": w("study.chart.fitted"), "curve": w("study.chart.curve")},
    )


def minority(case: Case, methods: Methods, w: Words) -> Curves | None:
    """Sakai's curve of each measure: minority rate against proportion of ties."""
    known = [(r.measure, r.curve) for r in methods.reliability if r.curve is not None]
    if not known:
        return None
    first = known[0][1]
    lines = [
        Curve(
            measure,
            tuple(sorted((p.error, p.tie) for p in curve.points if p.error is not None)),
        )
        for measure, curve in known
    ]
    return Curves(
        w("study.chart.minority", name=name_of(case, w)),
        w("study.chart.minority.summary", sets=first.sets, size=first.size),
        tuple(lines),
        w("study.chart.minority.x"),
        w("study.chart.minority.y"),
        "linear",
        x_percent=True,
        below=True,
        words={"curve": w("study.chart.curve")},
    )


def p_curves(case: Case, methods: Methods, test: str, w: Words) -> Curves:
    """The p values of all pairs from the largest down (Sakai's ASL curve)."""
    power = methods.power
    assert power is not None
    lines = []
    for measure in power.measures:
        values = next(v for (m, t), v in power.curves.items() if (m, t) == (measure, test))
        step = max(1, len(values) // MOST_P)
        kept = sorted({*range(0, len(values), step), len(values) - 1})
        lines.append(Curve(measure, tuple((i + 1.0, float(values[i])) for i in kept), plain=True))
    method = next(row.method for row in power.rows if row.test == test)
    return Curves(
        w("study.chart.asl", test=w(f"study.test.{test}"), name=name_of(case, w)),
        w("study.chart.asl.summary", test=method),
        tuple(lines),
        w("study.chart.pairs"),
        w("study.chart.p"),
        "linear",
        percent=False,
        below=True,
        words={"curve": w("study.chart.curve")},
    )


def agreement(case: Case, methods: Methods, w: Words) -> Agreement | None:
    """Tau-b between measures, in the order of the tree; None where nothing is ordered."""
    found = methods.agreement
    if found is None or len(found.dendrogram.leaves) < 2:
        return None
    tree = found.dendrogram
    place = {name: i for i, name in enumerate(tree.order)}
    # merges number the leaves as given; the drawing numbers them as drawn
    number = {i: place[name] for i, name in enumerate(tree.leaves)}
    m = len(tree.leaves)

    def drawn(node: int) -> int:
        return number.get(node, node)

    return Agreement(
        w("study.chart.agreement", name=name_of(case, w)),
        w("study.chart.agreement.summary", runs=found.systems),
        tree.order,
        tuple(tuple(found.of(a, b) for b in tree.order) for a in tree.order),
        tuple((drawn(x.left), drawn(x.right), x.height) for x in tree.merges[: m - 1]),
        w("study.chart.height"),
        words={"corner": "τ_b"},
    )
