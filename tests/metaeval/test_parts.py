"""The queries cut into parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metaeval.conftest import of

from cranfield.errors import UsageError
from cranfield.metaeval.discrimination import LEVELS, discriminate
from cranfield.metaeval.parts import part_curve, part_sizes, permutations


def test_sizes_of_the_paper():
    assert part_sizes(249, 2) == (125, 124)
    assert part_sizes(249, 3) == (83, 83, 83)
    assert part_sizes(249, 5) == (50, 50, 50, 50, 49)
    assert part_sizes(249, 10) == (25,) * 9 + (24,)


@given(st.integers(2, 2000), st.data())
def test_sizes_differ_by_one_at_most_and_the_larger_come_first(n, data):
    parts = data.draw(st.integers(1, n // 2))
    sizes = part_sizes(n, parts)
    assert sum(sizes) == n and len(sizes) == parts
    assert max(sizes) - min(sizes) <= 1 and min(sizes) >= 2
    assert list(sizes) == sorted(sizes, reverse=True)


@pytest.mark.parametrize("parts", [0, 4, 7])
def test_parts_of_one_query_are_refused(parts):
    with pytest.raises(UsageError, match=f"7 queries cannot be cut into {parts} parts"):
        part_sizes(7, parts)


def test_the_toy(toy):
    found = part_curve(toy, 2, how="contiguous")
    assert (found.sizes, found.repeats, found.seed) == ((3, 3), 1, None)
    assert found.share[0, -1] == pytest.approx(1 / 6)
    assert found.sd is None


def test_one_part_is_the_whole():
    rng = np.random.default_rng(0)
    matrix = of(rng.random((8, 12)), rng.random((8, 12)))
    whole = discriminate(matrix, resamples=0).share
    found = part_curve(matrix, 1, repeats=3)
    assert found.share == pytest.approx(whole) and found.sd == pytest.approx(0)


def test_every_query_is_in_one_part():
    rng = np.random.default_rng(1)
    matrix = of(rng.random((6, 11)) + rng.normal(0, 0.3, (6, 1)))
    found = part_curve(matrix, 3, repeats=4, seed=9)
    order = permutations(9, 4, 11)
    assert [sorted(row) for row in order.tolist()] == [list(range(11))] * 4
    by_hand = []
    for row in order:
        cut = np.split(row, [4, 8])
        parts = [matrix.select(queries=[matrix.queries[i] for i in part]) for part in cut]
        by_hand.append(np.mean([discriminate(p, resamples=0).share for p in parts], axis=0))
    assert found.curves == pytest.approx(np.array(by_hand))
    assert found.sd == pytest.approx(np.std(by_hand, axis=0, ddof=1))
    assert (found.low <= found.share).all() and (found.share <= found.high).all()


def test_wrong_choices(toy):
    with pytest.raises(UsageError, match="how is 'odd'"):
        part_curve(toy, 2, how="odd")
    with pytest.raises(UsageError, match="repeats must be"):
        part_curve(toy, 2, repeats=0)


def test_levels_are_those_asked_for(toy):
    assert part_curve(toy, 2, (0.05,), repeats=2).share.shape == (1, 1)
    assert part_curve(toy, 2, repeats=2).share.shape == (1, len(LEVELS))
