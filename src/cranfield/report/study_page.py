"""The page of a study: what is recommended, then what it rests on, condition by condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from cranfield.metaeval.results import Study
from cranfield.metaeval.studied import Studied
from cranfield.report import study_across, study_methods, study_robust, study_tables
from cranfield.report import study_charts as charts
from cranfield.report.advised import advised
from cranfield.report.blocks import Block, Chart, Details, Facts, Heading, Note, Table, Text
from cranfield.report.charts.curves_data import Curves
from cranfield.report.comparison_method import sources
from cranfield.report.lab_words import Count
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.provenance import Provenance
from cranfield.report.study_tables import Case, cases

SOME = 8  # names listed of what was left out; the JSON has all


def study(
    found: Study | Studied | Sequence[Study | Studied],
    lang: str = "en",
    *,
    level: float = 0.05,
    brief: bool = False,
    about: Provenance | None = None,
) -> Page:
    """The page of one study or of several.

    Parameters
    ----------
    found : a study, alone or with what other methods found, or several
    lang : `en` or `zh`
    level : at which tables of one level are given; one of the study's levels
    brief : for a terminal: tables only, and of each only what is not in another one
    about : files and versions; nothing is looked up or dated here, so that the same study makes
        the same bytes
    """
    w = words(lang)
    given = [found] if isinstance(found, Study | Studied) else found
    several = [Studied(one) if isinstance(one, Study) else one for one in given]
    every = cases(several)
    one = len(several) == 1
    title = (
        w("study.title", name=several[0].study.name)
        if one
        else w("study.title.many", n=len(several))
    )
    blocks: list[Block] = []
    for s in several:
        for condition in s.study.conditions:
            made = s.advice.get(condition.name)
            if made is not None:
                case = Case(s, condition)
                head = w("study.recommendation")
                if len(every) > 1:
                    head = f"{head}: {charts.name_of(case, w)}"
                blocks += [Heading(head), *advised(made, w)]
    blocks += [Heading(w("study.collections")), Table(study_tables.collections(several, w))]
    if len(every) > 1:
        blocks.append(Chart(charts.panels(every, w), table=False))
    blocks += study_across.across_blocks(several, w, brief)
    for case in every:
        inside = _case(case, level, w, brief)
        if len(several) > 1:
            blocks.append(Details(charts.name_of(case, w), tuple(inside), open=False))
        elif len(every) > 1:
            blocks += [Heading(charts.name_of(case, w)), *_deeper(inside)]
        else:
            blocks += inside
    blocks += _method(several, about, w)
    return Page(title, lang, tuple(_brief(blocks) if brief else blocks))


def _brief(blocks: Sequence[Block]) -> list[Block]:
    """Without drawings, but with the table of one that has no other."""
    kept: list[Block] = []
    for block in blocks:
        if isinstance(block, Chart):
            curves_of_levels = isinstance(block.chart, Curves) and block.chart.axis == "even"
            if block.table and not curves_of_levels:
                kept += [Text(block.chart.summary), Table(block.chart.grid())]
        elif isinstance(block, Details):
            inside = tuple(_brief(block.blocks))
            kept += [Details(block.title, inside)] if inside else []
        else:
            kept.append(block)
    return kept


def _case(case: Case, level: float, w: Words, brief: bool) -> list[Block]:
    """One condition of one collection."""
    condition = case.condition
    blocks: list[Block] = [
        Heading(w("study.discrimination")),
        Chart(charts.curves(case, w), table=False),
        Table(study_tables.shares(case, w)),
        Text(w("study.t_is_power")),
        *_orders(case, level, w),
    ]
    if condition.parts or condition.sizes:
        blocks += _fewer(case, level, w)
    blocks += [
        Heading(w("study.difficulty")),
        Table(study_tables.difficulty(case, w)),
        Text(w("study.difficulty.note")),
    ]
    return [
        *blocks,
        *study_across.query_blocks(case, w, brief),
        *study_methods.agreement(case, w),
        *study_methods.blocks(case, w),
        *study_robust.blocks(case, w),
        *study_across.run_blocks(case, w, brief),
    ]


def _orders(case: Case, level: float, w: Words) -> list[Block]:
    if len(case.condition.discrimination.measures) < 2:
        return [Table(study_tables.intervals(case, level, w))]
    b = case.condition.discrimination.bootstrap
    note = w("study.order.plain")
    if b is not None:
        note = w("study.order.note", confidence=b.confidence, resamples=b.resamples, seed=b.seed)
    return [
        Heading(w("study.order")),
        Table(study_tables.orders(case, w)),
        Text(note),
        Heading(w("study.at_level", level=level), 3),
        Table(study_tables.intervals(case, level, w)),
        Heading(w("study.over_levels"), 3),
        Table(study_tables.intervals(case, None, w)),
        Heading(w("study.improvement", level=level), 3),
        Table(study_tables.improvements(case, level, w)),
    ]


def _fewer(case: Case, level: float, w: Words) -> list[Block]:
    condition = case.condition
    blocks: list[Block] = []
    if condition.parts:
        first, *others = case.condition.discrimination.measures
        blocks += [
            Heading(w("study.fewer")),
            Chart(charts.parts(case, first, w)),
            Table(study_tables.part_rows(case, level, w)),
        ]
        if others:
            more = tuple(Chart(charts.parts(case, m, w)) for m in others)
            blocks.append(Details(w("page.other_measures", n=len(others)), more))
    if condition.sizes is not None:
        blocks += [
            Heading(w("study.more")),
            Chart(charts.sizes(case, level, w), table=False),
            Table(study_tables.size_rows(case, level, w)),
            Table(study_tables.needed_at_a_glance(case, level, w)),
            Text(_needed_note(case, level, w)),
        ]
    return blocks


def _needed_note(case: Case, level: float, w: Words) -> str:
    curve = case.condition.sizes
    assert curve is not None
    confidence = curve.needed[0].confidence if curve.needed else 0.95
    return w("study.needed.note", n=curve.sizes[-1], level=level, confidence=confidence)


def _deeper(blocks: Sequence[Block]) -> list[Block]:
    """Headings one level further down."""
    return [Heading(b.text, b.level + 1) if isinstance(b, Heading) else b for b in blocks]


def _method(several: Sequence[Studied], about: Provenance | None, w: Words) -> list[Block]:
    """What was left out, every choice, and where the data come from."""
    blocks: list[Block] = []
    lines = [line for s in several for line in _left_out(s, len(several) > 1, w)]
    if lines:
        blocks.append(Note(w("study.dropped"), tuple(lines), "caution"))
    told = [(s.study.name, note) for s in several for note in s.study.notes]
    if told:
        many = len(several) > 1
        said = tuple(dict.fromkeys(f"{name}: {note}" if many else note for name, note in told))
        blocks.append(Note(w("study.notes"), said))
    blocks.append(Heading(w("study.how")))
    settings = {**several[0].study.settings, **_of_methods(several[0])}
    blocks.append(Facts(tuple((name, _value(value, w)) for name, value in settings.items())))
    if about is not None:
        blocks += sources(about, w)
    return blocks


def _of_methods(s: Studied) -> dict[str, object]:
    """How the other methods were run."""
    some, said = next(iter(s.methods.values()), None), {}
    if some is not None:
        said = {"fuzziness": some.fuzziness, "weight": s.weight, **asdict(some.draws)}
    if s.standard:
        said["standardise"] = s.form
    if s.texts is not None:
        said |= {"texts": s.texts.name, "analyzer": s.texts.analyzer}
    return said


def _left_out(s: Studied, many: bool, w: Words) -> list[str]:
    kept = s.study.selection
    said = []
    if kept.dropped_queries:
        names = some(kept.dropped_queries)
        said.append(w("study.dropped.queries", n=Count(len(kept.dropped_queries)), names=names))
    if kept.dropped_runs:
        names = some([f"{run.name} ({run.mean:.4f})" for run in kept.dropped_runs])
        said.append(
            w("study.dropped.runs", n=Count(len(kept.dropped_runs)), measure=kept.floor_measure,
              min_ap=kept.min_ap, names=names)
        )  # fmt: skip
    if kept.zero_queries:
        n = Count(len(kept.zero_queries))
        said.append(w("study.zero_queries", n=n, names=some(kept.zero_queries)))
    return [f"{s.study.name}: {line}" if many else line for line in said]


def some(names: Sequence[str]) -> str:
    """The first few of many names."""
    return ", ".join(names[:SOME]) + (", …" if len(names) > SOME else "")


def _value(value: object, w: Words) -> str:
    if isinstance(value, (tuple, list)):
        return ", ".join(_value(v, w) for v in value) or w("study.none")
    return "–" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
