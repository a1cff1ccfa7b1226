"""Differences that the labels cannot decide, whatever the queries say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np

from cranfield.comparison.material import Material
from cranfield.comparison.outcome import Comparison, Remark
from cranfield.data.collection import TestCollection
from cranfield.data.scores import RunReport
from cranfield.evaluation.holes import Bounded, grades_of, levels_of
from cranfield.evaluation.lists import Lists, result_lists
from cranfield.evaluation.undecided import gap
from cranfield.measures import Measure, parse
from cranfield.measures.bounds import has_bounds
from cranfield.scan.order import Ties

DEEPEST = 100  # of a cutoff


def undecidable(found: Comparison, material: Material) -> Iterator[Remark]:
    """For each run the measures whose mean difference to the base may be of either sign, by what
    the unjudged documents of the two lists may turn out to be.

    Measures are looked at that read no deeper than judged@k does, so that the runs are read once
    more only where something that counts is not judged.
    """
    wanted = _bounded(found)
    reports = {report.name: report for report in found.scores.reports}
    base = reports.get(found.base)
    runs = [run for run in found.runs if run in reports and base and _holes(base, reports[run])]
    if not wanted or not runs:
        return
    judged = material.qrels.qrels if isinstance(material.qrels, TestCollection) else material.qrels
    grades = grades_of(judged)
    scale = cast("float | None", found.scores.settings["scale"])
    levels = levels_of(judged, scale)
    lists = {
        source.name: _lists(found, material, i, found.scores.k)
        for i, source in enumerate(material.sources)
        if source.name in (found.base, *runs)
    }
    ways = [(i, Bounded(m, levels)) for i, m in wanted]
    for run in runs:
        open_ = []
        for i, way in ways:
            got = gap(lists[run], lists[found.base], _queries(found, run, i), grades, way)
            if got.bound.open and got.holes:
                open_.append((found.measures[i].text, got))
        if open_:
            measure, first = open_[0]
            yield Remark(
                "undecidable",
                {
                    "run": run,
                    "base": found.base,
                    "measures": tuple(text for text, _ in open_),
                    "measure": measure,
                    "low": first.bound.low,
                    "high": first.bound.high,
                    "n": first.holes,
                },
            )


def _bounded(found: Comparison) -> list[tuple[int, Measure]]:
    top = cast("float | None", found.scores.settings["scale"])
    wanted = []
    for i, label in enumerate(found.measures):
        measure = parse(label.full)
        if top is not None:
            measure = measure.resolve(top)
        shallow = measure.cutoff is not None and measure.cutoff <= min(DEEPEST, found.scores.k)
        if shallow and label.aggregate == "mean" and has_bounds(measure):
            wanted.append((i, measure))
    return wanted


def _holes(base: RunReport, run: RunReport) -> bool:
    """Whether something in the first k of either run is not judged."""
    return any(r.n_judged and r.judged < 1 for r in (base, run))


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
