"""Two sets of labels, and the pairs that both have."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.data.collection import Query
from cranfield.data.columns import Floats, Index
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError, NothingToEvaluate, UnknownName, UsageError
from cranfield.formats.readers import read_qrels
from cranfield.judging.interchange.origin import Origin
from cranfield.judging.interchange.read import read_judgments
from cranfield.judging.judgment import SOURCES, Judgment, Wanted
from cranfield.judging.labels import Labels, judges, standing
from cranfield.judging.policies import Policy, apply_policy, policy
from cranfield.kit.fingerprint import of_numbers, of_parts

MAJORITY = policy("majority")


@dataclass(frozen=True, eq=False)
class LabelSet:
    """One grade a pair, and the judgments that they were made from.

    Parameters
    ----------
    name : for tables.
    judgments : empty where only grades are known.
    notes : what was passed over, or combined.
    """

    name: str
    qrels: Qrels
    judgments: tuple[Judgment, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """Of the grades, whatever they are called."""
        q = self.qrels
        names = q.queries.to_list()
        return of_parts([*(names[i] for i in q.query.tolist()), *q.docs, of_numbers(q.grade)])

    def grades(self) -> dict[tuple[str, str], float]:
        """{(query, document): grade} of judged pairs; those with a negative grade are none."""
        names = self.qrels.queries.to_list()
        columns = (self.qrels.query.tolist(), self.qrels.docs, self.qrels.grade.tolist())
        return {(names[q], d): g for q, d, g in zip(*columns, strict=True) if g >= 0}


def label_set(
    given: Any,
    *,
    labels: Labels | None = None,
    combine: Policy = MAJORITY,
    queries: Sequence[Query] | None = None,
) -> LabelSet:
    """Labels from whatever holds them.

    Parameters
    ----------
    given : a file of labels in any format, `@human`, `@llm:NAME` and so on for those of `labels`
        from one source and one assessor or model, `@all`; Qrels, {query: {doc: grade}}, a frame;
        judgments; or a LabelSet.
    combine : how several judgments of a pair become one grade.

    Raises
    ------
    As `read_judgments`; UsageError for `@` without a store, UnknownName for a judge it lacks.
    """
    if isinstance(given, LabelSet):
        return given
    if isinstance(given, Qrels):
        return LabelSet(given.name, given)
    if isinstance(given, (list, tuple)) and given and isinstance(given[0], Judgment):
        return _combined("labels", standing(given), combine, ())
    if not isinstance(given, (str, os.PathLike)):
        return LabelSet("labels", read_qrels(given))
    text = os.fspath(given)
    if text.startswith("@") and not os.path.exists(text):
        return _of_store(text, labels, combine)
    if os.path.isdir(text) or text.startswith("irds:"):
        return LabelSet(text, read_qrels(text))
    found = read_judgments(text, origin=Origin(), queries=queries)
    if found.preferences:
        raise InputError(f"{text}: preferences, not grades")
    name = os.path.basename(text)
    return _combined(name, standing(found.judgments), combine, found.notes)


def _of_store(text: str, labels: Labels | None, combine: Policy) -> LabelSet:
    if labels is None:
        raise UsageError(f"{text} names labels of a store", "say which: --labels labels.sqlite")
    source, _, who = text[1:].partition(":")
    if source != "all" and source not in SOURCES:
        raise UnknownName(
            f"no source {source!r}", f"@all, or @ and one of {', '.join(SOURCES)}; @human:anna"
        )
    wanted = Wanted() if source == "all" else Wanted(sources=(source,))
    found = labels.current(wanted)
    if who:
        mine = tuple(j for j in found if who in (j.assessor, j.model, j.judge.name))
        if not mine:
            known = ", ".join(dict.fromkeys(j.name for j in judges(found))) or "none"
            raise UnknownName(f"no labels of {who!r} among those of {source}", f"judges: {known}")
        found = mine
    if not found:
        raise NothingToEvaluate(f"the label store has no labels {text}")
    return _combined(text, found, combine, ())


def _combined(
    name: str, judgments: tuple[Judgment, ...], combine: Policy, notes: tuple[str, ...]
) -> LabelSet:
    made = apply_policy(judgments, combine, name=name)
    who = len(judges(judgments))
    if who > 1:
        notes = (
            *notes,
            f"{name}: {who} judges, {made.conflicts} pairs in conflict, combined by "
            f"{combine.combine}",
        )
    if made.without_grade:
        notes = (*notes, f"{name}: {made.without_grade} pairs without a grade left out")
    return LabelSet(name, made.qrels, judgments, notes)


@dataclass(frozen=True, eq=False)
class Paired:
    """The pairs that both sets grade.

    Parameters
    ----------
    queries : of them, in the order of the first set.
    query : [n] place in `queries`.
    docs : [n]
    a, b : [n] grades.
    levels : [q] the scale, ascending.
    only_a, only_b : pairs that one set alone grades.
    off_scale : pairs left out because a grade is not on the scale that was given.
    """

    queries: tuple[str, ...]
    query: Index
    docs: tuple[str, ...]
    a: Floats
    b: Floats
    levels: Floats
    only_a: int
    only_b: int
    off_scale: int = 0


def paired(
    a: LabelSet,
    b: LabelSet,
    *,
    scale: Sequence[float] | None = None,
    only: Sequence[str] | None = None,
) -> Paired:
    """Pairs that both have graded.

    Parameters
    ----------
    scale : all grades there are; by default those that occur in either set.
    only : queries to keep.

    Raises
    ------
    NothingToEvaluate
        They share no pair.
    """
    one, two = a.grades(), b.grades()
    if only is not None:
        kept = set(only)
        one, two = ({p: g for p, g in x.items() if p[0] in kept} for x in (one, two))
    both = [p for p in one if p in two]
    levels = sorted(set(scale) if scale else {*one.values(), *two.values()})
    allowed = set(levels)
    fine = [p for p in both if one[p] in allowed and two[p] in allowed]
    if not fine:
        raise NothingToEvaluate(
            f"{a.name} and {b.name} grade no pair of query and document both",
            "are the ids of queries and documents the same?" if not both else "is it the scale?",
        )
    queries = tuple(dict.fromkeys(q for q, _ in fine))
    place = {q: i for i, q in enumerate(queries)}
    return Paired(
        queries,
        np.array([place[q] for q, _ in fine], np.int64),
        tuple(d for _, d in fine),
        np.array([one[p] for p in fine]),
        np.array([two[p] for p in fine]),
        np.array(levels),
        len(one) - len(both),
        len(two) - len(both),
        len(both) - len(fine),
    )


def common_qrels(pairs: Paired, a: LabelSet, b: LabelSet) -> tuple[Qrels, Qrels]:
    """Qrels of both sets with the shared pairs alone, so that nothing differs but the grades."""
    names = [pairs.queries[i] for i in pairs.query.tolist()]
    made = []
    for labels, grades in ((a, pairs.a), (b, pairs.b)):
        rows = zip(names, pairs.docs, grades.tolist(), strict=True)
        made.append(Qrels.from_rows(rows, name=labels.name, scale=float(pairs.levels.max())))
    return made[0], made[1]


def own_qrels(pairs: Paired, a: LabelSet, b: LabelSet) -> tuple[Qrels, Qrels]:
    """Qrels of both sets with all of their own pairs, of the shared queries."""
    wanted = set(pairs.queries)
    made = []
    for labels in (a, b):
        if labels.qrels.judged_by_people or labels.qrels.has_subtopics:
            raise InputError(f"{labels.name}: judgments of subtopics or preferences")
        names = labels.qrels.queries.to_list()
        rows = np.array([names[q] in wanted for q in labels.qrels.query.tolist()], bool)
        made.append(replace(labels.qrels.take(rows), scale=float(pairs.levels.max())))
    return made[0], made[1]
