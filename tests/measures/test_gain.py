from __future__ import annotations

import math
from itertools import permutations

import pytest

from cranfield.errors import MeasureError
from cranfield.measures import Topic, block, compute, nDCG

T2_VALUES = [
    ("nDCG@5", 0.3209678224),
    ("nDCG@10", 0.4221261698),
    ("nDCG@20", 0.491147796),
    ("nDCG", 0.491147796),
    ('nDCG(gain="exp")@5', 0.2750687511),
    ('nDCG(gain="exp")@10', 0.352267692),
    ('nDCG(gain="exp")@20', 0.4053078038),
    ('nDCG(gain="exp")', 0.4053078038),
    ("nDCG'@10", 0.5375237529),
    ('nDCG\'(gain="exp")@10', 0.4512275271),
    ("nDCG(gain={0:0,1:1,2:2,3:3})@10", 0.4221261698),
]
TEXT = (3, 0, 2, 1, 3)
EXERCISE_1 = (2, 3, 0, 0, 1)


@pytest.mark.parametrize(("text", "value"), T2_VALUES)
def test_t2(text: str, value: float, t2: Topic, value_of) -> None:
    assert value_of(text, t2) == pytest.approx(value, abs=5e-11)


@pytest.mark.parametrize(
    ("text", "topic", "value"),
    [
        ('DCG(gain="exp")@5', Topic(TEXT), 11.6386462087),
        ('DCG(gain="exp")@5', Topic((3, 3, 2, 1, 0)), 13.3471848331),
        ('nDCG(gain="exp")@5', Topic(TEXT), 0.8719925853),
        ("nDCG@5", Topic(TEXT), 0.8842041912),
        ('nDCG(gain="exp")@5', Topic((0, 0, 3, 1, 2)), 0.5420365387),
        ('DCG(gain="exp")@5', Topic(EXERCISE_1), 7.8033610822),
        ('nDCG(gain="exp")@5', Topic(EXERCISE_1), 0.8307820889),
        ("nDCG@5", Topic(EXERCISE_1), 0.8987333754),
        ('nDCG(gain="exp")@10', Topic((1, *(0,) * 7, 3, 3)), 0.4305509328),
        ('nDCG(gain="exp")@10', Topic((1, *(0,) * 7), (3, 3)), 0.0839171993),
        ("nDCG@10", Topic((1, *(0,) * 9), (1,) * 9), 0.2200917663),
        ("nDCG(gain={1:1,2:1,3:1})@5", Topic(TEXT), 0.9047172295),
        ("nDCG(gain={1:1,2:1,3:1})@5", Topic(EXERCISE_1), 0.9469024295),
        ("nDCG", Topic((2, 0, 1, 0)), 0.9502344168),
        ("nDCG", Topic((0, 1, 0, 2)), 0.567207417),
    ],
)
def test_worked_values(text: str, topic: Topic, value: float, value_of) -> None:
    assert value_of(text, topic) == pytest.approx(value, abs=5e-11)


def test_sixty_orders_of_five_documents() -> None:
    orders = sorted(set(permutations((3, 3, 2, 1, 0))))
    judgments, hits = block([Topic(order) for order in orders])
    four, two = nDCG(gain="exp") @ 5, nDCG(gain={1: 1, 2: 1, 3: 1}) @ 5
    values = compute([four, two], judgments, hits)[0].round(12)
    assert len(orders) == 60
    assert len(set(values[:, 0])) == 60
    assert len(set(values[:, 1])) == 5
    assert values.min(axis=0).tolist() == pytest.approx([0.5884113698, 0.7606395682], abs=5e-11)
    assert values.max(axis=0).tolist() == [1, 1]


def test_a_table_may_give_a_higher_grade_less_and_the_ideal_follows_the_gains(value_of) -> None:
    assert value_of("nDCG(gain={1:3,2:1})", (1, 2)) == 1
    assert value_of("nDCG(gain={1:3,2:1})", (2, 1)) < 1


def test_grades_of_zero_and_below_gain_nothing(value_of) -> None:
    assert value_of("DCG", (-1, 0, None)) == 0
    assert value_of("DCG", (0.5, -1)) == 0.5
    assert value_of('DCG(gain="exp")', (0.5,)) == pytest.approx(math.sqrt(2) - 1)


def test_a_grade_that_the_table_lacks_is_named() -> None:
    with pytest.raises(MeasureError, match=r"grade 2, which the gain table does not have"):
        compute([nDCG(gain={1: 1})], *block([Topic((1,), (2,))]))


def test_a_gain_too_large_for_a_number_is_refused_with_a_way_out() -> None:
    with pytest.raises(MeasureError, match="too large") as error:
        compute([nDCG(gain="exp")], *block([Topic((2000,))]))
    assert 'gain="linear"' in str(error.value.hint)
    with pytest.raises(MeasureError, match="not a finite number"):
        compute([nDCG], *block([Topic((1.7e308, 1.7e308, 1.7e308))]))
    assert compute([nDCG], *block([Topic((2000,))]))[0].tolist() == [[1]]
