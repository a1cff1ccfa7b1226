"""The difference of two runs, bounded over all that unjudged documents may turn out to be."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from cranfield.evaluation.holes import Bounded, Grades, labelled, mean_bound, topic_of
from cranfield.evaluation.lists import Lists
from cranfield.measures.bounds import Bound, Seen
from cranfield.measures.seen import NOUGHT


@dataclass(frozen=True)
class Gap:
    """The mean difference (one - other) as the labels leave it.

    Parameters
    ----------
    bound : of the mean difference, both runs bounded together, in the closed world.
    wide : the same in the open world, where it was asked for.
    holes : different unjudged documents in either list; shared : those in both.
    labels : where `bound` is open, how many labels would decide it if each fell in favour of the
        run that is ahead, taken from the largest effect on: about the fewest. None where no
        labels of these documents could; 0 where it is decided.
    """

    bound: Bound
    holes: int
    shared: int
    labels: int | None
    wide: Bound | None = None


def gap(
    one: Lists,
    other: Lists,
    queries: Sequence[str],
    grades: Grades,
    bounded: Bounded,
    *,
    difference: float | None = None,
    wide: Bounded | None = None,
) -> Gap:
    """Bound the mean difference of two runs over `queries`.

    Parameters
    ----------
    one, other : the first results of each query, as deep as the measure reads at least
    difference : of the means as scored; with it the labels that would decide are counted
    wide : the bounds of the open world
    """
    k = bounded.measure.cutoff
    topics, holes, shared = [], 0, 0
    for query in queries:
        lists = [[doc for doc, _ in run.get(query, ())][:k] for run in (one, other)]
        topic, names = topic_of(grades[query], *lists)
        holes += len(names)
        shared += len(set(names) & set(lists[0]) & set(lists[1]))
        topics.append(topic)
    found = [bounded(topic) for topic in topics]
    mean = mean_bound(found)
    labels: int | None = None if mean.open else 0
    if mean.open and difference is not None:
        ahead = difference if difference else mean.high + mean.low
        labels = _labels(topics, found, bounded, 1 if ahead >= 0 else -1)
    outer = None if wide is None else mean_bound(map(wide, topics))
    return Gap(mean, holes, shared, labels, outer)


def _labels(
    topics: Iterable[Seen], found: Sequence[Bound], bounded: Bounded, sign: int
) -> int | None:
    """Labels until the near end of the mean difference passes 0."""
    end = sum(sign * _near(bound, sign) for bound in found)
    # each topic is worked out only as far as labels are taken from it
    steps = [_steps(topic, bounded, sign) for topic in topics]
    heap = [(-gain, t) for t, gains in enumerate(steps) for gain in islice(gains, 1)]
    heapq.heapify(heap)
    n = 0
    while end <= NOUGHT and heap:
        gain, t = heapq.heappop(heap)
        end -= gain
        n += 1
        for later in islice(steps[t], 1):
            heapq.heappush(heap, (-later, t))
    return n if end > NOUGHT else None


def _near(bound: Bound, sign: int) -> float:
    return bound.low if sign > 0 else bound.high


def _steps(topic: Seen, bounded: Bounded, sign: int) -> Iterator[float]:
    """How far each label moves the near end of a topic: documents that the two lists place most
    differently first, each with the grade that helps the run ahead."""
    topic = topic.cut(bounded.measure.cutoff)
    weight = np.zeros(topic.n_holes)
    for side, holes in zip((sign, -sign), topic.holes, strict=True):
        ranks = np.flatnonzero(holes >= 0)
        weight[holes[ranks]] += side / np.log2(ranks + 2.0)
    before = sign * _near(bounded(topic), sign)
    for hole in np.argsort(-np.abs(weight), kind="stable").tolist():
        topic = labelled(topic, hole, bounded.top if weight[hole] > 0 else 0.0)
        after = sign * _near(bounded(topic), sign)
        yield after - before
        before = after
