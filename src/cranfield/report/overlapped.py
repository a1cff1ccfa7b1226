"""The nearness of collections, shown: a page, a table for programs, and JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from cranfield.report.blocks import Block, Facts, Note, Table, Text
from cranfield.report.grid import Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import Words, words
from cranfield.report.page import Page
from cranfield.report.remarks import percent
from cranfield.subjects.near import Figure, Near, Overlap

SCHEMA = "cranfield.overlap/1"
FIGURES = ("queries", "documents", "nearest", "coverage", "jaccard", "divergence")
SHOWN = 0.01  # share of a script that is named


def page(found: Overlap, lang: str = "en") -> Page:
    """What is nearest, what forbids a comparison, and all figures."""
    w = words(lang)
    n, m = found.same
    facts = [(found.mine, _has(found.n_documents, found.n_queries, found.scripts, w))]
    facts += [(o.name, _has(o.n_documents, o.n_queries, o.scripts, w)) for o in found.others]
    facts.append((w("overlap.same"), w("overlap.same.value", documents=n, queries=m)))
    if (halves := found.halves) is not None:
        about = {"documents": halves.documents, "queries": halves.queries}
        value = w("overlap.halves.value", value=halves.nearness, **about)
        facts.append((w("overlap.halves"), value))
    facts.append((w("overlap.analyzer"), found.settings["analyzer"]))
    facts.append((w("overlap.seed"), str(found.settings["seed"])))
    blocks: list[Block] = [Facts(tuple(facts)), Text(headline(found, w))]
    blocks += [Note(text, tone="caution") for text in cautions(found, w)]
    grid = table(found)
    shown = Grid(
        tuple(w(f"overlap.column.{c}") for c in grid.columns),
        grid.kinds,
        tuple((*row[:-1], w(f"overlap.language.{row[-1]}")) for row in grid.rows),
    )
    blocks += [Table(shown), Text(w("overlap.what"))]
    notes = remarks(found, w)
    if notes:
        blocks.append(Text("\n".join(notes)))
    return Page(w("overlap.title", mine=found.mine), lang, tuple(blocks))


def _has(documents: int, queries: int, scripts: Mapping[str, float], w: Words) -> str:
    return w(
        "overlap.has",
        documents=Count(documents),
        queries=Count(queries),
        scripts=_scripts(scripts),
    )


def _scripts(scripts: Mapping[str, float]) -> str:
    many = {s: share for s, share in scripts.items() if share >= SHOWN}
    return ", ".join(f"{s} {share:.0%}" if len(many) > 1 else s for s, share in many.items()) or "–"


def headline(found: Overlap, w: Words) -> str:
    """Which collection is the nearest, and how sure."""
    ranked = [o for o in found.others if o.rank is not None]
    if not ranked:
        return w("overlap.none")
    best = ranked[0]
    low, high = best.nearness.interval or (best.nearness.value,) * 2
    values: dict[str, Any] = {"name": best.name, "value": best.nearness.value}
    if best.first is None:
        return w("overlap.only", low=low, high=high, **values)
    return w("overlap.nearest", low=low, high=high, share=percent(best.first), **values)


def cautions(found: Overlap, w: Words) -> list[str]:
    """What speaks against taking the figures as they are."""
    out = []
    ranked = [o for o in found.others if o.rank is not None]
    if len(ranked) > 1 and _meet(ranked[0], ranked[1]):
        out.append(w("overlap.undecided", names=f"{ranked[0].name}, {ranked[1].name}"))
    mine = _scripts(found.scripts)
    for one in found.others:
        if one.language != "same":
            values = {"name": one.name, "theirs": _scripts(one.scripts), "mine": mine}
            out.append(w(f"overlap.{one.language}", **values))
    if found.small:
        out.append(w("overlap.small", names=", ".join(found.small)))
    return out


def _meet(a: Near, b: Near) -> bool:
    """Whether the intervals of the first and the second overlap."""
    one, two = a.nearness.interval, b.nearness.interval
    return one is not None and two is not None and one[0] <= two[1]


def remarks(found: Overlap, w: Words) -> list[str]:
    """What was sampled, cut or passed over."""
    both: list[tuple[str, Overlap | Near]] = [(found.mine, found)]
    both += [(one.name, one) for one in found.others]
    out = [
        w(
            "overlap.sampled",
            name=name,
            documents=one.sampled_documents,
            all_documents=one.n_documents,
            queries=one.sampled_queries,
            all_queries=one.n_queries,
        )
        for name, one in both
        if one.sampled_documents < one.n_documents or one.sampled_queries < one.n_queries
    ]
    if found.cut:
        out.append(w("overlap.cut", n=found.cut))
    if found.empty:
        out.append(w("overlap.empty", n=Count(found.empty)))
    return out


def table(found: Overlap) -> Grid:
    """One row a collection, the nearest first."""
    columns = ("rank", "collection", "nearness", "low", "high", "first", *FIGURES, "language")
    kinds = ("count", "text", *("score",) * (len(columns) - 3), "text")
    return Grid(
        columns,
        kinds,
        tuple(
            (
                o.rank,
                o.name,
                o.nearness.value,
                *(o.nearness.interval or (None, None)),
                o.first,
                *(getattr(o, name).value for name in FIGURES),
                o.language,
            )
            for o in found.others
        ),
    )


def to_json(found: Overlap, lang: str = "en") -> str:
    """Everything, for programs; each figure with its interval."""
    w = words(lang)
    data = {
        "schema": SCHEMA,
        "mine": {
            "name": found.mine,
            "n_documents": found.n_documents,
            "n_queries": found.n_queries,
            "sampled_documents": found.sampled_documents,
            "sampled_queries": found.sampled_queries,
            "scripts": dict(found.scripts),
        },
        "same_size": {"documents": found.same[0], "queries": found.same[1]},
        "halves": None if found.halves is None else asdict(found.halves),
        "collections": [_record(one) for one in found.others],
        "cautions": cautions(found, w),
        "notes": remarks(found, w),
        "settings": dict(found.settings),
    }
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _record(one: Near) -> dict[str, Any]:
    return {
        "rank": one.rank,
        "name": one.name,
        "language": one.language,
        "scripts": dict(one.scripts),
        "nearness": _figure(one.nearness),
        "first": one.first,
        **{name: _figure(getattr(one, name)) for name in FIGURES},
        "n_documents": one.n_documents,
        "n_queries": one.n_queries,
        "sampled_documents": one.sampled_documents,
        "sampled_queries": one.sampled_queries,
    }


def _figure(figure: Figure) -> dict[str, Any]:
    interval = None if figure.interval is None else list(figure.interval)
    return {"value": figure.value, "interval": interval}
