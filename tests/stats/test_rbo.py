from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import MeasureError
from cranfield.measures import RBO, rbo


@pytest.mark.parametrize(
    ("p", "values"),
    [
        (0.8, (0.4781080839, 0.153189379, 0.5685077333)),
        (0.9, (0.4123656382, 0.357094622, 0.6338971125)),
    ],
)
def test_the_example_of_the_specification(p: float, values: tuple[float, ...]) -> None:
    assert rbo("abcde", "bagheklc", p) == pytest.approx(values, abs=5e-11)
    assert rbo("bagheklc", "abcde", p) == rbo("abcde", "bagheklc", p)


def test_equal_and_disjoint_lists() -> None:
    assert rbo("12345", "23415", 0.9).ext == pytest.approx(0.828)
    assert rbo("abc", "abc").ext == pytest.approx(1)
    assert rbo("abc", "xyz").ext == 0
    assert rbo("abc", "xyz").min == 0
    assert rbo("", "abc") == RBO(0, 1, 0)  # nothing is known of the one
    assert all(math.isnan(x) for x in rbo("", ""))


@given(
    st.lists(st.integers(0, 12), unique=True, max_size=8),
    st.lists(st.integers(0, 12), unique=True, max_size=8),
    st.floats(0.1, 0.99),
)
def test_the_slow_sum(first: list[int], second: list[int], p: float) -> None:
    if not first and not second:
        return
    found = rbo(first, second, p)
    assert -1e-12 <= found.min <= found.ext + 1e-12
    assert found.ext <= found.min + found.res + 1e-12 <= 1 + 1e-9
    # the lists go on with documents of their own
    a = first + [f"a{i}" for i in range(4000)]
    b = second + [f"b{i}" for i in range(4000)]
    total, seen_a, seen_b, shared = 0.0, set(), set(), 0
    for d in range(1, 3000):
        seen_a.add(a[d - 1])
        seen_b.add(b[d - 1])
        shared += (a[d - 1] in seen_b) + (b[d - 1] in seen_a) - (a[d - 1] == b[d - 1])
        total += (1 - p) * p ** (d - 1) * shared / d
    assert found.min == pytest.approx(total, abs=1e-9)


def test_what_is_refused() -> None:
    with pytest.raises(MeasureError, match="twice in a list"):
        rbo("aa", "b")
    with pytest.raises(MeasureError, match="p must be"):
        rbo("a", "b", 1)
