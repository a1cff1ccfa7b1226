from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cranfield.errors import InputError, UsageError
from cranfield.stats.agreement import ac, alpha, coincidences, confusion, kappa, percent
from cranfield.stats.coefficients import NAMES, pooled, several

A = [0, 0, 1, 2, 3, 3, 1, 0, 0, 2, 1, 0, 0, 0, 2, 3, 0, 1, 0, 0]
B = [0, 1, 1, 2, 3, 2, 0, 0, 0, 2, 2, 0, 0, 0, 3, 3, 0, 1, 0, 0]
SCALE = [0, 1, 2, 3]
NAN = float("nan")
# Krippendorff (2004), four observers and twelve units
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)
pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)


def test_twenty_pairs_worked_out() -> None:
    table = confusion(A, B, SCALE)[None]
    found = {c.name: c.value for c in pooled(table, SCALE, resamples=0)}
    assert found["percent"] == 0.75
    assert found["kappa"] == pytest.approx(0.6254681648, abs=1e-10)
    assert found["kappa linear"] == pytest.approx(0.7907949791, abs=1e-10)
    assert found["kappa quadratic"] == pytest.approx(0.9019607843, abs=1e-10)
    assert found["AC1"] == pytest.approx(0.6786288163, abs=1e-10)
    assert found["alpha nominal"] == pytest.approx(0.6341463415, abs=1e-10)
    assert found["alpha ordinal"] == pytest.approx(0.8942502450, abs=1e-10)
    assert found["alpha interval"] == pytest.approx(0.9043648847, abs=1e-10)


def test_krippendorffs_example_with_missing_values() -> None:
    levels = [1, 2, 3, 4, 5]
    table = coincidences(KRIPPENDORFF, levels)
    assert table.sum() == pytest.approx(40)  # of 41 values one stands alone
    assert alpha(table, levels, "nominal") == pytest.approx(0.7434210526, abs=1e-10)
    assert alpha(table, levels, "ordinal") == pytest.approx(0.8153875038, abs=1e-10)
    assert alpha(table, levels, "interval") == pytest.approx(0.8491071429, abs=1e-10)
    found = several(table[None], levels, resamples=0)
    assert [round(c.value or 0, 3) for c in found] == [0.743, 0.815, 0.849]


def test_much_agreement_by_chance_is_no_agreement_for_kappa() -> None:
    """Cicchetti and Feinstein's (1990) paradox: 118 of 125 both say yes, nobody no."""
    table = np.array([[0.0, 5.0], [2.0, 118.0]])
    assert percent(table) == pytest.approx(0.944)
    assert kappa(table, [0, 1]) == pytest.approx(-0.023392, abs=1e-6)
    assert ac(table, [0, 1]) == pytest.approx(0.940776, abs=1e-6)


def test_gwets_weights_worked_out() -> None:
    """AC2 with three grades, by hand: p_a = (6 + 2 · 3/4) / 10, π = (.55, .3, .15)."""
    table = np.array([[4.0, 1.0, 0.0], [1.0, 1.0, 1.0], [1.0, 0.0, 1.0]])
    w = np.array([[1, 0.75, 0], [0.75, 1, 0.75], [0, 0.75, 1]])
    agreed = (6 + 0.75 * 3) / 10
    pi = np.array([(5 + 6) / 20, (3 + 2) / 20, (2 + 2) / 20])
    chance = w.sum() / 6 * (pi * (1 - pi)).sum()
    assert ac(table, [0, 1, 2], "quadratic") == pytest.approx((agreed - chance) / (1 - chance))


