"""Documents cut into passages, and passages rolled up again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield.data import Document, Qrels, Query, Run
from cranfield.errors import InputError, UsageError
from cranfield.retrieval.bm25 import BM25
from cranfield.retrieval.conduct import Settings, conduct
from cranfield.retrieval.passages import (
    PassageSearch,
    Rollup,
    document_of,
    judge_passages,
    roll_up,
    split,
    tokens_in,
)
from cranfield.testing import check_system


def texts(text: str, size: int, overlap: int = 0) -> list[str]:
    return [p.text for p in split([Document("d", "t", text)], size, overlap)]


def test_passages_are_cut_from_the_text_as_it_stands():
    assert texts("One, two!  Three (four) five.", 2) == ["One, two!", "Three (four)", "five."]
    assert texts("一二三，四五。Six seven", 3, 1) == ["一二三，", "三，四五。", "五。Six seven"]


@pytest.mark.parametrize(
    ("n", "size", "overlap", "lengths"),
    [(5, 5, 0, [5]), (6, 5, 0, [5, 1]), (6, 5, 4, [5, 5]), (7, 3, 1, [3, 3, 3]), (1, 9, 3, [1])],
)
def test_the_last_passage_is_never_inside_the_one_before(n, size, overlap, lengths):
    found = texts(" ".join("x" * n), size, overlap)
    assert [tokens_in(t) for t in found] == lengths


def test_ids_titles_and_fields():
    documents = [Document("a#b", "T", "x y z", {"lang": "en"}), Document("e", "only", "")]
    found = list(split(documents, 2))
    assert [(p.id, p.title, p.fields) for p in found] == [
        ("a#b#0", "T", {"lang": "en"}),
        ("a#b#1", "T", {"lang": "en"}),
        ("e#0", "only", {}),
    ]
    assert [document_of(p.id) for p in found] == ["a#b", "a#b", "e"]
    assert document_of("plain") == "plain"


@given(
    text=st.text(st.sampled_from("ab 中。,1\n")),
    size=st.integers(1, 6),
    overlap=st.integers(0, 5),
)
def test_no_token_is_lost(text, size, overlap):
    if overlap >= size:
        return
    found = texts(text, size, overlap)
    n = tokens_in(text)
    assert all(tokens_in(t) <= size for t in found)
    assert tokens_in("\n".join(found)) == n + overlap * (len(found) - 1)
    assert all(t in text for t in found)


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (5, 5), (5, -1)])
def test_passages_that_cannot_be_cut(size, overlap):
    with pytest.raises(UsageError, match="overlap"):
        list(split([Document("d", "", "x")], size, overlap))


RUN = Run.from_dict(
    {"q": {"a#2": 5.0, "b#0": 4.0, "a#0": 3.0, "b#1": 2.5, "a#5": 1.0, "c#7": 0.5}, "none": {}}
)


@pytest.mark.parametrize(
    ("rollup", "expected"),
    [
        ("max", {"a": 5.0, "b": 4.0, "c": 0.5}),
        ("first", {"b": 4.0, "a": 3.0, "c": 0.5}),
        (Rollup("sum"), {"a": 9.0, "b": 6.5, "c": 0.5}),
        (Rollup("sum", top=2), {"a": 8.0, "b": 6.5, "c": 0.5}),
        (Rollup("sum", top=1), {"a": 5.0, "b": 4.0, "c": 0.5}),
    ],
)
def test_roll_up(rollup, expected):
    rolled = roll_up(RUN, rollup)
    assert rolled.to_dict() == {"q": expected, "none": {}}
    assert list(rolled.to_dict()["q"]) == list(expected)


def test_roll_up_reads_scores_and_not_the_order_of_rows():
    rows = [("q", d, s) for d, s in RUN.to_dict()["q"].items()]
    shuffled = Run.from_rows(rows[::-1])
    assert roll_up(shuffled, k=2).to_dict() == {"q": {"a": 5.0, "b": 4.0}}


def test_a_run_of_documents_stays_as_it_is():
    run = Run.from_dict({"q": {"x": 2.0, "y": 1.0}})
    assert roll_up(run).to_dict() == run.to_dict()


def test_what_is_no_passage_and_what_is_no_roll_up():
    with pytest.raises(InputError, match=r"'d#x' is no passage"):
        roll_up(Run.from_dict({"q": {"d#x": 1.0}}))
    with pytest.raises(UsageError, match="roll-ups: max, first, sum"):
        Rollup("mean")
    with pytest.raises(UsageError, match="top"):
        Rollup("sum", top=0)


def test_passages_are_judged_as_their_documents():
    qrels = Qrels.from_dict({"q": {"a": 2.0, "b": 0.0, "gone": 1.0}, "r": {"b": 1.0}})
    judged = judge_passages(qrels, ["a#0", "a#1", "b#0", "c#0"])
    assert judged.to_dict() == {"q": {"a#0": 2, "a#1": 2, "b#0": 0}, "r": {"b#0": 1}}
    run = Run.from_dict({"q": {"a#1": 3.0, "b#0": 2.0, "a#0": 1.0}})
    assert cranfield.evaluate(judged, [run], ["R@1"]).mean(over="all") == pytest.approx(0.25)


DOCS = [
    Document("long", "", "filler " * 30 + "needle in a haystack", {"lang": "en"}),
    Document("short", "", "haystack", {"lang": "en"}),
    Document("zh", "", "大海捞针" * 5, {"lang": "zh"}),
]
QUERIES = [Query("a", "needle haystack"), Query("b", "海")]


def make(documents, rollup="max"):
    return PassageSearch(BM25(split(documents, 10, 5), analyzer="standard"), rollup)


@pytest.mark.parametrize("rollup", ["max", "first", "sum"])
def test_contract(rollup):
    check_system(lambda d: make(d, rollup), DOCS, QUERIES)
    found = make(DOCS, rollup).search(QUERIES[0], 5)
    assert {d for d, _ in found} == {"long", "short"}


def test_the_card_says_how():
    card = conduct(make(DOCS, "sum"), QUERIES, Settings()).card
    assert card.config["rollup"] == {"how": "sum", "top": 3, "depth": 1000}
    assert card.config["system"] == "bm25"
