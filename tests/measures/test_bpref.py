from __future__ import annotations

import pytest

from cranfield.measures import Topic


@pytest.mark.parametrize(
    ("topic", "value"),
    [
        # one non-relevant first, then all relevant found; more of both not returned
        (Topic((0, 1, 1, 1, 1), (1, 1, 0, 0, 0)), 0.5),
        # the list of infAP's example: R = 4, N = 4
        (Topic((0, 1, -1, None, 1, -1, 1, 0, None), (1, 0, 0)), 0.5625),
        (Topic((1, None, 1)), 1.0),  # no non-relevant document at all
        (Topic((0, 0), (0,)), 0.0),
    ],
)
def test_worked_values(topic: Topic, value: float, value_of) -> None:
    assert value_of("bpref", topic) == pytest.approx(value, abs=5e-11)


def test_t2(t2: Topic, value_of) -> None:
    assert value_of("bpref", t2) == pytest.approx(0.4761904762, abs=5e-11)


def test_unjudged_documents_do_not_matter(t2: Topic, value_of) -> None:
    assert value_of("bpref'", t2) == value_of("bpref", t2)
