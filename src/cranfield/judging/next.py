"""What to label next so that one comparison is settled, and when it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import NothingToEvaluate, UsageError
from cranfield.evaluation.holes import grades_of, levels_of
from cranfield.judging.chances import (
    SAMPLES,
    chance,
    scored_as_is,
    seen_prior,
    uniform_prior,
)
from cranfield.judging.contest import Answer, Candidate, Contest
from cranfield.judging.labels import Labels
from cranfield.judging.policies import Policy
from cranfield.judging.scale import Scale, scale_of
from cranfield.judging.sets import MAJORITY, LabelSet, label_set
from cranfield.kit.arguments import number
from cranfield.measures import Measure
from cranfield.measures.bounds import Bound

DEEPEST = 100  # cutoff up to which the labels of the best case are counted
_ALL = 1 << 62


@dataclass(frozen=True)
class Next:
    """How a comparison stands, and the documents to label.

    Parameters
    ----------
    base, run, measure : what is compared: run less base.
    queries : the mean is over.
    judged, holes : documents of either list, as deep as the measure looks.
    difference : of the means, unjudged documents taken as not relevant.
    bound : of the difference, whatever grades of the scale they get.
    answer : None while it is open.
    scale : on which all this holds; where it is not `sure`, a grade above it may undo it.
    chance : that the run has the greater mean, under `prior`.
    prior : (grade, share) of an unjudged document, and `prior_from`: "judged", "given" or "none",
        where nothing is judged and all grades are alike.
    level : the chance from which on the probable rule calls it settled.
    labels : about how many labels would do it if each fell in favour of the run that is ahead; None
        where it is settled, or where they could not.
    documents : the most influential first.
    """

    base: str
    run: str
    measure: str
    queries: int
    judged: int
    holes: int
    difference: float
    bound: Bound
    answer: Answer | None
    chance: float
    prior: tuple[tuple[float, float], ...]
    prior_from: str
    level: float
    samples: int
    seed: int
    labels: int | None
    scale: Scale
    documents: tuple[Candidate, ...]
    notes: tuple[str, ...] = ()

    @property
    def probable(self) -> Answer | None:
        """The answer of the probable rule."""
        return self.answer or likely(self.chance, self.level)


def chance_level(level: object) -> float:
    """The level of the probable rule: at half or less, both answers would be probable at once."""
    return number("level", level, "must lie above 0.5 and below 1", lambda x: 0.5 < x < 1)


def likely(chance: float, level: float) -> Answer | None:
    return "run" if chance >= level else "base" if chance <= 1 - level else None


def contest_of(
    base: Any,
    run: Any,
    measure: Any = "nDCG@10",
    *,
    qrels: Any = None,
    labels: Labels | None = None,
    combine: Policy = MAJORITY,
    queries: Iterable[str] | None = None,
    scale: float | None = None,
) -> tuple[Contest, tuple[str, str], Scale, tuple[str, ...]]:
    """(the comparison, names of base and run, scale, notes) from whatever holds them; see
    `next_labels`."""
    from cranfield.evaluation.inputs import asked_measures

    asked = [m for _, m in asked_measures(measure)]
    if len(asked) > 1:
        raise UsageError(f"{len(asked)} measures", "labels are chosen for one at a time")
    found = LabelSet("none", Qrels.from_rows([], name="none"))
    if qrels is not None:
        found = label_set(qrels, labels=labels, combine=combine)
    known, grades = found.qrels, scale_of([found], scale, labels)
    resolved: Measure = asked[0].resolve(grades.top)
    lists, names = zip(*(_lists(r, resolved.cutoff) for r in (base, run)), strict=True)
    wanted = None if queries is None else list(queries)
    contest = Contest(
        lists[0], lists[1], grades_of(known), resolved, levels_of(known, grades.top), wanted
    )
    if not any(topic.lists[0] or topic.lists[1] for topic in contest.topics):
        raise NothingToEvaluate("neither run answers any of the queries")
    return contest, _told_apart(*names), grades, found.notes


def _lists(run: Any, k: int | None) -> tuple[dict[str, list[str]], str]:
    from cranfield.evaluation.lists import top_of
    from cranfield.formats.readers import read_run
    from cranfield.scan.lines import Lines

    found = run if isinstance(run, Run) else read_run(run)
    tops = top_of(Lines.from_run(found), k or _ALL)
    return {q: [doc for doc, _ in docs] for q, docs in tops.items()}, found.name


def _told_apart(base: str, run: str) -> tuple[str, str]:
    return (base, run) if base != run else (f"{base} (1)", f"{run} (2)")


def next_labels(
    base: Any,
    run: Any,
    measure: Any = "nDCG@10",
    *,
    n: int | None = 20,
    level: float = 0.95,
    prior: float | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
    **given: Any,
) -> Next:
    """The unjudged documents of two runs by how much they can change which is better, and whether
    that is settled.

    Parameters
    ----------
    base, run : anything that holds a run.
    measure : one that has bounds: nDCG, DCG, AP, P, R, RR, Success, ERR, RBP.
    n : documents to name; None for all.
    level : of the probable rule, above 0.5.
    prior : the chance that an unjudged document is relevant [the shares among the judged].
    samples, seed : of the gradings that the chance is counted over.
    qrels : what is judged so far, see `label_set` [nothing]; `labels`, `combine` for it.
    queries : ids, over which the mean is taken [all of both runs and the qrels].
    scale : the largest grade a label may have [that of the rubrics that the labels name; where
        they name none that is known, the largest in the qrels, 1 without any].

    Raises
    ------
    MeasureError, UsageError, NothingToEvaluate, FormatError, InputError, NoSuchInput
    """
    level = chance_level(level)
    if n is not None and n < 0:
        raise UsageError(f"n is {n}", "how many documents to name, from 0 on")
    contest, names, scale, notes = contest_of(base, run, measure, **given)
    judged = sum(len({*t.lists[0], *t.lists[1]} & t.grades.keys()) for t in contest.topics)
    shares = seen_prior(contest) if prior is None else uniform_prior(contest.levels, prior)
    difference = scored_as_is(contest)
    every = contest.candidates()
    return Next(
        *names,
        str(contest.measure),
        len(contest.topics),
        judged,
        contest.holes,
        difference,
        contest.bound,
        contest.answer,
        chance(contest, shares, samples=samples, seed=seed),
        tuple(zip(contest.levels.tolist(), shares.tolist(), strict=True)),
        "given" if prior is not None else "judged" if judged else "none",
        level,
        samples,
        seed,
        _at_best(contest, difference) if contest.answer is None else None,
        scale,
        tuple(every if n is None else every[:n]),
        notes,
    )


def _at_best(contest: Contest, difference: float) -> int | None:
    """Each step bounds a query anew, which takes too long for lists that are deep."""
    if contest.measure.cutoff is None or contest.measure.cutoff > DEEPEST:
        return None
    from cranfield.evaluation.holes import Bounded
    from cranfield.evaluation.undecided import gap

    base, run = (
        {t.query: [(doc, 0.0) for doc in t.lists[i]] for t in contest.topics} for i in (0, 1)
    )
    return gap(
        run,
        base,
        [t.query for t in contest.topics],
        {t.query: t.grades for t in contest.topics},
        Bounded(contest.measure, contest.levels),
        difference=difference,
    ).labels
