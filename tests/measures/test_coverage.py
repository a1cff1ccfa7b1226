from __future__ import annotations

import pytest

from cranfield.measures import Judged, NumQ, NumRel, NumRelRet, NumRet, Topic, block, compute


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Judged@10", 0.7),
        ("Judged@20", 0.75),
        ('Judged(denom="k")@10', 0.7),
        ('Judged(denom="k")@20', 0.45),
    ],
)
def test_t2(text: str, value: float, t2: Topic, value_of) -> None:
    assert value_of(text, t2) == pytest.approx(value, abs=5e-11)


def test_a_pooled_but_unjudged_row_is_not_judged(value_of) -> None:
    assert value_of("Judged@2", (-1, 0)) == 0.5


def test_judged_is_not_defined_for_an_empty_result() -> None:
    topics = block([Topic((), (1,)), Topic((None,)), Topic((0,))])
    values, valid = compute([Judged @ 5, Judged(denom="k") @ 5], *topics)
    assert values.tolist() == [[0, 0], [0, 0], [1, 0.2]]
    assert valid.tolist() == [[False, False], [True, True], [True, True]]


def test_counts() -> None:
    topics = block([Topic((2, None, 1, 0, -1), (1,)), Topic((), (0,))])
    measures = [NumQ, NumRet, NumRel, NumRelRet, NumRel(rel=2), NumRelRet(rel=2)]
    assert compute(measures, *topics)[0].tolist() == [[1, 5, 3, 2, 1, 1], [1, 0, 0, 0, 0, 0]]
    assert compute([NumRet(condensed=True)], *topics)[0].tolist() == [[3], [0]]


def test_unjudged_divides_by_k_whatever_came_back(value_of) -> None:
    topic = Topic((1, None, -1, 0))
    assert value_of("Unjudged@2", topic) == 0.5
    assert value_of("Unjudged@10", topic) == 0.2
    assert value_of("Unjudged@10", ()) == 0


def test_judged_documents_that_are_not_relevant(value_of) -> None:
    topic = Topic((1, None, -1, 0, 2), (0,))
    assert value_of("NumNonrelRet", topic) == 1
    assert value_of("NumNonrelRet(rel=2)", topic) == 2


def test_elastics_judge_rate_counts_any_row_and_skips_empty_results(value_of) -> None:
    """Six queries worked by hand: two of three, one of two, none of one, none of ten have a row;
    two returned nothing."""
    assert value_of("Judged(any_row=true)@2", (-1, 0)) == 1
    assert value_of("Judged(any_row=true)@2", (None, 0, -1)) == 0.5
    lists = ((1, None, -1), (0, None), (None,), (None,) * 12, (), ())
    topics = block([Topic(ranked, (1,)) for ranked in lists])
    values, valid = compute([Judged(any_row=True) @ 10], *topics)
    assert valid[:, 0].tolist() == [True] * 4 + [False] * 2
    assert values[valid].mean() == pytest.approx((2 / 3 + 1 / 2) / 4)
    strict, _ = compute([Judged @ 10], *topics)
    assert strict[0, 0] == pytest.approx(1 / 3)
