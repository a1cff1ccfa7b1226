"""A review side by side, and the tags counted."""

from __future__ import annotations

import json
from dataclasses import asdict

from cranfield.data.qrels import grade_text
from cranfield.experiment.review import TAGS, Beside, Line, Review, TagCounts
from cranfield.report.blocks import Block, Facts, Heading, Table, Text
from cranfield.report.grid import Cell, Grid
from cranfield.report.language import Words, words
from cranfield.report.page import Page

_SIGNS = {"new": "+", "gone": "−", "up": "▲", "down": "▼", "same": ""}


def review_page(found: Review, lang: str = "en") -> Page:
    """Each query with its list, marked against the run reviewed before."""
    w = words(lang)
    blocks: list[Block] = [Text(_head(found, w))]
    for query in found.queries:
        blocks += _query(query, found, w)
    return Page(w("lab.review.title", run=found.run), lang, tuple(blocks))


def _head(found: Review, w: Words) -> str:
    if found.before is None:
        return w("lab.review.first")
    changed = sum(bool(q.changed) for q in found.queries)
    against = w("lab.review.against", before=found.before)
    return f"{against}: {w('lab.review.changed', n=changed, of=len(found.queries))}"


def _query(query: Beside, found: Review, w: Words) -> list[Block]:
    head = query.query if not query.text else f"{query.query}  {query.text}"
    facts = []
    if query.notes:
        facts.append((w("lab.review.notes"), "; ".join(n.text for n in query.notes)))
    if query.tags:
        facts.append((w("lab.review.tags"), ", ".join(tag_word(t, w) for t in query.tags)))
    if query.tags_before and found.before is not None:
        name = w("lab.review.tags_before", before=found.before)
        facts.append((name, ", ".join(tag_word(t, w) for t in query.tags_before)))
    blocks: list[Block] = [Heading(head)]
    if facts:
        blocks.append(Facts(tuple(facts)))
    listed = Table(_lines(query.lines, found.before is not None, w)) if query.lines else None
    return [*blocks, listed or Text(w("lab.review.nothing"))]


def _lines(lines: tuple[Line, ...], compared: bool, w: Words) -> Grid:
    columns = ["mark", "rank", "was", "grade", "doc", "doc_title"]
    kinds = ["text", "count", "count", "text", "text", "text"]
    rows: list[tuple[Cell, ...]] = [
        (
            f"{_SIGNS[x.mark]} {w(f'lab.review.{x.mark}')}".strip(),
            x.rank,
            x.before,
            w("unjudged") if x.grade is None else grade_text(x.grade),
            x.doc,
            x.title or "",
        )
        for x in lines
    ]
    kept = [i for i, c in enumerate(columns) if compared or c not in ("mark", "was")]
    if not any(x.title for x in lines):
        kept.remove(columns.index("doc_title"))
    return Grid(
        tuple(w(f"lab.review.{columns[i]}") for i in kept),
        tuple(kinds[i] for i in kept),
        tuple(tuple(row[i] for i in kept) for row in rows),
    )


def review_json(found: Review) -> bytes:
    """The same as data."""
    return (json.dumps(asdict(found), ensure_ascii=False, indent=1) + "\n").encode()


def tag_word(tag: str, w: Words) -> str:
    """A built-in tag in the language of the report; a lab's own as it is."""
    return w(f"lab.tag.{tag}") if tag in TAGS else tag


def tags_grid(found: TagCounts, lang: str = "en") -> Grid:
    """A row a tag, a column a reviewed run, the oldest first."""
    w = words(lang)
    names = [r.name for r in found.runs]
    columns = [
        f"{r.name} {r.fingerprint[:6]}" if names.count(r.name) > 1 else r.name for r in found.runs
    ]
    rows: list[tuple[Cell, ...]] = [
        (tag_word(tag, w), *counts) for tag, counts in found.counts.items()
    ]
    return Grid((w("lab.review.tag"), *columns), ("text", *("count",) * len(columns)), tuple(rows))
