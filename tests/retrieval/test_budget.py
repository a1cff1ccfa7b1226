"""Recall within a token budget."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data import Qrels, Run
from cranfield.errors import InputError, UsageError
from cranfield.retrieval.budget import budget_recall

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
