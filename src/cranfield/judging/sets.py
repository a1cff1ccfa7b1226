"""Two sets of labels, and the pairs that both have."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.data.collection import Query
from cranfield.data.columns import Floats, Index
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError, NothingToEvaluate
from cranfield.formats.readers import read_qrels
from cranfield.judging.editions import in_words
from cranfield.judging.interchange.origin import Origin
from cranfield.judging.interchange.read import read_judgments
from cranfield.judging.judgment import ALL, Judgment, Wanted
from cranfield.judging.labels import Labels, standing
from cranfield.judging.named import found_somewhere, narrowed, of_store
from cranfield.judging.policies import Export, Policy, apply_policy, policy
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
    unmatched : what was asked for that no judgment is by.
    together : whether labels by several prompts of a model, or several rubrics, are put together.
    """

    name: str
    qrels: Qrels
    judgments: tuple[Judgment, ...] = ()
    notes: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()
    together: bool = False

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
    which: Wanted = ALL,
) -> LabelSet:
    """Labels from whatever holds them.

    Parameters
    ----------
    given : a file of labels in any format, `@human`, `@llm:NAME`, `@llm:NAME#PROMPT` and so on
        for those of `labels` (see `of_store`), `@all`; Qrels, {query: {doc: grade}}, a frame;
        judgments; or a LabelSet.
    combine : how several judgments of a pair become one grade.
    which : only those by its models, prompts and rubrics, where any is (see `narrowed`).

    Raises
    ------
    As `read_judgments`; UsageError for `@` without a store, UnknownName for a judge it lacks.
    """
    if isinstance(given, LabelSet):
        return given
    nothing = narrowed((), which)[1]
    if isinstance(given, Qrels):
        return LabelSet(given.name, given, unmatched=nothing)
    if isinstance(given, (list, tuple)) and given and isinstance(given[0], Judgment):
        return _combined("labels", standing(given), combine, (), which)
    if not isinstance(given, (str, os.PathLike)):
        return LabelSet("labels", read_qrels(given), unmatched=nothing)
    text = os.fspath(given)
    if text.startswith("@") and not os.path.exists(text):
        return _combined(text, of_store(text, labels), combine, (), which)
    if os.path.isdir(text) or text.startswith("irds:"):
        return LabelSet(text, read_qrels(text), unmatched=nothing)
    found = read_judgments(text, origin=Origin(), queries=queries)
    if found.preferences:
        raise InputError(f"{text}: preferences, not grades")
    name = os.path.basename(text)
    return _combined(name, standing(found.judgments), combine, found.notes, which)


def label_sets(
    given: Sequence[Any],
    *,
    labels: Labels | None = None,
    combine: Policy = MAJORITY,
    queries: Sequence[Query] | None = None,
    which: Wanted = ALL,
) -> list[LabelSet]:
    """`label_set` of each; what `which` asks for must be in one of them.

    Raises
    ------
    As `label_set`, and UnknownName.
    """
    sets = [
        label_set(g, labels=labels, combine=combine, queries=queries, which=which) for g in given
    ]
    found_somewhere([s.unmatched for s in sets], [s.judgments for s in sets])
    return sets


def _combined(
    name: str,
    judgments: Sequence[Judgment],
    combine: Policy,
    notes: tuple[str, ...],
    which: Wanted,
) -> LabelSet:
    kept, unmatched = narrowed(judgments, which)
    made = apply_policy(kept, combine, name=name)
    return LabelSet(
        name,
        made.qrels,
        kept,
        (*notes, *(f"{name}: {note}" for note in _notes(made, unmatched))),
        unmatched,
        bool(made.several_rubrics) or any(of.together for of in made.editions),
    )


def _notes(made: Export, unmatched: Sequence[str]) -> Iterator[str]:
    for what in unmatched:
        yield f"no label is by the {what}, so that all of them are taken"
    if made.judges > 1 or made.conflicts:
        yield (
            f"{made.judges} judge{'s' * (made.judges != 1)}, {made.conflicts} pairs in conflict, "
            f"combined by {made.policy.combine}"
        )
    yield from map(in_words, made.editions)
    if made.several_rubrics:
        listed = ", ".join(f"{name} ({n} pairs)" for name, n in made.several_rubrics.items())
        yield (
            "warning: labels by several rubrics, whose scales may differ, are put together: "
            f"{listed}; pairs with labels by two or more: {made.mixed}"
        )
    if made.without_grade:
        yield f"{made.without_grade} pairs without a grade left out"


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
