from __future__ import annotations

import pytest

from cranfield.measures import Topic

T2_VALUES = [
    ("Q", 0.3555102041),
    ("Q(gain=exp)", 0.3197278912),
    ("Q(beta=0)", 0.4087301587),
    ("Q@5", 0.1857142857),
    ("Q@10", 0.2755102041),
    ("Q'", 0.3991883117),
    ("O", 0.5),
    ("PMeasure", 0.4285714286),
    ("PPlus", 0.4642857143),
]


@pytest.mark.parametrize(("text", "value"), T2_VALUES)
def test_t2(text: str, value: float, t2: Topic, value_of) -> None:
    assert value_of(text, t2) == pytest.approx(value, abs=5e-11)


def test_q_without_gain_is_average_precision(t2: Topic, value_of) -> None:
    assert value_of("Q(beta=0)", t2) == value_of("AP", t2)
    assert value_of("Q(beta=0, rel=2)", t2) == value_of("AP(rel=2)", t2)


def test_a_relevant_document_moved_up_can_lower_q(value_of) -> None:
    assert value_of("Q", (1, 0, None, 3, 0, 1)) == pytest.approx(0.6313131313, abs=5e-11)
    assert value_of("Q", (1, 0, 1, 3, 0, None)) == pytest.approx(0.6296296296, abs=5e-11)


def test_nothing_relevant_returned(value_of) -> None:
    for text in ("Q", "O", "PMeasure", "PPlus"):
        assert value_of(text, Topic((0, None), (1,))) == value_of(text, ()) == 0
