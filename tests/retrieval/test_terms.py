"""The term counter keeps the contract and ranks as it says."""

from __future__ import annotations

import pytest

from cranfield.data import Document, Query
from cranfield.plugins import system
from cranfield.retrieval.terms import TermCount, tokens
from cranfield.testing import check_system

DOCS = [
    Document("d1", "倒排索引", "An inverted index maps terms to documents."),
    Document("d2", "", "NullPointerException in Java"),
    Document("d3", "Index", "java 索引 索引 straße"),
]
QUERIES = [Query("a", "java"), Query("b", "索引"), Query("c", "java index"), Query("d", "量子")]


def test_contract():
    check_system(TermCount, DOCS, QUERIES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("倒排索引", ["倒排", "排索", "索引"]),
        ("库", ["库"]),
        ("Redis缓存穿透", ["redis", "缓存", "存穿", "穿透"]),
        ("robots.txt, HTTP/2", ["robots", "txt", "http", "2"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("ＡＢＣ１２", ["abc12"]),  # full width
        ("snake_case", ["snake", "case"]),
        ("カナ とき", ["カナ", "とき"]),
        ("naïve café", ["naïve", "café"]),
        ("  ，。!? ", []),
    ],
)
def test_tokens(text, expected):
    assert tokens(text) == expected


def found(text, k=10):
    return TermCount(DOCS).search(Query("q", text), k)


def test_more_of_the_query_comes_before_more_often():
    assert [d for d, _ in found("java index")] == ["d3", "d1", "d2"]
    assert [d for d, _ in found("索引")] == ["d3", "d1"]  # twice before once
    assert found("java java")[0] == ("d2", 1.5)  # a token of the query counts once
    assert found("索引")[0] == ("d3", pytest.approx(1 + 2 / 3))


def test_frequency_never_outweighs_another_token():
    docs = [Document("often", "", "a " * 100_000), Document("both", "", "a b")]
    assert TermCount(docs).search(Query("q", "a b"), 1)[0][0] == "both"


def test_words_are_whole():
    assert found("pointerexc") == []
    assert [d for d, _ in found("STRASSE")] == ["d3"]


def test_it_is_found_by_name():
    assert system("terms", documents=DOCS).name == "terms"
