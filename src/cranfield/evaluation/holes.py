"""Holes, the unjudged documents of result lists, as the topics that bounds are computed of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from cranfield.data.columns import distinct
from cranfield.data.qrels import Qrels
from cranfield.measures import Hits, Judgments, Measure
from cranfield.measures.bounds import Bound, Seen, bounder
from cranfield.measures.hits import Floats
from cranfield.measures.seen import World

MOST_LEVELS = 1000  # of a scale of whole grades; beyond it only the grades present count
Grades = dict[str, dict[str, float]]


def levels_of(qrels: Qrels, scale: float | None = None) -> Floats:
    """The grades that a document could be given: 0 to the largest where all are whole numbers,
    else those that were given."""
    top = max(scale or 0.0, qrels.max_grade, 1.0)
    given = qrels.levels[qrels.levels >= 0]
    whole = bool((given == np.floor(given)).all()) and float(top).is_integer()
    if whole and top <= MOST_LEVELS:
        return np.arange(top + 1)
    return distinct(np.concatenate([np.zeros(1), given, [top]]))


def grades_of(qrels: Qrels) -> Grades:
    """{query: {document: grade}} without grades below 0; of several the highest counts."""
    names = qrels.queries.to_list()
    found: Grades = {name: {} for name in names}
    rows = np.flatnonzero(qrels.grade >= 0)
    for q, doc, grade in zip(
        qrels.query[rows].tolist(),
        qrels.docs.take(rows).to_list(),
        qrels.grade[rows].tolist(),
        strict=True,
    ):
        mine = found[names[q]]
        mine[doc] = max(grade, mine.get(doc, grade))
    return found


def topics_of(judgments: Judgments, hits: Hits) -> Iterator[Seen]:
    """Each topic of a run, in order: which ranks are judged is known without any document id."""
    kept = judgments.grade >= 0
    order = np.argsort(judgments.query[kept], kind="stable")
    given = judgments.grade[kept][order]
    stands = np.searchsorted(judgments.query[kept][order], np.arange(judgments.n_queries + 1))
    first = np.searchsorted(hits.query, np.arange(judgments.n_queries + 1))
    grade = judgments.grade[hits.row]
    for q, length in enumerate(hits.n_ret.tolist()):
        mine = slice(first[q], first[q + 1])
        grades, holes = np.zeros(length), np.arange(length)
        judged = grade[mine] >= 0
        ranks = hits.rank[mine][judged]
        grades[ranks] = grade[mine][judged]
        holes[ranks] = -1
        yield Seen(given[stands[q] : stands[q + 1]], (grades,), (holes,))


def topic_of(judged: Mapping[str, float], *lists: Sequence[str]) -> tuple[Seen, list[str]]:
    """One topic with one list of documents or two, and the id of each hole by its number."""
    number: dict[str, int] = {}
    grades, holes = [], []
    for docs in lists:
        grades.append(np.array([judged.get(doc, 0.0) for doc in docs], np.float64))
        at = [-1 if doc in judged else number.setdefault(doc, len(number)) for doc in docs]
        holes.append(np.array(at, np.int64))
    given = np.fromiter(judged.values(), np.float64, len(judged))
    return Seen(given, tuple(grades), tuple(holes)), list(number)


def labelled(topic: Seen, hole: int, grade: float) -> Seen:
    """The topic once the document of this hole has been given this grade."""
    return Seen(
        np.append(topic.judged, grade),
        tuple(
            np.where(h == hole, grade, g) for g, h in zip(topic.grades, topic.holes, strict=True)
        ),
        tuple(np.where(h == hole, -1, h) for h in topic.holes),
    )


class Bounded:
    """The bounds of one measure; topics that look alike are worked out once.

    Parameters
    ----------
    measure : one that `has_bounds`
    levels : the grades that a hole may have, ascending from 0, and all that were given
    """

    def __init__(self, measure: Measure, levels: Floats, world: World = "closed") -> None:
        self.measure, self.levels, self.world = measure, levels, world
        self.top = float(max(levels))
        self._bound = bounder(measure, world)
        self._known: dict[tuple[bytes, ...], Bound] = {}

    def __call__(self, topic: Seen) -> Bound:
        seen = topic.cut(self.measure.cutoff)
        key = (
            np.sort(seen.judged).tobytes(),
            *(
                part.tobytes()
                for g, h in zip(seen.grades, seen.holes, strict=True)
                for part in (np.where(h < 0, g, 0.0), h)
            ),
        )
        if key not in self._known:
            self._known[key] = self._bound(seen, self.levels)
        return self._known[key]


def mean_bound(found: Iterable[Bound]) -> Bound:
    """The mean over topics: the mean of the lower and of the upper ends."""
    every = list(found)
    n = max(len(every), 1)
    return Bound(
        math.fsum(b.low for b in every) / n,
        math.fsum(b.high for b in every) / n,
        all(b.exact for b in every),
    )
