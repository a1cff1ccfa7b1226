"""Expectations over random orders of ties, against the mean over all orders."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.measures import AP, DCG, RR, Measure, P, R, Topic, block, compute, nDCG

MEASURES = [
    P @ 3,
    P,
    P(rel=2) @ 2,
    R @ 3,
    R,
    DCG @ 3,
    DCG(gain="exp"),
    nDCG @ 2,
    nDCG,
    nDCG(gain={1: 2, 2: 1, 3: 4}) @ 4,
    RR,
    RR @ 2,
    RR(rel=2) @ 4,
    AP,
    AP @ 3,
    AP(rel=2),
    AP(norm="min") @ 3,
]
MEASURES += [measure(condensed=True) for measure in MEASURES]

GRADES = st.sampled_from([None, None, -1, 0, 1, 2, 3])


@st.composite
def tied_topics(draw: st.DrawFn) -> Topic:
    ranked = draw(st.lists(GRADES, max_size=6))
    scores = sorted(draw(st.lists(st.integers(0, 2), min_size=len(ranked), max_size=len(ranked))))
    return Topic(ranked, draw(st.lists(st.sampled_from([-1, 0, 1, 3]), max_size=3)), scores[::-1])


def orders(topic: Topic) -> list[Topic]:
    """Every order of the topic's list that its scores allow, without ties."""
    assert topic.scores is not None
    groups: dict[float, list[float | None]] = {}
    for score, grade in zip(topic.scores, topic.ranked, strict=True):
        groups.setdefault(score, []).append(grade)
    lists = product(*(permutations(group) for group in groups.values()))
    return [Topic([grade for group in parts for grade in group], topic.missed) for parts in lists]


@given(tied_topics())
def test_the_expectation_is_the_mean_over_all_orders(topic: Topic) -> None:
    expected, _ = compute(MEASURES, *block([topic]), expected_ties=True)
    every, _ = compute(MEASURES, *block(orders(topic)))
    assert expected[0] == pytest.approx(every.mean(axis=0), abs=1e-12)


@given(st.lists(tied_topics(), max_size=4))
def test_without_ties_the_expectation_is_the_plain_value_bit_for_bit(topics: list[Topic]) -> None:
    alone = [Topic(t.ranked, t.missed) for t in topics]
    plain, _ = compute(MEASURES, *block(alone))
    expected, _ = compute(MEASURES, *block(alone), expected_ties=True)
    assert plain.tobytes() == expected.tobytes()


@given(st.lists(tied_topics(), min_size=2, max_size=5))
def test_the_expectation_of_a_topic_does_not_depend_on_its_neighbours(topics: list[Topic]) -> None:
    whole, _ = compute(MEASURES, *block(topics), expected_ties=True)
    parts = [compute(MEASURES, *block([t]), expected_ties=True)[0] for t in topics]
    assert whole.tobytes() == np.concatenate(parts).tobytes()


@pytest.mark.parametrize("measure", [AP, RR, nDCG, nDCG @ 10, P @ 10])
def test_one_long_tie_has_a_known_expectation(measure: Measure) -> None:
    n = 2000
    topic = Topic([1] + [None] * (n - 1), (), [1.0] * n)
    harmonic = sum(1 / rank for rank in range(1, n + 1))
    discounts = [1 / np.log2(rank + 1) for rank in range(1, n + 1)]
    known = {
        AP: harmonic / n,
        RR: harmonic / n,
        nDCG: sum(discounts) / n,
        nDCG @ 10: sum(discounts[:10]) / n,
        P @ 10: 1 / n,
    }
    value = compute([measure], *block([topic]), expected_ties=True)[0][0, 0]
    assert value == pytest.approx(known[measure], rel=1e-12)


def test_there_are_as_many_orders_as_there_should_be() -> None:
    assert len(orders(Topic((1, 0, None, 2), (), (2, 1, 1, 1)))) == factorial(3)
