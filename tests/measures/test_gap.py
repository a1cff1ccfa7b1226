from __future__ import annotations

import pytest

from cranfield.errors import MeasureError
from cranfield.measures import GAP, Topic, block, compute, parse

T2_VALUES = [
    ("GAP", 0.3034188034),
    ("GAP(gmax=3)", 0.3034188034),
    ("GAP(g={1:1,2:1,3:1})", 0.3034188034),
    ("GAP(g={1:1})", 0.4087301587),
    ("GAP(g={1:0.2,2:0.3,3:0.5})", 0.263117284),
]


@pytest.mark.parametrize(("text", "value"), T2_VALUES)
def test_t2(text: str, value: float, t2: Topic, value_of) -> None:
    assert value_of(text, t2) == pytest.approx(value, abs=5e-11)


def test_a_sure_threshold_is_average_precision(t2: Topic, value_of) -> None:
    assert value_of("GAP(g={2:1})", t2) == pytest.approx(value_of("AP(rel=2)", t2))


def test_the_chances_and_the_largest_grade_exclude_each_other() -> None:
    assert GAP.lacks_gmax
    assert GAP.resolve(2) == GAP(gmax=2)
    assert not GAP(g={1: 1}).lacks_gmax
    assert parse("GAP(g={1:1,2:1})").resolve(3) == GAP(g={1: 1, 2: 1})
    with pytest.raises(MeasureError, match="gmax means nothing with g="):
        GAP(g={1: 1}, gmax=2)
    for wrong in ({}, {1: 0}, {1: -1}, "linear", 3):
        with pytest.raises(MeasureError, match="g must be a table"):
            GAP(g=wrong)


def test_what_cannot_be_a_scale_is_refused() -> None:
    with pytest.raises(MeasureError, match="grade 3, above gmax=2"):
        compute([GAP(gmax=2)], *block([Topic((3,))]))
    with pytest.raises(MeasureError, match="too many thresholds"):
        compute([GAP(gmax=1e6)], *block([Topic((3,))]))
