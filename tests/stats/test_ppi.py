"""Prediction-powered inference: by its formulas, by what it must equal, and by simulation."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError, UsageError
from cranfield.stats.intervals import t_interval
from cranfield.stats.pilot import (
    WAYS,
    Pilot,
    best_weight,
    expected_width,
    needed,
    pilot_of,
)
from cranfield.stats.ppi import powered_mean

SCORES = st.floats(0, 1).map(lambda x: round(x, 6))


def test_true_values_alone_give_the_t_interval() -> None:
    y, f, g = [0.1, 0.5, 0.4, 0.9], [0.2, 0.4, 0.4, 1.0], [0.3, 0.5, 0.7]
    found, known = powered_mean(y, f, g, "true"), t_interval(y)
    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-12)
    assert (found.weight, found.df) == (0.0, 3)


def test_the_classical_estimate_is_that_of_the_paper() -> None:
    rng = np.random.default_rng(5)
    y = rng.random(4000)
    f, g = y + rng.normal(0.1, 0.1, 4000), rng.random(9000) + rng.normal(0.1, 0.1, 9000)
    found = powered_mean(y, f, g, "classical", 0.9, interval="student")
    mean = g.mean() + (y - f).mean()
    half = NormalDist().inv_cdf(0.95) * math.sqrt(
        g.var() / len(g) + (y - f).var() / len(y)
    )  # the normal quantiles of the paper, which many topics come close to
    assert found.mean == pytest.approx(mean, abs=1e-9)
    assert (found.low, found.high) == pytest.approx((mean - half, mean + half), rel=2e-4)


def test_the_weight_is_that_of_the_second_paper_and_has_the_least_variance() -> None:
    rng = np.random.default_rng(6)
    y, n, others = rng.random(50), 50, 400
    f, g = 0.5 * y + 0.2 * rng.random(n), 0.5 * rng.random(others) + 0.2 * rng.random(others)
    pilot = pilot_of(y, f, g)
    covariance, variance = np.cov(y, f)[0, 1], np.concatenate([f, g]).var(ddof=1)
    weight = covariance / ((1 + n / others) * variance)
    assert best_weight(pilot) == pytest.approx(min(weight, 1.0), rel=1e-9)

    def spread(w: float) -> float:
        rest = pilot.var_true - 2 * w * pilot.covariance + w * w * pilot.var_predicted
        return w * w * pilot.var_predicted / others + rest / n

    tried = np.linspace(0, 1, 1001)
    assert best_weight(pilot) == pytest.approx(tried[np.argmin(list(map(spread, tried)))], abs=1e-3)


def test_predictions_that_say_nothing_are_not_used() -> None:
    y, g = [0.1, 0.5, 0.4, 0.9, 0.2], [0.5] * 50
    found = powered_mean(y, [0.5] * 5, g)
    assert found.weight == 0
    assert found.mean == pytest.approx(np.mean(y))
    against = powered_mean(y, [1 - v for v in y], g)  # they point the wrong way
    assert against.weight == 0


def test_perfect_predictions_leave_only_the_spread_of_the_topics() -> None:
    rng = np.random.default_rng(1)
    y, g = rng.random(10), rng.random(1000)
    found = powered_mean(y, y, g, "classical", interval="student")
    assert found.mean == pytest.approx(g.mean())
    assert found.se == pytest.approx(g.std(ddof=1) / math.sqrt(1000))


@given(
    st.lists(st.tuples(SCORES, SCORES), min_size=3, max_size=12),
    st.lists(SCORES, min_size=2, max_size=12),
    st.floats(-0.5, 0.5),
)
def test_a_judge_who_is_off_by_a_constant_is_as_good_as_one_who_is_not(
    both: list[tuple[float, float]], others: list[float], off: float
) -> None:
    y, f = np.array(both).T
    g = np.array(others)
    for way in WAYS:
        one, two = powered_mean(y, f, g, way), powered_mean(y, f + off, g + off, way)
        assert one.mean == pytest.approx(two.mean, abs=1e-6)
        assert one.se == pytest.approx(two.se, abs=1e-6)


def draw(kind: str, rng: np.random.Generator, m: int) -> tuple[np.ndarray, np.ndarray]:
    if kind == "scores":  # with mass at both ends, as nDCG has, and a kind judge
        y = rng.beta(0.8, 0.8, m)
        return y, np.clip(0.2 + 0.7 * y + rng.normal(0, 0.15, m), 0, 1)
    if kind == "useless":
        return rng.beta(0.5, 0.8, m), rng.beta(2, 2, m)
    y = rng.normal(0.02, 0.2, m) * (rng.random(m) < 0.6)  # differences, often 0
    return y, 0.5 * y + 0.1 * (rng.random(m) < 0.3) + rng.normal(0, 0.05, m)


@pytest.mark.parametrize("kind", ["scores", "useless", "differences"])
@pytest.mark.parametrize(("n", "others"), [(10, 200), (30, 40)])
def test_intervals_cover_what_they_promise(kind: str, n: int, others: int) -> None:
    """Over 1000 draws .95 ± .007 is what chance allows; .92 is four of these off."""
    truth = {"scores": 0.5, "useless": 0.5 / 1.3, "differences": 0.012}[kind]
    rng, times = np.random.default_rng(20), 1000
    held, width = dict.fromkeys(WAYS, 0), dict.fromkeys(WAYS, 0.0)
    blind = 0
    for _ in range(times):
        y, f = draw(kind, rng, n + others)
        for way in WAYS:
            found = powered_mean(y[:n], f[:n], f[n:], way)
            assert found.low is not None and found.high is not None and found.width is not None
            held[way] += found.low <= truth <= found.high
            width[way] += found.width
        naive = t_interval(f)
        assert naive.low is not None and naive.high is not None
        blind += naive.low <= truth <= naive.high
    assert min(held.values()) > 0.92 * times
    assert width["tuned"] < (1.06 if n > 10 else 1.13) * width["true"]
    if kind != "useless":
        assert width["tuned"] < (0.85 if n > 10 else 0.9) * width["true"]
    if kind != "scores":
        assert blind < 0.6 * times  # the predictions alone miss it


def rarely_wrong(kind: str, rng: np.random.Generator, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Predictions that are right but for a few."""
    if kind == "success":  # one query in twelve fails, and the judge sees half of that
        y = (rng.random(m) < 11 / 12).astype(float)
        return y, np.where(rng.random(m) < 0.5, 1.0, y)
    y = rng.choice([*[1.0] * 6, 1 / 2, 1 / 3, 1 / 4], m)  # reciprocal ranks
    if kind == "kind":
        return y, np.where(rng.random(m) < 0.2, 1.0, y)
    if kind == "harsh":
        return y, np.where(rng.random(m) < 0.08, 0.0, y)
    return y, y.copy()  # "perfect"


