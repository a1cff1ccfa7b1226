from __future__ import annotations

import pytest

from cranfield.measures import Topic

T2_VALUES = [
    ("P@5", 0.4),
    ("P@10", 0.4),
    ("P@20", 0.25),
    ("P(rel=2)@5", 0.2),
    ("P", 0.4166666667),
    ("P'@10", 0.5),
    ("R@5", 0.2857142857),
    ("R@10", 0.5714285714),
    ("R@20", 0.7142857143),
    ("R", 0.7142857143),
    ("F", 0.5263157895),
    ("Success@1", 1.0),
    ("Rprec", 0.4285714286),
    ("RR", 1.0),
    ("RR(rel=2)", 0.25),
    ("AP@5", 0.2142857143),
    ("AP@10", 0.3492063492),
    ("AP@20", 0.4087301587),
    ("AP", 0.4087301587),
    ("AP(rel=2)", 0.2083333333),
    ("AP'", 0.4848072562),
]


@pytest.mark.parametrize(("text", "value"), T2_VALUES)
def test_t2(text: str, value: float, t2: Topic, value_of) -> None:
    assert value_of(text, t2) == pytest.approx(value, abs=5e-11)


def test_precision_divides_by_k_and_without_a_cutoff_by_what_came_back(value_of) -> None:
    assert value_of("P@10", (1, None)) == 0.1
    assert value_of("P", (1, None)) == 0.5
    assert value_of("P", ()) == 0


def test_success_and_reciprocal_rank_stop_at_the_cutoff(value_of) -> None:
    assert value_of("Success@2", (0, None, 1)) == 0
    assert value_of("Success@3", (0, None, 1)) == 1
    assert value_of("RR@2", (0, None, 1)) == 0
    assert value_of("RR@3", (0, None, 1)) == 1 / 3
    assert value_of("RR", (0, 0, 3, 1, 2)) == pytest.approx(0.3333333333, abs=5e-11)


def test_f_weighs_recall_by_beta_squared(value_of) -> None:
    topic = Topic((1, 0, 0, 0), (1,))  # P = 1/4, R = 1/2
    assert value_of("F", topic) == pytest.approx(1 / 3)
    assert value_of("F(beta2=4)", topic) == pytest.approx(5 * 0.125 / 1.5)
    assert value_of("F@2", topic) == pytest.approx(0.5)


def test_ap_keeps_the_divisor_r_at_a_cutoff_unless_told(value_of) -> None:
    topic = Topic((1, 1, 1), (1, 1))
    assert value_of("AP@2", topic) == 0.4
    assert value_of('AP(norm="min")@2', topic) == 1
    assert value_of('AP(norm="min")', topic) == value_of("AP", topic) == 0.6


def test_a_fractional_threshold_is_exact(value_of) -> None:
    assert value_of("P(rel=0.2)@2", (0.2, 0.1)) == 0.5


def test_ties_in_docid_order_of_the_specification(value_of) -> None:
    assert value_of("AP", (2, 0, 1, 0)) == pytest.approx(0.8333333333, abs=5e-11)
    assert value_of("RR", (2, 0, 1, 0)) == 1
    assert value_of("AP", (0, 1, 0, 2)) == value_of("RR", (0, 1, 0, 2)) == 0.5


def test_r_precision_at_multiples_of_r(value_of) -> None:
    topic = Topic((1, 0, 1, 0, 1), (1, 1))  # R = 5
    assert value_of("Rprec(mult=0.2)", topic) == 1
    assert value_of("Rprec(mult=0.6)", topic) == pytest.approx(2 / 3)
    assert value_of("Rprec(mult=2)", topic) == 0.3
    assert value_of("Rprec(mult=0.01)", topic) == 0  # no document deep
