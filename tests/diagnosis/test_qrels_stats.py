"""Judgments, counted."""

from __future__ import annotations

import pytest

import cranfield
from cranfield.data.columns import Ids
from cranfield.data.qrels import Qrels

QRELS = {
    "q1": {"a": 2, "b": 0, "c": 1, "d": 0},
    "q2": {"a": 1},
    "q3": {"b": 0, "文": 0},
    "q4": {"c": -1},
}


def test_counts() -> None:
    got = cranfield.qrels_stats(QRELS)
    assert (got.rows, got.queries, got.judged_queries, got.documents) == (8, 4, 3, 5)
    assert (got.positive, got.zero, got.pooled) == (3, 4, 1)
    assert got.grades == ((-1, 1, 1), (0, 4, 2), (1, 2, 2), (2, 1, 1))
    assert got.without_positive == ("q3",) and got.without_negative == ("q2",)
    assert got.pooled_only == ("q4",) and not got.subtopics
    assert got.judged.at[0] == 1 and got.judged.at[3] == 2 and got.judged.at[-1] == 4
    assert got.judged.mean == pytest.approx(7 / 3) and got.positives.mean == 1


def test_the_fingerprint_does_not_see_the_order_and_sees_each_grade() -> None:
    turned = {q: dict(reversed(docs.items())) for q, docs in reversed(QRELS.items())}
    other = {**QRELS, "q2": {"a": 2}}
    one, two, three = (cranfield.qrels_stats(q).fingerprint for q in (QRELS, turned, other))
    assert one == two != three


def test_nothing_but_pooled_rows_is_counted_too() -> None:
    got = cranfield.qrels_stats({"q": {"d": -1}})
    assert got.judged_queries == 0 and got.judged.mean == 0 and got.pooled_only == ("q",)


def test_who_said_so() -> None:
    rows = [("q", "a", 1.0), ("q", "b", 0.0), ("q", "c", 0.0)]
    judged = Qrels.from_rows(rows, source=Ids.of(["llm", "human", "llm"]))
    assert cranfield.qrels_stats(judged).sources == (("llm", 2), ("human", 1))
