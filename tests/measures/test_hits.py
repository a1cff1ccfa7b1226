from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.measures import Judgments, Topic, block
from cranfield.measures.hits import runs_of, sum_by_query


def judgments(*rows: tuple[int, float], n: int = 3) -> Judgments:
    query, grade = zip(*rows, strict=True) if rows else ((), ())
    return Judgments(n, np.array(query, np.int64), np.array(grade, np.float64))


def test_counts_by_threshold_leave_unjudged_rows_out() -> None:
    j = judgments((0, 2), (2, 0), (0, 0), (0, -1), (2, 0.5), (0, 1))
    assert j.num_rel(1).tolist() == [2, 0, 0]
    assert j.num_rel(0.5).tolist() == [2, 0, 1]
    assert j.num_nonrel(1).tolist() == [1, 0, 2]
    assert j.num_nonrel(2).tolist() == [2, 0, 2]
    assert j.max_grade == 2


def test_ideal_is_by_grade_within_each_topic_whatever_the_order_of_rows() -> None:
    j = judgments((2, 1), (0, 1), (0, 3), (2, -1), (0, 0), (0, 2))
    assert j.ideal.query.tolist() == [0, 0, 0, 2]
    assert j.ideal.grade.tolist() == [3, 2, 1, 1]
    assert j.ideal.rank.tolist() == [0, 1, 2, 0]
    assert j.grade[j.ideal.row].tolist() == [3, 2, 1, 1]


def test_levels_give_the_grades_back() -> None:
    j = judgments((0, 1), (1, 0.25), (0, -1), (2, 1))
    grades, codes = j.levels
    assert grades.tolist() == [-1, 0.25, 1]
    assert grades[codes].tolist() == j.grade.tolist()


def test_a_block_without_rows() -> None:
    j = judgments()
    assert j.num_rel(1).tolist() == [0, 0, 0]
    assert j.max_grade == 0
    assert len(j.ideal.query) == 0


def test_kept_counts_cannot_be_changed_by_a_reader() -> None:
    assert not judgments((0, 1)).num_rel(1).flags.writeable


def test_sums_run_in_order_and_do_not_cross_topics() -> None:
    weights = np.array([1e16, 1.0, -1e16, 3.0, 0.5])
    query = np.array([0, 0, 0, 1, 1])
    total = sum_by_query(query, weights, None, 3)
    assert total.tolist() == [(1e16 + 1.0) - 1e16, 3.5, 0]
    assert sum_by_query(query, weights, query == 1, 2).tolist() == [0, 3.5]
    assert sum_by_query(query, weights, query == 9, 2).dtype == np.float64


def test_runs_of_several_columns() -> None:
    assert runs_of(np.array([0, 0, 0, 1]), np.array([4, 4, 5, 5])).tolist() == [1, 0, 1, 1]
    assert runs_of(np.array([], np.int64)).tolist() == []


def test_block_writes_a_topic_down() -> None:
    j, h = block([Topic(), Topic((None, 2, -1, None), (1,), (9, 7, 7, 7))])
    assert j.query.tolist() == [1, 1, 1]
    assert j.grade.tolist() == [2, -1, 1]
    assert (h.query.tolist(), h.rank.tolist(), h.row.tolist()) == ([1, 1], [1, 2], [0, 1])
    assert (h.tie_start.tolist(), h.tie_len.tolist()) == ([1, 1], [3, 3])
    assert h.n_ret.tolist() == [0, 4]


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from([-1.0, 0.0, 0.5, 1.0, 3.0]))))
def test_the_ideal_order_is_that_of_a_sort_by_two_keys(rows) -> None:
    query = np.array([q for q, _ in rows], np.int64)
    grade = np.array([g for _, g in rows])
    row = np.flatnonzero(grade > 0)
    row = row[np.lexsort((-grade[row], query[row]))]
    ideal = Judgments(5, query, grade).ideal
    assert ideal.row.tolist() == row.tolist()
    assert ideal.query.tolist() == query[row].tolist()
    assert ideal.rank.tolist() == [
        i - query[row].tolist().index(q) for i, q in enumerate(query[row])
    ]
