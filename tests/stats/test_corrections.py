from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from statsmodels.stats.multitest import multipletests

from cranfield.errors import InputError, UsageError
from cranfield.stats.corrections import Correction, adjust, max_t
from cranfield.stats.resampling import signs
from cranfield.stats.significance import randomisation

Array = NDArray[np.float64]
p_values = st.lists(st.floats(0, 1), min_size=1, max_size=30)
THEIRS: dict[Correction, str] = {
    "holm": "holm",
    "bonferroni": "bonferroni",
    "bh": "fdr_bh",
    "by": "fdr_by",
}


@settings(max_examples=25)  # its Holm takes a twentieth of a second
@given(p_values)
def test_they_are_statsmodels(p: list[float]) -> None:
    for ours, theirs in THEIRS.items():
        assert adjust(p, ours) == pytest.approx(multipletests(p, method=theirs)[1], abs=1e-12)


@given(p_values)
def test_their_order(p: list[float]) -> None:
    none, bh, by, holm, bonferroni = (
        adjust(p, m) for m in ("none", "bh", "by", "holm", "bonferroni")
    )
    assert none.tolist() == p
    near = 1e-12
    assert (none <= bh + near).all() and (bh <= holm + near).all()
    assert (holm <= bonferroni + near).all() and (bh <= by + near).all()
    order = np.argsort(p, kind="stable")
    for adjusted in (bh, by, holm, bonferroni):
        assert (np.diff(adjusted[order]) >= -near).all() and (adjusted <= 1).all()


@given(p_values, st.randoms())
def test_the_order_of_hypotheses_does_not_matter(p: list[float], chance: object) -> None:
    place = list(range(len(p)))
    chance.shuffle(place)  # type: ignore[attr-defined]
    for method in THEIRS:
        moved = adjust([p[i] for i in place], method)
        assert moved == pytest.approx(adjust(p, method)[place], abs=1e-15)


def test_none_and_refused() -> None:
    assert adjust([]).tolist() == []
    assert adjust([0.01]).tolist() == [0.01]
    with pytest.raises(UsageError, match="no method 'fdr'"):
        adjust([0.1], "fdr")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="from 0 to 1"):
        adjust([1.1])
    with pytest.raises(InputError, match="from 0 to 1"):
        adjust([float("nan")])


def test_max_t_word_by_word() -> None:
    """The definition, draw by draw and hypothesis by hypothesis."""
    d = np.random.default_rng(1).normal(0.25, 1, (5, 17)).round(2)
    d[3] = d[2] + 0.01
    size = np.sqrt((d**2).sum(axis=1))
    seen = np.abs(d.sum(axis=1)) / size
    falling = np.argsort(-seen)
    counts = np.zeros(5)
    drawn = signs(9, 0, 300, 17)
    for flip in drawn:
        t = np.abs(d @ flip) / size
        for step, h in enumerate(falling):
            counts[h] += t[falling[step:]].max() >= seen[h] - 1e-9
    expected = (1 + counts) / 301
    expected[falling] = np.maximum.accumulate(expected[falling])
    found = max_t(d, resamples=300, seed=9)
    assert found.p == pytest.approx(expected, abs=1e-12)
    assert found.statistic == pytest.approx(seen)
    for row, raw in zip(d, found.raw, strict=True):
        assert raw == randomisation(row, method="monte-carlo", resamples=300, seed=9).p


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_max_t_is_never_below_the_raw(seed: int, h: int) -> None:
    d = np.random.default_rng(seed).normal(0.2, 1, (h, 15)).round(2)
    found = max_t(d, resamples=500, seed=seed)
    assert (found.raw <= found.p).all() and (found.p <= 1).all()
    assert (np.diff(found.p[np.argsort(found.statistic)]) <= 0).all()
    if h == 1:
        assert (found.p == found.raw).all()


def test_equal_hypotheses_cost_nothing() -> None:
    """Ten copies of a hypothesis are one: Holm does not see it, max-T does."""
    d = np.random.default_rng(2).normal(0.5, 1, 25).round(2)
    one, ten = max_t([d]), max_t([d] * 10)
    assert (ten.p == one.p[0]).all()
    assert adjust(ten.raw).min() == pytest.approx(10 * one.raw[0])


def test_topics_that_do_not_belong() -> None:
    d = np.random.default_rng(3).normal(0.3, 1, (2, 20)).round(2)
    part = d.copy()
    part[1, 12:] = np.nan
    found = max_t(part, resamples=400)
    size = np.sqrt((d[1, :12] ** 2).sum())
    assert found.statistic[1] == pytest.approx(abs(d[1, :12].sum()) / size)
    assert found.statistic[0] == max_t(d, resamples=400).statistic[0]
    empty = max_t([[np.nan] * 5, [0.0] * 5, [0.1, 0.2, 0.3, 0.1, 0.2]], resamples=100)
    assert empty.p[:2].tolist() == [1, 1] and empty.p[2] < 0.2
    with pytest.raises(InputError, match="must be finite"):
        max_t([[np.inf, 1]])
    with pytest.raises(InputError, match="one row a hypothesis"):
        max_t([0.1, 0.2])
