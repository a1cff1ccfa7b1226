from __future__ import annotations

import pytest

from cranfield.measures.params import read_gain, write


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (False, "false"),
        (None, "none"),
        (3, "3"),
        (2.0, "2"),
        (0.5, "0.5"),
        (1e22, "1e+22"),
        ("exp", '"exp"'),
        (((0.0, 0.0), (0.5, 1.0)), "{0:0,0.5:1}"),
    ],
)
def test_how_values_are_written(value, text: str) -> None:
    assert write(value) == text


def test_tables_become_sorted_pairs_that_say_zero() -> None:
    assert read_gain({2: 5, 1: 1}) == ((0, 0), (1, 1), (2, 5))
    assert read_gain(read_gain({2: 5})) == ((0, 0), (2, 5))
    assert read_gain({}) == ((0, 0),)