@given(pairs)
def test_kappa_is_scikit_learns(rows: list[tuple[int, int]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    a, b = map(list, zip(*rows, strict=True))
    table = confusion(a, b, SCALE)
    for weights in ("none", "linear", "quadratic"):
        found = float(kappa(table, SCALE, weights))  # type: ignore[arg-type]
        if set(a) == set(b) and len(set(a)) == 1:
            assert np.isnan(found)
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            peer = cohen_kappa_score(
                a, b, labels=SCALE, weights=None if weights == "none" else weights
            )
        assert found == pytest.approx(peer, abs=1e-12)


def _alpha_by_words(units: list[list[int]], distance: str) -> float:
    """From the definition: pairs of values within units against all pairs of values."""
    units = [u for u in units if len(u) > 1]
    values = [v for u in units for v in u]
    n = len(values)
    count = {v: values.count(v) for v in values}

    def d(a: int, b: int) -> float:
        if distance == "nominal":
            return float(a != b)
        if distance == "interval":
            return float((a - b) ** 2)
        low, high = min(a, b), max(a, b)
        between = sum(c for v, c in count.items() if low <= v <= high)
        return float((between - (count[low] + count[high]) / 2) ** 2)

    seen = sum(
        sum(d(a, b) for i, a in enumerate(u) for j, b in enumerate(u) if i != j) / (len(u) - 1)
        for u in units
    )
    all_pairs = sum(d(a, b) for i, a in enumerate(values) for j, b in enumerate(values) if i != j)
    return 1 - (seen / n) / (all_pairs / (n * (n - 1))) if all_pairs else NAN


@given(st.lists(st.lists(st.integers(0, 3), max_size=4), min_size=1, max_size=10))
def test_alpha_word_by_word(units: list[list[int]]) -> None:
    table = np.full((4, len(units)), NAN)
    for u, values in enumerate(units):
        table[: len(values), u] = values
    found = coincidences(table, SCALE)
    for metric in ("nominal", "ordinal", "interval"):
        mine = float(alpha(found, SCALE, metric))  # type: ignore[arg-type]
        expected = _alpha_by_words(units, metric)
        assert np.isnan(mine) == np.isnan(expected)
        if not np.isnan(mine):
            assert mine == pytest.approx(expected, abs=1e-12)


@given(pairs)
def test_laws(rows: list[tuple[int, int]]) -> None:
    a, b = map(np.array, zip(*rows, strict=True))
    assume(len(set(a) | set(b)) > 1)
    there, back = confusion(a, b, SCALE)[None], confusion(b, a, SCALE)[None]
    one = {c.name: c.value for c in pooled(there, SCALE, resamples=0)}
    two = {c.name: c.value for c in pooled(back, SCALE, resamples=0)}
    for name in NAMES:  # nobody is the standard
        assert one[name] == pytest.approx(two[name], abs=1e-12)
        assert one[name] is not None and one[name] <= 1 + 1e-12
    shifted = confusion(2 * a + 5, 2 * b + 5, [5, 7, 9, 11])[None]
    moved = {c.name: c.value for c in pooled(shifted, [5, 7, 9, 11], resamples=0)}
    for name in NAMES:  # another origin and unit of the scale change nothing
        assert moved[name] == pytest.approx(one[name], abs=1e-12)
    ratings = np.array([a, b], float)
    for metric in ("nominal", "ordinal", "interval"):
        of_two = alpha(coincidences(ratings, SCALE), SCALE, metric)  # type: ignore[arg-type]
        assert of_two == pytest.approx(one[f"alpha {metric}"], abs=1e-12)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=20))
def test_full_agreement_is_one(grades: list[int]) -> None:
    found = pooled(confusion(grades, grades, SCALE)[None], SCALE, resamples=0)
    for c in found:
        assert c.value == pytest.approx(1) or (len(set(grades)) == 1 and c.value is None)


def test_tables_by_query_add_up() -> None:
    group = np.arange(20) % 4
    tables = confusion(A, B, SCALE, group)
    assert tables.shape == (4, 4, 4)
    assert np.array_equal(tables.sum(axis=0), confusion(A, B, SCALE))
    units = coincidences(KRIPPENDORFF, [1, 2, 3, 4, 5], np.arange(12) // 3)
    assert np.allclose(units.sum(axis=0), coincidences(KRIPPENDORFF, [1, 2, 3, 4, 5]))


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(InputError, match="grade 7 is not on the scale 0, 1, 2, 3"):
        confusion([7], [0], SCALE)
    with pytest.raises(InputError, match="2 grades against 1"):
        confusion([1, 1], [0], SCALE)
    with pytest.raises(InputError, match="matrix"):
        coincidences([1, 2], SCALE)
    with pytest.raises(UsageError, match="cubic"):
        kappa(np.ones((2, 2)), [0, 1], "cubic")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="ratio"):
        alpha(np.ones((2, 2)), [0, 1], "ratio")  # type: ignore[arg-type]
