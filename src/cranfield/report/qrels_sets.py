"""A set of judgments counted, and several merged, as pages and tables."""

from __future__ import annotations

from cranfield.data.qrels import grade_text
from cranfield.diagnosis.qrels_merge import Merged
from cranfield.diagnosis.qrels_stats import QUANTILES, QrelsStats
from cranfield.kit.fingerprint import SHORT
from cranfield.report.blocks import Block, Facts, Heading, Table, Text
from cranfield.report.grid import Cell, Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.qrels import cut
from cranfield.report.remarks import some

TABLES = ("grades", "spread")
_NAMES = {0.0: "min", 1.0: "max"}


def stats_page(found: QrelsStats, lang: str = "en") -> Page:
    """Counts, grades, and how the rows spread over the queries."""
    w = words(lang)
    made: list[Block] = [Facts(_facts(found, w))]
    for table in TABLES:
        made += [Heading(w(f"qrels.stats.{table}")), Table(stats_grid(found, table, w))]
    for name in ("sources", "assessors"):
        if rows := getattr(found, name):
            column = w(f"qrels.column.{name[:-1]}")
            whole = Grid((column, w("qrels.column.rows")), ("text", "count"), rows)
            made += [Heading(w("qrels.stats.sources")), *cut(whole, w)]
    if found.notes:
        made.append(Text("\n".join(found.notes)))
    return Page(w("qrels.stats.title", name=found.name), lang, tuple(made))


def _facts(found: QrelsStats, w: Words) -> tuple[tuple[str, str], ...]:
    facts = [
        (w("qrels.diff.rows"), str(found.rows)),
        *(
            (w(f"qrels.stats.{key}"), str(getattr(found, key)))
            for key in "queries judged_queries documents positive zero pooled".split()
        ),
    ]
    for key in ("without_positive", "without_negative", "pooled_only"):
        names = getattr(found, key)
        if names or key != "pooled_only":
            listed = f": {some(names)}" if names else ""
            facts.append((w(f"qrels.stats.{key}"), f"{len(names)}{listed}"))
    if found.subtopics:
        facts.append((w("qrels.stats.subtopics"), w("qrels.stats.yes")))
    facts.append((w("qrels.diff.fingerprint"), found.fingerprint[:SHORT]))
    return tuple(facts)


def stats_grid(found: QrelsStats, table: str, w: Words) -> Grid:
    """One of `TABLES`."""
    if table == "grades":
        rows: list[tuple[Cell, ...]] = [
            (grade_text(grade), n, n / found.rows, queries) for grade, n, queries in found.grades
        ]
        columns = ("grade", "rows", "share", "queries")
        return Grid(
            tuple(w(f"qrels.column.{c}") for c in columns),
            ("text", "count", "share", "count"),
            tuple(rows),
        )
    names = [w(f"qrels.column.{_NAMES[q]}") if q in _NAMES else f"{q:.0%}" for q in QUANTILES]
    return Grid(
        (w("qrels.column.of"), w("qrels.column.mean"), *names),
        ("text", "score", *("short",) * len(QUANTILES)),
        tuple(
            (w(f"qrels.stats.{key}"), spread.mean, *spread.at)
            for key in ("judged", "positives", "negatives")
            for spread in (getattr(found, key),)
        ),
    )


def merge_headline(found: Merged, lang: str = "en") -> str:
    """What was merged, in one sentence."""
    qrels = found.decided()
    policy = found.policy
    return words(lang)(
        "qrels.merge.done",
        sets=len(found.sources),
        rows=Count(len(qrels)),
        queries=Count(len(qrels.queries)),
        conflicts=Count(len(found.conflicts)),
        policy=f"{policy}, {found.on_tie}" if policy == "majority" else policy,
    )


def merge_grid(found: Merged, lang: str = "en") -> Grid:
    """One row a set."""
    w = words(lang)
    columns = ("set", "rows", "agreed", "overruled", "fingerprint")
    return Grid(
        tuple(w(f"qrels.column.{c}") for c in columns),
        ("text", "count", "count", "count", "text"),
        tuple(
            (s.name, s.rows, s.agreed, s.overruled, s.fingerprint[:SHORT]) for s in found.sources
        ),
    )


def conflicts(found: Merged) -> Grid:
    """Every conflict, for a file; nothing where a set does not judge the document or no grade is
    kept."""
    sub = any(c.subtopic is not None for c in found.conflicts)
    names = [source.name for source in found.sources]
    columns = ("query", "document", *(("subtopic",) if sub else ()), "kept", *names)

    def cell(grade: float | None) -> str | None:
        return None if grade is None else grade_text(grade)

    return Grid(
        columns,
        ("text",) * len(columns),
        tuple(
            (
                c.query,
                c.document,
                *((c.subtopic,) if sub else ()),
                cell(c.kept),
                *map(cell, c.grades),
            )
            for c in found.conflicts
        ),
    )
