"""Topics, shown: a page, a table for programs, and JSON."""

from __future__ import annotations

import json

from cranfield.report.blocks import Block, Heading, Note, Table, Text
from cranfield.report.grid import Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.remarks import some
from cranfield.subjects.topic import Topic, Topics

SCHEMA = "cranfield.topics/1"
WEAK = 0.25
LONG = 60  # characters of an example in a table


def page(found: Topics, lang: str = "en") -> Page:
    """What was divided, cautions, sizes, terms and examples, and how the number was chosen."""
    w = words(lang)
    blocks: list[Block] = [Text(headline(found, w))]
    blocks += [Note(text, tone="caution") for text in cautions(found, w)]
    blocks.append(Table(_named(sizes(found), w)))
    blocks.append(Heading(w("topics.terms")))
    blocks.append(Table(_named(terms(found), w)))
    if found.tried:
        blocks.append(Heading(w("topics.numbers")))
        k = found.settings["k"]
        about = {name: found.settings[name] for name in ("dimensions", "seed")}
        rule = w("topics.rule", **about) if k is None else w("topics.rule.asked", k=k, **about)
        blocks += [Text(rule), Table(_named(numbers(found), w))]
    return Page(w("topics.title", collection=found.collection), lang, tuple(blocks))


def headline(found: Topics, w: Words) -> str:
    """How many topics, of how many queries."""
    placed = Count(sum(topic.size for topic in found.topics))
    n = Count(len(found.topics))
    if found.proposed:
        documents = Count(found.documents)
        return w("topics.proposed", n=n, queries=placed, documents=documents)
    return w("topics.given", n=n, queries=placed, field=w.name(found.field))


def cautions(found: Topics, w: Words) -> list[str]:
    """What limits the use of the topics."""
    out = []
    blind = [t for t in found.topics if t.blind]
    small = [t for t in found.topics if t.small and not t.blind]
    for key, topics in (("blind", blind), ("small", small)):
        if topics:
            some_ = some([f"{t.label}: {t.judged}" for t in topics])
            out.append(w(f"topics.{key}", n=Count(len(topics)), some=some_))
    if found.tried:
        value = next(t.silhouette for t in found.tried if t.k == len(found.topics))
        if value < WEAK:
            out.append(w("topics.weak", value=value))
    if found.unplaced:
        reason = w("topics.unplaced.proposed" if found.proposed else "topics.unplaced.given")
        n = Count(len(found.unplaced))
        out.append(w("topics.unplaced", n=n, reason=reason, some=some(found.unplaced)))
    if found.bare:
        out.append(w("topics.bare", n=Count(found.bare)))
    if found.missing:
        out.append(w("topics.missing", n=Count(found.missing)))
    return out


def sizes(found: Topics) -> Grid:
    """One row a topic: how many queries, and what so many can show."""
    whole = max(1, len(found.queries))
    return Grid(
        ("topic", "queries", "judged", "share", "smallest_p", "shows"),
        ("text", "count", "count", "share", "short", "short"),
        tuple(
            (t.label, t.size, t.judged, t.size / whole, t.smallest_p, t.shows) for t in found.topics
        ),
    )


def terms(found: Topics) -> Grid:
    """One row a topic: what it is about."""
    return Grid(
        ("topic", "terms", "examples"),
        ("text", "text", "text"),
        tuple((t.label, ", ".join(t.terms), " | ".join(_short(t))) for t in found.topics),
    )


def _short(topic: Topic) -> list[str]:
    lines = [" ".join(text.split()) for text in topic.examples]
    return [x if len(x) <= LONG else x[: LONG - 1] + "…" for x in lines]


def numbers(found: Topics) -> Grid:
    """One row a number of topics that was tried."""
    return Grid(
        ("k", "silhouette", "error"),
        ("count", "score", "score"),
        tuple((t.k, t.silhouette, t.error) for t in found.tried),
    )


def table(found: Topics) -> Grid:
    """For programs: one row a query, its topic empty where it has none."""
    labels = found.labels
    rows = tuple((q.id, labels.get(q.id)) for q in found.queries)
    return Grid(("query", found.field), ("text", "text"), rows)


def _named(grid: Grid, w: Words) -> Grid:
    return Grid(tuple(w(f"topics.column.{c}") for c in grid.columns), grid.kinds, grid.rows)


def to_json(found: Topics, lang: str = "en") -> str:
    """Everything, for programs."""
    data = {
        "schema": SCHEMA,
        "collection": found.collection,
        "field": found.field,
        "proposed": found.proposed,
        "topics": [
            {
                "label": t.label,
                "n_queries": t.size,
                "n_judged": t.judged,
                "smallest_p": t.smallest_p,
                "shows_d_z": t.shows,
                "too_small": t.blind,
                "terms": list(t.terms),
                "examples": list(t.examples),
                "queries": list(t.queries),
            }
            for t in found.topics
        ],
        "unplaced": list(found.unplaced),
        "tried": [
            {"k": t.k, "silhouette": t.silhouette, "standard_error": t.error} for t in found.tried
        ],
        "documents_read": found.documents,
        "documents_missing": found.missing,
        "queries_without_documents": found.bare,
        "cautions": cautions(found, words(lang)),
        "settings": dict(found.settings),
    }
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
