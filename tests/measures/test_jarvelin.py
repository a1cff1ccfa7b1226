from __future__ import annotations

import pytest

from cranfield.measures import Topic

T2_VALUES = [
    ("nDCG_JK", 0.4395118609),
    ("nDCG_JK@10", 0.3803861959),
    ("nDCG_JK(b=10)", 0.6810197551),
    ("nDCG_JK(b=10)@10", 0.5384615385),
    ("nDCG_JK(b=10)@12", 0.6810197551),
    ("AnDCG@10", 0.30431465),
    ("nDCG_Wu", 0.4395118609),
    ("nDCG_Wu@10", 0.3803861959),
    ("NCG@10", 7 / 13),
    ("NCG", 9 / 13),
]


@pytest.mark.parametrize(("text", "value"), T2_VALUES)
def test_t2(text: str, value: float, t2: Topic, value_of) -> None:
    assert value_of(text, t2) == pytest.approx(value, abs=5e-11)


def test_the_average_is_over_every_rank_down_to_k(t2: Topic, value_of) -> None:
    vector = [value_of(f"nDCG_JK(b=3)@{k}", t2) for k in range(1, 21)]
    assert value_of("AnDCG(b=3)@20", t2) == pytest.approx(sum(vector) / 20)


def test_a_large_base_does_not_see_the_order_above_it(value_of) -> None:
    one, other = Topic((3, 0, 1, 2), (1,)), Topic((0, 2, 3, 1), (1,))
    assert value_of("nDCG_JK(b=5)", one) == value_of("nDCG_JK(b=5)", other) == value_of("NCG", one)
    assert value_of("nDCG_JK", one) > value_of("nDCG_JK", other)
