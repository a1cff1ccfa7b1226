from __future__ import annotations

import math

import pytest

from cranfield.measures import Topic

log2 = math.log2


def test_bing_and_g_of_a_binary_list_differ_only_in_when_they_pay(value_of) -> None:
    topic = Topic((1, 0, 0, 1), (1,))
    assert value_of("binG", topic) == pytest.approx((1 + 1 / log2(4)) / 3)
    # the best list costs 1, 2, 3 and, below it, 4; the list has gained 1 and 2
    assert value_of("G", topic) == pytest.approx((1 / log2(2) + 1 / log2(4)) / 3)


def test_g_pays_for_grades_that_the_best_list_has_above(value_of) -> None:
    # costs 3, 5, 6; gains so far 0, 2, 3
    topic = Topic((0, 2, 1), (3,))
    expected = (2 / log2(2 + 5 - 2) + 1 / log2(2 + 6 - 3)) / 6
    assert value_of("G", topic) == pytest.approx(expected)
    assert value_of("G", (3, 2, 1, 0)) == 1


def test_ndcg_at_relevant_documents(value_of) -> None:
    topic = Topic((0, 2), (1,))
    idcg = 2 + 1 / log2(3)
    assert value_of("nDCG_rel", topic) == pytest.approx(2 / log2(3) / idcg)
    assert value_of("nDCG_rel", (2, 1)) == 1
    assert value_of("nDCG_rel", Topic((), (1,))) == 0


def test_ndcg_at_changes_of_the_ideal_grade(value_of) -> None:
    idcg = 2 + 1 / log2(3)
    last = (2 / log2(3) + 1 / log2(4)) / idcg
    first = 2 / log2(3) / idcg
    assert value_of("Rndcg", (0, 2)) == pytest.approx(0)  # one point, at depth 1
    assert value_of("Rndcg", Topic((0, 2), (1,))) == pytest.approx((0 + first) / 2)
    assert value_of("Rndcg", (0, 2, 1)) == pytest.approx((0 + first) / 2)  # R + 1 long
    assert value_of("Rndcg", (0, 2, 1, 0)) == pytest.approx((0 + first + last) / 3)


def test_yaap_is_monotone_in_ap_and_symmetric_about_a_half(value_of) -> None:
    assert value_of("yaap", ()) == 0
    assert value_of("yaap", (1,)) == math.log(2)
    assert value_of("yaap", Topic((), (1,))) == -math.log(2)
