"""The nearest vectors: exact to the last bit, equal ones by id, the graph near to it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.errors import UsageError
from cranfield.retrieval import nearest
from cranfield.retrieval.nearest import Graph, Nearest


def plainly(vectors, ids, query, k, allowed=None):
    """By a loop: inner products in 64 bits, then ids from the last."""
    rows = [i for i in range(len(ids)) if allowed is None or allowed[i]]
    score = {i: float(np.sum(vectors[i].astype(float) * query.astype(float))) for i in rows}
    rows.sort(key=lambda i: ids[i].encode(), reverse=True)
    rows.sort(key=lambda i: -score[i])
    return rows[:k], [score[i] for i in rows[:k]]


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 40), st.integers(1, 70))
def test_as_a_loop_does(seed, n, dimension, k):
    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((n, dimension)).astype(np.float32)
    vectors[rng.integers(n, size=n // 2)] = vectors[0]  # equal rows, equal scores
    ids = [f"文{i}" for i in rng.permutation(n)]
    query = rng.standard_normal(dimension).astype(np.float32)
    allowed = rng.random(n) < 0.5 if seed % 2 else None
    rows, scores = Nearest(vectors, ids).search(query, k, allowed)
    wanted, own = plainly(vectors, ids, query, k, allowed)
    assert rows.tolist() == wanted
    assert scores.tolist() == own


def test_blocks_and_order_of_rows_change_nothing(monkeypatch):
    rng = np.random.default_rng(3)
    vectors = rng.standard_normal((1000, 33)).astype(np.float32)
    vectors[500:] = vectors[:500]
    ids = [str(i) for i in range(1000)]
    query = rng.standard_normal(33).astype(np.float32)
    rows, scores = Nearest(vectors, ids).search(query, 101)
    named = [(ids[i], s) for i, s in zip(rows, scores, strict=True)]
    monkeypatch.setattr(nearest, "_BLOCK", 37)
    shuffled = rng.permutation(1000)
    other = Nearest(vectors[shuffled], [ids[i] for i in shuffled])
    again, same = other.search(query, 101)
    assert [(ids[shuffled[i]], s) for i, s in zip(again, same, strict=True)] == named


def test_nearly_equal_rows_are_told_apart_in_64_bits():
    """Rows whose scores are one number in 32 bits."""
    query = np.array([1, 2**-13, 0], np.float32)
    vectors = np.array([[1, 2**-13, 0], [1, 2**-12, 0], [1, 0, 0]], np.float32)
    assert len(set((vectors @ query).tolist())) < 3
    rows, _ = Nearest(vectors, ["a", "b", "c"]).search(query, 1)
    assert rows.tolist() == [1]


def test_nothing_there():
    rows, scores = Nearest(np.zeros((0, 5), np.float32), []).search(np.ones(5, np.float32), 3)
    assert len(rows) == len(scores) == 0
    rows, _ = Graph(np.zeros((0, 5), np.float32), []).search(np.ones(5, np.float32), 3)
    assert len(rows) == 0


def test_the_graph_finds_nearly_all():
    rng = np.random.default_rng(5)
    vectors = rng.standard_normal((4000, 32)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    ids = [str(i) for i in range(4000)]
    exact, graph = Nearest(vectors, ids), Graph(vectors, ids)
    found = 0
    for query in vectors[:50] + 0.1 * rng.standard_normal((50, 32)).astype(np.float32):
        rows, scores = graph.search(query, 10)
        best, own = exact.search(query, 10)
        found += len(set(rows) & set(best))
        shared = dict(zip(best, own, strict=True))
        assert all(shared.get(r, s) == s for r, s in zip(rows, scores, strict=True))
        assert np.array_equal(graph.search(query, 3)[0], rows[:3])
        allowed = rng.random(4000) < 0.01
        assert np.array_equal(
            graph.search(query, 10, allowed)[0], exact.search(query, 10, allowed)[0]
        )
    assert found >= 495


def test_the_graph_is_the_same_twice():
    rng = np.random.default_rng(6)
    vectors = rng.standard_normal((2000, 16)).astype(np.float32)
    ids = [str(i) for i in range(2000)]
    one, two = Graph(vectors, ids, expansion=16), Graph(vectors, ids, expansion=16)
    for query in vectors[:20]:
        assert np.array_equal(one.search(query, 16)[0], two.search(query, 16)[0])


@pytest.mark.parametrize("wrong", [{"connectivity": 1}, {"expansion": "many"}])
def test_wrong_parameters(wrong):
    with pytest.raises(UsageError, match="2 or more"):
        Graph(np.zeros((1, 2), np.float32), ["a"], **wrong)
