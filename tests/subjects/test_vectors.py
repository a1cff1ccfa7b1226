"""Counts and tf-idf vectors, against values worked out by hand and scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.subjects.vectors import counted, presence, unit, weighted

texts = st.lists(st.text("abc ", max_size=12), min_size=1, max_size=6)


def test_counts_by_hand():
    found = counted(["b a b", "", "c"], str.split)
    assert found.terms == ("a", "b", "c")
    assert found.rows.toarray().tolist() == [[1, 2, 0], [0, 0, 0], [0, 0, 1]]
    assert found.under(["a", "aa", "b", "c"]).toarray().tolist()[0] == [1, 0, 2, 0]
    assert presence(found.rows).toarray().tolist()[0] == [1, 1, 0]


def test_weights_by_hand():
    rows = counted(["b a b", ""], str.split).rows
    a, b = 2.0, (1 + np.log(2)) * 3.0
    expected = np.array([a, b]) / np.hypot(a, b)
    out = weighted(rows, np.array([2.0, 3.0])).toarray()
    assert out[0] == pytest.approx(expected) and not out[1].any()


def test_the_same_as_scikit_learns():
    from sklearn.feature_extraction.text import TfidfVectorizer

    some = ["the cat sat", "the dog sat sat", "a dog and a cat and a bird"]
    peer = TfidfVectorizer(sublinear_tf=True, analyzer=str.split)
    expected = peer.fit_transform(some).toarray()
    found = counted(some, str.split)
    df = np.asarray(presence(found.rows).sum(axis=0)).ravel()
    idf = np.log((1 + len(some)) / (1 + df)) + 1
    assert found.terms == tuple(peer.get_feature_names_out())
    assert weighted(found.rows, idf).toarray() == pytest.approx(expected, abs=1e-15)


@given(texts)
def test_columns_do_not_depend_on_the_order_of_texts(some):
    there, back = counted(some, str.split), counted(some[::-1], str.split)
    assert there.terms == back.terms
    assert there.rows.toarray().tolist() == back.rows.toarray().tolist()[::-1]


@given(texts)
def test_rows_have_length_one_or_nothing(some):
    rows = unit(counted(some, str.split).rows).toarray()
    lengths = np.sqrt((rows * rows).sum(axis=1))
    assert all(abs(x - 1) < 1e-12 or x == 0 for x in lengths)
