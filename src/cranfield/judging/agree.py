"""`agree`: two sets of labels in, how far they can stand for each other out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cranfield.comparison.outcome import Remark
from cranfield.data.collection import Query
from cranfield.data.scores import Scores
from cranfield.errors import NothingToEvaluate, UnknownName, UsageError
from cranfield.judging.agreement import Agreement, labels_agree
from cranfield.judging.families import SelfPreference, of_family, self_preference
from cranfield.judging.how import How
from cranfield.judging.kinship import by_family, families_of, kin, models_behind, models_of_run
from cranfield.judging.labels import Labels
from cranfield.judging.parts import count_look, draw_parts, known_parts, looks_of
from cranfield.judging.policies import Policy
from cranfield.judging.raters import Raters, raters_agree
from cranfield.judging.sets import (
    MAJORITY,
    LabelSet,
    common_qrels,
    label_set,
    own_qrels,
    paired,
)
from cranfield.judging.systems import orders, run_biases, scored

MEASURES = ("nDCG@10",)


def agree(
    a: Any,
    b: Any = None,
    runs: Sequence[Any] = (),
    measures: Any = MEASURES,
    *,
    labels: Labels | None = None,
    combine: Policy = MAJORITY,
    how: How | None = None,
    queries: Iterable[Query] | None = None,
    by: Sequence[str] = (),
    families: Mapping[str, str] | None = None,
    judge_family: str | None = None,
    part: str | None = None,
    share: float | None = None,
    part_seed: int | None = None,
    command: str = "python",
    **choices: Any,
) -> Agreement | Raters:
    """How far the labels of `b` agree with those of `a`; without `b`, the judges within `a`.

    Parameters
    ----------
    a, b : see `label_set`. Where one is the truth (people) it is `a`.
    runs, measures : to see whether both put the systems in one order.
    labels : the store that `@human` and so on, and the parts, belong to.
    combine : how several judgments of a pair become one grade.
    how : every further choice; or its fields by name (`rel=2`, `scale=(0, 1, 2, 3)`, `seed=1`).
    queries, by : queries with fields, and the fields to look at agreement by.
    families, judge_family : {run: family} of what the runs are made with, and that of the judge
        behind `b`; where they are not given, what the cards beside the runs and the judgments of
        `b` name, as far as a family judges runs of its own.
    part : `tune` or `report`: only those queries, of the parts that `labels` keeps; the first
        call draws them (`share`, `part_seed`). Showing the queries to report on is counted.
    command : what is kept with a look.

    Returns
    -------
    Agreement, or without `b` Raters

    Raises
    ------
    NothingToEvaluate
        They grade no pair both.
    UsageError, UnknownName, FormatError, InputError, NoSuchInput
    """
    if how is not None and choices:
        raise UsageError("how is given, and its fields too", "one of them")
    chosen = how if how is not None else How(**choices)
    known = None if queries is None else tuple(queries)
    first = label_set(a, labels=labels, combine=combine, queries=known)
    if b is None:
        if runs or not first.judgments:
            raise UsageError(
                "one set of labels alone is looked at for its judges, of which it must have some",
                "name a second set to compare with",
            )
        second = None
    else:
        second = label_set(b, labels=labels, combine=combine, queries=known)
    sets = [first] if second is None else [first, second]
    only, cautions = _only(sets, labels, part, share, part_seed, known)
    found: Agreement | Raters
    if second is None:
        among = raters_agree(first.name, first.judgments, chosen, only=only)
        found = replace(among, part=part, cautions=tuple(cautions))
    else:
        both = _both(first, second, runs, measures, chosen, known, by, families, judge_family, only)
        found = replace(both, part=part, cautions=(*both.cautions, *cautions))
    _look(sets, labels, part, command)
    return found


def _both(
    a: LabelSet,
    b: LabelSet,
    runs: Sequence[Any],
    measures: Any,
    how: How,
    queries: Sequence[Query] | None,
    by: Sequence[str],
    families: Mapping[str, str] | None,
    judge_family: str | None,
    only: Sequence[str] | None,
) -> Agreement:
    pairs = paired(a, b, scale=how.scale or None, only=only)
    found = labels_agree(a.name, b.name, pairs, how, _slices(queries, by), (*a.notes, *b.notes))
    if not runs:
        if families or judge_family:
            raise UsageError("families are of runs, and there is none")
        return found
    qrels = (common_qrels if how.pairs == "common" else own_qrels)(pairs, a, b)
    one, two = scored(*qrels, runs, measures)
    if families:
        own, said = _by_declared(one, two, families, judge_family, b, how)
    else:
        own, said = _by_cards(one, two, runs, judge_family, b, how)
    cautions = [*found.cautions, *said]
    if len(runs) == 1:
        cautions.append(Remark("agree.one_run"))
    return replace(
        found,
        runs=run_biases(pairs, runs, how),
        orders=orders(one, two, how),
        own=own,
        cautions=tuple(cautions),
    )


def _by_declared(
    one: Scores,
    two: Scores,
    families: Mapping[str, str],
    judge: str | None,
    b: LabelSet,
    how: How,
) -> tuple[tuple[SelfPreference, ...], list[Remark]]:
    """What the user says of the runs, and of the judge, or else of whom the labels say that they
    judged."""
    judges: Sequence[str | None] = [judge] if judge else _shared(b, families.values())
    own: list[SelfPreference] = []
    said = []
    for family in judges or [None]:
        own += self_preference(one, two, families, family, how)
        if family is not None and (mine := of_family(families, family)):
            values = {"family": family, "runs": tuple(mine)}
            said.append(Remark("agree.same_family", values))
    return tuple(own), said


def _shared(b: LabelSet, families: Iterable[str]) -> list[str]:
    """The families among these that a model behind the labels belongs to."""
    models = models_behind(b.judgments)
    named = {f for model in models for f in families_of(model)}
    return [f for f in dict.fromkeys(families) if f.casefold() in named]


def _by_cards(
    one: Scores, two: Scores, runs: Sequence[Any], judge: str | None, b: LabelSet, how: How
) -> tuple[tuple[SelfPreference, ...], list[Remark]]:
    models = {name: models_of_run(run) for name, run in zip(one.runs, runs, strict=True)}
    found = kin([judge] if judge is not None else models_behind(b.judgments), models)
    own = [
        one_of
        for k in found
        for one_of in self_preference(one, two, by_family(k.family, models), k.family, how)
    ]
    return tuple(own), [Remark("agree.kin", k.values) for k in found]


def _slices(queries: Sequence[Query] | None, by: Sequence[str]) -> dict[str, dict[str, str]]:
    known = queries or ()
    found = {}
    for name in by:
        labels = {q.id: str(q.fields[name]) for q in known if q.fields.get(name) is not None}
        if not labels:
            have = ", ".join(dict.fromkeys(k for q in known for k in q.fields)) or "none"
            raise UnknownName(f"no query has a field {name!r}", f"fields: {have}")
        found[name] = labels
    return found


def _only(
    sets: Sequence[LabelSet],
    labels: Labels | None,
    part: str | None,
    share: float | None,
    seed: int | None,
    queries: Sequence[Query] | None,
) -> tuple[tuple[str, ...] | None, list[Remark]]:
    """The queries that are looked at, None for all, and what is to be said of them."""
    if part is None:
        parts = known_parts(labels) if labels is not None else None
        seen = parts is not None and _shows(sets, parts.report)
        return None, [Remark("agree.both_parts")] if seen else []
    if labels is None:
        raise UsageError(f"the part {part!r} is one of a label store", "name it: --labels STORE")
    graded = dict.fromkeys(q for q, _ in sets[0].grades())
    texts = {q.id: q.text for q in queries or ()}
    parts = draw_parts(labels, list(graded), share=share, seed=seed, texts=texts)
    kept = parts.of(part)
    if not any(q in graded for q in kept):
        raise NothingToEvaluate(f"no query of the part {part!r} has labels in {sets[0].name}")
    return kept, [Remark("agree.tuned")] if part == "tune" else []


def _shows(sets: Sequence[LabelSet], queries: Sequence[str]) -> bool:
    wanted = set(queries)
    return all(any(q in wanted for q, _ in s.grades()) for s in sets)


def _look(sets: Sequence[LabelSet], labels: Labels | None, part: str | None, command: str) -> None:
    """Whatever shows the queries to report on is counted, said for or not."""
    parts = known_parts(labels) if labels is not None else None
    if labels is not None and parts is not None and part != "tune" and _shows(sets, parts.report):
        count_look(labels, parts, command, {s.name: s.fingerprint for s in sets})


def look_remarks(labels: Labels | None) -> list[Remark]:
    """How often the queries to report on were looked at; nothing before the first time."""
    parts = known_parts(labels) if labels is not None else None
    if labels is None or parts is None:
        return []
    looks = looks_of(labels, parts)
    if not looks.count:
        return []
    values = {"count": looks.count, "labels": looks.labels}
    said = [Remark("agree.looks", values)]
    return [*said, Remark("agree.tuning", values)] if looks.tuning else said
