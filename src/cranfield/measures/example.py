"""Small blocks written by hand: for worked examples, documentation and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.measures.declaration import Example, Mark, Sampled
from cranfield.measures.hits import Aspects, Hits, Ints, Judgments, Opinions, runs_of


@dataclass(frozen=True)
class Topic:
    """One topic of a block, as a person would write it down.

    Parameters
    ----------
    ranked : the grades of the returned documents from the first on; None where the qrels have
        no row. A tuple names the subtopics that a document is about, a mapping the grade that
        each of several people gave it, `Sampled` the grade and the stratum.
    missed : the same of the documents with a row that were not returned.
    scores : of the returned documents, descending; equal ones are tied. None: no ties.
    """

    ranked: Sequence[Mark] = ()
    missed: Sequence[Mark] = ()
    scores: Sequence[float] | None = None


def block(topics: Sequence[Topic]) -> tuple[Judgments, Hits]:
    """The judgments and hits of `topics`, which are numbered in the order given."""
    rows: list[tuple[int, Mark]] = []
    found: list[tuple[int, int, int, int, int]] = []  # query, rank, row, tie start, tie length
    for number, topic in enumerate(topics):
        start, length = _tie_groups(topic)
        for place, mark in enumerate(topic.ranked):
            if mark is not None:
                found.append((number, place, len(rows), start[place], length[place]))
                rows.append((number, mark))
        rows += [(number, mark) for mark in topic.missed]
    judgments = Judgments(
        len(topics),
        np.array([query for query, _ in rows], np.int64),
        np.array([_grade(mark) for _, mark in rows], np.float64),
        _aspects([mark for _, mark in rows]),
        _opinions([mark for _, mark in rows]),
        _strata([mark for _, mark in rows]),
    )
    query, rank, row, tie_start, tie_len = np.array(found, np.int64).reshape(-1, 5).T
    n_ret = np.array([len(topic.ranked) for topic in topics], np.int64)
    return judgments, Hits(query, rank, row, tie_start, tie_len, n_ret)


def _grade(mark: Mark) -> float:
    """The largest grade of a document."""
    if isinstance(mark, Mapping):
        return max(mark.values())
    if isinstance(mark, Sampled):
        return float(mark.grade)
    return float(bool(mark)) if isinstance(mark, tuple) else float(mark or 0.0)


def _aspects(marks: Sequence[Mark]) -> Aspects | None:
    """The grades by subtopic, 1 each, where some document has subtopics."""
    if not any(isinstance(mark, tuple) for mark in marks):
        return None
    named = [(row, s) for row, mark in enumerate(marks) if isinstance(mark, tuple) for s in mark]
    row, subtopic = np.array(named, np.int64).reshape(-1, 2).T
    return Aspects(row, subtopic, np.ones(len(row)))


def _opinions(marks: Sequence[Mark]) -> Opinions | None:
    """The grades by person, in one part each, where some document has several."""
    people = sorted({p for mark in marks if isinstance(mark, Mapping) for p in mark})
    if not people:
        return None
    said = [
        (row, people.index(person), grade)
        for row, mark in enumerate(marks)
        if isinstance(mark, Mapping)
        for person, grade in mark.items()
    ]
    row, group = np.array([entry[:2] for entry in said], np.int64).T
    level = np.array([grade for *_, grade in said], np.float64)
    return Opinions(row, group, np.zeros_like(row), level)


def _strata(marks: Sequence[Mark]) -> Ints | None:
    """The stratum of each row, where documents have one."""
    if not any(isinstance(mark, Sampled) for mark in marks):
        return None
    return np.array([m.stratum if isinstance(m, Sampled) else 0 for m in marks], np.int64)


def example_block(example: Example) -> tuple[Judgments, Hits]:
    """The block of one topic that a worked example is about."""
    return block([Topic(example.ranked, example.missed)])


def _tie_groups(topic: Topic) -> tuple[list[int], list[int]]:
    """([rank] where the group of equal scores starts, [rank] how large it is)."""
    if topic.scores is None:
        return list(range(len(topic.ranked))), [1] * len(topic.ranked)
    fresh = runs_of(np.unique(np.array(topic.scores), return_inverse=True)[1])
    group = np.cumsum(fresh) - 1
    size = np.bincount(group)
    start = np.cumsum(size) - size
    return start[group].tolist(), size[group].tolist()
