"""Orders and significant differences of the same runs, scored twice."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.diagnosis.verdicts import order_change, significance_change
from cranfield.errors import UsageError
from cranfield.stats.significance import paired_t

RUNS = ("a", "b", "c")


def test_swapped_pairs_name_the_one_ahead_before() -> None:
    got = order_change(RUNS, np.array([0.3, 0.2, 0.1]), np.array([0.3, 0.1, 0.2]))
    assert got.swapped == (("b", "c"),) and got.tied == 0
    assert got.tau == pytest.approx(1 / 3)
    assert got.tau_ap == pytest.approx(0.5)  # below the top one of two is in its place


def test_a_tie_on_one_side_is_no_swap() -> None:
    got = order_change(RUNS, np.array([0.3, 0.2, 0.1]), np.array([0.3, 0.3 + 1e-14, 0.1]))
    assert got.swapped == () and got.tied == 1


def test_one_run_has_no_order() -> None:
    got = order_change(("a",), np.array([0.3]), np.array([0.2]))
    assert (got.tau, got.tau_ap, got.swapped) == (None, None, ())


def scored() -> tuple[np.ndarray, np.ndarray]:
    """a is ahead of b by about the same everywhere, then behind; c is a with noise, twice."""
    rng = np.random.default_rng(3)
    base = rng.random(20)
    near = base + 0.01 * rng.standard_normal(20)
    before = np.stack([base + 0.2, near, base + 0.2 + rng.standard_normal(20)])
    after = np.stack([base - 0.2, near, base + 0.2 + rng.standard_normal(20)])
    return before, after


def test_a_pair_that_turns_and_pairs_that_stay_open() -> None:
    before, after = scored()
    got = significance_change(RUNS, before, after)
    assert got.pairs == 3 and got.changed == (("a", "b", "turned"),)
    for table, n in ((before, got.before), (after, got.after)):
        one = [paired_t(table[i] - table[j]).p for i, j in ((0, 1), (0, 2), (1, 2))]
        assert n == sum(p < 0.05 for p in one) == 1


def test_lost_and_gained_are_told_apart() -> None:
    before, _ = scored()
    flat = np.stack([before[1], before[1], before[2]])
    lost = significance_change(RUNS, before, flat)
    gained = significance_change(RUNS, flat, before)
    assert lost.changed == (("a", "b", "lost"),) and gained.changed == (("a", "b", "gained"),)
    assert (lost.count("lost"), lost.count("gained")) == (1, 0)


def test_a_correction_makes_fewer_of_them() -> None:
    rng = np.random.default_rng(5)
    x = rng.random((8, 15)) + 0.05 * np.arange(8)[:, None]
    plain = significance_change(list("abcdefgh"), x, x)
    strict = significance_change(list("abcdefgh"), x, x, correction="bonferroni")
    assert plain.changed == () and strict.before < plain.before


def test_topics_of_the_two_sides_need_not_be_the_same_and_one_is_too_few() -> None:
    before, _ = scored()
    assert significance_change(RUNS, before, before[:, :10]).after is not None
    got = significance_change(RUNS, before, before[:, :1])
    assert got.before == 1 and got.after is None and got.changed == ()


def test_wrong_calls() -> None:
    before, after = scored()
    with pytest.raises(UsageError, match="alpha"):
        significance_change(RUNS, before, after, alpha=1.5)
    with pytest.raises(UsageError, match="no correction"):
        significance_change(RUNS, before, after, correction="tukey")
