"""Two sets of judgments compared, and what the second does to runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield.data.columns import Ids
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError, NothingToEvaluate

A = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1}, "q3": {"x": 0}}
B = {"q1": {"a": 2, "b": 0, "d": 1}, "q2": {"a": 0}, "q4": {"文档": 1}}
RUNS = {
    "one": {"q1": {"a": 3.0, "c": 2.0, "d": 1.0}, "q2": {"a": 1.0}},
    "two": {"q1": {"d": 3.0, "a": 2.0, "b": 1.0}, "q2": {"z": 1.0}},
}


def test_every_row_falls_under_one_change() -> None:
    got = cranfield.qrels_diff(A, B)
    assert got.rows == (5, 5) and got.same == 1
    rows = {(r.query, r.document): (r.before, r.after, r.change) for r in got.changes}
    assert rows == {
        ("q1", "a"): (1, 2, "raised"),
        ("q1", "c"): (2, None, "removed"),
        ("q1", "d"): (None, 1, "added"),
        ("q2", "a"): (1, 0, "lowered"),
        ("q3", "x"): (0, None, "removed"),
        ("q4", "文档"): (None, 1, "added"),
    }
    assert got.confusion == {
        (None, 1): 2,
        (0, None): 1,
        (0, 0): 1,
        (1, 0): 1,
        (1, 2): 1,
        (2, None): 1,
    }
    assert (got.queries_added, got.queries_removed) == (("q4",), ("q3",))
    assert next(iter(got.by_query())) == "q1" and got.by_query()["q1"].total() == 3
    assert got.effects == ()


grades = st.dictionaries(
    st.sampled_from("pqr"),
    st.dictionaries(st.sampled_from("abcd"), st.integers(-1, 3), min_size=1),
    min_size=1,
)


@given(a=grades, b=grades)
def test_the_second_set_follows_from_the_first_and_the_changes(a, b) -> None:
    got = cranfield.qrels_diff(a, b)
    rows = {(q, d): g for q, docs in a.items() for d, g in docs.items()}
    for row in got.changes:
        assert rows.get((row.query, row.document)) == row.before
        if row.after is None:
            del rows[row.query, row.document]
        else:
            rows[row.query, row.document] = row.after
    assert rows == {(q, d): g for q, docs in b.items() for d, g in docs.items()}
    assert sum(got.confusion.values()) == got.same + len(got.changes)
    back = cranfield.qrels_diff(b, a)
    assert back.count("added") == got.count("removed") and back.same == got.same
    assert (got.fingerprints[0] == got.fingerprints[1]) == (not got.changes)


def test_scores_are_those_of_evaluate_and_the_order_follows() -> None:
    got = cranfield.qrels_diff(A, B, RUNS, ["RR", "P@1"])
    rr = got.effects[0]
    for side, qrels, n in ((rr.before, A, 3), (rr.after, B, 3)):
        scores = cranfield.evaluate(qrels, RUNS, "RR")
        assert side.tolist() == pytest.approx([scores.mean("RR", run) for run in RUNS])
        assert rr.n_before == (n, n)
    # A: one finds a first in q1 and q2; B: both find something at rank 1 of q1 and no more
    assert rr.before.tolist() == pytest.approx([2 / 3, (1 / 2 + 0) / 3])
    assert rr.after.tolist() == pytest.approx([1 / 3, 1 / 3])
    assert rr.order.swapped == () and rr.order.tied == 1


def test_an_order_that_swaps_and_a_difference_that_becomes_significant() -> None:
    queries = [f"q{i}" for i in range(12)]
    runs = {
        "one": {q: {"x": 2.0, "y": 1.0} for q in queries},
        "two": {q: {"y": 2.0, "x": 1.0} for q in queries},
    }
    before = {q: {"x": 1, "y": int(i % 2)} for i, q in enumerate(queries)}
    after = {q: {"y": 1, "x": int(i % 3 == 0)} for i, q in enumerate(queries)}
    (got,) = cranfield.qrels_diff(before, after, runs, "P@1").effects
    assert got.order.swapped == (("one", "two"),) and got.order.tau == -1
    assert got.significance.changed == (("one", "two", "turned"),)
    strict = cranfield.qrels_diff(before, after, runs, "P@1", alpha=0.001).effects[0]
    assert strict.significance.count("turned") == 0


def test_common_queries_only() -> None:
    got = cranfield.qrels_diff(A, B, RUNS, "RR", common=True).effects[0]
    assert got.n_before == got.n_after == (2, 2)
    with pytest.raises(NothingToEvaluate, match="no query"):
        cranfield.qrels_diff({"q1": {"a": 1}}, {"q9": {"a": 1}}, RUNS, "RR", common=True)


def test_measures_with_a_scale_have_that_of_both_sets() -> None:
    (got,) = cranfield.qrels_diff({"q1": {"a": 1}}, {"q1": {"a": 3}}, RUNS, "ERR").effects
    assert got.measure.startswith("ERR(gmax=3)")
    assert got.before.max() == pytest.approx(1 / 8) and got.after.max() == pytest.approx(7 / 8)


def test_subtopics_are_told_apart_by_column_two() -> None:
    def judged(grade: float) -> Qrels:
        rows = [("q", "d", 1.0), ("q", "d", grade)]
        return Qrels.from_rows(rows, iteration=Ids.of(["1", "2"]))

    got = cranfield.qrels_diff(judged(1.0), judged(0.0))
    (row,) = got.changes
    assert (row.subtopic, row.before, row.after) == ("2", 1.0, 0.0) and got.same == 1


def test_preferences_are_refused() -> None:
    people = Qrels.from_rows([("q", "d", 1.0), ("q", "d", 0.0)], group=Ids.of(["x", "y"]))
    with pytest.raises(InputError, match="cannot be compared"):
        cranfield.qrels_diff(people, A)


def test_a_measure_that_is_not_defined_leaves_a_run_out_of_the_order() -> None:
    nothing = {"q1": {"a": 0}}
    (got,) = cranfield.qrels_diff(nothing, A, RUNS, "RR", no_relevant="nan").effects
    assert np.isnan(got.before).all() and got.order.tau is None
