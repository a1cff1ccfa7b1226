"""Topics made from hits and from lists of ids are the same topics."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield
from cranfield.evaluation.align import align
from cranfield.evaluation.holes import (
    Bounded,
    grades_of,
    labelled,
    levels_of,
    mean_bound,
    topic_of,
    topics_of,
)
from cranfield.evaluation.inputs import sources_of
from cranfield.measures import Judgments, parse
from cranfield.measures.bounds import Bound
from cranfield.scan.judged import JudgedIndex

QRELS = {"q1": {"a": 2, "b": 0, "p": -1, "m": 1}, "q2": {"c": 1}}
RUN = {"q1": {"a": 5.0, "u": 4.0, "p": 3.0, "b": 2.0}, "q2": {}}


def test_hits_and_ids_give_the_same_topics() -> None:
    qrels = cranfield.read_qrels(QRELS)
    (source,) = sources_of({"run": RUN}, None, "error", False)
    judgments = Judgments(2, qrels.query, qrels.grade)
    found = list(topics_of(judgments, align(source, JudgedIndex(qrels)).hits))
    for got, query in zip(found, QRELS, strict=True):
        want, names = topic_of(grades_of(qrels)[query], list(RUN[query]))
        assert sorted(got.judged) == sorted(want.judged)
        assert (got.holes[0] >= 0).tolist() == (want.holes[0] >= 0).tolist()
        assert np.where(got.holes[0] < 0, got.grades[0], 0).tolist() == want.grades[0].tolist()
        assert got.n_holes == len(names)
    assert found[0].n_holes == 2  # a row below 0 is no judgment


def test_a_label_fills_the_hole_in_both_lists() -> None:
    topic, names = topic_of({"a": 1.0}, ["u", "a"], ["a", "v", "u"])
    after = labelled(topic, names.index("u"), 2.0)
    want, _ = topic_of({"a": 1.0, "u": 2.0}, ["u", "a"], ["a", "v", "u"])
    way = Bounded(parse("nDCG@3"), np.arange(3.0))
    assert way(after) == way(want)


@pytest.mark.parametrize(
    ("grades", "scale", "levels"),
    [
        ([0, 2], None, [0, 1, 2]),
        ([-1, 0, 2], 4, [0, 1, 2, 3, 4]),
        ([0], None, [0, 1]),
        ([0.5, 1], None, [0, 0.5, 1]),
        ([0, 5000], None, [0, 5000]),
    ],
)
def test_levels(grades, scale, levels) -> None:
    qrels = cranfield.read_qrels({"q": {f"d{i}": g for i, g in enumerate(grades)}})
    assert levels_of(qrels, scale).tolist() == levels


def test_a_mean_bound_is_exact_only_if_all_are() -> None:
    assert mean_bound([Bound(0, 1), Bound(0.5, 0.5)]) == Bound(0.25, 0.75)
    assert not mean_bound([Bound(0, 1), Bound(0, 1, exact=False)]).exact