RARE = {"success": 11 / 12, **dict.fromkeys(("kind", "harsh", "perfect"), 85 / 108)}


@pytest.mark.parametrize("kind", RARE)
@pytest.mark.parametrize(("n", "others"), [(10, 100), (20, 300), (50, 300)])
def test_intervals_cover_where_predictions_are_rarely_wrong(kind: str, n: int, others: int) -> None:
    """Of 300 draws .92 is what an interval of .95 reaches 99 times in a hundred."""
    rng, times = np.random.default_rng(7), 300
    held, plain = dict.fromkeys(WAYS, 0), dict.fromkeys(WAYS, 0)
    for _ in range(times):
        y, f = rarely_wrong(kind, rng, n + others)
        for way in WAYS:
            found = powered_mean(y[:n], f[:n], f[n:], way, limits=(0, 1))
            assert found.low is not None and found.high is not None
            held[way] += found.low <= RARE[kind] <= found.high
            assert found.doubt is not None or found.width
            paper = powered_mean(y[:n], f[:n], f[n:], way, interval="student")
            assert paper.low is not None and paper.high is not None
            plain[way] += paper.low <= RARE[kind] <= paper.high
    assert min(held.values()) >= 0.92 * times, held
    if kind != "perfect" and n < 50:
        assert plain["classical"] < 0.9 * times  # what it would be without


def test_no_spread_is_doubted_and_the_limits_are_used() -> None:
    ones = np.ones(20)
    for way in WAYS:
        found = powered_mean(ones, ones, np.ones(200), way, limits=(0, 1))
        assert (found.interval, found.doubt, found.high) == ("bounded", "few", 1.0)
        assert found.low == pytest.approx(0.025 ** (1 / 20), abs=2e-3)  # as of 20 successes in 20
        unlimited = powered_mean(ones, ones, np.ones(200), way)
        assert (unlimited.width, unlimited.interval, unlimited.doubt) == (0, "careful", "few")
    with pytest.raises(UsageError):
        powered_mean(ones, ones, ones, interval="bounded")
    with pytest.raises(UsageError):
        powered_mean(ones, ones, ones, interval="normal")  # type: ignore[arg-type]


def test_needed_is_the_first_size_that_is_narrow_enough() -> None:
    pilot = Pilot(20, 480, 0.09, 0.06, 0.055)
    found = needed(pilot, 0.15)
    assert found.n is not None and found.more == found.n - 20
    assert expected_width(pilot, found.n) <= 0.15 < expected_width(pilot, found.n - 1)
    assert found.width == pytest.approx(expected_width(pilot, found.n))
    assert found.alone is not None and found.alone > found.n
    beyond = needed(pilot, 0.01)
    assert beyond.n is None and beyond.width > 0.01
    enough = needed(pilot, 1.0)
    assert (enough.n, enough.more) == (20, 0)


def test_the_expected_width_is_what_comes_out() -> None:
    rng = np.random.default_rng(3)
    widths = []
    for _ in range(200):
        y, f = draw("scores", rng, 500)
        found = powered_mean(y[:60], f[:60], f[60:])
        assert found.width is not None
        widths.append(found.width)
    y, f = draw("scores", rng, 100_000)
    pilot = pilot_of(y[:50_000], f[:50_000], f[50_000:])
    asked = Pilot(10, 490, pilot.var_true, pilot.var_predicted, pilot.covariance)
    assert expected_width(asked, 60) == pytest.approx(np.mean(widths), rel=0.03)


def test_refusals() -> None:
    assert powered_mean([0.5], [0.4], [0.1, 0.2]).reason is not None
    assert powered_mean([0.5, 0.1, 0.3], [0.4, 0.2, 0.1], [0.1], "classical").mean is None
    with pytest.raises(InputError):
        powered_mean([0.5, 0.1], [0.4], [0.1])
    with pytest.raises(UsageError):
        powered_mean([0.5], [0.4], [0.1], "best")  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        needed(Pilot(2, 2, 0.1, 0.1, 0.0), 0)
