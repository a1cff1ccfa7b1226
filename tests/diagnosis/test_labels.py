"""What is suspected of labels on small cases, worked out by hand."""

from __future__ import annotations

import math

import pytest

import cranfield
from cranfield.data.collection import Document, Query, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.diagnosis.asked import Asked
from cranfield.diagnosis.labels import good_runs, suspects
from cranfield.diagnosis.material import examine
from cranfield.diagnosis.terms import shared_terms, terms
from cranfield.errors import UsageError


def test_terms_of_several_languages():
    assert terms("Layers, layered LAYER!") == {"layers", "layere", "layer"}
    assert terms("倒排索引") == {"倒排", "排索", "索引"}
    assert terms("HTTP缓存 x") == {"http", "缓存", "x"} and terms("锁") == {"锁"}
    assert terms("") == terms(" ,. ") - {",."} == frozenset()


def shared(queries, documents):
    return shared_terms(
        [Query(q, t) for q, t in queries.items()],
        [Document(d, "", t) for d, t in documents.items()],
        set(documents),
    )


def test_coverage_weighs_rare_terms_more():
    texts = {f"d{i}": "common" for i in range(8)} | {"a": "common rare", "b": "else"}
    found = shared({"q": "common rare"}, texts)
    rare, common = math.log(11 / 2), math.log(11 / 10)
    assert found.coverage("q", "a") == pytest.approx(1)
    assert found.coverage("q", "d0") == pytest.approx(common / (rare + common))
    assert found.nothing("q", "d0") and found.nothing("q", "b") and not found.nothing("q", "a")


def test_texts_in_two_scripts_are_not_compared():
    assert not shared({"q": "dogs"}, {"a": "狗", "b": "cats"}).nothing("q", "a")


def given(qrels, runs, asked=None, **more):
    return examine(qrels, runs, "RR@10", asked or Asked(), **more)


def run(**lists):
    return {q: {d: float(9 - i) for i, d in enumerate(docs)} for q, docs in lists.items()}


def test_the_better_half_is_good_and_two_at_least():
    qrels = {"q": {"a": 1, "b": 0, "c": 0}}
    some = [run(q=order) for order in ("a", "ba", "bca", "bc", "ab")]
    assert good_runs(given(qrels, some)) == [0, 1, 4]
    assert good_runs(given(qrels, some, Asked(good=0.2))) == [0, 4]
    assert good_runs(given(qrels, some, Asked(good=1.0))) == [0, 1, 2, 3, 4]
    assert good_runs(given(qrels, some[:1])) == [0] and suspects(given(qrels, some[:1])) == []
    with pytest.raises(UsageError, match="above 0"):
        Asked(good=0)


def test_a_label_against_two_good_runs():
    """Both have x first in q5; the other first ones are relevant: 5 of 5."""
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(5)} | {"q5": {"x": 0, "y": 1}}
    one = run(**{f"q{i}": "ab" for i in range(5)}, q5="xy")
    two = run(**{f"q{i}": "ab" for i in range(5)}, q5="xz")
    found = suspects(given(qrels, [one, two]))
    first = found[0]
    assert (first.query, first.document, first.rank, first.runs) == ("q5", "x", 1, 2)
    assert first.score == 1 and not first.reported and first.expected == 0.5  # b is second thrice
    assert first.price == pytest.approx((1 - 0.0) / 6)  # for the second run: 0 → 1
    many = {f"p{i}": {"a": 1} for i in range(30)}
    more = run(**dict.fromkeys(many, "a"))
    found = suspects(given({**qrels, **many}, [{**one, **more}, {**two, **more}]))
    assert found[0].expected == 35 / 40 and found[0].reported
    assert [s.document for s in found if s.reported] == ["x"]


def test_only_pairs_that_good_runs_agree_on():
    qrels = {"q": {"a": 1, "b": 0}}
    assert suspects(given(qrels, [run(q="ab"), run(q="a")])) == []
    found = suspects(given(qrels, [run(q="ab"), run(q="ba"), run(q="z"), run(q="z")]))
    assert [(s.document, s.rank, s.runs) for s in found] == [("b", 1, 2)]
    assert found[0].score == pytest.approx((1 + 1 / math.log2(3)) / 2)


def far(grade=2, **more):
    texts = {"near": "inverted index", "far": "sourdough bread", "other": "threads"}
    return TestCollection(
        "toy",
        (Query("q", "an inverted index"),),
        Qrels.from_dict({"q": {"near": 1, "far": grade, "other": 0}}),
        lambda: iter([Document(d, "", t) for d, t in texts.items()]),
        3,
    )


def test_a_relevant_document_that_nobody_finds_and_that_shares_nothing():
    found = cranfield.check(far(), [run(q=["near", "other"])], "nDCG@10")
    hit = next(f for f in found.findings if f.key == "label_relevant")
    ((query, doc, grade, score, price),) = hit.rows.rows
    value = 1 / (2 + 1 / math.log2(3))
    assert (query, doc, grade) == ("q", "far", "2")
    assert score == pytest.approx(value) and price == pytest.approx(1 - value)
    assert hit.effect["nDCG@10"] == pytest.approx(1 - value)
    (hole,) = found.suspects
    assert (hole.document, hole.rank, hole.runs, hole.certainty) == ("far", None, 0, price)
    for lists in (["near", "far"], ["far"]):
        again = cranfield.check(far(), [run(q=lists)], "nDCG@10")
        assert not again.suspects
    assert not cranfield.check(far(), [run(q=["near"])], documents=False).suspects
