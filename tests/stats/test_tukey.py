from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.anova import AnovaRM

from cranfield.errors import InputError
from cranfield.stats.resampling import orders
from cranfield.stats.significance import paired_t, randomisation
from cranfield.stats.tukey import (
    blocked_anova,
    randomised_tukey_hsd,
    randomised_tukey_hsds,
    tukey_hsd,
)

Array = NDArray[np.float64]


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(2, 12))
def test_analysis_of_variance_is_statsmodels(seed: int, m: int, n: int) -> None:
    import pandas

    x = np.random.default_rng(seed).random((m, n))
    found = blocked_anova(x)
    table = pandas.DataFrame(
        {"score": x.ravel(), "system": np.repeat(range(m), n), "topic": np.tile(range(n), m)}
    )
    other = AnovaRM(table, "score", "topic", within=["system"]).fit().anova_table
    assert pytest.approx(other["F Value"].iloc[0], rel=1e-7) == found.F
    assert found.p == pytest.approx(other["Pr > F"].iloc[0], rel=1e-6)
    assert pytest.approx(((x - x.mean()) ** 2).sum()) == found.SA + found.SB + found.SE


def test_two_systems_are_a_paired_t(ab: Array, abc: Array) -> None:
    t = paired_t(ab)
    found, hsd = blocked_anova(abc[:2]), tukey_hsd(abc[:2])
    assert pytest.approx((t.statistic or 0) ** 2) == found.F
    assert found.p == pytest.approx(t.p)
    assert hsd.p[0, 1] == pytest.approx(t.p, rel=1e-9)
    assert hsd.q[0, 1] == pytest.approx(math.sqrt(2) * (t.statistic or 0))


def test_tukey_is_the_studentised_range(abc: Array) -> None:
    found = tukey_hsd(abc, 0.1)
    df = 2 * 19
    assert found.p == pytest.approx(stats.studentized_range.sf(found.q, 3, df), abs=1e-9)
    error = math.sqrt(found.anova.VE / 20)
    assert found.hsd == pytest.approx(stats.studentized_range.isf(0.1, 3, df) * error, rel=1e-7)
    # the functions for groups do not know the topics
    assert stats.tukey_hsd(*abc).pvalue[0, 1] == pytest.approx(0.3941196, abs=1e-6)
    assert found.p[0, 1] == pytest.approx(0.2566977, abs=1e-6)


def test_hsd_is_where_p_is_alpha() -> None:
    x = np.random.default_rng(1).random((5, 30))
    found = tukey_hsd(x)
    x[0] += found.hsd - found.difference[0, 1]
    again = tukey_hsd(x)  # what is added to a system is not in the residuals
    assert again.p[0, 1] == pytest.approx(0.05, abs=1e-9)


def test_residuals_of_zero() -> None:
    x = np.array([[0.1, 0.5, 0.3], [0.2, 0.6, 0.4], [0.1, 0.5, 0.3]])
    found = tukey_hsd(x)
    assert found.p.tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    assert (found.effect, found.hsd, found.anova.p) == (None, 0.0, 0.0)
    same = tukey_hsd([[0.1, 0.2], [0.1, 0.2]])
    assert same.p.tolist() == [[1, 1], [1, 1]] and same.anova.p == 1


def test_randomised_word_by_word(abc: Array) -> None:
    """The definition, permutation by permutation, with the orders that are drawn."""
    x = np.round(abc * 10).astype(int)
    widest = []
    for order in orders(5, 0, 400, 20, 3):
        shuffled = np.array([x[order[topic], topic] for topic in range(20)])
        widest.append(np.ptp(shuffled.sum(axis=0)))
    found = randomised_tukey_hsd(abc, resamples=400, seed=5).p
    for i, j in ((0, 1), (0, 2), (1, 2)):
        reached = sum(w >= abs(x[i].sum() - x[j].sum()) for w in widest)
        assert found[i, j] == found[j, i] == (1 + reached) / 401


@settings(max_examples=25)
@given(
    st.lists(st.integers(-9, 9).map(lambda v: v / 20), min_size=2, max_size=25), st.integers(0, 9)
)
def test_randomised_with_two_systems_is_the_randomisation_test(d: list[float], seed: int) -> None:
    x = np.array([d, np.zeros(len(d))])
    p = randomisation(d, method="exact").p
    assert p is not None
    drawn = randomised_tukey_hsd(x, resamples=3000, seed=seed).p[0, 1]
    assert abs(drawn - p) <= 5.5 * (p * (1 - p) / 3000) ** 0.5 + 2 / 3001


def test_randomised_does_not_depend_on_what_all_share() -> None:
    x = np.random.default_rng(2).random((6, 40)).round(4)
    first = randomised_tukey_hsd(x, resamples=300)
    assert np.array_equal(first.p, randomised_tukey_hsd(x, resamples=300).p)
    assert not np.array_equal(first.p, randomised_tukey_hsd(x, resamples=300, seed=1).p)
    moved = x + np.random.default_rng(3).integers(0, 9, 40)
    assert np.array_equal(first.p, randomised_tukey_hsd(moved, resamples=300).p)
    steps: list[float] = []
    randomised_tukey_hsd(x, resamples=9999, advance=steps.append)
    assert sum(steps) == pytest.approx(1) and len(steps) > 1


def test_what_is_refused() -> None:
    for call in (blocked_anova, tukey_hsd, randomised_tukey_hsd):
        with pytest.raises(InputError, match="2 systems and 1 topics"):
            call([[1], [2]])
    with pytest.raises(InputError, match="70000 systems are more than 65536"):
        randomised_tukey_hsd(np.zeros((70_000, 2)))


def test_layouts_together_are_given_what_each_is_given_alone() -> None:
    rng = np.random.default_rng(7)
    xs = [rng.integers(0, 6, (4, 9)) / 5 for _ in range(3)]
    alone = [randomised_tukey_hsd(x, resamples=500, seed=3) for x in xs]
    for together, one in zip(randomised_tukey_hsds(xs, resamples=500, seed=3), alone, strict=True):
        assert np.array_equal(together.p, one.p) and together.method == one.method
    assert len({one.p.tobytes() for one in alone}) == 3
    assert randomised_tukey_hsds([]) == ()
    with pytest.raises(InputError, match="differ in shape"):
        randomised_tukey_hsds([xs[0], xs[1][:3]])


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from([0.01, 0.05, 0.2]))
def test_the_difference_that_the_draws_require(seed: int, m: int, alpha: float) -> None:
    """Every pair that differs by at least so much is significant, and none that differs by less
    than the next smaller draw."""
    x = np.random.default_rng(seed).random((m, 12)).round(2)
    found = randomised_tukey_hsd(x, resamples=400, seed=seed)
    least = found.hsd(alpha)
    assert least is not None and least in found.widest
    apart = np.abs(found.difference)
    assert (found.p[apart >= least + 1e-9] < alpha).all()
    below = found.widest[found.widest < least - 1e-9]
    assert (found.p[apart <= below.max(initial=-1.0)] >= alpha).all()


def test_too_few_draws_require_what_cannot_be_said() -> None:
    x = np.random.default_rng(1).random((3, 8))
    assert randomised_tukey_hsd(x, resamples=19, seed=0).hsd(0.05) is None
    found = randomised_tukey_hsd(x, resamples=20, seed=0)
    assert found.hsd(0.05) == found.widest[-1]
