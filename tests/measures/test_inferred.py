from __future__ import annotations

import pytest

from cranfield.errors import MeasureError
from cranfield.measures import Topic, parse, xinfap

# d5 d1 d2 d4 d3 d6 d7 d8 d12 of a pool where d2 and d6 are not judged; d9, d10, d11 missed
SAMPLED = Topic((0, 1, -1, None, 1, -1, 1, 0, None), (1, 0, 0))


def test_the_example_of_the_specification(value_of) -> None:
    assert value_of("infAP", SAMPLED) == pytest.approx(0.4047629563, abs=5e-11)
    assert value_of("AP", SAMPLED) == pytest.approx(0.3321428571, abs=5e-11)
    assert value_of("bpref", SAMPLED) == 0.5625


def test_without_holes_it_is_average_precision(value_of) -> None:
    topic = Topic((0, 1, 0, 1, 1), (1, 0))
    assert value_of("infAP", topic) == pytest.approx(value_of("AP", topic), abs=2e-5)


def test_unjudged_documents_are_its_point() -> None:
    with pytest.raises(MeasureError, match="no parameter 'condensed'"):
        parse("infAP'")


RANKING = "d5 d1 d2 d4 d3 d6 d7 d8 d12".split()
FIRST = {"d1": 1, "d3": 1, "d5": 0}
SECOND = {"d2": None, "d6": None, "d7": 1, "d8": 0, "d9": 1, "d10": 0, "d11": 0}


def test_strata_of_the_specification(value_of) -> None:
    assert xinfap(RANKING, [FIRST, SECOND]) == pytest.approx(0.3750009028, abs=5e-11)
    one = xinfap(RANKING, [{**FIRST, **SECOND}])
    assert one == pytest.approx(value_of("infAP", SAMPLED), abs=1e-12)


def test_strata_without_a_relevant_document() -> None:
    assert xinfap(RANKING, []) == xinfap(RANKING, [{"d1": None}, {"d2": 0}]) == 0
    assert xinfap(["a"], [{"a": 2}], rel=2) == 1
    with pytest.raises(MeasureError, match="in two strata"):
        xinfap(RANKING, [{"d1": 1}, {"d1": 0}])
