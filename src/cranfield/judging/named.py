"""Labels of a store by a name such as `@llm:small-1#5e1c0d`, and which of them are meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cranfield.errors import NothingToEvaluate, UnknownName, UsageError
from cranfield.judging.judgment import SOURCES, Judgment, Wanted
from cranfield.judging.labels import Labels, judges

PREFIX = 4  # letters of a fingerprint that are enough to name it


def of_store(text: str, labels: Labels | None) -> tuple[Judgment, ...]:
    """The judgments that stand of `@SOURCE`, `@SOURCE:NAME` (an assessor or a model),
    `@SOURCE:NAME#BY` or `@SOURCE#BY`, where BY is a prompt, the version of a rubric, or the
    beginning of either; `@all` is of every source.

    Raises
    ------
    UsageError
        There is no store.
    UnknownName
        No such source, judge, prompt or rubric.
    NothingToEvaluate
        There are none.
    """
    if labels is None:
        raise UsageError(f"{text} names labels of a store", "say which: --labels labels.sqlite")
    before, _, rest = text[1:].partition(":")
    source, _, by = before.partition("#")
    if source != "all" and source not in SOURCES:
        raise UnknownName(
            f"no source {source!r}",
            f"@all, or @ and one of {', '.join(SOURCES)}; @human:anna, @llm:MODEL#PROMPT",
        )
    wanted = Wanted() if source == "all" else Wanted(sources=(source,))
    found = labels.current(wanted)
    if rest:
        found, by = _of_judge(rest, found, source)
    if by:
        found = _told(by, found)
    if not found:
        raise NothingToEvaluate(f"the label store has no labels {text}")
    return found


def _of_judge(
    name: str, found: tuple[Judgment, ...], source: str
) -> tuple[tuple[Judgment, ...], str]:
    """Those of a judge, and by which prompt or rubric; a name may have a # in it."""
    mine = tuple(j for j in found if name in (j.assessor, j.model, j.judge.name))
    if mine:
        return mine, ""
    name, _, by = name.rpartition("#") if "#" in name else (name, "", "")
    mine = tuple(j for j in found if name in (j.assessor, j.model, replace(j.judge, sample=0).name))
    if not mine:
        known = ", ".join(dict.fromkeys(replace(j, sample=0).name for j in judges(found))) or "none"
        raise UnknownName(f"no labels of {name!r} among those of {source}", f"judges: {known}")
    return mine, by


def _told(by: str, found: Sequence[Judgment]) -> tuple[Judgment, ...]:
    mine = tuple(j for j in found if _is(by, j.prompt) or _is(by, j.rubric))
    if not mine:
        raise UnknownName(f"no labels by the prompt or rubric {by!r}", _known(found))
    return mine


def _is(asked: str, name: str) -> bool:
    return asked == name or (len(asked) >= PREFIX and name.startswith(asked))


def _known(found: Iterable[Judgment]) -> str:
    listed = list(found)
    prompts = ", ".join(sorted({j.prompt for j in listed if j.prompt})) or "none"
    rubrics = ", ".join(sorted({j.rubric for j in listed if j.rubric})) or "none"
    return f"prompts: {prompts}; rubrics: {rubrics}"


def narrowed(
    found: Sequence[Judgment], which: Wanted
) -> tuple[tuple[Judgment, ...], tuple[str, ...]]:
    """Those by the models, prompts and rubrics of `which`, and what of these none of them is by.

    What nothing is by narrows nothing: people have no prompt, and a set of theirs beside one of a
    model stays whole.
    """
    kept, unmatched = tuple(found), []
    for column, values in which.columns().items():
        mine = tuple(
            j
            for j in kept
            if any(v == getattr(j, column) or _told_so(v, j, column) for v in values)
        )
        if mine:
            kept = mine
        else:
            unmatched.append(f"{column} {' or '.join(values)}")
    return kept, tuple(unmatched)


def _told_so(value: str, judgment: Judgment, column: str) -> bool:
    return column in ("prompt", "rubric") and _is(value, getattr(judgment, column))


def found_somewhere(unmatched: Sequence[Sequence[str]], sets: Sequence[Sequence[Judgment]]) -> None:
    """Refuse what narrowed none of the sets.

    Raises
    ------
    UnknownName
    """
    nowhere = set(unmatched[0]).intersection(*unmatched[1:]) if unmatched else set()
    for what in sorted(nowhere):
        every = [j for judgments in sets for j in judgments]
        models = ", ".join(sorted({j.model for j in every if j.model})) or "none"
        raise UnknownName(f"no labels by the {what}", f"models: {models}; {_known(every)}")
