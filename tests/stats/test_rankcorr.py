from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cranfield import measures
from cranfield.errors import InputError, UsageError
from cranfield.stats import rankcorr
from cranfield.stats.rankcorr import kendall_tau, tau_ap, tau_ap_b

pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=15).map(
    lambda rows: (np.array(rows, np.float64) / 7).T
)
untied = st.tuples(st.permutations(range(12)), st.permutations(range(12)), st.integers(2, 12)).map(
    lambda t: (np.array(t[0][: t[2]], float), np.array(t[1][: t[2]], float))
)


@given(pairs)
def test_tau_b_is_scipys(rows: np.ndarray) -> None:
    x, y = rows
    found = kendall_tau(x, y)
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        assert found is None
        return
    assert found == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    concordant = sum(
        np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i in range(len(x)) for j in range(i)
    )
    assert kendall_tau(x, y, "a") == pytest.approx(concordant / (len(x) * (len(x) - 1) / 2))


@given(untied)
def test_tau_ap_word_by_word(rows: tuple[np.ndarray, np.ndarray]) -> None:
    truth, estimate = rows
    ranking = list(np.argsort(-estimate))
    total = 0.0
    for i, item in enumerate(ranking[1:], 1):
        total += sum(truth[other] > truth[item] for other in ranking[:i]) / i
    assert tau_ap(truth, estimate) == pytest.approx(2 * total / (len(ranking) - 1) - 1)
    back = tau_ap(estimate, truth)
    assert back is not None
    assert tau_ap_b(truth, estimate) == pytest.approx(((tau_ap(truth, estimate) or 0) + back) / 2)


@given(pairs)
def test_with_ties_word_by_word(rows: np.ndarray) -> None:
    x, y = rows

    def one(truth: np.ndarray, estimate: np.ndarray) -> float:
        rank = stats.rankdata(-estimate, method="min")
        terms = [
            sum((rank < rank[i]) & (truth > truth[i])) / (rank[i] - 1)
            for i in range(len(rank))
            if rank[i] > 1
        ]
        return 2 * sum(terms) / len(terms) - 1

    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert tau_ap_b(x, y) is None
    else:
        assert tau_ap_b(x, y) == pytest.approx((one(x, y) + one(y, x)) / 2)
        assert tau_ap_b(x, y) == pytest.approx(tau_ap_b(y, x))


@given(untied)
def test_the_same_and_the_opposite(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, _ = rows
    for call in (kendall_tau, tau_ap, tau_ap_b):
        assert call(x, x) == pytest.approx(1)
        assert call(x, -x) == pytest.approx(-1)


def test_the_top_counts_more() -> None:
    truth = np.arange(10.0)
    top, bottom = truth.copy(), truth.copy()
    top[[8, 9]] = top[[9, 8]]
    bottom[[0, 1]] = bottom[[1, 0]]
    assert kendall_tau(truth, top) == kendall_tau(truth, bottom)
    assert (tau_ap(truth, top) or 0) < (tau_ap(truth, bottom) or 0)


def test_many_items_are_taken_by_stretches() -> None:
    chance = np.random.default_rng(0)
    x = chance.integers(0, 500, 3000) / 500
    y = (x + chance.normal(0, 0.3, 3000).round(1)).round(6)
    assert kendall_tau(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


def test_noise_makes_no_order() -> None:
    assert kendall_tau([0.3 - 0.2, 0.2 - 0.1, 0.5], [1, 2, 3]) == pytest.approx(
        stats.kendalltau([1, 1, 2], [1, 2, 3]).statistic
    )


def test_what_is_refused() -> None:
    assert kendall_tau([1], [2]) is None and tau_ap([1], [2]) is None
    with pytest.raises(InputError, match="two items have the same score"):
        tau_ap([1, 1, 2], [1, 2, 3])
    with pytest.raises(InputError, match="2 scores against 3"):
        kendall_tau([1, 2], [1, 2, 3])
    with pytest.raises(UsageError, match="no variant 'c'"):
        kendall_tau([1, 2], [1, 2], "c")  # type: ignore[arg-type]


def test_one_overlap_of_rankings() -> None:
    assert measures.rbo is rankcorr.rbo and measures.RBO is rankcorr.RBO
