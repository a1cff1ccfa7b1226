"""Nearness of collections: laws, known subjects, and real collections."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield
from cranfield.data.collection import Document, Query, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.errors import NothingToEvaluate, UsageError

QUICK = {"resamples": 200, "analyzer": "standard"}


def by_name(found):
    return {one.name: one for one in found.others}


def test_the_same_subject_is_nearer(about):
    mine = about("mine", "kitchen", "space")
    others = [
        about("half", "space", "law", shift=3),
        about("law", "law"),
        about("both", "kitchen", "space", shift=4),
    ]
    found = cranfield.overlap(mine, others, **QUICK)
    assert [o.name for o in found.others] == ["both", "half", "law"]
    assert [o.rank for o in found.others] == [1, 2, 3]
    assert found.others[0].first == 1 and found.others[0].nearness.value > 0.9
    assert found.others[2].coverage.value == 0 and found.others[2].divergence.value == 1
    assert found.same == (50, 40)


def test_a_collection_is_nearest_to_itself(about):
    mine = about("mine", "kitchen")
    found = by_name(
        cranfield.overlap(mine, [about("like", "kitchen", "law", shift=2), mine], **QUICK)
    )
    own = found["mine (2)"]
    assert own.rank == 1 and own.nearness.value == own.jaccard.value == 1
    assert own.divergence.value == 0 and own.nearness.interval[1] == 1
    assert found["like"].nearness.value < 1


words = st.lists(st.sampled_from("ab cd ef gh ij kl".split()), min_size=1, max_size=5).map(" ".join)
some = st.lists(words, min_size=1, max_size=6)


def of(name, documents, queries):
    return TestCollection(
        name,
        tuple(Query(f"q{i}", text) for i, text in enumerate(queries)),
        Qrels.from_rows(()),
        lambda: iter([Document(f"d{i}", "", text) for i, text in enumerate(documents)]),
    )


@given(some, some, st.lists(st.tuples(some, some), min_size=1, max_size=3), st.integers(0, 3))
@settings(max_examples=40)
def test_no_collection_is_nearer_than_itself(documents, queries, others, seed):
    mine = of("mine", documents, queries)
    rest = [of(f"o{i}", d, q) for i, (d, q) in enumerate(others)]
    found = by_name(cranfield.overlap(mine, [*rest, mine], seed=seed, **QUICK))
    own = found.pop("mine (2)")
    assert own.nearness.value == 1 == own.jaccard.value
    for one in found.values():
        assert one.nearness.value <= 1 and one.divergence.value >= 0
        for figure in (one.nearness, one.queries, one.nearest, one.coverage):
            assert 0 <= figure.value <= 1
            if figure.interval:
                assert 0 <= figure.interval[0] <= figure.interval[1] <= 1


@given(st.permutations(range(4)), st.integers(0, 3))
@settings(max_examples=10)
def test_the_order_of_collections_does_not_matter(about, order, seed):
    others = [
        about("a", "kitchen", shift=1),
        about("b", "kitchen", "law", n=60),
        about("c", "law", n=80),
        about("d", "space", "law"),
    ]
    mine = about("mine", "kitchen", "space")
    there = cranfield.overlap(mine, others, seed=seed, **QUICK)
    back = cranfield.overlap(mine, [others[i] for i in order], seed=seed, **QUICK)
    assert there == back == cranfield.overlap(mine, others, seed=seed, **QUICK)


def test_a_larger_collection_is_not_nearer_for_its_size(about):
    """Documents drawn from one source: with ten times as many, no figure moves by much."""
    mine = about("mine", "kitchen", "space", n=60)
    small = about("small", "kitchen", "law", n=60)
    large = about("large", "kitchen", "law", n=600)
    found = by_name(cranfield.overlap(mine, [small, large], **QUICK))
    for name in ("nearness", "nearest", "coverage", "jaccard", "divergence"):
        a, b = (getattr(found[x], name).value for x in ("small", "large"))
        assert a == pytest.approx(b, abs=0.05), name


def test_another_language_is_not_ranked(demo, about, make):
    chinese = make("汉", {f"d{i}": f"面包 烤箱 {i}" for i in range(40)}, {"q": "怎么烤面包"})
    found = cranfield.overlap(about("mine", "kitchen"), [chinese, about("law", "law")], **QUICK)
    assert [(o.name, o.rank, o.language) for o in found.others] == [
        ("law", 1, "unlike"),
        ("汉", None, "other"),
    ]
    assert all(o.first is None for o in found.others)


def test_small_collections_are_named(about, make):
    tiny = make("tiny", {"d": "bread oven"}, {"q": "bread"})
    found = cranfield.overlap(
        about("mine", "kitchen", n=80), [tiny, about("o", "law", n=80)], **QUICK
    )
    assert found.small == ("tiny",) and found.same == (50, 30)
    assert (found.halves.documents, found.halves.queries) == (40, 30)
    assert cranfield.overlap(tiny, tiny, **QUICK).halves is None


def test_names(about, tmp_path):
    a = about("a", "kitchen")
    found = cranfield.overlap(a, [a, replace(a, name="b"), a], **QUICK)
    assert {o.name for o in found.others} == {"a (2)", "b", "a (3)"} and found.mine == "a"


def test_refusals(about, make):
    mine = about("mine", "kitchen")
    with pytest.raises(UsageError, match="no collection to compare with"):
        cranfield.overlap(mine, [])
    for wrong in ({"sample": 0}, {"queries": 1}, {"resamples": 10}):
        with pytest.raises(UsageError):
            cranfield.overlap(mine, mine, **wrong)
    with pytest.raises(NothingToEvaluate, match="marks: no term in its documents"):
        cranfield.overlap(mine, make("marks", {"d": "?!"}, {"q": "x"}), **QUICK)


def halves(folder):
    """A collection cut in two by the order of its documents and queries."""
    read = cranfield.read_collection(folder)
    documents = list(read.documents())
    return [
        TestCollection(
            f"half{i}", read.queries[i::2], Qrels.from_rows(()), lambda i=i: iter(documents[i::2])
        )
        for i in (0, 1)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cacm", "dureader-demo"])
def test_the_other_half_is_nearest(shared, name):
    """Half of a collection is nearer to its other half than any other collection, by far, and by
    every figure."""
    one, two = halves(shared / "collections" / name)
    rest = ("scifact", "vaswani-npl", "cranfield", "xquad/en", "xquad/zh")
    found = cranfield.overlap(one, [two, *(shared / "collections" / c for c in rest)])
    best, *others = found.others
    assert (best.name, best.first) == ("half1", 1)
    # the yardstick is of fewer queries where mine has fewer than twice as many, and then lower
    assert found.halves.nearness < best.nearness.value + 0.06
    assert found.halves.nearness > max(other.nearness.value for other in others) + 0.2
    for other in others:
        assert best.nearness.interval[0] > other.nearness.value + 0.2
        for figure in ("queries", "documents", "nearest", "coverage", "jaccard"):
            assert getattr(best, figure).value > getattr(other, figure).value, figure
        assert best.divergence.value < other.divergence.value


@pytest.mark.slow
def test_xquad(shared):
    """English questions about Wikipedia articles of all kinds: science first, near none of them;
    the same questions in Chinese cannot be compared by their words."""
    names = ("scifact", "cacm", "vaswani-npl", "cranfield", "xquad/zh")
    folders = [shared / "collections" / name for name in names]
    found = cranfield.overlap(shared / "collections" / "xquad" / "en", folders)
    ranked = {o.name: o.rank for o in found.others}
    assert ranked["scifact"] == 1 and ranked["zh"] is None
    assert by_name(found)["zh"].language == "other"
    assert all(o.nearness.value < 0.4 for o in found.others)


@pytest.mark.slow
def test_the_bundled_collection(shared, demo):
    """Chinese and English about programming and search engines: the Chinese web first, then
    Chinese Wikipedia; English alone is nearer than nothing."""
    names = ("scifact", "xquad/zh", "dureader-demo")
    found = cranfield.overlap(demo, [shared / "collections" / name for name in names])
    assert [o.name for o in found.others] == ["dureader-demo", "zh", "scifact"]
    assert {o.language for o in found.others} == {"partly"}
