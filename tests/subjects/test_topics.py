"""Topics of collections whose topics are known, of the bundled one and of real ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield
from cranfield.data.collection import Query
from cranfield.errors import InputError, NothingToEvaluate, UnknownName, UsageError
from cranfield.subjects.profiles import profiles
from cranfield.subjects.telling import Telling


def agreement(found, truth):
    """The share of queries that are in the commonest class of their topic."""
    right = 0
    for topic in found.topics:
        kinds = [truth[q] for q in topic.queries]
        right += max(kinds.count(kind) for kind in set(kinds))
    return right / sum(topic.size for topic in found.topics)


def test_three_topics_are_found(three):
    found = cranfield.topics(three)
    assert len(found.topics) == 3 and agreement(found, three.slices("kind")) == 1
    assert [t.size for t in found.topics] == [12, 12, 12] and not found.unplaced
    bread = next(t for t in found.topics if "kq0" in t.queries)
    assert set(bread.terms) <= set(
        "bread dough oven flour yeast bake loaf crust knead butter".split()
    )
    assert bread.label == "/".join(bread.terms[:3]) and len(bread.examples) == 3
    assert found.documents == 36 and found.missing == found.bare == 0


def test_a_label_slices_what_is_evaluated(three):
    found = cranfield.topics(three)
    run = {q.id: {q.id.replace("q", "d"): 1.0} for q in three.queries if q.id[0] != "l"}
    scores = cranfield.evaluate(three.qrels, run, "P@1", queries=found.queries)
    means = {label: scores.summary(0, 0, mask)[0] for label, mask in scores.by("topic").items()}
    law = next(t.label for t in found.topics if "lq0" in t.queries)
    assert means.pop(law) == 0 and set(means.values()) == {1.0}


def test_what_so_many_queries_can_show(three):
    found = cranfield.topics(three)
    assert found.topics[0].smallest_p == 2 / 2**12 and found.topics[0].judged == 12
    assert found.topics[0].small and not found.topics[0].blind  # d_z 0.89
    some = replace(three, qrels=cranfield.Qrels.from_dict({"kq0": {"kd0": 1}}))
    bread = next(t for t in cranfield.topics(some).topics if "kq0" in t.queries)
    assert bread.blind and bread.judged == 1 and bread.smallest_p == 1 and bread.shows is None


def test_topics_that_are_given_are_described(three):
    found = cranfield.topics(three, by="kind")
    assert {t.label for t in found.topics} == {"k", "s", "l"} and not found.proposed
    assert "rocket" in next(t for t in found.topics if t.label == "s").terms
    assert found.tried == () and found.labels["lq3"] == "l"
    with pytest.raises(UnknownName, match="no query has a field 'colour'"):
        cranfield.topics(three, by="colour")


@given(st.permutations(range(36)), st.integers(0, 3))
@settings(max_examples=10)
def test_the_order_of_queries_changes_no_topic(three, order, seed):
    mixed = replace(three, queries=tuple(three.queries[i] for i in order))
    there = cranfield.topics(three, k=3, seed=seed)
    back = cranfield.topics(mixed, k=3, seed=seed)
    assert {frozenset(t.queries) for t in there.topics} == {
        frozenset(t.queries) for t in back.topics
    }


def test_the_same_call_gives_the_same(demo):
    a, b = cranfield.topics(demo), cranfield.topics(demo)
    assert (a.topics, a.tried, a.queries) == (b.topics, b.tried, b.queries)


def test_queries_are_kept_whole(demo):
    found = cranfield.topics(demo)
    for query, given_ in zip(found.queries, cranfield.read_collection(demo).queries, strict=True):
        fields = dict(query.fields)
        fields.pop("topic", None)
        assert (query.id, query.text, fields) == (given_.id, given_.text, dict(given_.fields))


def test_a_query_like_no_other_has_no_topic(three):
    strange = replace(three, queries=(*three.queries, Query("x", "zyzzyva"), Query("y", " ")))
    found = cranfield.topics(strange)
    assert found.unplaced == ("x", "y") and found.bare == 1


def test_a_profile_by_hand(three):
    """q/|q| + d/|d|: with one document that is the query's text, the vector is the query's."""
    same = replace(
        three,
        queries=(Query("a", "oven bread"), Query("b", "oven moon"), Query("c", "bread moon")),
        qrels=cranfield.Qrels.from_dict({"a": {"kd0": 1, "gone": 2}, "b": {"kd0": 0}}),
    )
    made = profiles(same, same.queries, Telling("standard"), 20)
    assert (made.read, made.missing, made.bare) == (1, 1, 2)
    # kd0 is `bread dough oven flour yeast`; dough, flour and yeast are of one query alone
    assert set(made.terms) == {"bread", "oven", "moon"}
    a = made.vectors.toarray()[0]
    assert a[made.terms.index("bread")] == pytest.approx(a[made.terms.index("oven")])


def test_refusals(three, tmp_path):
    for wrong in ({"k": 1}, {"most": 1}, {"documents": -1}, {"seed": -1}, {"field": "text"}):
        with pytest.raises(UsageError):
            cranfield.topics(three, **wrong)
    with pytest.raises(UsageError, match="have a field 'kind' already"):
        cranfield.topics(three, field="kind")
    with pytest.raises(NothingToEvaluate, match="no query has a text"):
        cranfield.topics(replace(three, queries=()))
    alone = replace(three, queries=(Query("x", "zyzzyva"), Query("y", "quux")))
    with pytest.raises(InputError, match="0 of 2 queries share a term"):
        cranfield.topics(alone)
    twins = replace(three, queries=tuple(Query(f"t{i}", "oven bread") for i in range(5)))
    with pytest.raises(InputError, match="0 of 5 queries share a term"):  # every term is of all
        cranfield.topics(twins)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cranfield", "xquad/en", "xquad/zh"])
def test_real_queries(shared, name):
    """Topics of real queries hold together: two queries with a relevant document in common, which
    nothing tells the algorithm, are in one topic far more often than two queries at random."""
    folder = shared / "collections" / name
    found = cranfield.topics(folder)
    assert 4 <= len(found.topics) <= 12 and not found.missing
    labels = found.labels
    sharing: dict[str, list[str]] = {}
    for q, docs in cranfield.read_collection(folder).qrels.to_dict().items():
        for d, grade in docs.items():
            if grade >= 1:
                sharing.setdefault(d, []).append(q)
    pairs = [(a, b) for qs in sharing.values() for a, b in pairwise(qs)]
    together = sum(labels[a] == labels[b] for a, b in pairs) / len(pairs)
    n = len(labels)
    chance = sum((t.size / n) ** 2 for t in found.topics)
    assert together > 0.6 > 3 * chance, (together, chance)


@pytest.mark.slow
def test_articles_are_topics(shared):
    """XQuAD's queries come from 48 articles; an article should lie in few topics."""
    folder = shared / "collections" / "xquad" / "en"
    read = cranfield.read_collection(folder)
    titles = {d.id: d.title for d in read.documents()}
    article = {q: titles[d] for q, docs in read.qrels.to_dict().items() for d in docs}
    found = cranfield.topics(folder)
    labels = found.labels
    main = 0
    for title in set(article.values()):
        own = [labels[q] for q in article if article[q] == title]
        main += max(own.count(label) for label in set(own))
    assert main / len(article) > 0.7, main / len(article)
