from __future__ import annotations

import pytest

from cranfield.measures import Topic


def test_relative_precision_is_precision_until_r_and_recall_below(t2: Topic, value_of) -> None:
    for k in (1, 3, 7):
        assert value_of(f"RelP@{k}", t2) == value_of(f"P@{k}", t2)
    for k in (7, 10, 100):
        assert value_of(f"RelP@{k}", t2) == value_of(f"R@{k}", t2)
    assert value_of("RelP", Topic((1, 0), (1, 1))) == 0.5
    assert value_of("RelP", Topic((1, 0, 0, 0), (1,))) == 0.5
    assert value_of("RelP", ()) == value_of("RelP@5", (0, 0)) == 0


def test_the_average_precision_of_a_set_is_precision_times_recall(t2: Topic, value_of) -> None:
    product = value_of("P", t2) * value_of("R", t2)
    assert value_of("SetAP", t2) == pytest.approx(product)


def test_utility_counts_four_kinds_of_documents(value_of) -> None:
    topic = Topic((2, 0, None, -1), (1, 1, 0))
    assert value_of("Utility", topic) == 1 - 3
    assert value_of("Utility(a=0, b=0, c=-1)", topic) == -2
    assert value_of("Utility(a=0, b=0, d=1, docs=100)", topic) == 100 - 4 - 2
    assert value_of("Utility(rel=2, c=5)", topic) == -2
