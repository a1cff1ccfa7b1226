from __future__ import annotations

import pytest

from cranfield.errors import MeasureError
from cranfield.measures import Compatibility, Topic, parse

T2_VALUES = [
    ("Compatibility", 0.4130715625),
    ("Compatibility(p=0.8)", 0.2066618699),
    ("Compatibility(p=0.8, normalize=false)", 0.1912364241),
    ("Compatibility(depth=12)", 0.3013643819),
    ("Compat(p=0.95)", 0.3013643819),
    ("Compat(p=0.8)", 0.189771536),
]


@pytest.mark.parametrize(("text", "value"), T2_VALUES)
def test_t2(text: str, value: float, t2: Topic, value_of) -> None:
    assert value_of(text, t2) == pytest.approx(value, abs=5e-11)


def test_equal_grades_stand_in_the_order_of_the_list(value_of) -> None:
    assert value_of("Compatibility", (3, 2, 2, 1, 0)) == 1
    assert value_of("Compatibility", (0, 3)) < 1
    assert value_of("Compatibility", Topic((), (1,))) == value_of("Compatibility", (0, 0)) == 0


def test_the_depth_is_a_number_or_that_of_the_lists() -> None:
    assert parse("Compat") == Compatibility(depth="lists")
    assert parse("compat(depth=5)") == Compatibility(depth=5)
    with pytest.raises(MeasureError, match='depth must be an integer of at least 1 or "lists"'):
        Compatibility(depth="all")
