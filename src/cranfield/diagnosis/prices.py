"""What a finding may cost: how far the mean of a run moves, for the run that it moves most."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

import numpy as np

from cranfield.data.columns import Floats
from cranfield.data.run import Run
from cranfield.diagnosis.asked import MOST_DEPTH
from cranfield.diagnosis.finding import Finding
from cranfield.diagnosis.material import Examined
from cranfield.evaluation.align import align
from cranfield.evaluation.holes import Bounded, topic_of
from cranfield.evaluation.ranges import bounded_means
from cranfield.formats.sources import RunColumns
from cranfield.kit.parallel import ordered_map
from cranfield.measures import Judgments, compute
from cranfield.scan.judged import JudgedIndex

Effect = dict[str, float]


class Unpriced(Effect):
    """No price, and the key of the reason (docs/how-to/check-a-collection.md)."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self.why = why


def reasoned(found: Examined, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, each that has no price with the reason why."""
    return tuple(
        f if f.effect or f.unpriced else replace(f, unpriced=_why(found, f)) for f in findings
    )


def _why(found: Examined, finding: Finding) -> str:
    if finding.key in NEVER:
        return NEVER[finding.key]
    if not found.runs:
        return "no_runs"
    if isinstance(finding.effect, Unpriced):
        return finding.effect.why
    return "not_computed"


# findings that move no score of these runs, or by nobody knows how much
NEVER = {
    "unlabelled_queries": "not_scored",
    "only_pooled": "not_scored",
    "no_negatives": "labels_unknown",
    "ids_twice": "ids_only",
    "types_small": "no_score",
    "pool_shallow": "no_score",
    "queries_other": "right_unknown",
    "documents_other": "right_unknown",
    "queries_mixed": "right_unknown",
}


def effect_of(found: Examined, moved: Floats) -> Effect:
    """{measure: the largest of the [run, measure] changes, without sign}; counts have none."""
    most = np.abs(moved).max(axis=0)
    return {
        str(m): float(most[i])
        for i, m in enumerate(found.measures)
        if m.definition.aggregate == "mean"
    }


def without_queries(found: Examined, names: Iterable[str]) -> Effect:
    """If these queries were left out of every mean; nothing where none or all of them count."""
    dropped = frozenset(names)
    keep = np.array([q not in dropped for q in found.queries], bool)
    if not found.runs or keep.all() or not keep.any():
        return Unpriced("untouched" if keep.all() else "all_queries")
    return effect_of(found, found.values[:, keep].mean(axis=1) - found.values.mean(axis=1))


def without_judgments(found: Examined, documents: Collection[str]) -> Effect:
    """If these documents had no judgment."""
    gone = np.array([doc in documents for doc in found.qrels.docs.to_list()], bool)
    if not found.runs or not gone.any():
        return Unpriced("untouched")
    grade = np.where(gone, -1.0, found.judgments.grade)
    less = Judgments(found.judgments.n_queries, found.judgments.query, grade)
    measures = list(found.measures)
    values = np.stack([compute(measures, less, a.hits)[0] for a in found.aligned])
    return effect_of(found, values.mean(axis=1) - found.values.mean(axis=1))


def without_documents(found: Examined, documents: Collection[str]) -> Effect:
    """If the collection had never held these documents: no list and no judgment has them."""
    gone = np.array([doc in documents for doc in found.qrels.docs.to_list()], bool)
    grade = np.where(gone, -1.0, found.judgments.grade)
    less = Judgments(found.judgments.n_queries, found.judgments.query, grade)
    return without_results(found, lambda _, doc: doc in documents, less if gone.any() else None)


def without_results(
    found: Examined, drop: Callable[[str, str], bool], judgments: Judgments | None = None
) -> Effect:
    """If results for which `drop(query, document)` holds stood in no list, and, where they are
    given, these were the judgments; under measures that read no deeper than the lists are known."""
    able = [i for i, m in enumerate(found.measures) if m.cutoff and m.cutoff <= MOST_DEPTH]
    if not found.runs or not able:
        return Unpriced("too_deep")
    measures = [found.measures[i] for i in able]
    index = JudgedIndex(found.qrels)

    def changed(numbered: tuple[int, dict[str, list[tuple[str, float]]]]) -> Floats:
        r, lists = numbered
        left = {q: [row for row in rows if not drop(q, row[0])] for q, rows in lists.items()}
        hit = [
            i
            for i, q in enumerate(found.queries)
            if judgments is not None or left.get(q) != lists.get(q)
        ]
        moved: Floats = np.zeros(len(able))
        if hit:
            # by falling places, so that the order among equal scores stays what it was
            run = Run.from_dict(
                {q: {d: float(-n) for n, (d, _) in enumerate(rows)} for q, rows in left.items()}
            )
            held = judgments or found.judgments
            values = compute(measures, held, align(RunColumns(run), index).hits)[0]
            moved = (values - found.values[r][:, able])[hit].sum(axis=0) / len(found.queries)
        return moved

    lists = list(enumerate(found.lists(MOST_DEPTH)))
    most = np.abs(np.stack(list(ordered_map(changed, lists, os.cpu_count() or 1)))).max(axis=0)
    return {
        str(m): float(v)
        for m, v in zip(measures, most, strict=True)
        if m.definition.aggregate == "mean"
    }


def once_judged(found: Examined, names: Iterable[str]) -> Effect:
    """Once the unjudged documents returned for these queries are judged: the width of the bounds
    that they leave."""
    some = [q for q in dict.fromkeys(names) if q in found.grades]
    out: Effect = {}
    for measure in found.measures if found.runs and some else ():
        if not bounded_means(measure) or not measure.cutoff or measure.cutoff > MOST_DEPTH:
            continue
        way = Bounded(measure, found.levels)
        width = 0.0
        for lists in found.lists(max(measure.cutoff, found.asked.k)):
            topics = (topic_of(found.grades[q], [d for d, _ in lists.get(q, ())])[0] for q in some)
            width = max(width, sum(way(topic).width for topic in topics))
        out[str(measure)] = width / len(found.queries)
    return out or Unpriced("unbounded" if some else "untouched")
