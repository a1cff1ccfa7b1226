from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cranfield.errors import InputError, UsageError
from cranfield.metaeval.halves import HalfTest, split_halves
from cranfield.metaeval.topicsets import subsets
from cranfield.stats.significance import paired_t, sign_test, wilcoxon

Array = NDArray[np.float64]


def _random(seed: int, m: int, n: int) -> Array:
    """Apart enough that some pairs are significant, and coarse enough that halves are equal."""
    chance = np.random.default_rng(seed)
    return (chance.integers(0, 6, (m, n)) + 2 * np.arange(m)[:, None] % 5) / 10


@settings(max_examples=15)
@given(
    st.integers(0, 10**6),
    st.integers(2, 4),
    st.integers(8, 21),
    st.sampled_from(["t", "wilcoxon", "sign"]),
)
def test_one_pair_and_one_split_after_the_other(seed: int, m: int, n: int, test: HalfTest) -> None:
    x, half = _random(seed, m, n), n // 2
    found = split_halves(x, test=test, trials=8, seed=seed)
    significant = contradicted = equal = 0
    for order in subsets(n, n, 8, seed):
        for i in range(m):
            for j in range(i + 1, m):
                d = np.round(x[i] - x[j], 12)
                first, second = d[order[:half]], d[order[half:]]
                if test == "t":
                    p = paired_t(first).p
                else:
                    p = (sign_test(first) if test == "sign" else wilcoxon(first, "normal")).p
                if p is not None and p < 0.05:
                    side = np.round(first.sum(), 9) * np.round(second.sum(), 9)
                    significant += 1
                    contradicted += side < 0
                    equal += np.round(second.sum(), 9) == 0
    assert (found.significant, found.contradicted, found.equal) == (
        significant,
        contradicted,
        equal,
    )
    assert found.compared == 8 * m * (m - 1) // 2 and found.sizes == (half, n - half)
    assert found.power == significant / found.compared
    if significant:
        assert found.error == contradicted / significant
        assert found.unconfirmed == (contradicted + equal) / significant


def test_equal_systems_are_never_significant() -> None:
    found = split_halves(np.ones((3, 10)))
    assert found.power == 0 and found.error is None and found.unconfirmed is None


def test_a_constant_lead_always_is() -> None:
    x = np.array([[0.1, 0.5, 0.3, 0.2, 0.9], [0.2, 0.6, 0.4, 0.3, 1.0]])
    found = split_halves(x, trials=10)
    assert (found.power, found.error) == (1, 0)


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="at least 2 systems and 4 topics"):
        split_halves(np.ones((3, 3)))
    with pytest.raises(UsageError, match="no test 'z'"):
        split_halves(np.ones((3, 9)), test="z")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="alpha"):
        split_halves(np.ones((3, 9)), 0)
