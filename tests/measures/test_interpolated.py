from __future__ import annotations

import pytest

from cranfield.errors import MeasureError
from cranfield.measures import AP, IPrec, IPrecAvg, Topic, parse, parse_many

T2_VALUES = [
    ("IPrec@0", 1),
    ("IPrec@0.1", 1),
    ("IPrec@0.2", 0.5),
    ("IPrec@0.3", 0.5),
    ("IPrec@0.5", 0.4444444444),
    ("IPrec@0.7", 0.4166666667),
    ("IPrec@1", 0),
    ('IPrec(convention="v9")@0.2', 0.5),
    ('IPrec(convention="lround")@0.2', 1),
]


@pytest.mark.parametrize(("text", "value"), T2_VALUES)
def test_t2(text: str, value: float, t2: Topic, value_of) -> None:
    assert value_of(text, t2) == pytest.approx(value, abs=5e-11)


def test_a_tenth_of_thirty_documents_is_three(value_of) -> None:
    topic = Topic((1, 1, 1, 0, 1), (1,) * 26)
    assert value_of("IPrec@0.1", topic) == 1
    assert value_of("IPrec@0.11", topic) == 0.8


def test_the_average_of_levels(t2: Topic, value_of) -> None:
    levels = [value_of(f"IPrec@{i / 10}", t2) for i in range(11)]
    assert value_of("IPrecAvg", t2) == pytest.approx(sum(levels) / 11)
    assert value_of("IPrecAvg(levels=[0.5])", t2) == value_of("IPrec@0.5", t2)


def test_an_at_that_is_a_level_and_not_a_cutoff() -> None:
    measure = IPrec @ 0.1
    assert measure.cutoff is None
    assert (measure.at, str(measure)) == (0.1, "IPrec@0.1")
    assert str(IPrec @ 1) == "IPrec@1"
    with pytest.raises(MeasureError, match="needs a level of recall"):
        parse("IPrec")
    with pytest.raises(MeasureError, match="level must be a number from 0 to 1, not 10"):
        parse("IPrec@10")


def test_levels_are_a_list() -> None:
    measure = IPrecAvg(levels=[0.5, 0.2, 0.5])
    assert measure.values["levels"] == (0.2, 0.5)
    assert str(measure) == "IPrecAvg(levels=[0.2,0.5])"
    assert parse_many("IPrecAvg(levels=[0.2,0.5]), AP") == [measure, AP]
    for wrong in ("IPrecAvg(levels=[])", "IPrecAvg(levels=[2])", "IPrecAvg(levels={1:1})"):
        with pytest.raises(MeasureError, match="levels must be a list"):
            parse(wrong)
