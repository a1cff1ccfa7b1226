"""The comparison page: verdicts in words, then what they rest on."""

from __future__ import annotations

from cranfield.comparison.outcome import Comparison
from cranfield.report import comparison_charts as charts
from cranfield.report.blocks import Block, Chart, Details, Heading, Note, Table, Text
from cranfield.report.compared import figures, notes_of
from cranfield.report.comparison_lists import changes, costs
from cranfield.report.comparison_method import Provenance, appendix, method
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.remarks import in_words, sentence, sentences

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
        return [Note(line) for line in sentences(found, w, MOST_NOTES)]
    return [Note(sentence(row, found.base, w), tone=row.verdict.kind) for row in found.differences]


def _scores(found: Comparison, w: Words) -> list[Block]:
    """The table of all figures, and the differences of the first measure as a chart; with a
    single run one chart of all measures."""
    blocks: list[Block] = [
        Heading(w("page.scores")),
        Table(figures(found, found.differences, w)),
    ]
    first, *others = [m.text for m in found.measures]
    blocks.append(Chart(charts.by_run(found, first, w), table=False))
    if others:
        more = tuple(Chart(charts.by_run(found, m, w), table=False) for m in others)
        blocks.append(Details(w("page.other_measures", n=len(others)), more))
    return blocks


def _cautions(found: Comparison, w: Words) -> list[Block]:
    careful = tuple(in_words(r, w) for r in found.cautions if r.key not in KNOW)
    know = tuple(in_words(r, w) for r in found.cautions if r.key in KNOW)
    know += tuple(notes_of(found))
    blocks: list[Block] = []
    if careful:
        blocks.append(Note(w("compare.cautions"), careful, "caution"))
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
            blocks.append(Text(sentence(row, found.base, w)))
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
        blocks.append(Table(figures(found, rows, w)))
    return blocks


def _pairs(found: Comparison, w: Words) -> list[Block]:
    if not found.pairs:
        return []
    first, *others = (Chart(charts.matrix(found, pairs, w)) for pairs in found.pairs)
    blocks: list[Block] = [Heading(w("page.pairs")), first]
    if others:
        blocks.append(Details(w("page.other_measures", n=len(others)), tuple(others)))
    return blocks
