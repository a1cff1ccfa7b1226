"""Names of topics."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from cranfield.subjects.labels import characteristic, named, names_something, written
from cranfield.subjects.telling import ASKING, Telling


def test_terms_by_their_share_of_the_divergence():
    # p_in ln(p_in/p_all): bread .6 ln(.6/.3) = .416, oven .2 ln(.2/.1) = .139, the .2 ln(.2/.4) < 0
    vectors = csr_matrix([[6.0, 2, 2, 0], [0, 0, 6, 4]])
    inside = np.array([True, False])
    assert characteristic(vectors, inside, ["bread", "oven", "the", "moon"]) == ["bread", "oven"]
    assert characteristic(vectors, ~inside, ["bread", "oven", "the", "moon"]) == ["moon", "the"]
    assert characteristic(vectors, inside, ["bread", "oven", "the", "moon"], 1) == ["bread"]


def test_a_part_of_a_word_is_not_listed_beside_it():
    vectors = csr_matrix([[4.0, 3, 2, 1, 0], [0, 0, 0, 0, 1]])
    terms = ["博物", "博物馆", "馆藏", "物", "别的"]
    assert characteristic(vectors, np.array([True, False]), terms) == ["博物馆", "馆藏"]


@pytest.mark.parametrize(
    ("term", "told"), [("索引", True), ("的", False), ("1,000", False), ("x", False), ("c++", True)]
)
def test_what_can_stand_in_a_name(term, told):
    assert names_something(term) is told


def test_stems_are_shown_as_words():
    terms = Telling("english")
    stems = [terms(word)[0] for word in ("retrieval", "indexes")]
    texts = ["Retrieval and retrieving; retrieval", "indexes, Indexes, index"]
    assert written([*stems, "nowhere"], texts, terms) == {
        stems[0]: "retrieval",
        stems[1]: "indexes",
        "nowhere": "nowhere",
    }


def test_names_differ():
    assert named(["a1", "b1", "c1", "d1"], set(), 1) == "a1/b1/c1"
    assert named(["a1"], {"a1"}, 4) == "a1/4" and named([], set(), 2) == "2"


@pytest.mark.parametrize("name", ["mixed", "english", "standard", "chinese", "cjk-bigram"])
def test_words_of_questions_tell_nothing(name):
    terms = Telling(name)
    assert not any(terms(word) for word in ASKING)
    assert terms("how do I bake bread?") and terms("怎么烤面包？")
