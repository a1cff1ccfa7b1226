"""Differences that the labels cannot decide, whatever the queries say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np

from cranfield.comparison.material import Material
from cranfield.comparison.outcome import Comparison, Remark
from cranfield.data.collection import TestCollection
from cranfield.data.scores import RunReport
from cranfield.evaluation.holes import Bounded, grades_of, levels_of
from cranfield.evaluation.lists import Lists, result_lists
from cranfield.evaluation.undecided import Gap, gap
from cranfield.measures import Measure, parse
from cranfield.measures.bounds import has_bounds
from cranfield.scan.order import Ties

DEEPEST = 100  # of a cutoff
COUNTING = ("Judged", "Unjudged")  # unjudged documents are what they count
MANY = 200_000  # results in all; of more only the first k are looked at


def undecidable(found: Comparison, material: Material) -> Iterator[Remark]:
    """For each run with holes the measures whose mean difference to the base may be of either
    sign (`undecidable`), by what the unjudged documents of the two lists may turn out to be, and
    those whose sign holds whatever they are (`decided`); then those with holes that were not
    looked at (`unbounded`).

    Measures are looked at that read at most the first hundred results, fewer where the lists are
    many, so that runs are read once more only where something that counts is not judged.
    """
    reports = {report.name: report for report in found.scores.reports}
    base = reports.get(found.base)
    if base is None:
        return
    near = _bounded(found, [run for run in found.runs if run in reports])
    open_: dict[str, list[tuple[int, Measure]]] = {}
    left: dict[str, None] = {}
    for run in found.runs:
        for i, label in enumerate(found.measures):
            if run in reports and any(_holes(found, r, i) for r in (base, reports[run])):
                if i in near:
                    open_.setdefault(run, []).append((i, near[i]))
                elif label.aggregate != "sum" and not label.full.startswith(COUNTING):
                    left[label.text] = None
    if open_:
        yield from _of_runs(found, material, open_)
    if left:
        yield Remark("unbounded", {"measures": tuple(left)})


def _of_runs(
    found: Comparison, material: Material, open_: dict[str, list[tuple[int, Measure]]]
) -> Iterator[Remark]:
    judged = material.qrels.qrels if isinstance(material.qrels, TestCollection) else material.qrels
    grades = grades_of(judged)
    scale = cast("float | None", found.scores.settings["scale"])
    levels = levels_of(judged, scale)
    wanted = {i: measure for some in open_.values() for i, measure in some}
    depth = max(measure.cutoff or 0 for measure in wanted.values())
    lists = {
        source.name: _lists(found, material, i, depth)
        for i, source in enumerate(material.sources)
        if source.name in (found.base, *open_)
    }
    ways = {i: Bounded(measure, levels) for i, measure in wanted.items()}
    for run, some in open_.items():
        sides: dict[str, list[tuple[str, Gap]]] = {"undecidable": [], "decided": []}
        for i, _ in some:
            got = gap(lists[run], lists[found.base], _queries(found, run, i), grades, ways[i])
            side = "undecidable" if got.bound.open else "decided"
            if got.holes and (got.bound.open or got.bound.low * got.bound.high > 0):
                sides[side].append((found.measures[i].text, got))
        for key, those in sides.items():
            if those:
                yield Remark(key, {"run": run, "base": found.base, **_first(those)})


def _first(some: list[tuple[str, Gap]]) -> dict[str, object]:
    """The measures, and of the first one the ends and the holes."""
    measure, first = some[0]
    return {
        "measures": tuple(text for text, _ in some),
        "measure": measure,
        "low": first.bound.low,
        "high": first.bound.high,
        "n": first.holes,
    }


def _bounded(found: Comparison, runs: Sequence[str]) -> dict[int, Measure]:
    """{number: measure} of those that are looked at."""
    scores = found.scores
    top = cast("float | None", scores.settings["scale"])
    many = len(runs) * len(scores.queries) * DEEPEST > MANY
    deepest = min(DEEPEST, scores.k) if many else DEEPEST
    wanted = {}
    for i, label in enumerate(found.measures):
        measure = parse(label.full)
        if top is not None:
            measure = measure.resolve(top)
        shallow = measure.cutoff is not None and measure.cutoff <= deepest
        if shallow and label.aggregate == "mean" and has_bounds(measure):
            wanted[i] = measure
    return wanted


def _holes(found: Comparison, report: RunReport, measure: int) -> bool:
    """Whether something that the measure reads of a run is not judged; where nobody counted,
    whether something among the first results is not."""
    counted = found.scores.holes(found.measures[measure].full, report.name)
    if counted is None:
        return bool(report.n_judged and report.judged < 1)
    return counted > 0


def _lists(found: Comparison, material: Material, i: int, depth: int) -> Lists:
    ties = cast("str", found.scores.settings["ties"])
    return result_lists(
        material.sources[i],
        found.scores.queries,
        depth,
        ties=cast("Ties", "docid-desc" if ties == "expected" else ties),
        single=found.scores.settings["score_width"] == 32,
        threads=material.threads,
    )


def _queries(found: Comparison, run: str, measure: int) -> list[str]:
    """The queries that both runs have a value for."""
    valid = found.scores.valid[[0, found.scores.runs.index(run)], :, measure].all(axis=0)
    return [found.scores.queries[q] for q in np.flatnonzero(valid).tolist()]
