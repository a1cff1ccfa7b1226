"""Duplicates, shown: how many, what became of the judgments, and the scores before and after."""

from __future__ import annotations

import json

from cranfield.diagnosis.dedup import Deduplicated
from cranfield.report.grid import Cell, Grid
from cranfield.report.lab_words import Count
from cranfield.report.language import words


def remarks(found: Deduplicated, lang: str = "en") -> list[str]:
    """What was found and done, a line each."""
    w, copies = words(lang), found.copies
    lines = [
        w(
            "dedup.found",
            documents=Count(len(copies.ids)),
            clusters=Count(len(copies.clusters)),
            exact=Count(copies.exact_copies),
            near=copies.near_copies,
        )
    ]
    if near := copies.near:
        lines.append(
            w(
                "dedup.how",
                shingles=near.shingles,
                threshold=near.threshold,
                bands=near.bands.bands,
                rows=near.bands.rows,
                seed=near.seed,
                chance=near.bands.chance(near.threshold),
            )
        )
    if copies.empty:
        lines.append(w("dedup.empty", n=Count(copies.empty)))
    if copies.passed_over:
        lines.append(w("dedup.passed", n=Count(copies.passed_over)))
    changed = found.changed
    lines.append(
        w(
            f"dedup.{found.policy}",
            added=Count(changed.added),
            raised=changed.raised,
            removed=Count(changed.removed),
        )
    )
    lines += [
        w("dedup.turned", policy=policy, run=run, other=other, measure=found.measures[0])
        for policy, run, other in found.turned
    ]
    if len(found.runs) > 1 and found.means and not found.turned:
        lines.append(w("dedup.same_order", measure=found.measures[0]))
    return lines


def before_after(found: Deduplicated, lang: str = "en") -> Grid:
    """One row a run and measure."""
    w = words(lang)
    columns = ("run", "measure", "raw", "expand", "collapse")
    rows: list[tuple[Cell, ...]] = [
        (run, measure, *(float(found.means[key][r, m]) for key in columns[2:]))
        for r, run in enumerate(found.runs)
        for m, measure in enumerate(found.measures)
        if found.means
    ]
    return Grid(
        tuple(w(f"check.column.{c}") for c in columns),
        ("text", "text", "score", "score", "score"),
        tuple(rows),
    )


def clusters(found: Deduplicated) -> str:
    """The clusters as JSON lines."""
    return "".join(
        json.dumps({"documents": docs}, ensure_ascii=False) + "\n" for docs in found.copies.clusters
    )
