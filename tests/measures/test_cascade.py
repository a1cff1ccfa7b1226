from __future__ import annotations

import pytest

from cranfield.errors import MeasureError
from cranfield.measures import ERR, RBP, Topic, block, compute

T2_VALUES = [
    ("ERR(gmax=4)@5", 0.1650390625),
    ("ERR(gmax=4)@10", 0.1844940186),
    ("ERR(gmax=4)@20", 0.1907703876),
    ("ERR@10", 0.3241916233),
    ("ERR", 0.3260608249),
    ("nERR@10", 0.3475082268),
    ("nERR(gmax=4)@10", 0.3081768416),
    ("RBP", 0.4186703012),
    ("RBP(p=0.95)", 0.1931688231),
    ("RBP(graded=true)", 0.2353953901),
    ("RBP'", 0.495903232),
    ("RBPRes", 0.2759918223),
    ("RBPRes(p=0.95)", 0.6537521527),
]


@pytest.mark.parametrize(("text", "value"), T2_VALUES)
def test_t2(text: str, value: float, t2: Topic, value_of) -> None:
    assert value_of(text, t2) == pytest.approx(value, abs=5e-11)


def test_the_residual_of_nothing_returned_is_everything(value_of) -> None:
    assert value_of("RBPRes", Topic((), (1,))) == 1
    assert value_of("RBPRes(p=0.5)", (-1, None)) == 1


def test_the_residual_of_a_fully_judged_list_is_its_tail_exactly(value_of) -> None:
    assert value_of("RBPRes(p=0.5)", (0,) * 60) == 0.5**60
    assert value_of("RBPRes(p=0.5)@3", (1, 0, 0, None)) == 0.125


def test_ranks_below_every_power_of_p(value_of) -> None:
    assert value_of("RBP(p=0.5)", (*(None,) * 3000, 1)) == 0


@pytest.mark.parametrize("measure", [ERR(gmax=2), RBP(graded=True, gmax=2)])
def test_a_grade_above_gmax_is_refused(measure) -> None:
    with pytest.raises(MeasureError, match="grade 3, above gmax=2"):
        compute([measure], *block([Topic((3,))]))


@pytest.mark.parametrize("measure", [ERR, ERR @ 10, RBP(graded=True)])
def test_an_open_gmax_is_refused_because_a_block_is_not_a_collection(measure) -> None:
    with pytest.raises(MeasureError, match="largest grade"):
        compute([measure], *block([Topic((3,))]))


def test_a_gmax_too_large_for_a_number_is_refused() -> None:
    with pytest.raises(MeasureError, match="too large"):
        compute([ERR(gmax=5000)], *block([Topic((3,))]))


def test_rbp_as_trec_eval_10_computes_it(t2: Topic, value_of) -> None:
    plain = value_of("RBP(p=0.9, graded=true, gmax=3)", t2)
    assert value_of("rbp", t2) == pytest.approx(plain, rel=1e-14)
    assert value_of('RBP(p=0.9, graded=true, gmax="topic")', Topic((1, 0), (2,))) == pytest.approx(
        0.05
    )
    low = Topic((0.5,))  # gains up to 1 are taken as they are
    assert value_of("RBP(graded=true, gmax=topic)", low) == pytest.approx(0.2 * 0.5)
    assert value_of("RBPRes(p=0.5, tail=false)", (0, 1)) == 0
    assert value_of("RBPRes(p=0.5, tail=false)@1", (0, None)) == 0
    for grades in [(0, None), (-1, 0)]:
        full = value_of("RBPRes(p=0.5)", grades)
        assert value_of("RBPRes(p=0.5, tail=false)", grades) == full


def test_gmax_is_a_number_or_topic() -> None:
    with pytest.raises(MeasureError, match='gmax must be a number above 0 or "topic"'):
        RBP(graded=True, gmax="all")
    assert str(RBP(graded=True, gmax="topic")) == 'RBP(graded=true, gmax="topic")'
    assert RBP(graded=True, gmax="topic").resolve(3) == RBP(graded=True, gmax="topic")
