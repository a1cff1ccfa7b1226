from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import UsageError
from cranfield.metaeval.thinning import NOT_JUDGED, thinned


@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(0, 3), st.integers(0, 12))
def test_laws(seed: int, rows: int, relevant: int, other: int) -> None:
    chance = np.random.default_rng(seed)
    query, grade = chance.integers(0, 4, rows), chance.integers(-1, 3, rows).astype(float)
    before: set[int] = set()
    for kept in (0.0, 0.2, 0.5, 0.9, 1.0):
        left = thinned(query, grade, kept, least_relevant=relevant, least_other=other, seed=seed)
        same = left == grade
        assert (left[~same] == NOT_JUDGED).all()
        stay = set(np.flatnonzero(same & (grade >= 0)).tolist())
        assert before <= stay  # nested
        before = stay
        for q in range(4):
            for least, of in ((relevant, grade >= 1), (other, grade == 0)):
                had = int(((query == q) & of).sum())
                has = int(((query == q) & of & same).sum())
                assert has == min(had, max(least, int(np.floor(kept * had + 0.5))))
    assert before == set(np.flatnonzero(grade >= 0).tolist())


def test_every_judgment_is_as_likely_to_go() -> None:
    query, grade = np.zeros(8, np.int64), np.ones(8)
    kept = [thinned(query, grade, 0.25, seed=seed) > 0 for seed in range(2000)]
    share = np.mean(kept, axis=0)
    assert np.abs(share - 0.25).max() < 4 * (0.25 * 0.75 / 2000) ** 0.5


def test_another_threshold_decides_which_are_relevant() -> None:
    query, grade = np.zeros(20, np.int64), np.repeat([1.0, 2.0], 10)
    left = thinned(query, grade, 0, rel=2, least_relevant=3, least_other=5)
    assert ((left == 2).sum(), (left == 1).sum()) == (3, 5)


def test_what_is_refused() -> None:
    query, grade = np.zeros(2, np.int64), np.ones(2)
    with pytest.raises(UsageError, match="share of judgments"):
        thinned(query, grade, 1.1)
    with pytest.raises(UsageError, match="least counts"):
        thinned(query, grade, 0.5, least_other=-1)
    assert thinned(query[:0], grade[:0], 0.5).tolist() == []
