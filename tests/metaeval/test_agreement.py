from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from cranfield.errors import InputError
from cranfield.metaeval.agreement import agreement, dendrogram
from cranfield.stats.rankcorr import rbo, tau_ap_b


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 9), st.integers(1, 5))
def test_laws(seed: int, m: int, s: int) -> None:
    values = np.random.default_rng(seed).integers(0, 4, (m, 3, s)) / 3
    names = [f"m{i}" for i in range(s)]
    found = agreement(values, names)
    means = np.round(values.mean(axis=1), 12)
    for i in range(s):
        for j in range(s):
            constant = len(set(means[:, i])) == 1 or len(set(means[:, j])) == 1
            assert (found.tau[i][j] is None) == constant
            assert found.tau[i][j] == found.tau[j][i]
            if not constant:
                expected = kendalltau(means[:, i], means[:, j]).statistic
                assert found.tau[i][j] == pytest.approx(expected)
                assert found.tau_ap[i][j] == pytest.approx(tau_ap_b(means[:, i], means[:, j]))
            assert 0 <= (found.rbo[i][j] or 0) <= 1 + 1e-12
        assert found.rbo[i][i] == pytest.approx(1)
    tree = found.dendrogram
    assert sorted(tree.leaves + tree.left_out) == sorted(names)
    assert sorted(tree.order) == sorted(tree.leaves)
    assert len(tree.merges) == max(0, len(tree.leaves) - 1)
    heights = [merge.height for merge in tree.merges]
    assert heights == sorted(heights) and all(0 <= h <= 2 for h in heights)
    if tree.merges:
        assert tree.merges[-1].size == len(tree.leaves)


def test_two_lists_of_runs() -> None:
    values = np.array([[[3, 1]], [[2, 3]], [[1, 2]]], float)
    found = agreement(values, ["a", "b"], rbo_p=0.8)
    assert found.rbo[0][1] == rbo([0, 1, 2], [1, 2, 0], 0.8).ext
    assert found.of("a", "b") == pytest.approx(-1 / 3) and found.systems == 3


def test_average_linkage_by_hand() -> None:
    """a and b are .1 apart, c is .4 and .6 from them, d is 1 from all."""
    tau = [[1, 0.9, 0.6, 0], [0.9, 1, 0.4, 0], [0.6, 0.4, 1, 0], [0, 0, 0, 1]]
    tree = dendrogram(tau, list("abcd"))
    assert [(m.left, m.right, round(m.height, 9), m.size) for m in tree.merges] == [
        (0, 1, 0.1, 2),
        (2, 4, 0.5, 3),
        (3, 5, 1.0, 4),
    ]
    assert tree.order in (("d", "c", "a", "b"), ("d", "c", "b", "a"))


def test_a_measure_without_an_order_is_left_out() -> None:
    values = np.random.default_rng(1).random((5, 4, 3))
    values[:, :, 1] = 0.5
    tree = agreement(values, ["a", "平", "c"]).dendrogram
    assert tree.left_out == ("平",) and tree.leaves == ("a", "c") and len(tree.merges) == 1


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="two systems"):
        agreement(np.ones((1, 3, 2)), ["a", "b"])
    with pytest.raises(InputError, match="for 3 measures"):
        agreement(np.ones((2, 3, 2)), ["a", "b", "c"])
