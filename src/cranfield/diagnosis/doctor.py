"""`doctor`: why a run scores 0, or oddly low, and what puts it right. Nothing is repaired here."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cranfield.data.run import Run
from cranfield.diagnosis.ailments import columns_of
from cranfield.diagnosis.asked import MOST_DEPTH, Asked
from cranfield.diagnosis.finding import Cell, CheckResult, Finding, Rows, Section
from cranfield.diagnosis.material import Examined, examine
from cranfield.diagnosis.prices import reasoned
from cranfield.diagnosis.repair import Repair, Repaired, repaired_run, run_by_columns
from cranfield.diagnosis.unanswered import unanswered
from cranfield.diagnosis.visits import look_at_qrels, look_at_run, reference, with_command
from cranfield.errors import FormatError
from cranfield.formats.inputs import Input
from cranfield.formats.readers import read_collection, read_run
from cranfield.formats.sources import RunFile

COLUMNS = ("run", "queries_known", "documents_known", "own", "by_chance")
KINDS = ("text", "share", "share", "count", "score")


@dataclass(frozen=True)
class Visit:
    """What the doctor found.

    Parameters
    ----------
    result : findings and the table of what fits, as those of a check.
    run : what puts the run right, in order; qrels : the judgments.
    """

    result: CheckResult
    run: tuple[Repair, ...] = ()
    qrels: tuple[Repair, ...] = ()


def doctor(qrels: Any, run: Any, collection: Any = None, **options: Any) -> Visit:
    """Look for what makes a run score 0, or oddly low.

    Parameters
    ----------
    qrels : as of `check`; a folder or a TestCollection has queries and documents too
    run : one run, as of `evaluate`
    collection : a folder or TestCollection whose queries and documents are meant, where `qrels`
        has none
    options : measures, k, queries, split, ties, on_duplicate, qrels_format, run_format, as of
        `check`

    Raises
    ------
    As `check`.
    """
    asked = Asked(options.pop("k", 10), near=None)
    measures = options.pop("measures", ("nDCG@10",))
    first: list[tuple[Finding, Repair]] = []
    try:
        found = _with(collection, examine(qrels, [run], measures, asked, **options))
    except FormatError as e:
        bare = _with(collection, examine(qrels, [], measures, asked, **options))
        first = _unreadable(run, e, bare)
        if not first:
            raise
        given = repaired(run, (first[0][1],))[0]
        found = _with(collection, examine(qrels, [given], measures, asked, **options))
        found = replace(found, paths=replace(found.paths, runs=(os.fspath(run),)))
    known_ids = reference(found)
    judged = look_at_qrels(found, known_ids)
    one = look_at_run(found, 0, known_ids, judged, MOST_DEPTH)
    more = tuple(with_command(finding, found, 0) for finding, _ in first)
    section = Section(
        "doctor",
        tables=(Rows("ids_known", COLUMNS, KINDS, (one.row,)),),
        findings=reasoned(
            found, (*judged.findings, *more, *one.findings) or tuple(unanswered(found))
        ),
    )
    result = CheckResult(
        found.collection.name,
        found.runs,
        tuple(str(m) for m in found.measures),
        (section,),
        {**found.settings.shown(), "k": asked.k},
    )
    return Visit(result, (*(r for _, r in first), *one.repairs), judged.repairs)


def ids(found: Examined) -> Section | None:
    """The findings of the doctor on each run of a check, where there are any."""
    if not found.runs:
        return None
    known = reference(found)
    judged = look_at_qrels(found, known)
    depth = MOST_DEPTH if known.whole else found.asked.k  # read for other checks anyway
    looked = [look_at_run(found, r, known, judged, depth) for r in range(len(found.runs))]
    of_runs = [(one.row[0], f) for one in looked for f in one.findings]
    of_runs = [(run, f) for run, f in of_runs if f.key != "documents_other"]  # integrity says it
    findings = [*judged.findings, *by_kind(of_runs)]
    if not findings:
        return None
    ill = tuple(one.row for one in looked if one.findings)
    tables = (Rows("ids_known", COLUMNS, KINDS, ill),) if ill else ()
    return Section("doctor", tables=tables, findings=tuple(findings))


def by_kind(found: Sequence[tuple[Cell, Finding]]) -> Iterator[Finding]:
    """The findings of several runs, one for each kind: what ails the first of them, and which
    others it ails, with the price of each."""
    kinds: dict[str, list[tuple[Cell, Finding]]] = {}
    for run, finding in found:
        same = tuple(finding.values.get(name) for name in ("kind", "how", "split", "query"))
        kinds.setdefault(repr((finding.key, finding.severity, same)), []).append((run, finding))
    for alike in kinds.values():
        first = alike[0][1]
        if len(alike) == 1:
            yield first
            continue
        effect: dict[str, float] = {}
        for _, finding in alike:
            for measure, moved in finding.effect.items():
                if abs(moved) >= abs(effect.get(measure, 0.0)):
                    effect[measure] = moved
        measure = next(iter(effect), "")
        rows = tuple((run, f.effect.get(measure)) for run, f in alike)
        yield replace(
            first,
            values={**first.values, "runs": tuple(str(run) for run, _ in alike)},
            effect=effect,
            unpriced="" if effect else first.unpriced,
            rows=Rows("of_runs", ("run", "price"), ("text", "signed"), rows),
        )


def repaired(run: Any, repairs: tuple[Repair, ...], **options: Any) -> tuple[Run, Repaired]:
    """The run put right, and what was changed; `run` and `options` as of `cranfield.read_run`."""
    by = next((r.columns for r in repairs if r.columns is not None), None)
    given = read_run(run, **options) if by is None else run_by_columns(run, by, Input(run).stem)
    return repaired_run(given, repairs)


def _unreadable(run: Any, error: FormatError, found: Examined) -> list[tuple[Finding, Repair]]:
    """Why a run cannot be read: its columns may stand in another order."""
    if not isinstance(run, (str, os.PathLike)) or error.file != Input(run).name:
        return []
    source = RunFile(Input(run))
    return list(columns_of(source.name, source, reference(found)))


def _with(collection: Any, found: Examined) -> Examined:
    """With the queries and documents of a collection that is named beside the judgments."""
    if collection is None:
        return found
    whole = read_collection(collection)
    known = whole.queries or found.collection.queries
    documents = whole.documents or found.collection.documents
    return replace(
        found,
        collection=replace(found.collection, queries=known, documents=documents),
        paths=replace(found.paths, collection=_named(collection)),
    )


def _named(collection: Any) -> str | None:
    return os.fspath(collection) if isinstance(collection, (str, os.PathLike)) else None
