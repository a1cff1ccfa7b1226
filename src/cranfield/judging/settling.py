"""Labelling one comparison until it is settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from cranfield.data.columns import Floats
from cranfield.errors import UsageError
from cranfield.judging.chances import Chances, seen_prior, uniform_prior
from cranfield.judging.contest import Answer, Contest
from cranfield.judging.next import chance_level, likely
from cranfield.measures.bounds import Bound

Rule = Literal["certain", "probable"]
REFRESHED = 10  # labels after which a prior is estimated anew


@dataclass(frozen=True)
class Course:
    """How a comparison was settled.

    Parameters
    ----------
    answer : None where every document was labelled, or `most` were, and it is still open.
    labels : (query, document, grade) in the order in which they were asked for.
    chance : that the run is better, at the end; None under the certain rule.
    holes : unjudged documents at the start: what labelling them all takes.
    """

    answer: Answer | None
    labels: tuple[tuple[str, str, float], ...]
    bound: Bound
    chance: float | None
    holes: int


def settle(
    contest: Contest,
    judge: Callable[[str, str], float],
    *,
    rule: Rule = "certain",
    level: float = 0.95,
    prior: float | None = None,
    samples: int = 500,
    seed: int = 0,
    most: int | None = None,
    order: Sequence[tuple[str, str]] | None = None,
) -> Course:
    """Label until the answer is settled, always the document that can change most.

    Parameters
    ----------
    contest : changed as labels come.
    judge : (query, document) -> grade.
    rule : "certain": no grades of what is left could turn it; "probable": the chance that the
        run, or the base, is better reaches `level`.
    prior, samples, seed : as for `next_labels`; a prior from the judged documents is estimated
        anew after every ten labels.
    most : labels to ask for [all].
    order : pairs to label in this order instead, for a comparison of orders.
    """
    if rule not in get_args(Rule):
        raise UsageError(f"no rule {rule!r}", ", ".join(get_args(Rule)))
    level = chance_level(level)
    chances = Chances(contest, samples, seed) if rule == "probable" else None
    given = None if prior is None else uniform_prior(contest.levels, prior)
    shares: Floats = np.zeros(0)
    holes, done = contest.holes, list[tuple[str, str, float]]()
    ahead = iter(order) if order is not None else None
    likelihood: float | None = None
    while True:
        answer = contest.answer
        if chances is not None:
            if len(done) % REFRESHED == 0:
                shares = seen_prior(contest) if given is None else given
            likelihood = chances(shares)
            answer = answer or likely(likelihood, level)
        if answer is not None or (most is not None and len(done) >= most):
            return Course(answer, tuple(done), contest.bound, likelihood, holes)
        pair = _pair(contest, ahead)
        if pair is None:
            return Course(None, tuple(done), contest.bound, likelihood, holes)
        grade = judge(*pair)
        contest.record(*pair, grade)
        done.append((*pair, grade))


def _pair(contest: Contest, ahead: Iterator[tuple[str, str]] | None) -> tuple[str, str] | None:
    if ahead is not None:
        return next(ahead, None)
    best = contest.first()
    return None if best is None else (best.query, best.doc)
