"""What has been judged, by whom, and how fast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from cranfield.judging.judgment import Judge, Judgment
from cranfield.judging.labels import standing


@dataclass(frozen=True)
class JudgeStatus:
    """What stands of one judge.

    Parameters
    ----------
    queries, pairs : that they judged, whatever came of it.
    graded, unsure, skip, failed : pairs by state.
    changed, undone : rows of theirs that count no more.
    shared : pairs that another judge graded too.
    mean : of the grades, None without one.
    seconds : the median that a judgment took, None where no row says.
    last : the time of the last row.
    """

    judge: Judge
    queries: int
    pairs: int
    graded: int
    unsure: int
    skip: int
    failed: int
    changed: int
    undone: int
    shared: int
    mean: float | None
    seconds: float | None
    last: str


@dataclass(frozen=True)
class Status:
    """All judges, in the order in which they began.

    Parameters
    ----------
    rows : of the store.
    pairs : with a grade.
    shared : graded by two judges or more.
    conflicts : of these, with different grades.
    """

    judges: tuple[JudgeStatus, ...]
    rows: int
    pairs: int
    shared: int
    conflicts: int


def status_of(rows: Sequence[Judgment]) -> Status:
    """From the rows of the store, in their order."""
    now = standing(rows)
    grades: dict[tuple[str, str], list[float]] = {}
    for j in now:
        if j.grade is not None:
            grades.setdefault(j.pair, []).append(j.grade)
    mine: dict[Judge, list[Judgment]] = {}
    every: dict[Judge, list[Judgment]] = {}
    for j in rows:
        every.setdefault(j.judge, []).append(j)
    for j in now:
        mine.setdefault(j.judge, []).append(j)
    judges = tuple(_of(judge, own, mine.get(judge, []), grades) for judge, own in every.items())
    return Status(
        judges,
        len(rows),
        len(grades),
        sum(len(g) > 1 for g in grades.values()),
        sum(len(set(g)) > 1 for g in grades.values()),
    )


def _of(
    judge: Judge,
    every: Sequence[Judgment],
    now: Sequence[Judgment],
    grades: dict[tuple[str, str], list[float]],
) -> JudgeStatus:
    given = [j.grade for j in now if j.grade is not None]
    took = [j.seconds for j in every if j.seconds is not None]
    undone = sum(j.state == "undone" for j in every)
    states = [j.state for j in now]
    return JudgeStatus(
        judge,
        len({j.query for j in now}),
        len(now),
        states.count("graded"),
        states.count("unsure"),
        states.count("skip"),
        states.count("failed"),
        len(every) - 2 * undone - len(now),
        undone,
        sum(j.grade is not None and len(grades[j.pair]) > 1 for j in now),
        sum(given) / len(given) if given else None,
        median(took) if took else None,
        max(j.at for j in every),
    )
