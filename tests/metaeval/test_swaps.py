from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cranfield.errors import UsageError
from cranfield.metaeval.normal import normal_swaps, swap_chance, topics_for
from cranfield.metaeval.swaps import SwapForecast, Swaps, forecast, swaps
from cranfield.metaeval.topicsets import disjoint, samples, subsets

Array = NDArray[np.float64]

TOY = np.array(
    [
        [0.5, 0.4, 0.6, 0.3, 0.7, 0.2],
        [0.45, 0.3, 0.55, 0.35, 0.6, 0.1],
        [0.1, 0.5, 0.2, 0.4, 0.3, 0.25],
        [0.45, 0.3, 0.55, 0.35, 0.6, 0.1],
    ]
)


def _random(seed: int, m: int, n: int) -> Array:
    return np.random.default_rng(seed).integers(0, 21, (m, n)) / 20


def _made(compared: list[int], swapped: list[int]) -> Swaps:
    return Swaps(10, 1, 0, False, 0.01, np.array(compared), np.array(swapped))


def test_the_toy() -> None:
    found = swaps(TOY, sets=([[1, 3, 5]], [[0, 2, 4]]))
    met = {b: (c, s) for b, (c, s) in enumerate(zip(found.compared, found.swapped)) if c}  # noqa: B905
    assert met == {0: (1, 0), 5: (2, 0), 8: (1, 1), 13: (2, 2)}
    assert found.rate == 0.5 and found.required() is None and found.sensitivity() is None


def test_a_mean_on_the_edge_counts_in_the_bin_above() -> None:
    x = [[0.3, 0.1, 0.5], [0.2, 0.0, 0.4]]  # .1 is 0.09999999999999998 of these
    found = swaps(x, sets=([[0]], [[1]]), width=0.1)
    assert found.compared[1] == 1


