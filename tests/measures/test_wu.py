from __future__ import annotations

import pytest

from cranfield.errors import MeasureError
from cranfield.measures import P_Wu, RR_Wu, Topic, block, compute

T2_VALUES = [
    ("AP_Wu", 0.352014652),
    ("AP_Wu(variant=padded)", 0.3142857143),
    ("AP_Wu(variant=weighted)", 0.2122507123),
    ("P_Wu@10", 0.2333333333),
    ("RP_Wu", 0.4615384615),
    ("RP_Wu(by_level=true)", 0.3427350427),
    ("RR_Wu", 0.3333333333),
]
BINARY_VALUES = [
    ("AP_Wu", 0.4693877551),
    ("AP_Wu(variant=padded)", 0.4087301587),
    ("AP_Wu(variant=weighted)", 0.4087301587),
    ("P_Wu(gmax=1)@10", 0.4),
    ("RP_Wu", 0.4285714286),
    ("RP_Wu(by_level=true)", 0.4285714286),
    ("RR_Wu(gmax=1)", 1),
]


@pytest.mark.parametrize(("text", "value"), T2_VALUES)
def test_t2(text: str, value: float, t2: Topic, value_of) -> None:
    assert value_of(text, t2) == pytest.approx(value, abs=5e-11)


@pytest.mark.parametrize(("text", "value"), BINARY_VALUES)
def test_t2_with_two_grades(text: str, value: float, t2: Topic, value_of) -> None:
    ranked = [g and min(g, 1) for g in t2.ranked]
    binary = Topic(ranked, [min(g, 1) for g in t2.missed])
    assert value_of(text, binary) == pytest.approx(value, abs=5e-11)


def test_grades_that_a_topic_does_not_have_change_no_average_over_grades(value_of) -> None:
    # grade >= 1 and >= 2 hold the same one document, grade >= 3 none
    assert value_of("RP_Wu(by_level=true)", Topic((0, 2))) == 0
    assert value_of("RP_Wu(by_level=true)", Topic((2, 0))) == 1
    assert value_of("RP_Wu(by_level=true)", Topic((1, 3), ())) == pytest.approx((1 + 2 / 3) / 3)


@pytest.mark.parametrize("measure", [P_Wu(gmax=2) @ 10, RR_Wu(gmax=2)])
def test_a_grade_above_gmax_is_refused(measure) -> None:
    with pytest.raises(MeasureError, match="grade 3, above gmax=2"):
        compute([measure], *block([Topic((3,))]))
