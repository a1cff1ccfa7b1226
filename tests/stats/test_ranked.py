"""All pairs at once are each pair by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cranfield.errors import UsageError
from cranfield.stats.ranked import sign_test_all, wilcoxon_all
from cranfield.stats.significance import sign_test, wilcoxon

Array = NDArray[np.float64]


def _scores(seed: int, m: int, n: int, tied: bool) -> Array:
    x = np.random.default_rng(seed).random((m, n))
    x = x.round(1) if tied else x
    x[-1] = x[0]
    return np.asarray(x)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(2, 60), st.booleans())
def test_signed_ranks(seed: int, m: int, n: int, tied: bool) -> None:
    x = _scores(seed, m, n, tied)
    for method in ("auto", "exact", "normal"):
        found = wilcoxon_all(x, method)  # type: ignore[arg-type]
        for i in range(m):
            for j in range(m):
                one = wilcoxon(x[i] - x[j], method)  # type: ignore[arg-type]
                assert found.p[i, j] == pytest.approx(one.p, abs=2e-12)
                lead = one.details["W+"] - one.details["W-"]
                assert found.statistic[i, j] == pytest.approx(lead)


def test_the_smallest_p_of_all_is_exact() -> None:
    for n in (2, 10, 30, 50):
        x = np.stack([np.arange(n) + 1.0, np.zeros(n)])
        assert wilcoxon_all(x).p[0, 1] == pytest.approx(2.0 ** (1 - n), rel=1e-9)
    assert wilcoxon_all(np.ones((2, 9))).p.tolist() == [[1, 1], [1, 1]]


def test_what_is_said_of_the_method() -> None:
    x = _scores(1, 3, 60, tied=False)
    assert wilcoxon_all(x[:, :20]).method == "exact"
    assert wilcoxon_all(x).method == "normal approximation"  # for the equal pair there is none
    x[2, :9] += 0.1
    assert wilcoxon_all(x).method.startswith("exact up to 50 differences, normal")
    assert wilcoxon_all(x[:2]).method == "normal approximation"
    assert wilcoxon_all(x, "normal", True).method == "normal approximation, continuity corrected"
    with pytest.raises(UsageError, match="no method 'fast'"):
        wilcoxon_all(x, "fast")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="too many"):
        wilcoxon_all(np.random.default_rng(0).random((2, 1001)), "exact")


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(2, 60), st.sampled_from([0.0, 0.05]))
def test_signs(seed: int, m: int, n: int, min_d: float) -> None:
    x = _scores(seed, m, n, tied=True)
    found = sign_test_all(x, min_d)
    for i in range(m):
        for j in range(m):
            one = sign_test(x[i] - x[j], min_d)
            assert found.p[i, j] == one.p
            assert found.statistic[i, j] == one.details["positive"] - one.details["negative"]


def test_signs_of_very_many_topics() -> None:
    x = np.random.default_rng(3).random((2, 1500))
    assert sign_test_all(x).p[0, 1] == sign_test(x[0] - x[1]).p
    with pytest.raises(UsageError, match="min_d"):
        sign_test_all(x, -1)
