from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.stats.asl import bootstrap_required
from cranfield.stats.pairs import bootstrap_asl_all, pair_blocks
from cranfield.stats.resampling import indices


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(3, 40), st.booleans())
def test_the_same_p_as_alone(seed: int, m: int, n: int, tied: bool) -> None:
    x = np.random.default_rng(seed).random((m, n))
    x = x.round(1) if tied else x
    found = bootstrap_required(x, resamples=200, seed=seed)
    assert np.array_equal(found.p, bootstrap_asl_all(x, resamples=200, seed=seed).p)


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.integers(5, 40), st.sampled_from([0.01, 0.05, 0.1]))
def test_the_difference_required_is_what_sakai_writes(seed: int, n: int, alpha: float) -> None:
    """One sample after the other, sorted by |t|."""
    x = np.random.default_rng(seed).random((3, n))
    found = bootstrap_required(x, alpha, resamples=300, seed=seed)
    d = np.round(x[0] - x[2], 12)
    w = d - d.mean()
    samples = w[indices(seed, 0, 300, n)]
    mean, sd = samples.mean(axis=1), samples.std(axis=1, ddof=1)
    spread = np.where(sd > 1e-9, sd, np.inf) / math.sqrt(n)  # without any t is 0
    order = np.argsort(-np.abs(mean) / spread, kind="stable")
    at = math.ceil(round(alpha * 300, 9)) - 1
    assert found.needed[0, 2] == pytest.approx(abs(mean[order[at]]), rel=1e-9)
    assert found.required == found.needed.max() == found.needed.T.max()


def test_equal_systems_require_nothing() -> None:
    found = bootstrap_required([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3], [0.2, 0.3, 0.4]])
    assert found.p[0, 1] == 1 and found.p[0, 2] == 0 and found.required == 0


def test_pairs_come_once_each() -> None:
    met = [(a, b) for i, j, _ in pair_blocks(6, 4) for a, b in zip(i, j, strict=True)]
    assert met == [(a, b) for a in range(6) for b in range(a + 1, 6)]
    assert sum(done for _, _, done in pair_blocks(6, 4)) == pytest.approx(1)
