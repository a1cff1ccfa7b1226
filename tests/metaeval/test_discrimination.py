"""Curves of measures, their order, and how sure it is."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.metaeval.conftest import TOY, of

from cranfield.errors import UnknownName
from cranfield.metaeval.discrimination import LEVELS, discriminate, shares_by_measure
from cranfield.metaeval.results import Discrimination
from cranfield.stats.resampling import multiplicities


def test_the_toy(toy):
    found = discriminate(toy, resamples=0)
    assert found.pairs == 6
    assert found.share.tolist() == [[0] * 14 + [pytest.approx(1 / 3)]]
    assert found.overall == pytest.approx([1 / 45])
    assert found.at("AP", 0.1) == pytest.approx(1 / 3)
    assert found.bootstrap is None


def test_fifteen_levels():
    assert len(LEVELS) == 15 and list(LEVELS) == sorted(LEVELS)
    assert (LEVELS[0], LEVELS[9], LEVELS[-2], LEVELS[-1]) == (0.001, 0.01, 0.05, 0.1)


def test_pairs_of_the_web_track_of_2000():
    counts = np.array([[round(0.6830 * 3916)], [round(0.5368 * 3916)], [0]])
    found = Discrimination(("nDCG", "P@10", "none"), (0.05,), 89, 50, counts)
    assert found.pairs == 3916
    assert found.improvement("nDCG", "P@10", 0.05) == pytest.approx(0.2724, abs=2e-4)
    assert found.improvement("nDCG", "none", 0.05) is None
    assert found.improvement("none", "nDCG", 0.05) == -1


def test_the_published_improvement():
    counts = np.array([[6830], [5368]])
    found = Discrimination(("nDCG", "P@10"), (0.05,), 2, 50, counts)
    assert 100 * found.improvement("nDCG", "P@10", 0.05) == pytest.approx(27.2354694486)


def test_order_without_resamples_says_no_more_than_it_knows():
    found = discriminate(of(TOY, np.array(TOY)[:, ::-1] ** 2), resamples=0)
    order = found.order(0.1)
    assert order.probability is None and order.settled == () and order.above_next == ()


def test_unknown_names_are_told(toy):
    found = discriminate(toy, resamples=0)
    with pytest.raises(UnknownName, match="no measure nDCG"):
        found.at("nDCG", 0.05)
    with pytest.raises(UnknownName, match=r"no level 0\.03"):
        found.at("AP", 0.03)


@pytest.fixture(scope="module")
def clear_and_noisy():
    """Twenty systems seen through little noise, through the same noise again, and through much."""
    rng = np.random.default_rng(0)
    true, noise = rng.normal(0.5, 0.1, (20, 1)), rng.normal(0, 1, (20, 40))
    return of(true + 0.1 * noise, true + 0.1 * noise[:, ::-1], true + 0.5 * noise)


def test_a_clear_order_is_settled_and_a_chance_one_is_not(clear_and_noisy):
    found = discriminate(clear_and_noisy, resamples=400)
    order = found.order(0.05)
    assert order.measures[-1] == "M3" and order.settled == (False, True)
    assert order.above_next[1] == 1 and 0.2 < order.above_next[0] < 0.9
    assert 0.2 < order.probability < 0.95
    assert found.order().level is None and found.order().measures[-1] == "M3"


def test_resampled_shares_lie_around_the_ones_seen(clear_and_noisy):
    found = discriminate(clear_and_noisy, resamples=400)
    sure = found.bootstrap
    seen = np.column_stack([found.share, found.overall])
    assert (sure.low <= seen).all() and (seen <= sure.high).all()
    assert (sure.shift[:, :-1] > 0).any()  # a sample with replacement finds more pairs
    difference = seen[:, None] - seen
    assert (sure.difference_low <= difference + 1e-12).all()
    assert (difference <= sure.difference_high + 1e-12).all()
    assert sure.above + np.swapaxes(sure.above, 0, 1) == pytest.approx(1)
    assert (sure.above[range(3), range(3)] == 0.5).all()


def test_seeds_and_threads(clear_and_noisy):
    one = discriminate(clear_and_noisy, resamples=100, seed=1).bootstrap
    again = discriminate(clear_and_noisy, resamples=100, seed=1, threads=2).bootstrap
    other = discriminate(clear_and_noisy, resamples=100, seed=2).bootstrap
    assert (one.low == again.low).all() and (one.above == again.above).all()
    assert (one.low != other.low).any()


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=30)
def test_laws(seed):
    """The share grows with the level; no order of runs or queries shows."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(2, 8)), int(rng.integers(2, 15))
    tables = [np.round(rng.random((m, n)) + rng.normal(0, 0.3, (m, 1)), 2) for _ in range(3)]
    found = discriminate(of(*tables), resamples=0)
    assert (np.diff(found.share, axis=1) >= 0).all()
    runs, queries = rng.permutation(m), rng.permutation(n)
    mixed = discriminate(of(*(t[runs][:, queries] for t in tables)), resamples=0)
    assert (mixed.significant == found.significant).all()
    for level in (*LEVELS, None):
        assert mixed.order(level) == found.order(level)
    doubled = discriminate(of(*(1 - t for t in tables)), resamples=0)
    assert (doubled.significant == found.significant).all()


@pytest.mark.slow
def test_intervals_cover_what_they_say(trec):
    """Of the 249 queries of a real track 40 are drawn again and again: the interval must hold the
    mean share of such draws about as often as it says, where the plain percentiles, off by what a
    sample with replacement finds too much, hold it in some 85 of a hundred."""
    robust = trec("robust2004-ap-110x249.csv")
    robust = robust.select(runs=robust.runs[::2])
    rng = np.random.default_rng(0)
    draws = [np.sort(rng.choice(249, 40, replace=False)) for _ in range(600)]
    weights = np.zeros((600, 249))
    for row, draw in zip(weights, draws, strict=True):
        row[draw] = 1
    truth = shares_by_measure(robust, weights, (0.01, 0.05)).mean(axis=0)[0]
    held, plain = np.zeros(2), np.zeros(2)
    for at, draw in enumerate(draws[:120]):
        part = robust.select(queries=[robust.queries[i] for i in draw])
        found = discriminate(part, (0.01, 0.05), resamples=200, seed=at)
        sure = found.bootstrap
        held += (sure.low[0, :2] <= truth) & (truth <= sure.high[0, :2])
        drawn = shares_by_measure(part, multiplicities(at, 0, 200, 40), (0.01, 0.05))[:, 0]
        low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
        plain += (low <= truth) & (truth <= high)
    spread = math.sqrt(120 * 0.95 * 0.05)
    assert (held >= 114 - 3 * spread).all()
    assert (held > plain).all()
