"""`check`: everything that is looked for in a collection and its runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from importlib import import_module
from typing import Any

from cranfield.diagnosis.asked import Asked, Earlier
from cranfield.diagnosis.copies import NEAR, Near
from cranfield.diagnosis.finding import CheckResult, Section
from cranfield.diagnosis.labels import worklist_of
from cranfield.diagnosis.material import Examined, examine
from cranfield.diagnosis.prices import reasoned
from cranfield.diagnosis.worklist import all_holes, order_of
from cranfield.formats.sources import notes_of
from cranfield.measures import Measure

MEASURES = ("nDCG@10", "P@10", "RR@10")

# module and function of each check, in the order of the report. A check is given what was read
# (`Examined`) and returns a section, or None where it has nothing to look at.
CHECKS: tuple[tuple[str, str], ...] = (
    ("cranfield.diagnosis.statistics", "statistics"),
    ("cranfield.diagnosis.documents", "documents"),
    ("cranfield.diagnosis.integrity", "integrity"),
    ("cranfield.diagnosis.doctor", "ids"),
    ("cranfield.diagnosis.duplicates", "duplicates"),
    ("cranfield.diagnosis.queries", "queries"),
    ("cranfield.diagnosis.labels", "labels"),
    ("cranfield.diagnosis.holes", "holes"),
    ("cranfield.diagnosis.pairs", "pairs"),
    ("cranfield.diagnosis.worklist", "worklist"),
    ("cranfield.diagnosis.reuse", "reuse"),
)


def check(
    collection: Any,
    runs: Any = (),
    measures: str | Measure | Iterable[str | Measure] = MEASURES,
    *,
    k: int = 10,
    pool_depth: int | None = None,
    groups: Mapping[str, str] | None = None,
    documents: bool = True,
    most: int = 20,
    near: Near | None = NEAR,
    good: float = 0.5,
    sides: Mapping[str, str] | None = None,
    recorded: Earlier | None = None,
    order: str = "auto",
    **options: Any,
) -> CheckResult:
    """Look for what makes scores on a collection mean less than they seem to.

    Parameters
    ----------
    collection : as the qrels of `evaluate`; a folder or a TestCollection has documents too
    runs : as for `evaluate`, or none
    measures : those whose scores are bounded; the first decides orders
    k : depth of judged@k and of the work-list, at most 100
    pool_depth : how deep the pool was, for leave-one-out; by default what the judgments show
    groups : {run: group}: runs of one group are left out together
    documents : whether to read the documents
    most : rows of lists that are shown in part
    near : how near-duplicate documents are looked for; None for exact ones only
    good : the share of the runs, the best by the first measure, whose agreement is held against
        the labels; two at least
    sides : {query: side}, where a split is not written in the queries
    recorded : the last evaluation by these judgments, whose fingerprint they should still have
    order : what orders the work-list: `swing`, how far a document may pull compared runs apart;
        `weight`, how high how many runs have it; `auto`, swing where there are two runs or more
    options : queries, ties, score_width, scale, on_duplicate, qrels_format, run_format, split,
        threads, as for `evaluate`

    Returns
    -------
    CheckResult

    Raises
    ------
    As `evaluate`.
    """
    asked = Asked(
        k,
        pool_depth,
        dict(groups or {}),
        documents,
        most,
        near,
        good,
        dict(sides or {}),
        recorded,
        order,
    )
    return checked(examine(collection, runs, measures, asked, **options))


def checked(found: Examined) -> CheckResult:
    """Every check, on what has been read."""
    sections = []
    for module, name in CHECKS:
        look: Callable[[Examined], Section | None] = getattr(import_module(module), name)
        section = look(found)
        if section is not None:
            sections.append(replace(section, findings=reasoned(found, section.findings)))
    notes = [f"{found.given.name}: {note}" for note in found.given.notes]
    for source, aligned in zip(found.sources, found.aligned, strict=True):
        notes += [f"{source.name}: {note}" for note in notes_of(aligned.skipped)]
    return CheckResult(
        collection=found.collection.name,
        runs=found.runs,
        measures=tuple(str(m) for m in found.measures),
        sections=tuple(sections),
        settings={
            **found.settings.shown(),
            "k": found.asked.k,
            "pool_depth": found.asked.pool_depth,
            "levels": found.levels.tolist(),
            "good": found.asked.good,
            "order": order_of(found) if found.runs else None,
            "near": None if found.asked.near is None else asdict(found.asked.near),
        },
        holes=tuple(all_holes(found)) if found.runs else (),
        suspects=tuple(worklist_of(found)),
        notes=tuple(notes),
    )
