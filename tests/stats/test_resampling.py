from __future__ import annotations

import numpy as np
import pytest

from cranfield.errors import UsageError
from cranfield.stats.resampling import blocks, indices, multiplicities, orders, signs

# The first draws of seed 0. They may not change, with no machine and no version of NumPy: a
# p-value that was printed with its seed can be computed again.
_SIGNS = "+++++-+-"
_INDICES = [8, 6, 5, 2, 3, 0]
_ORDER = [3, 2, 1, 0, 4]


def test_the_draws_never_change() -> None:
    assert "".join("+" if s > 0 else "-" for s in signs(0, 0, 1, 8)[0]) == _SIGNS
    assert indices(0, 0, 1, 10)[0, :6].tolist() == _INDICES
    assert orders(0, 0, 1, 1, 5)[0, 0].tolist() == _ORDER


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 130])
def test_a_draw_does_not_depend_on_the_block(n: int) -> None:
    for draw in (signs, indices, multiplicities):
        whole = draw(3, 0, 10, n)
        parts = [draw(3, 0, 4, n), draw(3, 4, 1, n), draw(3, 5, 5, n)]
        assert np.array_equal(whole, np.concatenate(parts))
    whole = orders(3, 0, 6, n, 7)
    assert np.array_equal(whole, np.concatenate([orders(3, 0, 5, n, 7), orders(3, 5, 1, n, 7)]))


def test_fewer_or_more_draws_than_there_are_numbers() -> None:
    drawn = indices(5, 0, 400, 7, 20)
    assert drawn.shape == (400, 20) and set(drawn.ravel()) == set(range(7))
    assert np.array_equal(indices(5, 0, 9, 8), indices(5, 0, 9, 8, 8))


def test_all_draws_are_as_likely() -> None:
    """Each cell within 4.5 standard deviations of its expectation."""
    drawn = 20_000
    flipped = signs(1, 0, drawn, 70)
    assert set(np.unique(flipped)) == {-1.0, 1.0}
    assert np.abs(flipped.sum(axis=0)).max() < 4.5 * drawn**0.5
    together = flipped.T @ flipped - drawn * np.eye(70)
    assert np.abs(together).max() < 4.5 * drawn**0.5
    taken = np.bincount(indices(1, 0, drawn, 7).ravel(), minlength=7)
    assert len(taken) == 7
    assert np.abs(taken - drawn).max() < 4.5 * (drawn * 6 / 7) ** 0.5
    order = orders(1, 0, drawn, 1, 5)[:, 0]
    assert (np.sort(order, axis=1) == np.arange(5)).all()
    for place in range(5):
        count = np.bincount(order[:, place], minlength=5)
        assert np.abs(count - drawn / 5).max() < 4.5 * (drawn * 4 / 25) ** 0.5


def test_how_often_each_topic_is_drawn() -> None:
    counts = multiplicities(2, 0, 50, 9)
    assert (counts.sum(axis=1) == 9).all()
    drawn = indices(2, 0, 50, 9)
    assert np.array_equal(counts[7], np.bincount(drawn[7], minlength=9))


def test_blocks_cover_all() -> None:
    for resamples, row in ((1, 1), (1000, 250), (7, 1 << 30)):
        found = list(blocks(resamples, row))
        assert [first for first, _ in found] == [
            sum(c for _, c in found[:i]) for i in range(len(found))
        ]
        assert sum(count for _, count in found) == resamples


@pytest.mark.parametrize("seed", [-1, 1.5, "a"])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(UsageError, match="seed must be a whole number"):
        signs(seed, 0, 1, 1)  # type: ignore[arg-type]
