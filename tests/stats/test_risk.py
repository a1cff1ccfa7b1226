from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from cranfield.errors import InputError, UsageError
from cranfield.stats.risk import WinTieLoss, georisk, trisk, urisk, win_tie_loss, zrisk
from cranfield.stats.significance import paired_t

differences = st.lists(st.integers(-20, 20).map(lambda v: v / 20), min_size=2, max_size=30).map(
    np.array
)
matrices = st.integers(0, 10**6).map(lambda s: np.random.default_rng(s).random((4, 9)).round(2))


@given(differences)
def test_without_risk_it_is_the_paired_t(d: np.ndarray) -> None:
    t = paired_t(d)
    assert trisk(d, 0) == pytest.approx(t.statistic, rel=1e-9)
    assert urisk(d, 0) == pytest.approx(d.mean(), abs=1e-12)


@given(differences, st.floats(0, 10))
def test_more_weight_never_helps(d: np.ndarray, alpha: float) -> None:
    losses = -d[d < 0].sum() / len(d)
    assert urisk(d, alpha) == pytest.approx(d.mean() - alpha * losses, abs=1e-9)


@given(differences, st.sampled_from([0.0, 0.05, 0.3]))
def test_wins_and_losses(d: np.ndarray, eps: float) -> None:
    found, back = win_tie_loss(d, eps), win_tie_loss(-d, eps)
    assert (found.wins, found.losses) == (back.losses, back.wins)
    assert found.wins + found.ties + found.losses == len(d)
    assert found.wins == (d > eps).sum()


def test_noise_is_no_win() -> None:
    d = [0.3 - 0.2 - 0.1, 0.4 - 0.35, 0.35 - 0.4]
    assert win_tie_loss(d) == WinTieLoss(1, 1, 1)
    assert win_tie_loss(d, 0.05) == WinTieLoss(0, 3, 0)


@given(matrices, st.sampled_from([0, 1, 5]))
def test_over_all_systems_word_by_word(x: np.ndarray, alpha: float) -> None:
    m, n = x.shape
    for s in range(m):
        z = 0.0
        for q in range(n):
            e = x[s].sum() * x[:, q].sum() / x.sum()
            off = (x[s, q] - e) / math.sqrt(e) if e > 0 else 0.0
            z += off if off >= 0 else (1 + alpha) * off
        assert zrisk(x, alpha)[s] == pytest.approx(z, abs=1e-9)
        expected = math.sqrt(x[s].mean() * ndtr(z / n))
        assert georisk(x, alpha)[s] == pytest.approx(expected, abs=1e-9)


def test_equal_systems_have_no_risk() -> None:
    x = np.tile([0.2, 0.7, 0.1, 0.0], (3, 1))
    assert zrisk(x, 5).tolist() == [0, 0, 0]
    assert georisk(x, 5) == pytest.approx(math.sqrt(0.25 / 2))
    assert zrisk(np.zeros((2, 3)), 1).tolist() == [0, 0]


def test_too_few_and_refused() -> None:
    assert urisk([], 1) is None and trisk([0.1], 1) is None
    assert trisk([0.1, 0.1], 1) == math.inf and trisk([0, 0], 1) == 0
    with pytest.raises(InputError, match="below 0"):
        zrisk([[0.1, -0.1], [0.2, 0.3]], 1)
    for call in (urisk, trisk):
        with pytest.raises(UsageError, match="alpha must be"):
            call([0.1, 0.2], -1)
    with pytest.raises(UsageError, match="eps must be"):
        win_tie_loss([0.1], -1)
