"""Division: silhouettes against scikit-learn's, groups that are there, and refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from cranfield.errors import InputError, MissingExtra, UsageError
from cranfield.subjects.clusters import _by_size, divide, silhouettes
from cranfield.subjects.vectors import unit, unit_rows


def bundles(n: int = 20, seed: int = 0) -> tuple[csr_matrix, np.ndarray]:
    """Three bundles of n unit vectors about three axes."""
    rng = np.random.Generator(np.random.PCG64(seed))
    points = np.repeat(np.eye(3, 9), n, axis=0) + 0.1 * rng.random((3 * n, 9))
    return unit(csr_matrix(points)), np.repeat(np.arange(3), n)


@given(st.integers(2, 5), st.integers(0, 100))
@settings(max_examples=30)
def test_silhouettes_are_scikit_learns(k, seed):
    from sklearn.metrics import silhouette_samples

    rng = np.random.Generator(np.random.PCG64(seed))
    points = unit_rows(rng.random((30, 6)))
    labels = np.concatenate([np.arange(k), rng.integers(0, k, 30 - k)])
    distances = np.maximum(0, 1 - points @ points.T)
    np.fill_diagonal(distances, 0)
    expected = silhouette_samples(points, labels, metric="cosine")
    assert silhouettes(distances, labels) == pytest.approx(expected, abs=1e-12)


def test_silhouettes_by_hand():
    far = np.array([[0.0, 1, 4], [1, 0, 5], [4, 5, 0]])
    assert silhouettes(far, np.array([0, 0, 1])) == pytest.approx([3 / 4, 4 / 5, 0])


def test_what_is_there_is_found():
    vectors, truth = bundles()
    found = divide(vectors, None, 8, seed=0)
    pairs = set(zip(found.labels.tolist(), truth.tolist(), strict=True))
    assert len(pairs) == 3 and [t.k for t in found.tried] == [2, 3, 4, 5, 6, 7, 8]
    assert max(found.tried, key=lambda t: t.silhouette).k == 3
    assert (found.closeness > 0.9).all()


def test_the_smallest_number_within_one_standard_error():
    vectors, _ = bundles(seed=3)
    found = divide(vectors, None, 8, seed=0)
    best = max(found.tried, key=lambda t: t.silhouette)
    chosen = next(t for t in found.tried if t.silhouette >= best.silhouette - best.error)
    assert int(found.labels.max()) + 1 == chosen.k


def test_the_largest_group_comes_first():
    assert _by_size(np.array([2, 0, 1, 1, 0, 1])).tolist() == [2, 1, 0, 0, 1, 0]


def test_the_same_seed_gives_the_same():
    vectors, _ = bundles()
    a, b = divide(vectors, 4, 8, seed=5), divide(vectors, 4, 8, seed=5)
    assert a.labels.tolist() == b.labels.tolist() and a.tried == b.tried
    assert a.closeness.tobytes() == b.closeness.tobytes()


def test_refusals():
    vectors, _ = bundles(4)
    with pytest.raises(UsageError, match="12 topics of 12 queries"):
        divide(vectors, 12, 8, seed=0)
    same = unit(csr_matrix(np.ones((6, 4))))
    with pytest.raises(InputError, match="1 different content"):
        divide(same, None, 8, seed=0)


def test_without_scikit_learn(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sklearn", None)
    with pytest.raises(MissingExtra, match="scikit-learn") as e:
        divide(bundles()[0], None, 8, seed=0)
    assert e.value.extra == "topics"
