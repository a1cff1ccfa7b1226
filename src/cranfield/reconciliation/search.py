"""`reconcile`: a measure under the conventions of tools, and those that give a number seen.

The order is that of likelihood: what tools do as they come, then one convention changed, then
two, and so on until something meets the number or the limit is reached.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from cranfield.errors import UsageError
from cranfield.measures import Measure, parse
from cranfield.reconciliation.candidates import Candidate, Candidates
from cranfield.reconciliation.conventions import Conventions
from cranfield.reconciliation.material import gather
from cranfield.reconciliation.target import Target, target_of
from cranfield.reconciliation.values import Values

LIMIT = 5000  # combinations tried
SHOWN = 12  # combinations kept


@dataclass(frozen=True)
class Reconciliation:
    """What was found.

    Parameters
    ----------
    asked : Cranfield's own value, with its defaults and what the measure says
    tools : every tool that prints the measure; tools with one value in every respect together
    single : one convention changed, for each that can matter
    matches : combinations that meet the target, the likeliest first; all of one stage
    nearest : the closest of all tried, where none meets it
    stage : 0 a tool, n for n conventions changed, None for no match
    tried : combinations computed; `complete` if there were no more
    facts : {axis: why it can matter here}
    users : {axis: {answer: tools}}
    """

    measure: Measure
    run: str
    qrels: str
    query: str | None
    target: Target | None
    asked: Candidate
    tools: tuple[Candidate, ...]
    single: tuple[Candidate, ...]
    matches: tuple[Candidate, ...]
    nearest: Candidate | None
    stage: int | None
    tried: int
    complete: bool
    facts: dict[str, str]
    users: dict[str, dict[Any, tuple[str, ...]]]


def reconcile(
    qrels: Any,
    run: Any,
    measure: str | Measure,
    value: str | float | None = None,
    *,
    digits: int | None = None,
    query: str | None = None,
    limit: int = LIMIT,
) -> Reconciliation:
    """Find the conventions under which a measure has the value that somebody saw.

    Parameters
    ----------
    qrels, run : as for `evaluate`
    measure : one measure
    value : what was seen, as text to say how precisely; None to compute every tool's
    digits : decimals of it to trust
    query : of this query only, instead of the mean
    limit : combinations to try at most

    Raises
    ------
    MeasureError, UsageError, UnknownName
        The call is wrong.
    FormatError, InputError, NoSuchInput, NothingToEvaluate
        The data are.
    """
    asked = measure if isinstance(measure, Measure) else parse(measure)
    if limit < 1:
        raise UsageError(f"limit is {limit}", "at least 1 combination")
    target = None if value is None else target_of(value, digits, asked.definition.range[1])
    material = gather(qrels, run)
    work = Candidates(material, Values(material, asked), query)
    base = work.candidate(work.base)
    tools = tuple(work.tools())
    answers = work.answers()
    single = tuple(work.candidate(c) for c in _changed(work.base, answers, 1))
    found: list[Candidate] = []
    stage: int | None = None
    tried: list[Candidate] = [base, *tools]
    complete = True
    if target is not None:
        found, stage, tried, complete = _search(work, target, [base, *tools], answers, limit)
    return Reconciliation(
        measure=asked,
        run=material.run.name,
        qrels=material.qrels.name,
        query=query,
        target=target,
        asked=base,
        tools=tools,
        single=single,
        matches=tuple(found[:SHOWN]),
        nearest=_nearest(target, tried) if target is not None and not found else None,
        stage=stage,
        tried=len(tried),
        complete=complete,
        facts=work.facts,
        users=work.users(),
    )


def _search(
    work: Candidates,
    target: Target,
    first: list[Candidate],
    answers: dict[str, list[Any]],
    limit: int,
) -> tuple[list[Candidate], int | None, list[Candidate], bool]:
    """(matches of the first stage that has one, that stage, all tried, whether that was all)."""
    tried = list(first)
    found = [c for c in first if target.meets(c.value)]
    if found:
        return found, 0, tried, False
    for size in range(1, len(answers) + 1):
        for conventions in _changed(work.base, answers, size):
            if len(tried) >= limit:
                return found, size if found else None, tried, False
            candidate = work.candidate(conventions)
            tried.append(candidate)
            if target.meets(candidate.value):
                found.append(candidate)
        if found:
            return found, size, tried, False
    return [], None, tried, True


def _nearest(target: Target, tried: list[Candidate]) -> Candidate | None:
    defined = [c for c in tried if not math.isnan(c.value)]
    return min(defined, key=lambda c: (target.off_by(c.value), len(c.changed)), default=None)


def _changed(base: Conventions, answers: dict[str, list[Any]], size: int) -> Iterator[Conventions]:
    """Every combination that differs from `base` in `size` answers, the likeliest axes first."""
    for axes in itertools.combinations(answers, size):
        for chosen in itertools.product(*(answers[axis] for axis in axes)):
            yield replace(base, **dict(zip(axes, chosen, strict=True)))
