from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cranfield.errors import InputError, UnknownName, UsageError
from cranfield.metaeval.discriminative import TESTS, discriminative_power
from cranfield.stats.pairs import bootstrap_asl_all, randomisation_all
from cranfield.stats.tukey import randomised_tukey_hsd, tukey_hsd

Array = NDArray[np.float64]


def _random(seed: int, m: int, n: int, s: int) -> Array:
    chance = np.random.default_rng(seed)
    return chance.normal(0, 0.1, (m, 1, s)) + chance.normal(0, 0.2, (m, n, s))


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(2, 7), st.integers(4, 25))
def test_laws(seed: int, m: int, n: int) -> None:
    values = _random(seed, m, n, 2)
    found = discriminative_power(
        values, ["a", "b"], bootstrap=300, randomisation=300, rthsd=300, seed=seed
    )
    assert len(found.rows) == 2 * (5 * 4 + 2) and found.topics == n and found.systems == m
    for row in found.rows:
        if row.share is not None:
            assert 0 <= row.share <= 1
            assert (row.smallest is None) == (row.significant == 0)
    for measure in ("a", "b"):
        for test in TESTS:
            p = found.curves[measure, test]
            assert len(p) == m * (m - 1) // 2 and (np.diff(p) <= 0).all()
            assert found.row(measure, test).significant == np.count_nonzero(p < 0.05)
        for test in ("t", "wilcoxon", "sign"):
            count = {
                c: found.row(measure, test, c).significant
                for c in ("bonferroni", "holm", "bh", "none")
            }  # type: ignore[arg-type]
            assert count["bonferroni"] <= count["holm"] <= count["bh"] <= count["none"]  # type: ignore[operator]
    order = np.random.default_rng(seed).permutation(m)
    moved = discriminative_power(
        values[order],
        ["a", "b"],
        tests=["t", "wilcoxon", "sign", "tukey", "bootstrap", "randomisation"],
        bootstrap=300,
        randomisation=300,
        seed=seed,
    )
    for row in moved.rows:
        assert row.significant == found.row(row.measure, row.test, row.correction).significant


def test_two_systems_under_randomised_tukey_are_a_randomisation_test() -> None:
    values = _random(4, 2, 12, 1)
    found = discriminative_power(
        values, ["a"], tests=["rthsd", "randomisation"], rthsd=20_000, randomisation=20_000
    )
    assert found.curves["a", "rthsd"][0] == pytest.approx(
        found.curves["a", "randomisation"][0], abs=0.012
    )


def test_the_tests_are_those_of_the_statistics() -> None:
    values = _random(7, 5, 20, 1) + np.arange(5)[:, None, None] / 5
    x = np.ascontiguousarray(values[:, :, 0])
    found = discriminative_power(values, ["a"], bootstrap=400, randomisation=500, rthsd=600, seed=3)
    upper = np.triu_indices(5, 1)
    alone = {
        "bootstrap": bootstrap_asl_all(x, resamples=400, seed=3).p,
        "randomisation": randomisation_all(x, resamples=500, seed=3).p,
        "rthsd": randomised_tukey_hsd(x, resamples=600, seed=3).p,
        "tukey": tukey_hsd(x).p,
    }
    for test, p in alone.items():
        assert found.curves["a", test].tolist() == sorted(p[upper], reverse=True)  # type: ignore[index]
    row = found.row("a", "tukey")
    assert row.required is not None and row.smallest is not None and row.smallest >= row.required
    assert found.row("a", "t").required is None and found.row("a", "rthsd").required is not None
    assert found.row("a", "bootstrap").method == "400 resamples, seed 3"


def test_too_few_resamples_say_nothing_about_many_pairs() -> None:
    """45 pairs: a p in steps of 1/100 is no evidence at .05/45."""
    values = _random(1, 10, 20, 1)
    found = discriminative_power(values, ["a"], tests=["bootstrap"], bootstrap=100)
    row = found.row("a", "bootstrap", "holm")
    assert row.significant is None and row.share is None and row.smallest is None
    enough = discriminative_power(values, ["a"], tests=["bootstrap"], bootstrap=1000)
    assert enough.row("a", "bootstrap", "holm").significant is not None


def test_measures_in_order_of_their_power() -> None:
    """The same systems under less noise."""
    chance = np.random.default_rng(0)
    lead = np.linspace(0, 0.3, 8)[:, None]
    layers = [lead + chance.normal(0, sd, (8, 25)) for sd in (0.4, 0.05, 0.2)]
    found = discriminative_power(
        np.stack(layers, axis=2), ["loud", "clear", "some"], tests=["t", "tukey"]
    )
    assert found.order("t") == found.order("tukey") == ("clear", "some", "loud")


def test_what_is_refused() -> None:
    values = _random(1, 3, 5, 2)
    with pytest.raises(InputError, match="for 1 measures"):
        discriminative_power(values, ["a"])
    with pytest.raises(UsageError, match="no test 'z'"):
        discriminative_power(values, ["a", "b"], tests=["z"])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="no method 'x'"):
        discriminative_power(values, ["a", "b"], tests=["t"], corrections=["x"])  # type: ignore[list-item]
    with pytest.raises(UnknownName, match="no sign test"):
        discriminative_power(values, ["a", "b"], tests=["t"]).row("a", "sign")
