"""How likely it is that the one run is better, given what is judged and a prior for what is not.

The prior gives each unjudged document, on its own, one of the grades with given shares. Gradings
are drawn from it and scored by the measure itself, so that this holds for every measure. Real
documents are not independent, so that a chance near 0 or 1 is bolder than it should be; the
certain rule (`Contest.answer`) needs no prior.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

import numpy as np

from cranfield.data.columns import Floats
from cranfield.errors import UsageError
from cranfield.judging.contest import Contest, Topic
from cranfield.kit.progress import progress
from cranfield.measures import Hits, Judgments, Measure, compute

SAMPLES = 1000


def uniform_prior(levels: Floats, relevant: float = 0.5) -> Floats:
    """[level] shares: `relevant` spread evenly over the grades above 0, the rest for 0.

    Raises
    ------
    UsageError
        `relevant` is not between 0 and 1.
    """
    if not 0 < relevant < 1:
        raise UsageError(f"the prior is {relevant!r}", "a chance of relevance between 0 and 1")
    shares = np.full(len(levels), relevant / max(len(levels) - 1, 1))
    shares[0] = 1 - relevant
    return shares


def seen_prior(contest: Contest) -> Floats:
    """[level] the shares of the grades that judged documents in either list have, each level
    counted once more than it occurs; with nothing judged all levels are alike."""
    counts = np.ones(len(contest.levels))
    for topic in contest.topics:
        for doc in {*topic.lists[0], *topic.lists[1]} & topic.grades.keys():
            counts[int(np.searchsorted(contest.levels, topic.grades[doc]))] += 1
    shares: Floats = counts / counts.sum()
    return shares


def chance(
    contest: Contest, prior: Floats | None = None, *, samples: int = SAMPLES, seed: int = 0
) -> float:
    """The share of drawn gradings by which the run has the greater mean; equal ones count half.

    Parameters
    ----------
    prior : [level] shares of the grades [`seen_prior`].
    """
    shares = seen_prior(contest) if prior is None else prior
    chances = Chances(contest, samples, seed)
    with progress("drawing gradings", len(contest.topics)) as advance:
        for topic in contest.topics:
            chances.draw(topic, shares)
            advance(1)
    return chances(shares)


class Chances:
    """`chance` again and again while labels come: a query is drawn anew when it has changed, or
    the prior has. The draws of a query depend on the seed and its name alone."""

    def __init__(self, contest: Contest, samples: int = SAMPLES, seed: int = 0) -> None:
        if samples < 1:
            raise UsageError(f"samples is {samples}", "a number above 0")
        self._contest, self._samples, self._seed = contest, samples, seed
        self._known: dict[str, tuple[int, bytes, Floats]] = {}

    def __call__(self, prior: Floats) -> float:
        total = np.zeros(self._samples)
        for topic in self._contest.topics:
            total += self.draw(topic, prior)
        total = np.round(total, 9)
        return float(((total > 0) + 0.5 * (total == 0)).mean())

    def draw(self, topic: Topic, prior: Floats) -> Floats:
        """[sample] differences of one query."""
        known = self._known.get(topic.query)
        if known is None or known[:2] != (topic.version, prior.tobytes()):
            known = topic.version, prior.tobytes(), self._drawn(topic, prior)
            self._known[topic.query] = known
        return known[2]

    def _drawn(self, topic: Topic, prior: Floats) -> Floats:
        digest = hashlib.blake2b(topic.query.encode(), digest_size=8).digest()
        rng = np.random.default_rng([self._seed, int.from_bytes(digest, "little")])
        size = self._samples if topic.names else 1
        # one column a document, so that a label leaves the draws of the others as they were
        place = {doc: i for i, doc in enumerate(_documents(topic))}
        uniform = rng.random((len(place), size))[[place[doc] for doc in topic.names]].T
        edges = np.cumsum(prior)[:-1]
        grades = self._contest.levels[np.searchsorted(edges, uniform, side="right")]
        return differences(topic, self._contest.measure, grades)


def _documents(topic: Topic) -> list[str]:
    return sorted({*topic.lists[0], *topic.lists[1]})


def scored_as_is(contest: Contest) -> float:
    """The mean difference (run - base) where what nobody judged is not relevant."""
    found = [
        float(differences(t, contest.measure, np.zeros((1, len(t.names))))[0])
        for t in contest.topics
    ]
    return math.fsum(found) / max(len(found), 1)


def differences(topic: Topic, measure: Measure, grades: Floats) -> Floats:
    """[s] run less base of one query under s gradings of its holes.

    Parameters
    ----------
    grades : [s, hole] in the order of the topic's names.
    """
    s, u = len(grades), len(topic.names)
    judged = sorted(topic.grades)
    place = {doc: i for i, doc in enumerate([*judged, *topic.names])}
    rows = len(place)
    known = np.tile([topic.grades[doc] for doc in judged], (s, 1)) if judged else np.zeros((s, 0))
    both = np.concatenate([known, grades.reshape(s, u)], axis=1)
    block = Judgments(s, np.repeat(np.arange(s), rows), both.ravel())
    base, run = (
        compute([measure], block, _hits([place[doc] for doc in docs], s, rows))[0][:, 0]
        for docs in topic.lists
    )
    found: Floats = run - base
    return found


def _hits(rows: Sequence[int], samples: int, step: int) -> Hits:
    """The same list for every sample, whose rows begin `step` further on."""
    n = len(rows)
    rank = np.tile(np.arange(n), samples)
    first = np.repeat(np.arange(samples) * step, n)
    return Hits(
        np.repeat(np.arange(samples), n),
        rank,
        first + np.tile(np.array(rows, np.int64), samples),
        rank,
        np.ones(len(rank), np.int64),
        np.full(samples, n),
    )
