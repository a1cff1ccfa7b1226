"""Recall within a token budget."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import Document, Query
from cranfield.data import Qrels, Run, TestCollection
from cranfield.errors import InputError, UsageError
from cranfield.evaluation.evaluate import evaluate
from cranfield.retrieval.budget import budget_recall, with_budgets
from cranfield.retrieval.passages import document_of

QRELS = Qrels.from_dict(
    {"q": {"a": 1.0, "b": 2.0, "c": 0.0, "z": 1.0}, "absent": {"a": 1.0}, "none": {"a": 0.0}}
)
RUN = Run.from_dict({"q": {"c": 9.0, "a": 8.0, "b": 7.0}, "none": {"a": 1.0}})
LENGTHS = {"a": 50, "b": 100, "c": 30}


@pytest.mark.parametrize(
    ("budget", "recall", "documents", "tokens"),
    [
        (0, 0, 0, 0),
        (29, 0, 0, 0),  # the first does not fit, and nothing is skipped
        (79, 0, 1, 30),
        (80, 1 / 3, 2, 80),
        (179, 1 / 3, 2, 80),
        (180, 2 / 3, 3, 180),
        (10**9, 2 / 3, 3, 180),
    ],
)
def test_by_hand(budget, recall, documents, tokens):
    found = budget_recall(RUN, QRELS, LENGTHS, budget)
    assert found.recall == {"q": pytest.approx(recall), "absent": 0}
    assert found.documents["q"] == documents and found.tokens["q"] == tokens
    assert found.no_relevant == ("none",)
    assert found.mean == pytest.approx(recall / 2)


def test_relevance_is_a_grade():
    assert budget_recall(RUN, QRELS, LENGTHS, 180, rel=2).recall == {"q": 1}


def test_equal_scores_are_read_as_evaluation_ranks_them():
    run = Run.from_dict({"q": {"a": 1.0, "b": 1.0}})
    assert budget_recall(run, QRELS, LENGTHS, 100).tokens["q"] == 100  # b, not a


def test_no_query_with_a_relevant_document():
    qrels = Qrels.from_dict({"q": {"a": 0.0}})
    assert math.isnan(budget_recall(RUN, qrels, LENGTHS, 10).mean)


def test_wrong_lengths_are_said():
    with pytest.raises(InputError, match="'b' has no length"):
        budget_recall(RUN, QRELS, {"a": 1, "c": 1}, 10)
    with pytest.raises(InputError, match="a negative length"):
        budget_recall(RUN, QRELS, {"a": 1, "b": -1, "c": 1}, 10)
    with pytest.raises(UsageError):
        budget_recall(RUN, QRELS, LENGTHS, -1)


def test_one_passage_is_enough_for_its_document():
    run = Run.from_dict({"q": {"a#0": 9.0, "a#3": 8.0, "b#1": 7.0}})
    lengths = {"a#0": 10, "a#3": 10, "b#1": 10}
    for budget, found in [(9, 0), (10, 1), (20, 1), (30, 2)]:
        recall = budget_recall(run, QRELS, lengths, budget, document=document_of).recall
        assert recall["q"] == pytest.approx(found / 3)


def collection(**more: object) -> TestCollection:
    texts = {"a": "x " * 50, "b": "x " * 100, "c": "x " * 29, "z": "x"}
    docs = [Document(i, "T" if i == "c" else "", text) for i, text in texts.items()]
    queries = tuple(Query(q, q) for q in ("q", "absent", "none"))
    return TestCollection("c", queries, QRELS, **{"documents": lambda: iter(docs), **more})


def test_columns_beside_other_measures():
    for settings, expected in [
        ({}, [(1 / 3, True), (0, True), (0, True)]),
        ({"missing": "skip"}, [(1 / 3, True), (0, False), (0, True)]),
        ({"no_relevant": "nan"}, [(1 / 3, True), (0, True), (0, False)]),
        ({"no_relevant": "skip"}, [(1 / 3, True), (0, True)]),
    ]:
        scores = evaluate(QRELS, RUN, ["P@1"], **settings)
        found = with_budgets(scores, collection(), [RUN], [80, 180])
        assert [m.text for m in found.measures] == ["P@1", "R@80tokens", "R@180tokens"]
        assert (found.values[:, :, 0] == scores.values[:, :, 0]).all()
        column = list(zip(found.values[0, :, 1], found.valid[0, :, 1], strict=True))
        assert column == [(pytest.approx(value), valid) for value, valid in expected]
        assert found.mean("R@180tokens", over=np.array([True] + [False] * (len(column) - 1))) == (
            pytest.approx(2 / 3)
        )


def test_columns_of_a_run_of_passages():
    run = Run.from_dict({"q": {"b#1": 9.0, "c#0": 8.0, "a#0": 7.0}, "none": {}, "absent": {}})
    scores = evaluate(QRELS, run, ["P@1"])
    cut = {"size": 60, "overlap": 0}
    found = with_budgets(scores, collection(), [run], [39, 40, 119, 120], [cut])
    # b#1 has the last 40 words of b, c#0 the title too: 30, a#0 all 50 of a
    assert found.values[0, 0, 1:].tolist() == pytest.approx([0, 1 / 3, 1 / 3, 2 / 3])
    with pytest.raises(InputError, match="3 of the results of 'run' are not in c, for example"):
        with_budgets(scores, collection(), [run], [10])
    with pytest.raises(UsageError, match="has no documents"):
        with_budgets(scores, collection(documents=None), [run], [10])


@given(
    lengths=st.lists(st.integers(0, 50), min_size=5, max_size=5),
    small=st.integers(0, 200),
    more=st.integers(0, 100),
)
def test_more_tokens_never_mean_less_recall(lengths, small, more):
    run = Run.from_dict({"q": {d: float(i) for i, d in enumerate("abcde")}})
    qrels = Qrels.from_dict({"q": {"a": 1.0, "c": 1.0, "e": 1.0}})
    sizes = dict(zip("abcde", lengths, strict=True))
    first = budget_recall(run, qrels, sizes, small)
    second = budget_recall(run, qrels, sizes, small + more)
    assert first.mean <= second.mean and first.tokens["q"] <= small
