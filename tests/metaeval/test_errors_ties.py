from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cranfield.errors import InputError, UsageError
from cranfield.metaeval.errors_ties import CURVE, minority_curve, stability, worded

Array = NDArray[np.float64]

TOY = np.array(
    [
        [0.5, 0.4, 0.6, 0.3, 0.7, 0.2],
        [0.45, 0.3, 0.55, 0.35, 0.6, 0.1],
        [0.1, 0.5, 0.2, 0.4, 0.3, 0.25],
        [0.45, 0.3, 0.55, 0.35, 0.6, 0.1],
    ]
)
SETS = [(0, 1, 2), (3, 4, 5), (0, 2, 4), (1, 3, 5)]


def _random(seed: int, m: int, n: int) -> Array:
    """Multiples of .05, so that ties and differences of just a share of the score are frequent."""
    return np.random.default_rng(seed).integers(0, 21, (m, n)) / 20


def test_the_toy() -> None:
    by_topic = worded(TOY)
    assert by_topic.tie == 1 / 6
    assert by_topic.error == pytest.approx(0.3666666667, abs=1e-10)
    by_sets = stability(TOY, topic_sets=SETS)
    assert (by_sets.error, by_sets.tie) == (0.125, 1 / 6)
    assert by_sets.method == "4 topic sets" and by_sets.compared == 24


def test_counts_worked_by_hand() -> None:
    """The first system wins a topic by exactly a twentieth, loses one by less, one by more."""
    x = [[0.21, 0.5, 0.2, 1.0], [0.2, 0.51, 0.3, 0.0]]
    found = worded(x)
    assert (found.error, found.tie, found.compared) == (1 / 3, 0, 3)
    assert worded(x, 0.06).compared == 2
    assert worded([[0.0, 0.4], [0.0, 0.2]]).error == 0


def test_macro_is_the_mean_of_pairs() -> None:
    x = _random(1, 3, 8)
    pairs = [worded(x[[i, j]]) for i, j in ((0, 1), (0, 2), (1, 2))]
    errors = [one.error for one in pairs if one.error is not None]
    assert worded(x, aggregate="macro").error == pytest.approx(sum(errors) / len(errors))


def test_only_ties_have_no_error() -> None:
    x = np.full((3, 4), 0.3)
    found = worded(x)
    assert found.error is None and found.tie == 1 and found.single() is None
    assert (stability(x).error, stability(x).tie) == (0, 1)


def test_the_single_figure_is_a_mixture() -> None:
    found = worded(TOY)
    assert found.error is not None
    assert found.single() == pytest.approx((found.error + found.tie) / 2)
    assert found.single(1) == found.error and found.single(0) == found.tie
    with pytest.raises(UsageError, match="weight"):
        found.single(1.5)


def test_what_the_fuzziness_is_a_share_of() -> None:
    """.20 and .21 differ by 5 % of the smaller, 4.8 % of the larger and by .01."""
    x, one_set = np.array([[0.21, 0.21], [0.2, 0.2]]), [(0, 1)]
    ties = {
        (fuzz, f): stability(x, f, fuzz=fuzz, topic_sets=one_set).tie  # type: ignore[arg-type]
        for fuzz in ("max", "min", "abs")
        for f in (0.01, 0.048, 0.05, 0.011)
    }
    assert ties["min", 0.05] == 0 and ties["max", 0.05] == 1 and ties["max", 0.01] == 0
    assert ties["abs", 0.01] == 0 and ties["abs", 0.011] == 1
    with pytest.raises(UsageError, match="fuzz"):
        stability(x, fuzz="mean")  # type: ignore[arg-type]


def test_scores_below_0_have_no_share() -> None:
    x = TOY - 0.5
    with pytest.raises(InputError, match="below 0"):
        worded(x)
    with pytest.raises(InputError, match="fuzz='abs'"):
        stability(x)
    assert stability(x, 0.0, fuzz="abs", topic_sets=SETS).tie == 1 / 6


@pytest.mark.parametrize(
    ("sets", "what"), [([], "no set"), ([()], "0 to 5"), ([(1, 6)], "0 to 5"), ([(-1,)], "0 to 5")]
)
def test_topic_sets_that_are_none(sets: list[tuple[int, ...]], what: str) -> None:
    with pytest.raises(InputError, match=what):
        stability(TOY, topic_sets=sets)


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(2, 12))
def test_laws(seed: int, m: int, n: int) -> None:
    """Rates lie in [0, 1], and neither the order of systems nor that of topics matters."""
    x = _random(seed, m, n)
    rows = np.random.default_rng(seed).permutation(m)
    columns = np.random.default_rng(seed + 1).permutation(n)
    sets = [(0,), tuple(range(n)), (0, n - 1)]
    place = np.argsort(columns)
    moved_sets = [tuple(int(place[q]) for q in one) for one in sets]
    moved = x[rows][:, columns]
    for a, b in (
        (worded(x), worded(moved)),
        (worded(x, aggregate="macro"), worded(moved, aggregate="macro")),
        (stability(x, topic_sets=sets), stability(moved, topic_sets=moved_sets)),
    ):
        assert a == b
        assert 0 <= a.tie <= 1 and (a.error is None or 0 <= a.error <= 1)
    by_sets = stability(x, topic_sets=sets)
    assert by_sets.error is not None and by_sets.error <= (1 - by_sets.tie) / 2


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(2, 12))
def test_more_fuzziness_more_ties_and_fewer_errors(seed: int, m: int, n: int) -> None:
    x = _random(seed, m, n)
    curve = minority_curve(x, sets=50, seed=seed)
    assert tuple(point.fuzziness for point in curve.points) == CURVE
    assert curve.size == n // 2
    for one, two in zip(curve.points, curve.points[1:], strict=False):
        assert one.tie <= two.tie and (one.error or 0) >= (two.error or 0)
    assert curve.points[5] == stability(x, sets=50, seed=seed)


def test_every_set_of_drawn_topics_is_one_of_half_of_them() -> None:
    """With a fuzziness of 0 over all sets of size 1 the minority is that of topics."""
    x = np.array([[1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    found = stability(x, 0, size=1, sets=4000)
    assert found.error == pytest.approx(0.25, abs=0.03) and found.tie == 0