def test_the_difference_required() -> None:
    """It and every higher bin that holds anything hold their sign; empty bins are passed over."""
    found = _made([100, 50, 0, 20, 0], [40, 2, 0, 1, 0])
    assert found.rates == (0.4, 0.04, None, 0.05, None)
    assert found.required() == 0.01 and found.sensitivity() == 70 / 170
    assert found.required(0.04) is None and found.sensitivity(0.04) is None
    assert found.required(0.5) == 0 and found.sensitivity(0.5) == 1
    assert _made([10], [1]).required() is None


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(2, 12), st.booleans())
def test_laws(seed: int, m: int, n: int, replacement: bool) -> None:
    x = _random(seed, m, n)
    found = swaps(x, trials=40, seed=seed, replacement=replacement)
    assert found.compared.sum() == 40 * m * (m - 1) // 2
    assert (found.swapped <= found.compared).all() and (found.swapped >= 0).all()
    assert found.size == (n if replacement else n // 2)
    moved = swaps(x[np.random.default_rng(seed).permutation(m)], trials=40, seed=seed,
                  replacement=replacement)  # fmt: skip
    assert np.array_equal(found.compared, moved.compared)
    assert np.array_equal(found.swapped, moved.swapped)
    sets = (disjoint if not replacement else samples)(n, found.size, 40, seed)
    order = np.random.default_rng(seed).permutation(n)
    place = np.argsort(order)
    again = swaps(x[:, order], sets=(place[sets[0]], place[sets[1]]))
    assert np.array_equal(found.swapped, again.swapped)


def test_a_set_against_itself_never_swaps() -> None:
    sets = subsets(12, 5, 30)
    assert swaps(_random(3, 5, 12), sets=(sets, sets)).swapped.sum() == 0


def test_sets_are_what_they_should_be() -> None:
    one, two = disjoint(11, 5, 300, 7)
    assert all(not set(a) & set(b) and len(set(a)) == 5 for a, b in zip(one, two, strict=True))
    assert set(np.concatenate([one, two]).ravel()) == set(range(11))
    first, second = samples(11, 11, 300, 7)
    assert first.shape == second.shape == (300, 11) and not np.array_equal(first, second)
    assert any(len(set(a)) < 11 for a in first)


def test_too_large_a_set_is_refused() -> None:
    with pytest.raises(UsageError, match="two sets of 4 topics"):
        swaps(TOY, size=4)
    with pytest.raises(UsageError, match="7 topics of 6"):
        swaps(TOY, size=7, replacement=True)
    with pytest.raises(UsageError, match="7 topics of 6"):
        subsets(6, 7, 1)
    with pytest.raises(UsageError, match="bins"):
        swaps(TOY, width=0)
    with pytest.raises(UsageError, match="level"):
        swaps(TOY).required(1.0)


def test_the_curve_is_an_exponential() -> None:
    """Rates made to lie on a · exp(-b · size) are found again."""
    from cranfield.metaeval.swaps import _exponentials

    made = [
        Swaps(c, 1, 0, False, 0.01, np.full(3, 10**9),
              np.array([round(0.4e9 * math.exp(-0.1 * c)), 0, 0 if c > 5 else 7]))
        for c in (5, 10, 20)
    ]  # fmt: skip
    start, decay, fitted = _exponentials(made)
    assert start[0] == pytest.approx(0.4, rel=1e-6) and decay[0] == pytest.approx(0.1, rel=1e-6)
    assert fitted == (True, True, False)
    found = SwapForecast(tuple(made), 30, start, decay, fitted, np.array([0.005, 0.02, 0.01]))
    assert found.rates[0] == pytest.approx(0.4 * math.exp(-3)) and found.rates[1:] == (0, None)
    assert found.required(0.05) == 0 and found.sensitivity(0.05) == 1
    assert found.required(0.01) == 0.01 and found.sensitivity(0.01) == 2 / 3


def test_extrapolation_continues_what_was_measured() -> None:
    """Of many topics the swap rate at a size beyond the fit: lower than at the largest size in it,
    and near what is measured there (an exponential falls a little too fast)."""
    chance = np.random.default_rng(5)
    x = chance.normal(0, 0.03, (12, 1)) + chance.normal(0, 0.2, (12, 200))
    found = forecast(x, sizes=[10, 20, 30, 40, 50], size=80, trials=300)
    seen = swaps(x, size=80, trials=300)
    rows = zip(found.rates, seen.rates, seen.compared, strict=True)
    for bin_, (rate, met, count) in enumerate(rows):
        if rate is not None and met is not None and count > 2000:
            assert rate < (found.measured[-1].rates[bin_] or 0)
            assert rate == pytest.approx(met, abs=0.08)
    sizes = [one.size for one in forecast(x[:, :30], trials=5).measured]
    assert sizes == [5, 6, 7, 8, 9, 11, 12, 13, 14, 15]
    assert forecast(x, trials=5).size == 200
    with pytest.raises(UsageError, match="two sizes"):
        forecast(TOY[:, :3])


def test_the_normal_model_is_what_normal_scores_do() -> None:
    """Two systems with normal differences, on independent sets."""
    chance = np.random.default_rng(2)
    first, second = (chance.normal(0.02, 0.1, (20_000, 9)).mean(axis=1) for _ in range(2))
    assert swap_chance(0.02, 0.1, 9) == pytest.approx((first * second < 0).mean(), abs=0.01)


def test_the_normal_model_over_all_pairs() -> None:
    found = normal_swaps(TOY, [3, 6])
    chances = []
    for i in range(4):
        for j in range(i + 1, 4):
            d = TOY[i] - TOY[j]
            chances.append(swap_chance(float(d.mean()), float(d.std(ddof=1)), 3))
    assert found.rates[0] == pytest.approx(sum(chances) / 6) and found.rates[1] < found.rates[0]
    assert len(found.sd) == 6 and found.sd[4] == 0


@given(st.floats(0.001, 1), st.floats(0.001, 1), st.floats(0.001, 0.499))
def test_topics_for_is_the_inverse(difference: float, sd: float, rate: float) -> None:
    n = topics_for(difference, sd, rate)
    assert n is not None and swap_chance(difference, sd, n) <= rate * (1 + 1e-9)
    assert n == 1 or swap_chance(difference, sd, n - 1) > rate * (1 - 1e-6)
    assert topics_for(-difference, sd, rate) == n and topics_for(0, sd, rate) is None


def test_what_the_normal_model_refuses() -> None:
    assert swap_chance(0.1, 0, 5) == 0 and swap_chance(0, 0.1, 5) == 0.5
    for call in (
        lambda: swap_chance(0.1, -1, 5),
        lambda: swap_chance(0.1, 1, 0),
        lambda: swap_chance(math.nan, 1, 5),
        lambda: topics_for(0.1, 1, 0.5),
        lambda: normal_swaps(TOY, [0]),
    ):
        with pytest.raises(UsageError):
            call()
