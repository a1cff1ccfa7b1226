from __future__ import annotations

import numpy as np
import pytest

from cranfield.errors import MeasureError
from cranfield.measures import INSQ, INST, NERR8, NERR10, Topic, block, compute, parse

# cwl_eval 1.0.12 through ir_measures 0.4.3
T2_VALUES = [
    ("INST(T=1.0,max_rel=3)", 0.2450415471),
    ("INST(T=3, max_rel=3)", 0.1931866927),
    ("INSQ(T=1.0, max_rel=3)", 0.2239616662),
    ("INSQ(T=3.0, min_rel=0, max_rel=4)", 0.1294390999),
    ("BPM(T=1.0, max_rel=3)@10", 0.3333333333),
    ("BPM(T=3.0, max_rel=3)@5", 0.2666666667),
    ("SDCG(max_rel=3)@10", 0.2425025403),
    ("NERR8(max_rel=4)@10", 0.2337917485),
    ("NERR9(max_rel=4)@10", 0.2125232054),
    ("NERR10(p=0.9, max_rel=4)", 0.2184860813),
    ("NERR11(T=1.0, max_rel=4)", 0.2046489082),
]


@pytest.mark.parametrize(("text", "value"), T2_VALUES)
def test_t2(text: str, value: float, t2: Topic, value_of) -> None:
    assert value_of(text, t2) == pytest.approx(value, abs=5e-11)


def test_many_topics_are_as_good_as_one(t2: Topic) -> None:
    topics = [t2, Topic((0, 3)), Topic()] * 300
    many = compute([INST(gmax=3), NERR8(gmax=3) @ 5], *block(topics))[0]
    few = compute([INST(gmax=3), NERR8(gmax=3) @ 5], *block(topics[:3]))[0]
    assert many.tobytes() == np.tile(few, (300, 1)).tobytes()


def test_documents_below_a_thousand_ranks_do_not_count(value_of) -> None:
    assert value_of("INSQ", (None,) * 1000 + (3,)) == 0
    assert value_of("INSQ", (None,) * 999 + (3,)) > 0


def test_a_scale_and_a_target() -> None:
    assert parse("INST").lacks_gmax
    assert parse("NERR10") == NERR10(p=0.9)
    with pytest.raises(MeasureError, match="T must be a number of at least"):
        INST(T=0.2)
    with pytest.raises(MeasureError, match="no parameter 'min_rel'"):
        parse("INSQ(min_rel=1, max_rel=3)")
    with pytest.raises(MeasureError, match="grade 3, above gmax=2"):
        compute([INSQ(gmax=2)], *block([Topic((3,))]))
