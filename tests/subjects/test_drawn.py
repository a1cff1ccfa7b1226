"""Samples in one pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.data.collection import Document
from cranfield.errors import NothingToEvaluate
from cranfield.subjects.drawn import CHARS, Smallest, draw
from cranfield.subjects.language import language


@given(st.permutations([f"d{i}" for i in range(30)]), st.integers(1, 40), st.integers(0, 9))
def test_the_order_of_a_corpus_changes_no_sample(order, n, seed):
    there, back = Smallest(n, seed), Smallest(n, seed)
    for name in order:
        there.offer(name, name)
    for name in sorted(order):
        back.offer(name, name)
    assert there.texts() == back.texts() and len(there.texts()) == min(n, 30)
    assert there.offered == 30


@given(st.integers(1, 20), st.integers(0, 9))
def test_a_larger_sample_holds_the_smaller(n, seed):
    small, large = Smallest(n, seed), Smallest(n + 5, seed)
    for i in range(40):
        small.offer(str(i), str(i))
        large.offer(str(i), str(i))
    assert large.texts()[:n] == small.texts()


def test_every_document_is_as_likely():
    """Over many seeds each of ten documents is in half of the samples of five."""
    counts = dict.fromkeys(map(str, range(10)), 0)
    for seed in range(2000):
        taken = Smallest(5, seed)
        for name in counts:
            taken.offer(name, name)
        for name in taken.texts():
            counts[name] += 1
    assert all(abs(n - 1000) < 100 for n in counts.values())  # 4.5 standard deviations


def test_what_is_counted(make):
    found = make("c", {"a": "x" * (CHARS + 1), "b": " ", "c": "short"}, {"q": "x", "r": " "})
    one = draw(found, 10, 10, 0)
    assert (one.documents, one.queries, one.empty, one.cut) == (2, 1, 1, 1)
    assert sorted(map(len, one.texts)) == [5, CHARS]


def test_memory_is_that_of_the_sample(make):
    """A hundred thousand documents pass by; a hundred are kept."""
    import tracemalloc

    found = make("c", {}, {"q": "x"})
    object.__setattr__(
        found, "documents", lambda: (Document(str(i), "", "x" * 1000) for i in range(100_000))
    )
    tracemalloc.start()
    one = draw(found, 100, 10, 0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert one.documents == 100_000 and len(one.texts) == 100 and peak < 2_000_000


def test_nothing_to_draw(make):
    with pytest.raises(NothingToEvaluate, match="c: no document with a text"):
        draw(make("c", {"a": ""}, {"q": "x"}), 1, 1, 0)
    with pytest.raises(NothingToEvaluate, match="c: no query with a text"):
        draw(make("c", {"a": "x"}, {}), 1, 1, 0)


ENGLISH = "the cat of the house is in the garden and it was seen by a man with the dog"
GERMAN = "die Katze des Hauses ist in dem Garten und sie wurde von einem Mann mit Hund gesehen"
CHINESE = "这只猫在房子的花园里被一个带着狗的人看见了"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (ENGLISH, ENGLISH.upper(), "same"),
        (ENGLISH, GERMAN, "unlike"),
        (ENGLISH, CHINESE, "other"),
        (CHINESE, CHINESE, "same"),
    ],
)
def test_languages(make, one, other, expected):
    def of(text):
        many = {f"d{i}": f"{text} {i}" for i in range(30)}
        return draw(make("c", many, {f"q{d}": t for d, t in many.items()}), 100, 100, 0)

    assert language(of(one), of(other)) == expected


def test_a_mixture_is_partly_the_same(make):
    both = {f"d{i}": ENGLISH if i % 2 else CHINESE for i in range(30)}
    one = draw(make("c", both, both), 100, 100, 0)
    other = draw(make("c", dict.fromkeys(both, CHINESE), dict.fromkeys(both, CHINESE)), 100, 100, 0)
    assert one.scripts == {"Han": 0.5, "Latin": 0.5}
    assert language(one, other) == language(other, one) == "partly"
