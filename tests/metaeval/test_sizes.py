"""Shares against the number of queries, and the queries a share needs."""

from __future__ import annotations

import numpy as np
import pytest
from tests.metaeval.conftest import of

from cranfield.errors import UsageError
from cranfield.metaeval.discrimination import LEVELS, discriminate
from cranfield.metaeval.sizes import default_sizes, size_curve


@pytest.fixture(scope="module")
def matrix():
    """Under the second measure the same systems stand twice as far apart in its noise, so that it
    needs a quarter of the queries."""
    rng = np.random.default_rng(3)
    true = rng.normal(0, 0.05, (40, 1))
    noise = rng.normal(0, 0.2, (2, 40, 80))
    return of(true + noise[0], 2 * true + noise[1], measures=("far", "near"))


@pytest.fixture(scope="module")
def curve(matrix):
    return size_curve(matrix, shares=(0.5, 0.999), repeats=30)


def needed(curve, measure, like=None, share=None):
    (found,) = [
        x
        for x in curve.needed
        if x.measure == measure and x.like == like and share in (None, x.share)
    ]
    return found


def test_default_sizes():
    assert default_sizes(30) == (5, 10, 15, 20, 25, 30)
    assert default_sizes(4) == (2, 3, 4)
    assert default_sizes(249)[-2:] == (200, 249)


def test_the_curve_ends_with_all_queries(matrix, curve):
    whole = discriminate(matrix, resamples=0).share
    assert curve.share[..., -1] == pytest.approx(whole)
    assert (curve.sd[..., -1] == 0).all() and (curve.sd[..., :-1] > 0).any()
    assert curve.share.shape == (2, len(LEVELS), len(curve.sizes))
    assert (np.diff(curve.share[:, 13], axis=-1) > 0).all()


def test_a_size_is_the_mean_over_its_samples(matrix):
    found = size_curve(matrix, (0.05,), sizes=[20], repeats=5, seed=4)
    from cranfield.metaeval.parts import permutations

    by_hand = []
    for order in permutations(4, 5, 80):
        part = matrix.select(queries=[matrix.queries[i] for i in order[:20]])
        by_hand.append(discriminate(part, (0.05,), resamples=0).share[:, 0])
    assert found.sizes == (20, 80)
    assert found.share[:, 0, 0] == pytest.approx(np.mean(by_hand, axis=0))
    assert found.sd[:, 0, 0] == pytest.approx(np.std(by_hand, axis=0, ddof=1))


def test_the_model_fits_and_says_how_well(curve):
    seen = curve.predicted_sizes[: len(curve.sizes)]
    assert seen == curve.sizes
    off = curve.predicted[..., : len(seen)] - curve.share
    for i, model in enumerate(curve.models):
        assert model.error == pytest.approx(np.sqrt((off[i] ** 2).mean()))
        assert model.worst == pytest.approx(np.abs(off[i]).max())
        assert model.worst < 0.05
    assert (np.diff(curve.predicted, axis=-1) > 0).all()


def test_half_the_noise_needs_a_quarter_of_the_queries(curve):
    near = needed(curve, "near", like="far")
    assert 15 <= near.queries <= 26 and not near.extrapolated
    assert near.low <= near.queries <= near.high
    far = needed(curve, "far", like="near")
    assert 200 <= far.queries <= 600 and far.extrapolated
    assert far.low < 320 < far.high
    ratio = needed(curve, "far", share=0.5).queries / needed(curve, "near", share=0.5).queries
    assert ratio == pytest.approx(4, rel=0.3)


def test_what_is_never_reached_is_said(curve):
    out = needed(curve, "far", share=0.999)
    assert out.queries is None and out.low is None and not out.extrapolated


def test_seeds_and_threads(matrix):
    one = size_curve(matrix, (0.05,), repeats=4, seed=1)
    again = size_curve(matrix, (0.05,), repeats=4, seed=1, threads=2)
    other = size_curve(matrix, (0.05,), repeats=4, seed=2)
    assert (one.share == again.share).all() and one.needed == again.needed
    assert (one.share != other.share).any()


def test_few_queries_have_no_intervals_and_fewer_no_curve(toy):
    found = size_curve(toy, repeats=3)
    assert found.sizes == (5, 6)
    assert {(x.low, x.high) for x in found.needed} == {(None, None)}
    with pytest.raises(UsageError, match="3 queries are too few"):
        size_curve(toy.select(queries=["q1", "q2", "q3"]))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"sizes": [1]}, "1 of 6 queries"),
        ({"sizes": [7]}, "7 of 6 queries"),
        ({"repeats": 1}, "repeats must be"),
        ({"shares": [1.5]}, "a share of pairs must lie between 0 and 1"),
        ({"level": 0}, "level must lie between 0 and 1"),
    ],
)
def test_wrong_choices(toy, wrong, message):
    with pytest.raises(UsageError, match=message):
        size_curve(toy, **wrong)


def test_fifty_queries_foretell_two_hundred_and_fifty(trec):
    """Every fifth query of a track with 249: what the model expects of all is what all gave."""
    robust = trec("robust2004-ap-110x249.csv")
    off, queries = [], []
    for first in range(5):
        part = robust.select(queries=robust.queries[first::5])
        curve = size_curve(part, (0.01, 0.05), sizes=[25], repeats=20, shares=(0.8,))
        at = curve.predicted_sizes.index(5 * len(part.queries))
        off.append(curve.predicted[0, :, at] - [0.7538, 0.8148])
        queries.append(curve.needed[0])
    assert np.abs(np.mean(off, axis=0)).max() < 0.02
    assert np.abs(off).max() < 0.08
    whole = size_curve(robust, (0.05,), sizes=[25], repeats=20, shares=(0.8,)).needed[0]
    assert whole.queries < 249 and not whole.extrapolated
    assert sum(x.low <= whole.queries <= (x.high or 10**6) for x in queries) >= 4
