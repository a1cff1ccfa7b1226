"""What has been judged, by whom, and how fast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from cranfield.judging.deciding import decide, real
from cranfield.judging.editions import Who, newest_only, who
from cranfield.judging.judgment import Judge, Judgment
from cranfield.judging.labels import standing
from cranfield.judging.preferences import Preference
from cranfield.judging.preferences import standing as standing_preferences
from cranfield.judging.settled import Settled, settled


@dataclass(frozen=True)
class JudgeStatus:
    """What stands of one judge.

    Parameters
    ----------
    queries, pairs : that they judged, whatever came of it.
    graded, unsure, skip, failed : pairs by state; graded with a grade of 0 or more.
    pooled : pairs with a grade below 0, which says that they are not judged and is in no figure.
    changed, undone : rows of theirs that count no more.
    shared : pairs that another judge graded too; one model under several prompts is one judge.
    mean : of the grades, None without one.
    seconds : the median that a judgment took, None where no row says.
    last : the time of the last row.
    rubrics : versions of the rubric of what stands.
    """

    judge: Judge
    queries: int
    pairs: int
    graded: int
    pooled: int
    unsure: int
    skip: int
    failed: int
    changed: int
    undone: int
    shared: int
    mean: float | None
    seconds: float | None
    last: str
    rubrics: tuple[str, ...] = ()


@dataclass(frozen=True)
class Status:
    """All judges, in the order in which they began.

    Parameters
    ----------
    rows : of the store.
    pairs : with a grade of somebody.
    shared : graded by two judges or more. Prompts and samples of one model are one judge: the
        newest prompt that grades the pair counts, and of its samples the majority (of several
        grades with as many samples the lower).
    conflicts : of these, with different grades.
    pooled : pairs with a grade below 0, and with no other of anybody: pooled, not judged.
    several : models with labels by several prompts or rubrics: name, how many, and the newest.
    """

    judges: tuple[JudgeStatus, ...]
    rows: int
    pairs: int
    shared: int
    conflicts: int
    pooled: int = 0
    several: tuple[tuple[str, int, str], ...] = ()


def status_of(rows: Sequence[Judgment]) -> Status:
    """From the rows of the store, in their order."""
    now = standing(rows)
    given, several = newest_only([j for j in now if real(j)])
    grades = _by_pair(given)
    aside = {j.pair for j in now if j.state == "graded"} - grades.keys()
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
        sum(len(set(g.values())) > 1 for g in grades.values()),
        len(aside),
        tuple((e.name, len(e.counted), next(iter(e.counted))) for e in several),
    )


def _by_pair(given: Sequence[Judgment]) -> dict[tuple[str, str], dict[Who, float | None]]:
    """{pair: {who grades it: the grade}}."""
    own: dict[tuple[str, str], dict[Who, list[Judgment]]] = {}
    for j in given:
        own.setdefault(j.pair, {}).setdefault(who(j), []).append(j)
    return {
        pair: {w: decide(said, "majority", "lower")[0] for w, said in by.items()}
        for pair, by in own.items()
    }


def _of(
    judge: Judge,
    every: Sequence[Judgment],
    now: Sequence[Judgment],
    grades: dict[tuple[str, str], dict[Who, float | None]],
) -> JudgeStatus:
    given = [j.grade for j in now if j.grade is not None and real(j)]
    took = [j.seconds for j in every if j.seconds is not None]
    undone = sum(j.state == "undone" for j in every)
    states = [j.state for j in now]
    return JudgeStatus(
        judge,
        len({j.query for j in now}),
        len(now),
        len(given),
        states.count("graded") - len(given),
        states.count("unsure"),
        states.count("skip"),
        states.count("failed"),
        len(every) - 2 * undone - len(now),
        undone,
        sum(real(j) and len(grades[j.pair]) > 1 for j in now),
        sum(given) / len(given) if given else None,
        median(took) if took else None,
        max(j.at for j in every),
        tuple(dict.fromkeys(j.rubric for j in now)),
    )


@dataclass(frozen=True)
class PreferenceStatus:
    """What stands of the preferences of one judge, all samples of a model together.

    Parameters
    ----------
    queries, pairs : that they were asked about; a pair in both orders is one.
    preferred, tie, inconsistent, one_sided : pairs by what their answers come to (`settled`).
    unsure, skip, failed : answers by state.
    changed, undone : rows of theirs that count no more.
    shared : pairs for which another judge has a preference or a tie too, as they have.
    seconds : the median that an answer took, None where no row says.
    last : the time of the last row.
    """

    judge: Judge
    queries: int
    pairs: int
    preferred: int
    tie: int
    inconsistent: int
    one_sided: int
    unsure: int
    skip: int
    failed: int
    changed: int
    undone: int
    shared: int
    seconds: float | None
    last: str


@dataclass(frozen=True)
class PreferencesStatus:
    """All judges, in the order in which they began.

    Parameters
    ----------
    rows : of the store.
    answers : that count.
    pairs : of documents with a preference or a tie of somebody.
    shared : of two judges or more.
    conflicts : of these, on which they do not say the same.
    """

    judges: tuple[PreferenceStatus, ...]
    rows: int
    answers: int
    pairs: int
    shared: int
    conflicts: int


_DECIDED = ("preferred", "tie")


def preferences_status(rows: Sequence[Preference]) -> PreferencesStatus:
    """From the rows of the store, in their order."""
    now = standing_preferences(rows)
    outcomes = settled(now)
    said: dict[tuple[str, ...], list[str | None]] = {}
    for s in outcomes:
        if s.outcome in _DECIDED:
            said.setdefault((s.query, *s.docs), []).append(s.winner)
    every: dict[Judge, list[Preference]] = {}
    for p in rows:
        every.setdefault(replace(p.judge, sample=0), []).append(p)
    standing_: dict[Judge, list[Preference]] = {judge: [] for judge in every}
    for p in now:
        standing_[replace(p.judge, sample=0)].append(p)
    decided: dict[Judge, list[Settled]] = {judge: [] for judge in every}
    for s in outcomes:
        decided[s.judge].append(s)
    return PreferencesStatus(
        tuple(
            _of_preferences(judge, own, standing_[judge], decided[judge], said)
            for judge, own in every.items()
        ),
        len(rows),
        len(now),
        len(said),
        sum(len(w) > 1 for w in said.values()),
        sum(len(set(w)) > 1 for w in said.values()),
    )


def _of_preferences(
    judge: Judge,
    every: Sequence[Preference],
    now: Sequence[Preference],
    outcomes: Sequence[Settled],
    said: dict[tuple[str, ...], list[str | None]],
) -> PreferenceStatus:
    took = [p.seconds for p in every if p.seconds is not None]
    undone = sum(p.state == "undone" for p in every)
    states = [p.state for p in now]
    found = [s.outcome for s in outcomes]
    return PreferenceStatus(
        judge,
        len({p.query for p in now}),
        len(outcomes),
        found.count("preferred"),
        found.count("tie"),
        found.count("inconsistent"),
        found.count("one-sided"),
        states.count("unsure"),
        states.count("skip"),
        states.count("failed"),
        len(every) - 2 * undone - len(now),
        undone,
        sum(s.outcome in _DECIDED and len(said[(s.query, *s.docs)]) > 1 for s in outcomes),
        median(took) if took else None,
        max(p.at for p in every),
    )
