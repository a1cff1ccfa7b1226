"""The comparison page: verdicts in words, then what they rest on."""

from __future__ import annotations

from cranfield.comparison.outcome import Comparison
from cranfield.report import comparison_charts as charts
from cranfield.report.blocks import Block, Chart, Details, Heading, Note, Table, Text
from cranfield.report.compared import figures, notes_of
from cranfield.report.comparison_lists import changes, costs
from cranfield.report.comparison_method import appendix, method
from cranfield.report.grid import Grid
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.provenance import Provenance
from cranfield.report.remarks import claim, in_words, sentences

MOST_RUNS = 5  # with charts and lists of their own
MOST_NOTES = 12  # verdicts that are said one by one
# Cautions that are good to know and put no verdict in doubt.
KNOW = ("hypotheses", "scale_count", "scale_log", "card", "unlabelled", "no_label", "no_relevant")


def comparison(found: Comparison, lang: str = "en", *, about: Provenance | None = None) -> Page:
    """The page of a comparison.

    Parameters
    ----------
    lang : `en` or `zh`
    about : files and versions, for the appendix; nothing is looked up or dated here, so that the
        same comparison makes the same bytes
    """
    w = words(lang)
    one = len(found.runs) == 1
    title = (
        w("page.title", run=found.runs[0], base=found.base)
        if one
        else w("page.title.many", n=len(found.runs), base=found.base)
    )
    shown = found.runs[:MOST_RUNS]
    blocks = [
        *_verdicts(found, w),
        *_scores(found, w),
        *_cautions(found, w),
        *costs(found, w),
        *_queries(found, shown, w),
        *_slices(found, shown, w),
        *_pairs(found, w),
    ]
    for run in shown:
        blocks += changes(found, run, w)
    blocks += [Heading(w("page.method")), *method(found, w)]
    blocks += [Heading(w("page.appendix")), *appendix(found, about or Provenance(), w)]
    return Page(title, lang, tuple(blocks))


def _verdicts(found: Comparison, w: Words) -> list[Block]:
    if len(found.differences) > MOST_NOTES:
        title = w("page.verdicts", n=len(found.differences))
        return [Note(title, tuple(sentences(found, w, MOST_NOTES)))]
    return [
        Note(
            claim(row, found.base, w),
            tuple(in_words(reason, w) for reason in row.verdict.reasons),
            row.verdict.kind,
        )
        for row in found.differences
    ]


def _scores(found: Comparison, w: Words) -> list[Block]:
    """The figures as tables, and the differences as a chart: of a single run under all measures,
    else of all runs under the first one. Where there are many rows, those of the first measure
    are in sight and the others folded away."""
    rows = found.differences
    first, *others = [m.text for m in found.measures]
    blocks: list[Block] = [Heading(w("page.scores"))]
    if len(found.runs) == 1:
        blocks.append(Table(_lean(figures(found, rows, w), w)))
        return [*blocks, Chart(charts.by_measure(found, w), table=False)]
    more: list[Block] = []
    for measure in (first, *others):
        mine = [row for row in rows if row.measure == measure]
        target = blocks if measure == first else more
        target.append(Chart(charts.by_run(found, measure, w), table=False))
        if len(rows) > MOST_NOTES:
            target.append(Table(_lean(figures(found, mine, w), w, name=True)))
    if len(rows) <= MOST_NOTES:
        blocks.insert(1, Table(_lean(figures(found, rows, w), w)))
    if others:
        blocks.append(Details(w("page.other_measures", n=len(others)), tuple(more)))
    return blocks


def _cautions(found: Comparison, w: Words) -> list[Block]:
    careful = tuple(in_words(r, w) for r in found.cautions if r.key not in KNOW)
    know = tuple(in_words(r, w) for r in found.cautions if r.key in KNOW)
    know += tuple(notes_of(found))
    blocks: list[Block] = []
    if careful:
        blocks.append(Note(w("compare.cautions"), careful[:MOST_NOTES], "caution"))
    if more := careful[MOST_NOTES:]:
        rest = Note(w("compare.cautions"), more, "caution")
        blocks.append(Details(w("page.cautions", n=len(more)), (rest,)))
    if know:
        blocks.append(Note(w("page.know"), know))
    return blocks


def _queries(found: Comparison, shown: tuple[str, ...], w: Words) -> list[Block]:
    blocks: list[Block] = []
    if len(shown) < len(found.runs):
        blocks.append(Note(w("page.first", shown=len(shown), n=len(found.runs))))
    for run in shown:
        row = found.difference(run=run)
        blocks.append(Heading(w("page.query", run=run)))
        if not row.n:
            blocks.append(Text(claim(row, found.base, w)))
            continue
        blocks.append(Chart(charts.waterfall(found, row, w)))
        blocks.append(Chart(charts.scatter(found, row, w)))
    return blocks


def _slices(found: Comparison, shown: tuple[str, ...], w: Words) -> list[Block]:
    blocks: list[Block] = []
    for field in dict.fromkeys(row.slice[0] for row in found.slices if row.slice):
        rows = [row for row in found.slices if row.slice and row.slice[0] == field]
        blocks.append(Heading(w("page.slices", field=w.name(field))))
        for run in shown:
            chart = charts.by_slice(found, run, field, w)
            if chart is not None:
                blocks.append(Chart(chart, table=False))
        first = [row for row in rows if row.measure == found.measures[0].text]
        others = [row for row in rows if row.measure != found.measures[0].text]
        blocks.append(Table(_lean(figures(found, first, w), w)))
        if others:
            title = w("page.other_measures", n=len(found.measures) - 1)
            blocks.append(Details(title, (Table(_lean(figures(found, others, w), w)),)))
    return blocks


def _lean(grid: Grid, w: Words, *, name: bool = False) -> Grid:
    """The verdict before p and not last, where a narrow screen would hide it; and no column that
    names the same measure or run in every row, which the page has said."""
    same = [c for c in (0, 1) if len({row[c] for row in grid.rows}) == 1]
    if len(grid.rows) == 1:
        same = [1]
    if name:  # the run names the row, whatever the measure
        same = [0]
    last = len(grid.columns) - 1
    kept = [c for c in range(last) if c not in same]
    kept.insert(kept.index(grid.columns.index(w("column.p"))), last)
    return Grid(
        tuple(grid.columns[c] for c in kept),
        tuple(grid.kinds[c] for c in kept),
        tuple(tuple(row[c] for c in kept) for row in grid.rows),
    )


def _pairs(found: Comparison, w: Words) -> list[Block]:
    if not found.pairs:
        return []
    first, *others = (Chart(charts.matrix(found, pairs, w)) for pairs in found.pairs)
    blocks: list[Block] = [Heading(w("page.pairs")), first]
    if others:
        blocks.append(Details(w("page.other_measures", n=len(others)), tuple(others)))
    return blocks
