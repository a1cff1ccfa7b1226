"""True effects from observed ones."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.metaeval.effects import expected_share, fit, powers, queries_for
from cranfield.metaeval.sizes_results import EffectModel
from cranfield.stats.power import power


def model(effects, weights, n=50):
    return EffectModel("AP", n, np.array(effects), np.array(weights), 0.0, 0.0)


def test_a_single_effect_is_the_power_of_the_test():
    one = model([0.4], [1.0])
    for n in (2, 10, 50, 249):
        assert expected_share(one, n, 0.05) == pytest.approx(power(n, 0.4), abs=1e-10)
        assert powers(np.array([0.4]), [n], 0.01)[0, 0] == pytest.approx(power(n, 0.4, 0.01))


def test_queries_for_a_share():
    mixed = model([0.0, 0.3, 1.0], [0.2, 0.4, 0.4])
    n = queries_for(mixed, 0.6, 0.05, 5000)
    assert expected_share(mixed, n, 0.05) >= 0.6 > expected_share(mixed, n - 1, 0.05)
    assert queries_for(mixed, 0.9, 0.05, 5000) is None  # a fifth of the pairs has no effect
    assert queries_for(mixed, 0.01, 0.05, 5000) == 2
    # twice the effect needs about a quarter of the queries
    far, near = (queries_for(model([d], [1.0]), 0.8, 0.05, 5000) for d in (0.2, 0.1))
    assert near / far == pytest.approx(4, rel=0.02)


@pytest.mark.parametrize("n", [6, 30, 200])
def test_noise_is_not_taken_for_an_effect(n):
    """Pairs with known true effects: with more queries than were seen the model expects what
    there truly is, while the effects seen, taken for the true ones, promise too much."""
    rng = np.random.default_rng(n)
    pairs = 20_000
    true = np.abs(rng.normal(0, 0.3, pairs)) * (rng.random(pairs) < 0.8)
    spread = np.sqrt(rng.chisquare(n - 1, pairs) / (n - 1))
    t = np.abs((rng.normal(0, 1, pairs) + np.sqrt(n) * true) / spread)
    effects, weights = fit(t[None], n)
    found = EffectModel("AP", n, effects, weights[0], 0.0, 0.0)
    assert weights.sum() == pytest.approx(1) and (weights >= 0).all()
    grid = np.linspace(0, 1.5, 400)
    density = np.exp(-((grid / 0.3) ** 2) / 2)
    density /= density.sum()
    seen = model(t / np.sqrt(n), np.full(pairs, 1 / pairs))
    for times in (1, 4):
        real = 0.2 * 0.05 + 0.8 * density @ powers(grid, [times * n], 0.05)[:, 0]
        assert expected_share(found, times * n, 0.05) == pytest.approx(real, abs=0.03)
        assert expected_share(seen, times * n, 0.05) > real + 0.02


def test_fits_do_not_know_each_other():
    t = np.abs(np.random.default_rng(0).normal(1, 1, (40, 300)))
    together = fit(t, 20)[1]
    assert together[17] == pytest.approx(fit(t[17:18], 20)[1][0], abs=1e-12)


def test_infinite_t_is_a_large_effect():
    effects, weights = fit(np.array([[np.inf, np.inf, 0.0, 0.1]]), 10)
    assert weights[0, effects > 5].sum() == pytest.approx(0.5, abs=0.01)
