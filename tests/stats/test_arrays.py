from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError, UsageError
from cranfield.kit.arguments import share, whole
from cranfield.stats.arrays import lattice, matrix, pair, vector

scores = st.lists(st.floats(-1, 1, allow_nan=False), min_size=1, max_size=30)


def test_differences_lose_their_noise() -> None:
    raw = np.array([0.3 - 0.2, 0.2 - 0.1, 0.4 - 0.35 - 0.05])
    assert raw[0] != raw[1] and raw[2] != 0
    d = vector(raw)
    assert d[0] == d[1] == 0.1 and d[2] == 0 and not np.signbit(d[2])


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e6, 1e40, 1e80])
@given(rows=st.lists(scores, min_size=1, max_size=1), seed=st.integers(0, 99))
def test_sums_on_the_lattice_are_exact(scale: float, rows: list[list[float]], seed: int) -> None:
    x = np.array(rows[0]) * scale
    units, unit = lattice(x)
    assert (units == np.rint(units)).all()
    # half a unit, and what the decimal unit is off in binary
    assert np.abs(units * unit - x).max() <= unit * 0.5001 + np.abs(x).max() * 4e-16
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], len(x))
    exact = sum((Fraction(a) * int(s) for a, s in zip(units, signs, strict=True)), Fraction(0))
    assert Fraction(float((units * signs).sum())) == exact
    assert abs(exact) < 2**52


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="not all finite"):
        vector([0.1, float("nan")])
    with pytest.raises(InputError, match="2 dimensions instead of 1"):
        vector([[0.1]])
    with pytest.raises(InputError, match="not an array of numbers"):
        vector(["x"])
    with pytest.raises(InputError, match="beyond 1e\\+90"):
        vector([1e91])
    with pytest.raises(InputError, match="1 systems and 3 topics"):
        matrix([[1, 2, 3]])
    with pytest.raises(InputError, match="2 scores against 1"):
        pair([1, 2], [1])
    with pytest.raises(UsageError, match="level must lie between 0 and 1"):
        share("level", 95)
    with pytest.raises(UsageError, match="resamples must be a whole number"):
        whole("resamples", 0, 1)
