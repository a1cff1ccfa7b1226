"""One comparison of two runs while it is being labelled: what its answer still depends on.

The state is small: for each query the two lists, the grades that are known, the bounds of the
difference, and how much each unjudged document could change. A label changes one query, and only
that query is worked out anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from cranfield.data.columns import Floats
from cranfield.errors import InputError, MeasureError, UnknownName
from cranfield.evaluation.holes import Bounded, topic_of
from cranfield.judging.influence import ALONE, Influence, influences
from cranfield.kit.progress import progress
from cranfield.measures import Measure
from cranfield.measures.bounds import Bound, Seen, has_bounds
from cranfield.stats.arrays import NOISE

Answer = Literal["base", "run", "equal"]
Docs = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Candidate:
    """An unjudged document.

    Parameters
    ----------
    rank_base, rank_run : from 1; None where the list lacks it.
    influence : how far its label can narrow the bounds of the mean difference at most.
    helps : whose side it takes if it is relevant; "equal" for neither.
    """

    query: str
    doc: str
    rank_base: int | None
    rank_run: int | None
    influence: float
    helps: Answer


@dataclass(eq=False)
class Topic:
    """One query. `names` are the documents of the holes by number; `seen` what is known."""

    query: str
    lists: tuple[tuple[str, ...], tuple[str, ...]]
    grades: dict[str, float]
    seen: Seen
    names: list[str]
    bound: Bound
    version: int = 0
    _known: dict[str, Influence] = field(default_factory=dict, repr=False)
    _weighed: int = -1

    def influences(self, bounded: Bounded) -> list[Influence]:
        """Of each hole, in the order of `names`; worked out anew where a label could change it."""
        alone = bounded.measure.family in ALONE and self._weighed >= 0
        if not alone and self._weighed != self.version:
            found = influences(self.seen, bounded)
            self._known = dict(zip(self.names, found, strict=True))
        self._weighed = self.version
        return [self._known[doc] for doc in self.names]


class Contest:
    """Two runs, and the grades known so far.

    Parameters
    ----------
    base, run : {query: documents, the best first}; a query that one lacks it answered with
        nothing.
    grades : {query: {document: grade}} of what is judged (0 or more).
    measure : one that has bounds for two lists, with `gmax` resolved.
    levels : the grades that a label may give, ascending from 0.
    queries : over which the mean is taken [all of both runs and the grades].

    Raises
    ------
    MeasureError
        The measure has no bounds, or no mean over queries.
    """

    def __init__(
        self,
        base: Docs,
        run: Docs,
        grades: Mapping[str, Mapping[str, float]],
        measure: Measure,
        levels: Floats,
        queries: Sequence[str] | None = None,
    ) -> None:
        if not has_bounds(measure) or measure.definition.aggregate != "mean":
            raise MeasureError(
                f"{measure} cannot say which labels decide a comparison: its difference has no "
                "bounds",
                "measures that have them: nDCG, DCG, AP, P, R, RR, Success, ERR, RBP",
            )
        self.measure, self.levels = measure, levels
        self._bounded = Bounded(measure, levels)
        names = sorted({*base, *run, *grades} if queries is None else set(queries))
        self.topics = [self._topic(q, base, run, grades.get(q, {})) for q in names]
        self._at = {topic.query: topic for topic in self.topics}
        self._listed: dict[str, tuple[int, list[Candidate]]] = {}
        self.labels = 0

    def _topic(self, query: str, base: Docs, run: Docs, judged: Mapping[str, float]) -> Topic:
        k = self.measure.cutoff
        lists = tuple(base.get(query, ())[:k]), tuple(run.get(query, ())[:k])
        grades = dict(judged)
        seen, names = topic_of(grades, lists[1], lists[0])
        return Topic(query, lists, grades, seen, names, self._bounded(seen))

    def record(self, query: str, doc: str, grade: float) -> None:
        """A label has come.

        Raises
        ------
        UnknownName
            The query is not one of the comparison.
        """
        topic = self._at.get(query)
        if topic is None:
            raise UnknownName(f"no query {query!r} in this comparison")
        if grade not in self.levels:
            scale = ", ".join(f"{g:g}" for g in self.levels)
            raise InputError(f"grade {grade:g} is not on the scale {scale}", "name it: scale=3")
        self.labels += doc not in topic.grades
        topic.grades[doc] = grade
        topic.seen, topic.names = topic_of(topic.grades, topic.lists[1], topic.lists[0])
        topic.bound = self._bounded(topic.seen)
        topic.version += 1

    @property
    def holes(self) -> int:
        """Pairs that nobody judged."""
        return sum(len(topic.names) for topic in self.topics)

    @property
    def bound(self) -> Bound:
        """Of the mean difference (run - base), whatever grades the holes get."""
        n = max(len(self.topics), 1)
        return Bound(
            math.fsum(t.bound.low for t in self.topics) / n,
            math.fsum(t.bound.high for t in self.topics) / n,
            all(t.bound.exact for t in self.topics),
        )

    @property
    def answer(self) -> Answer | None:
        """Who has the greater mean whatever the holes are; None while that is open."""
        found = self.bound
        if found.open:
            return None
        return "run" if found.low > NOISE else "base" if found.high < -NOISE else "equal"

    def candidates(self) -> list[Candidate]:
        """Every unjudged document, the one that can change most first; equal ones by name."""
        found: list[Candidate] = []
        with progress("weighing labels", len(self.topics)) as advance:
            for topic in self.topics:
                found += self._candidates(topic)
                advance(1)
        return sorted(found, key=_order)

    def first(self) -> Candidate | None:
        """The first of `candidates`; None where all are judged."""
        best = [self._candidates(topic)[0] for topic in self.topics if topic.names]
        return min(best, key=_order, default=None)

    def _candidates(self, topic: Topic) -> list[Candidate]:
        """In order."""
        known = self._listed.get(topic.query)
        if known is None or known[0] != topic.version:
            known = topic.version, sorted(self._made(topic), key=_order)
            self._listed[topic.query] = known
        return known[1]

    def _made(self, topic: Topic) -> Iterator[Candidate]:
        ranks = [{doc: i for i, doc in enumerate(docs, 1)} for docs in topic.lists]
        for doc, can in zip(topic.names, topic.influences(self._bounded), strict=True):
            yield Candidate(
                topic.query,
                doc,
                ranks[0].get(doc),
                ranks[1].get(doc),
                round(can.size / len(self.topics), 12) + 0.0,
                "run" if can.towards > NOISE else "base" if can.towards < -NOISE else "equal",
            )


def _order(candidate: Candidate) -> tuple[float, str, str]:
    return -candidate.influence, candidate.query, candidate.doc
