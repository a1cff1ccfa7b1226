"""The sequential scan keeps the contract and its own promises."""

from __future__ import annotations

import pytest

from cranfield.data import Document, Query
from cranfield.errors import UnknownName, UsageError
from cranfield.plugins import names, system
from cranfield.retrieval.scan import SequentialScan
from cranfield.retrieval.system import retrieve
from cranfield.testing import check_system

DOCS = [
    Document("d1", "倒排索引", "An inverted index maps terms to documents."),
    Document("d2", "", "NullPointerException in Java"),
    Document("d3", "Index", "java 索引 straße"),
]
QUERIES = [Query("a", "java"), Query("b", "索引"), Query("c", "java index"), Query("d", "量子")]


@pytest.mark.parametrize("match", ["all", "any"])
def test_contract(match):
    check_system(lambda documents: SequentialScan(documents, match), DOCS, QUERIES)


def found(text, match="all", k=10):
    return [doc for doc, _ in SequentialScan(DOCS, match).search(Query("q", text), k)]


def test_matches_come_in_corpus_order_whatever_they_are_worth():
    assert found("index") == ["d1", "d3"]
    assert found("JAVA") == ["d2", "d3"]
    assert found("java index") == ["d3"]
    assert found("java index", "any") == ["d1", "d2", "d3"]
    assert found("索引") == ["d1", "d3"]
    assert found("pointerexc") == ["d2"]  # inside a word too: it is a substring search
    assert found("STRASSE") == ["d3"]  # casefold, not lower
    assert found("量子") == []


def test_sorting_by_score_gives_the_corpus_order_back():
    run = retrieve(SequentialScan(DOCS), QUERIES, 10)
    assert run.ranks().tolist() == [1, 2, 1, 2, 1]
    assert run.queries.to_list() == ["a", "b", "c", "d"]  # the empty result is kept


def test_it_is_found_by_name_like_any_stranger():
    assert "scan" in names("cranfield.systems")
    assert system("scan", documents=DOCS).name == "sequential-scan"
    with pytest.raises(UnknownName, match="did you mean scan"):
        system("scam")


def test_a_wrong_match_mode_is_refused():
    with pytest.raises(UsageError, match="all or any"):
        SequentialScan(DOCS, "some")


class Sloppy(SequentialScan):
    """Breaks the contract in one way at a time."""

    fault = ""

    def search(self, query, k):
        result = super().search(query, k)
        if self.fault == "twice" and result:
            return [*result, result[0]][-k:]
        if self.fault == "too many":
            return super().search(query, k + 1)
        if self.fault == "order":
            return result[::-1]
        if self.fault == "stranger" and result:
            return [("unknown", 9.0), *result][:k]
        return result


@pytest.mark.parametrize("fault", ["twice", "too many", "order", "stranger"])
def test_the_contract_notices(fault):
    sloppy = type("One", (Sloppy,), {"fault": fault})
    with pytest.raises(AssertionError, match=r"query|documents"):
        check_system(sloppy, DOCS, QUERIES)
