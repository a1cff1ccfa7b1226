"""`evaluate`: judgments and runs in, one table of scores out."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.data.collection import Query
from cranfield.data.columns import Floats
from cranfield.data.qrels import Qrels
from cranfield.data.ranges import BoundChoice, OpenEnds
from cranfield.data.scores import Label, RunReport, Scores
from cranfield.errors import InputError, NothingToEvaluate
from cranfield.evaluation.align import Aligned, align, answered_empty
from cranfield.evaluation.inputs import (
    asked_measures,
    cautions,
    empty_by_card,
    judged_queries,
    judgments_of,
    size_of,
    sources_of,
)
from cranfield.evaluation.people import block_of, check_people, people_notes
from cranfield.evaluation.ranges import check_bounds, check_world, open_ends
from cranfield.evaluation.settings import (
    Missing,
    NoRelevant,
    Settings,
    TieChoice,
    check,
    check_threads,
)
from cranfield.evaluation.strata import check_strata
from cranfield.evaluation.subtopics import check_subtopics
from cranfield.formats.sources import OnDuplicate, RunFile, RunSource, notes_of
from cranfield.kit.parallel import ordered_map
from cranfield.kit.progress import progress
from cranfield.measures import Judgments, Measure, compute, parse_many
from cranfield.scan.judged import JudgedIndex

SMALL = 4 << 20  # bytes; less is read before threads have been started
DEFAULT_MEASURES = ("nDCG@10", "AP", "RR@10", "P@10", "R@100")


def evaluate(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    queries: Iterable[Query] | None = None,
    ties: TieChoice = "docid-desc",
    score_width: int = 64,
    no_relevant: NoRelevant = "zero",
    missing: Missing = "zero",
    scale: float | None = None,
    on_duplicate: OnDuplicate = "error",
    all_errors: bool = False,
    qrels_format: str | None = None,
    run_format: str | None = None,
    split: str | None = None,
    threads: int | None = None,
    bounds: BoundChoice | None = "auto",
) -> Scores:
    """Score runs against judgments.

    Parameters
    ----------
    qrels : path, BEIR folder, `irds:<id>`, TestCollection, Qrels, {query: {doc: grade}}, frame
    runs : one run or several: path, Run, {query: {doc: score}}, frame; or {name: run}
    measures : names such as `nDCG(gain="exp")@10`, `AP`, `map`, `ndcg_cut_10`, or Measures
    queries : queries with fields, to slice by (taken from a collection by itself)
    ties, score_width, no_relevant, missing, scale : see `Settings`
    on_duplicate : a document twice for a query: an error, or keep the first, last or max
    threads : None for as many as processors, at most four
    bounds : how far unjudged documents may move each score, in `Scores.bounds` and `Scores.ranges`
        (docs/concepts/holes.md): `closed`, `open`, None for not at all; `auto` is `closed`,
        worked out when first read, shown where a run holds such documents

    Returns
    -------
    Scores

    Raises
    ------
    MeasureError, UsageError
        The call is wrong.
    FormatError, InputError, NoSuchInput
        The data are wrong or missing.
    NothingToEvaluate
        No run shares a query with the judgments.
    """
    settings = Settings(ties, score_width, no_relevant, missing, scale)
    check("on_duplicate", on_duplicate)
    check_threads(threads)
    check_world(bounds, ties)
    asked = asked_measures(measures)
    given, known_queries = judgments_of(
        qrels, qrels_format, on_duplicate, all_errors, split, threads
    )
    wanted = [measure for _, measure in asked]
    check_people(given, wanted)
    check_subtopics(given, wanted)
    check_strata(given, wanted)
    rated, only_pooled = judged_queries(given)
    judged, judgments = block_of(rated, wanted)
    notes = [*cautions(judged, asked, only_pooled), *people_notes(rated, judgments, wanted)]
    sources = sources_of(runs, run_format, on_duplicate, all_errors)
    top = scale if scale is not None else judged.max_grade
    resolved = [(text, measure.resolve(top)) for text, measure in asked]
    complete = [measure for _, measure in resolved]
    check_bounds(bounds, complete)
    k = next((m.cutoff for _, m in resolved if m.cutoff), 10)
    index = JudgedIndex(judged)
    total = sum(size_of(s) for s in sources) or None
    small = total is None or total < SMALL
    workers = threads if threads is not None else 1 if small else min(4, os.cpu_count() or 1)
    with progress("evaluating", total) as advance:

        def read(source: RunSource) -> Aligned:
            found = align(
                source,
                index,
                ties=settings.order,
                single=score_width == 32,
                k=k,
                threads=workers if len(sources) == 1 else 1,
                keep_going=all_errors,
                advance=advance,
            )
            silent = empty_by_card(source)
            if not found.n_returned and not silent and isinstance(source, RunFile):
                skipped = "; ".join(notes_of(found.skipped))
                raise InputError(
                    f"{source.source.name}: no result in it" + (f" ({skipped})" if skipped else ""),
                    "was the right file given?",
                )
            return answered_empty(found, index, silent) if silent else found

        tables, valids, reports, hits = [], [], [], []
        for source, found in zip(
            sources, ordered_map(read, sources, min(workers, len(sources))), strict=True
        ):
            values, valid = compute(
                complete, judgments, found.hits, expected_ties=ties == "expected"
            )
            if missing == "skip":
                valid &= found.answered[:, None]
            tables.append(values)
            valids.append(valid)
            reports.append(_report(source.name, found, judged, judgments, k))
            hits.append(found.hits)
    return _scores(
        judged,
        resolved,
        tables,
        valids,
        reports,
        k,
        settings,
        queries or known_queries,
        notes,
        open_ends(bounds, judged, judgments, sources, hits, complete, settings),
    )


def _report(name: str, found: Aligned, qrels: Qrels, judgments: Judgments, k: int) -> RunReport:
    ids = qrels.queries
    returned = found.hits.n_ret
    judged, valid = compute(parse_many([f"Judged@{k}"]), judgments, found.hits)
    share = judged[valid]
    top = np.minimum(returned, k).sum()
    empty = found.answered & (returned == 0)
    return RunReport(
        name=name,
        n_returned=found.n_returned,
        missing=tuple(ids.take(~found.answered).to_list()),
        unlabelled=found.unlabelled,
        empty=tuple(ids.take(empty).to_list()),
        judged=float(share.mean()) if len(share) else 0.0,
        n_judged=len(share),
        tied=float(found.tied.sum() / top) if top else 0.0,
        notes=notes_of(found.skipped),
    )


def _scores(
    qrels: Qrels,
    measures: list[tuple[tuple[str, ...], Measure]],
    tables: list[Floats],
    valids: list[NDArray[np.bool_]],
    reports: list[RunReport],
    k: int,
    settings: Settings,
    queries: Iterable[Query],
    notes: Sequence[str],
    ends: OpenEnds | None,
) -> Scores:
    if all(len(r.missing) == len(qrels.queries) for r in reports):
        theirs = next((r.unlabelled[0] for r in reports if r.unlabelled), None)
        raise NothingToEvaluate(
            "no run answers any query of the judgments",
            f"query ids of the judgments look like {qrels.queries[0]!r}"
            + (f", those of the runs like {theirs!r}" if theirs is not None else "")
            + "; `cranfield doctor QRELS RUN` looks for the reason",
        )
    values, valid = np.stack(tables), np.stack(valids)
    answerable = np.bincount(qrels.query[qrels.grade > 0], minlength=len(qrels.queries)) > 0
    names = qrels.queries.to_list()
    if settings.no_relevant == "nan":
        valid &= answerable[None, :, None]
    elif settings.no_relevant == "skip":
        values, valid = values[:, answerable], valid[:, answerable]
        kept = set(itertools.compress(names, answerable.tolist()))
        names = [n for n in names if n in kept]
        answerable = answerable[answerable]
        reports = [
            replace(
                r,
                missing=tuple(q for q in r.missing if q in kept),
                empty=tuple(q for q in r.empty if q in kept),
            )
            for r in reports
        ]
    return Scores(
        runs=tuple(r.name for r in reports),
        queries=tuple(names),
        measures=tuple(
            Label(str(m), m.full_name, text, m.definition.aggregate) for text, m in measures
        ),
        values=np.where(valid, values, 0.0),
        valid=valid,
        answerable=answerable,
        reports=tuple(reports),
        k=k,
        settings=settings.shown(),
        slices=slices_of(names, queries),
        notes=(
            *(f"{qrels.name}: {n}" for n in qrels.notes),
            *notes,
            *_left_out(len(qrels.queries) - len(names)),
        ),
        open_ends=ends,
    )


def _left_out(n: int) -> list[str]:
    if not n:
        return []
    return [f"{n} quer{'y' if n == 1 else 'ies'} without a relevant document left out"]


def slices_of(names: Sequence[str], queries: Iterable[Query]) -> dict[str, tuple[str | None, ...]]:
    """{field: label of each query} for the text fields of `queries`."""
    fields: dict[str, dict[str, str]] = {}
    for query in queries:
        for key, value in query.fields.items():
            if isinstance(value, str):
                fields.setdefault(key, {})[query.id] = value
    return {key: tuple(found.get(n) for n in names) for key, found in fields.items()}
