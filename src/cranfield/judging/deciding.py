"""The judgments that decide a pair, and the one grade that they come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, get_args

from cranfield.judging.judgment import Judge, Judgment, Wanted

Combine = Literal["majority", "min", "max", "median", "latest"]
Ties = Literal["lower", "higher", "latest", "drop"]
COMBINE: tuple[Combine, ...] = get_args(Combine)
TIES: tuple[Ties, ...] = get_args(Ties)


def real(judgment: Judgment) -> bool:
    """A negative grade (pooled but not judged) is nobody's grade."""
    return judgment.grade is not None and judgment.grade >= 0


def first_tier(
    mine: Sequence[Judgment], tiers: Sequence[Wanted]
) -> tuple[int, tuple[Judgment, ...]]:
    """The first tier with a grade, and its judgments that have one; where no tier has one, the
    first that says that the pair is not judged."""
    found = [[j for j in mine if tier.matches(j)] for tier in tiers]
    for i, judgments in enumerate(found):
        graded = tuple(j for j in judgments if real(j))
        if graded:
            return i, graded
    for i, judgments in enumerate(found):
        if judgments:
            return i, tuple(judgments)
    raise AssertionError("judgments of no tier are left out before")


def decide(deciding: Sequence[Judgment], combine: Combine, ties: Ties) -> tuple[float | None, bool]:
    """(grade, whether the rule for ties was needed). One judge has one vote: the samples of a model
    are combined by the same rule before they stand beside others."""
    by_judge: dict[Judge, list[Judgment]] = {}
    for j in deciding:
        by_judge.setdefault(replace(j.judge, sample=0), []).append(j)
    if len(by_judge) == 1:
        return _one(deciding, combine, ties)
    votes, tied = [], False
    for own in by_judge.values():
        grade, split = _one(own, combine, ties)
        tied = tied or split
        votes += [max((j for j in own if j.grade == grade), key=_when)] if grade is not None else []
    if not votes:
        return None, True
    grade, split = _one(votes, combine, ties)
    return grade, tied or split


def _one(deciding: Sequence[Judgment], combine: Combine, ties: Ties) -> tuple[float | None, bool]:
    grades = [float(j.grade) for j in deciding if j.grade is not None]
    candidates = _RULES[combine](deciding, grades)
    if len(candidates) == 1:
        return candidates[0], False
    if ties == "drop":
        return None, True
    if ties == "latest":
        among = [j for j in deciding if j.grade in candidates]
        return max(among, key=_when).grade, True
    return (min if ties == "lower" else max)(candidates), True


def _majority(_: Sequence[Judgment], grades: list[float]) -> list[float]:
    counted = Counter(grades)
    most = max(counted.values())
    return sorted(g for g, n in counted.items() if n == most)


def _median(_: Sequence[Judgment], grades: list[float]) -> list[float]:
    """One middle grade, or the two that an even number leaves."""
    ordered, n = sorted(grades), len(grades)
    return sorted({ordered[(n - 1) // 2], ordered[n // 2]})


_RULES: dict[str, Callable[[Sequence[Judgment], list[float]], list[float]]] = {
    "majority": _majority,
    "median": _median,
    "min": lambda _, grades: [min(grades)],
    "max": lambda _, grades: [max(grades)],
    "latest": lambda judgments, _: [float(max(judgments, key=_when).grade or 0.0)],
}


def _when(judgment: Judgment) -> tuple[str, int]:
    return judgment.at, judgment.id


def signed(deciding: Sequence[Judgment]) -> tuple[str, str]:
    """Sources and judges, each once, in the order in which they judged."""
    sources = dict.fromkeys(j.source for j in deciding)
    names = dict.fromkeys(j.judge.name for j in deciding if j.assessor or j.model)
    return "+".join(sources), "+".join(names)
