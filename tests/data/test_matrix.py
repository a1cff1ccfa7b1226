"""A score matrix: its shape, its names, and what it is made of."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield import evaluate
from cranfield.data.matrix import ScoreMatrix
from cranfield.errors import InputError, UnknownName

VALUES = np.arange(12, dtype=np.float64).reshape(2, 3, 2)
MATRIX = ScoreMatrix(("a", "乙"), ("q1", "q2", "q3"), ("AP", "P@10"), VALUES, "示例", (0, 1))


def test_one_measure_is_runs_by_queries():
    assert MATRIX.of("P@10").tolist() == [[1, 3, 5], [7, 9, 11]]
    assert MATRIX.of("P@10").flags.c_contiguous


def test_a_selection_is_by_name_and_in_the_order_asked_for():
    found = MATRIX.select(runs=["乙", "a"], queries=["q3", "q1"], measures=["AP"])
    assert (found.runs, found.queries, found.measures) == (("乙", "a"), ("q3", "q1"), ("AP",))
    assert found.values.tolist() == [[[10], [6]], [[4], [0]]]
    assert found.name == "示例"
    assert found.missing == ()  # how many of these queries a run missed is not known any more
    assert MATRIX.select(runs=["乙"]).missing == (1,)
    assert MATRIX.select().values.tolist() == VALUES.tolist()


@pytest.mark.parametrize("what", ["runs", "queries", "measures"])
def test_unknown_names_are_told(what):
    with pytest.raises(UnknownName, match=r"no .* 'nobody' among the scores"):
        MATRIX.select(**{what: ["nobody"]})


def test_what_is_no_matrix_is_refused():
    with pytest.raises(InputError, match=r"shape \(2, 3, 2\) for 1 runs"):
        ScoreMatrix(("a",), MATRIX.queries, MATRIX.measures, VALUES)
    with pytest.raises(InputError, match="'a' stands twice among the runs"):
        ScoreMatrix(("a", "a"), MATRIX.queries, MATRIX.measures, VALUES)
    holed = VALUES.copy()
    holed[1, 2, 0] = np.nan
    with pytest.raises(InputError, match="run '乙' on query 'q3' under AP: nan"):
        ScoreMatrix(MATRIX.runs, MATRIX.queries, MATRIX.measures, holed)


def test_from_scores_missing_topics_are_zero_and_counted():
    qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}, "q3": {"d4": 0}}
    runs = {"full": {q: {"d1": 3.0, "d3": 2.0} for q in qrels}, "half": {"q1": {"d1": 1.0}}}
    for missing in ("zero", "skip"):
        scores = evaluate(qrels, runs, ["AP", "nDCG@10"], missing=missing)
        found = ScoreMatrix.from_scores(scores, "toy")
        assert found.runs == ("full", "half") and found.queries == ("q1", "q2", "q3")
        assert found.measures == ("AP", "nDCG@10")
        assert found.of("AP").tolist() == [[1, 0.5, 0], [1, 0, 0]]
        assert (found.missing, found.undefined, found.name) == ((0, 2), 0, "toy")


def test_from_scores_counts_what_is_not_defined():
    qrels = {"q1": {"d1": 1}, "q2": {"d3": 0}}
    runs = {"a": {"q1": {"d1": 1.0}, "q2": {"d3": 1.0}}}
    found = ScoreMatrix.from_scores(evaluate(qrels, runs, ["AP"], no_relevant="nan"))
    assert (found.of("AP").tolist(), found.undefined) == ([[1, 0]], 1)
