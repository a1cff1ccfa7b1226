"""What a run scores once it, or the judgments, are put right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cranfield.data.columns import Floats
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.diagnosis.finding import Finding, Rows
from cranfield.diagnosis.material import Examined
from cranfield.errors import CranfieldError
from cranfield.evaluation.align import align
from cranfield.evaluation.inputs import judged_queries
from cranfield.evaluation.lists import Lists
from cranfield.formats.readers import read_qrels
from cranfield.formats.sources import RunColumns, RunSource
from cranfield.measures import Judgments, compute
from cranfield.scan.judged import JudgedIndex


def run_of_lists(lists: Lists) -> Run:
    return Run.from_dict({q: dict(docs) for q, docs in lists.items()})


def elsewhere(finding: Finding, found: Examined, r: int) -> Finding:
    """With what the run scores by the judgments of the split that it seems to be of."""
    if finding.key != "split_wrong":
        return finding
    try:
        other = read_qrels(found.paths.splits[finding.values["split"]], on_duplicate="first")
        then = values_of(found, other, found.sources[r])
    except CranfieldError:
        return replace(finding, unpriced="right_unknown")
    return _priced(finding, found, r, then, range(len(found.measures)))


def with_effect(
    findings: list[Finding], found: Examined, r: int, qrels: Qrels, lists: Lists, depth: int
) -> list[Finding]:
    """With what all repairs together do to the means, at the first of the findings that are put
    right; of measures that look no deeper than the lists."""
    able = [i for i, m in enumerate(found.measures) if m.cutoff and m.cutoff <= depth]
    if not findings:
        return findings
    if not able:
        return [f if f.effect else replace(f, unpriced="too_deep") for f in findings]
    then = values_of(found, qrels, RunColumns(run_of_lists(lists)))
    first, *others = findings
    more = [f if f.effect else replace(f, unpriced="together") for f in others]
    return [_priced(first, found, r, then, able), *more]


def _priced(
    finding: Finding, found: Examined, r: int, then: Floats, able: Sequence[int]
) -> Finding:
    """With the means before and after, which a finding without rows of its own lists too."""
    now = found.values[r].mean(axis=0)
    names = [str(m) for m in found.measures]
    effect = {names[i]: float(then[i] - now[i]) for i in able}
    rows = Rows(
        "repaired",
        ("run", "measure", "score", "once_right", "difference"),
        ("text", "text", "score", "score", "signed"),
        tuple(
            (found.runs[r], names[i], float(now[i]), float(then[i]), effect[names[i]]) for i in able
        ),
    )
    return replace(finding, effect=effect, unpriced="", rows=finding.rows or rows)


def values_of(found: Examined, qrels: Qrels, source: RunSource) -> Floats:
    """The mean of every measure."""
    judged, _ = judged_queries(qrels)
    judgments = Judgments(len(judged.queries), judged.query, judged.grade)
    aligned = align(source, JudgedIndex(judged), ties=found.settings.order, k=found.asked.k)
    means: Floats = compute(list(found.measures), judgments, aligned.hits)[0].mean(axis=0)
    return means
