from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, zscore

from cranfield.errors import InputError, UsageError
from cranfield.metaeval.standardised import standardise


@given(st.integers(0, 10**6), st.integers(2, 8), st.integers(1, 9))
def test_against_itself(seed: int, m: int, n: int) -> None:
    x = np.random.default_rng(seed).random((m, n))
    z, bounded = standardise(x, form="z"), standardise(x)
    assert z.values == pytest.approx(zscore(x, axis=0, ddof=1))
    assert bounded.values == pytest.approx(norm.cdf(z.values))
    assert z.means.mean() == pytest.approx(0, abs=1e-9) and z.references == m
    ranks = standardise(x, form="ecdf").values
    assert np.sort(ranks, axis=0) == pytest.approx(np.tile(np.arange(1, m + 1) / m, (n, 1)).T)


@given(st.integers(0, 10**6), st.floats(0.01, 100), st.floats(-5, 5))
def test_the_unit_of_a_topic_does_not_matter(seed: int, scale: float, shift: float) -> None:
    """That is what scores are standardised for: an easy topic, or one of another collection, says
    the same."""
    chance = np.random.default_rng(seed)
    x, reference = chance.random((3, 5)), chance.random((6, 5))
    for form in ("z", "normal", "ecdf"):
        one = standardise(x, reference, form=form)  # type: ignore[arg-type]
        two = standardise(x * scale + shift, reference * scale + shift, form=form)  # type: ignore[arg-type]
        assert one.values == pytest.approx(two.values, abs=1e-6)


def test_worked_by_hand() -> None:
    reference = [[0.2, 0.5, 0.3], [0.4, 0.5, 0.3], [0.6, 0.5, 0.9]]
    found = standardise([[0.8, 0.5, 0.3]], reference, form="z")
    assert found.values[0] == pytest.approx([2, 0, -0.2 / np.sqrt(0.12)])
    assert found.defined.tolist() == [True, False, True]
    assert found.means[0] == pytest.approx((2 - 0.2 / np.sqrt(0.12)) / 2)
    ecdf = standardise([[0.4, 0.5, 0.3]], reference, form="ecdf")
    assert ecdf.values[0].tolist() == [2 / 3, 0, 2 / 3]


def test_what_is_refused() -> None:
    x = np.random.default_rng(0).random((3, 4))
    with pytest.raises(InputError, match="two reference systems"):
        standardise(x[:1])
    with pytest.raises(InputError, match="reference systems on 3 topics"):
        standardise(x, x[:, :3])
    with pytest.raises(InputError, match="the same score on every topic"):
        standardise(x, np.ones((3, 4)))
    with pytest.raises(UsageError, match="no form 'x'"):
        standardise(x, form="x")  # type: ignore[arg-type]
