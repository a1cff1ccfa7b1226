from __future__ import annotations

import math

import numpy as np

from cranfield.measures import GradeView, Topic, block
from cranfield.measures.views import arrival, log2_table, power_table, share

TOPICS = [
    Topic((0, None, 2, -1, 1, 0), (1,), (9, 8, 8, 8, 8, 7)),
    Topic(),
    Topic((None, 1)),
]


def test_a_plain_view_is_the_hits() -> None:
    judgments, hits = block(TOPICS)
    view = GradeView(judgments, hits)
    assert view.rank.tolist() == [0, 2, 3, 4, 5, 1]
    assert view.grade.tolist() == [0, 2, -1, 1, 0, 1]
    assert view.judged.tolist() == [1, 1, 0, 1, 1, 1]
    assert view.n_ret.tolist() == [6, 0, 2]


def test_a_condensed_view_renumbers_judged_documents_and_their_ties() -> None:
    view = GradeView(*block(TOPICS), condensed=True, expected=True)
    assert view.rank.tolist() == [0, 1, 2, 3, 0]
    assert view.grade.tolist() == [0, 2, 1, 0, 1]
    assert view.n_ret.tolist() == [4, 0, 1]
    assert view.tie_start.tolist() == [0, 1, 1, 3, 0]
    assert view.tie_len.tolist() == [1, 2, 2, 1, 1]


def test_condensing_changes_neither_the_hits_nor_the_plain_view() -> None:
    judgments, hits = block(TOPICS)
    GradeView(judgments, hits, condensed=True)
    assert hits.rank.tolist() == [0, 2, 3, 4, 5, 1]


def test_running_counts_start_afresh_in_each_topic() -> None:
    view = GradeView(*block([Topic((1, 0, 1, 0)), Topic((0, 1, 1))]))
    assert view.relevant_so_far(1).tolist() == [1, 1, 2, 2, 0, 1, 2]
    assert view.nonrelevant_so_far(1).tolist() == [0, 1, 1, 2, 1, 1, 1]


def test_inside_shares_the_places_of_a_group() -> None:
    view = GradeView(*block([Topic((1, 1, 1, 1), (), (3, 2, 2, 2))]), expected=True)
    assert view.inside(2).tolist() == [1, 1 / 3, 1 / 3, 1 / 3]
    assert view.inside(None).tolist() == [1, 1, 1, 1]


def test_share_of_nothing_is_nothing() -> None:
    assert share(np.array([1.0, 0.0, 3.0]), np.array([2, 0, 0])).tolist() == [0.5, 0, 0]


def test_arrival_never_crosses_a_segment() -> None:
    stop = np.array([0.5, 0.25, 1.0, 0.5, 0.5, 0.0, 0.5])
    segment = np.array([0, 0, 0, 2, 2, 2, 2])
    assert arrival(stop, segment).tolist() == [1, 0.5, 0.375, 1, 0.5, 0.25, 0.25]
    assert arrival(np.array([]), np.array([], np.int64)).tolist() == []


def test_tables_hold_what_the_math_module_says() -> None:
    table = log2_table(5000)
    assert len(table) >= 5000
    assert table[:5000].tolist() == [math.log2(rank + 2) for rank in range(5000)]
    assert power_table(0.8, 5)[:5].tolist() == [0.8**rank for rank in range(5)]
    assert power_table(0.5, 5000)[4999] == 0
    assert not table.flags.writeable


def test_the_discount_table_reaches_the_ideal_list_and_tied_places() -> None:
    view = GradeView(*block([Topic((1,), (1,) * 2000)]))
    assert len(view.log2()) >= 2001
    scores = [2.0] + [1.0] * 3000
    deep = GradeView(*block([Topic([1, 1] + [None] * 2999, (), scores)]), expected=True)
    assert len(deep.log2()) >= 3001
