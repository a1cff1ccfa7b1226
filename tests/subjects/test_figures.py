"""The figures of nearness: by hand, by brute force over all draws, and their laws."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cranfield.subjects import figures
from cranfield.subjects.drawn import Drawn

word = st.sampled_from("abcdefgh")
text = st.lists(word, min_size=1, max_size=8).map(" ".join)
texts = st.lists(text, min_size=1, max_size=7)


def drawn(some, asked=("a",)):
    return Drawn("x", len(some), len(asked), tuple(some), tuple(asked), 0, 0, {}, ())


def sides(*pairs, n=100, m=100):
    return figures.sides([drawn(d, q) for d, q in pairs], str.split, n, m, 0)


def test_idf_gives_each_collection_the_same_voice():
    a, _ = sides((["x y", "x"], ["x"]), (["y"], ["y"]))
    # x: 3/3 of the texts of one and 0 of the other; y: 1/3 and 1
    assert a.space.terms == ("x", "y")
    assert a.space.idf == pytest.approx([1 + np.log(2), 1 + np.log(1.5)])


def test_jaccard_and_divergence_by_hand():
    a, b = sides((["x x y z"], ["x"]), (["x y y w"], ["x"]))
    # shares of (w, x, y, z): 0 .5 .25 .25 and .25 .25 .5 0
    assert figures.jaccard(a.shares, b.shares) == pytest.approx(0.5 / 1.5)
    p, q = np.array([0, 0.5, 0.25, 0.25]), np.array([0.25, 0.25, 0.5, 0])
    m = (p + q) / 2
    kl = sum(x * np.log2(x / y) for r in (p, q) for x, y in zip(r, m, strict=True) if x)
    assert figures.divergence(a.shares, b.shares) == pytest.approx(kl / 2)


def test_divergence_is_scipys():
    from scipy.spatial.distance import jensenshannon

    a, b = sides((["x x y z z z", "u"], ["x"]), (["x y y w", "w w u"], ["x"]))
    expected = jensenshannon(a.shares[0], b.shares[0], base=2) ** 2
    assert figures.divergence(a.shares, b.shares) == pytest.approx(expected)


def test_coverage_by_hand():
    a, b = sides((["x y"], ["x y", "y", "y y"]), (["x x"], ["x"]))
    x, y = a.space.idf
    assert figures.coverage(a, b) == pytest.approx([x / (x + y), 0, 0])
    assert figures.coverage(b, a) == pytest.approx([1])


@given(texts, texts, st.integers(1, 7))
def test_nearest_and_coverage_are_means_over_all_draws(mine, other, n):
    """Every subset of n documents, one by one."""
    assume(n <= len(other))
    a, b = sides((mine, mine), (other, ["a"]), n=n)
    cosines = (a.queries @ b.documents.T).toarray()
    subsets = list(combinations(range(len(other)), n))
    best = np.mean([cosines[:, list(s)].max(axis=1) for s in subsets], axis=0)
    assert figures.nearest(a, b) == pytest.approx(best, abs=1e-12)
    covered = []
    for chosen in subsets:
        there = {t for i in chosen for t in other[i].split()}
        row = []
        for query in mine:
            idf = {t: a.space.idf[a.space.terms.index(t)] for t in set(query.split())}
            row.append(sum(v for t, v in idf.items() if t in there) / sum(idf.values()))
        covered.append(row)
    assert figures.coverage(a, b) == pytest.approx(np.mean(covered, axis=0), abs=1e-9)


@given(texts, texts, st.integers(1, 7))
def test_symmetry_and_bounds(one, two, n):
    a, b = sides((one, one), (two, two), n=n, m=n)
    for figure, of in (
        (figures.cosine, "about"),
        (figures.cosine, "asks"),
        (figures.jaccard, "shares"),
        (figures.divergence, "shares"),
    ):
        there, back = (figure(getattr(x, of), getattr(y, of)) for x, y in ((a, b), (b, a)))
        assert 0 <= there <= 1 and there == pytest.approx(back, abs=1e-12)


@given(texts, texts, st.integers(1, 7))
def test_nothing_is_nearer_than_the_same(one, two, n):
    a, same, b = sides((one, one), (one, one), (two, two), n=n, m=n)
    assert figures.cosine(a.about, same.about) == 1 == figures.cosine(a.asks, same.asks)
    assert figures.jaccard(a.shares, same.shares) == 1
    assert figures.divergence(a.shares, same.shares) == 0
    assert figures.cosine(a.about, b.about) <= 1 and figures.jaccard(a.shares, b.shares) <= 1


def test_a_resample_is_a_centroid():
    a, b = sides((["x"], ["x y", "y z", "z"]), (["y"], ["y", "x z"]))
    picked = np.array([[0, 1, 1], [2, 2, 2]])
    found = figures.resampled(a, [b], picked)
    for row, sample in enumerate(picked):
        centre = a.queries.toarray()[sample].sum(axis=0)
        expected = centre @ b.asks[0] / np.linalg.norm(centre)
        assert found[row, 0] == pytest.approx(expected)


def test_blocks_do_not_matter(monkeypatch):
    a, b = sides((["x"], ["x y", "y z", "z", "w"]), (["y z", "x", "w w"], ["y"]))
    whole = figures.nearest(a, b)
    monkeypatch.setattr(figures, "BLOCK", 1)
    assert figures.nearest(a, b) == pytest.approx(whole, abs=1e-15)


@given(st.integers(0, 5))
def test_halves_have_nothing_in_common(seed):
    """Texts of a word each: two draws share none, and the cosine is 0; equal texts give 1."""
    a, b = sides((list("abcdefgh"), ["a"]), (["a"] * 8, ["a"]))
    assert figures.halves(a.documents, 4, seed) == 0
    assert figures.halves(b.documents, 4, seed) == 1


def test_halves_by_hand():
    """Of `x x y` two draws of one: x and x in a third of all, else x and y."""
    a, _ = sides((["x", "x", "y"], ["x"]), (["x"], ["x"]))
    found = [figures.halves(a.documents, 1, seed) for seed in range(200)]
    assert sum(found) / 200 == pytest.approx(1 / 3, abs=0.03)
