"""The index of a lab: every run that was recorded, how the measures went, what was compared with
what, and the reviews."""

from __future__ import annotations

import os

from cranfield.comparison.compare import compare_scores
from cranfield.comparison.outcome import Comparison, Difference
from cranfield.experiment.history import History, Point
from cranfield.experiment.lab import Lab
from cranfield.experiment.reviewset import ReviewSet
from cranfield.report.blocks import Block, Chart, Details, Facts, Heading, Note, Table, Text
from cranfield.report.comparison_charts import intervals
from cranfield.report.grid import Grid
from cranfield.report.history import log_grid, log_notes, said, trend
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.remarks import sentence
from cranfield.report.reviewed import tag_word, tags_grid

MOST_MEASURES = 4  # with a trend of their own
MOST_COMPARED = 12  # of the last evaluations, each held against the one before it


def lab(of: Lab, lang: str = "en") -> Page:
    """The index of everything in a lab's ledger.

    Times are those of the ledger; nothing is dated here, so that the same ledger makes the same
    bytes.
    """
    w = words(lang)
    title = w("index.title", name=of.config.folder.name)
    if not of.ledger.last():
        return Page(title, lang, (Text(w("lab.log.empty")), *_reviews(of, lang, w)))
    first = of.history()
    last = of.ledger.entry(of.ledger.last())
    blocks: list[Block] = [_facts(of, first, w)]
    if looks := said(of.look_remarks(), lang):
        blocks.append(Note(w("index.looks"), tuple(looks), "caution"))
    blocks.append(Heading(w("index.trends")))
    measures = dict.fromkeys([first.measure, *(m.text for m in last.measures)])
    blocks += [Chart(trend(of.history(m), lang)) for m in list(measures)[:MOST_MEASURES]]
    blocks += _compared(of, first, w)
    blocks += [Heading(w("index.runs")), Table(log_grid(first, lang))]
    blocks += [Text(note) for note in log_notes(first, lang)]
    return Page(title, lang, (*blocks, *_reviews(of, lang, w)))


def _facts(of: Lab, found: History, w: Words) -> Facts:
    entries = {p.entry.id: p.entry for p in found.points}
    at = [e.at for e in entries.values()]
    items = [(w("index.evaluations"), str(of.ledger.last()))]
    if at:
        items.append((w("index.from"), f"{min(at)} – {max(at)}"))
    items.append((w("index.measure"), found.full))
    if of.config.collection is not None:
        items.append((w("index.collection"), _inside(of)))
    return Facts(tuple(items))


def _inside(of: Lab) -> str:
    """The collection as seen from the lab's folder: where that lies is nobody's business."""
    name = str(of.config.collection)
    if not os.path.exists(name):
        return name
    return os.path.relpath(os.path.realpath(name), os.path.realpath(of.config.folder))


def _compared(of: Lab, found: History, w: Words) -> list[Block]:
    """The last evaluations against what they followed, each on its own."""
    rows: list[tuple[str, Difference]] = []
    why: list[str] = []
    one: Comparison | None = None
    pairs = [p for p in found.points if p.before is not None and not p.same_run]
    for point in pairs[-MOST_COMPARED:]:
        one = _pair(of, point, found.measure)
        label = w("index.pair", id=point.entry.id, run=point.run.name, before=point.before)
        rows.append((label, one.difference()))
        why.append(f"@{point.entry.id} {sentence(one.difference(), one.base, w)}")
    if one is None:
        return []
    title = w("index.compared.title", measure=found.full)
    axis = w("chart.axis", measure=found.measure)
    blocks: list[Block] = [
        Heading(w("index.compared")),
        Text(w("index.compared.note", shown=len(rows), n=len(pairs))),
        Chart(intervals(one, rows, title, axis, w)),
        Details(w("index.why"), tuple(Text(line) for line in why)),
    ]
    return blocks


def _pair(of: Lab, point: Point, measure: str) -> Comparison:
    then = of.ledger.entry(point.before or 0)
    base = then.run(point.run.name) or then.runs[0]
    names = f"@{then.id}:{base.name}", f"@{point.entry.id}:{point.run.name}"
    scores = of.scores(*names, measures=[measure])
    return compare_scores(scores, cards=of.cards(*names, measures=[measure]), top=0)


def _reviews(of: Lab, lang: str, w: Words) -> list[Block]:
    kept = ReviewSet(of.ledger)
    queries, runs = kept.queries(), kept.reviewed()
    if not queries and not runs:
        return []
    texts = {q.id: q.text for q in of.queries}
    blocks: list[Block] = [Heading(w("index.reviews"))]
    if queries:
        rows = tuple(
            (
                query,
                texts.get(query, ""),
                "; ".join(note.text for note in known.notes),
                ", ".join(
                    dict.fromkeys(tag_word(t, w) for tags in known.tags.values() for t in tags)
                ),
            )
            for query, known in queries.items()
        )
        heads = (w("column.query"), w("column.text"), w("lab.review.notes"), w("lab.review.tags"))
        blocks.append(Table(Grid(heads, ("text",) * 4, rows)))
    if runs:
        shown = tuple((r.name, r.at, r.k, len(r.lists), r.fingerprint[:12]) for r in runs)
        keys = ("run", "at", "depth", "lists", "fingerprint")
        names = tuple(w(f"index.{key}") for key in keys)
        blocks.append(Heading(w("index.reviewed"), 3))
        blocks.append(Table(Grid(names, ("text", "text", "count", "count", "text"), shown)))
        counts = kept.tag_counts()
        if counts.counts:
            blocks.append(Heading(w("index.tags"), 3))
            blocks.append(Table(tags_grid(counts, lang)))
    return blocks
