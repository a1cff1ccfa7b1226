"""What a collection is made of, counted on collections small enough to count by hand."""

from __future__ import annotations

import pytest

import cranfield
from cranfield import Document, Query, TestCollection
from cranfield.diagnosis.documents import script_of

QRELS = {
    "q1": {"a": 2, "b": 1, "c": 0},
    "q2": {"a": 1},
    "q3": {"d": 0, "e": -1},
    "q4": {"a": -1},
}


def collection(*documents: tuple[str, str], queries: tuple[str, ...] = ("q1",)) -> TestCollection:
    known = tuple(Query(q, q) for q in queries)
    docs = [Document(i, "", text) for i, text in documents]
    qrels = cranfield.read_qrels({"q1": {"d1": 1, "d2": 0}})
    return TestCollection("small", known, qrels, lambda: iter(docs), len(docs))


def keys(found) -> set[str]:
    return {f.key for f in found.findings}


def test_counts() -> None:
    found = cranfield.check(QRELS, k=2)
    section = found.section("statistics")
    facts = dict(section.facts)
    assert facts == {
        "judged_queries": 3,
        "rows": 7,
        "rows_positive": 3,
        "rows_zero": 2,
        "rows_pooled": 2,
        "no_negative": 1,
        "no_positive": 1,
        "cap": pytest.approx((1 + 0.5 + 0.5) / 3),
    }
    spread = {row[0]: row[1:] for row in section.tables[0].rows}
    assert spread["judged"] == (pytest.approx(5 / 3), 1.0, 1, 3)
    assert spread["positive"] == (1.0, 1.0, 0, 2)
    grades = {row[0]: row[1] for row in section.tables[1].rows}
    assert grades == {"-1": 2, "0": 2, "1": 2, "2": 1}


def test_findings_name_the_queries() -> None:
    found = {f.key: f for f in cranfield.check(QRELS).findings}
    assert found["no_relevant_queries"].values["best"] == pytest.approx(2 / 3)
    assert found["no_relevant_queries"].effect["nDCG@10"] == pytest.approx(-1 / 3)
    assert found["no_relevant_queries"].rows.rows == (("q3",),)
    assert found["only_pooled"].values["queries"] == ("q4",)
    assert "no_negatives" not in found  # one of three
    assert "no_negatives" in keys(cranfield.check({"q": {"a": 1}}))


def test_queries_without_judgments_are_found() -> None:
    found = cranfield.check(collection(("d1", "one"), ("d2", "two"), queries=("q1", "q9")))
    (bare,) = [f for f in found.findings if f.key == "unlabelled_queries"]
    assert bare.values["queries"] == ("q9",)


def test_documents_are_counted_and_looked_through() -> None:
    docs = [(f"d{i}", "a plain text of some words") for i in range(60)]
    docs += [("empty", "  "), ("lost", "caf\ufffd"), ("misread", "cafÃ© au lait")]
    docs += [("long", "word " * 2000), ("french", "Ångström déjà vu Ãtre")]
    found = cranfield.check(collection(*docs))
    facts = dict(found.section("documents").facts)
    assert (facts["documents"], facts["documents_empty"], facts["documents_broken"]) == (65, 1, 2)
    got = {f.key: f for f in found.findings}
    assert [r[0] for r in got["broken_encoding"].rows.rows] == ["lost", "misread"]
    assert got["broken_encoding"].sure == "likely"
    assert got["empty_documents"].rows.rows == (("empty",),)
    assert got["long_documents"].rows.rows == (("long", 9999),)


def test_documents_need_not_be_read() -> None:
    assert cranfield.check(collection(("d1", "x")), documents=False).section("documents") is None
    assert cranfield.check(QRELS).section("documents") is None


def test_scripts_are_told_apart_and_mixtures_named() -> None:
    docs = [("d1", "an English text"), ("d2", "中文文档，含 API 一词"), ("d3", "русский текст")]
    found = cranfield.check(collection(*docs, queries=("q1", "한국어 질의")))
    got = {f.key: f for f in found.findings}
    assert got["scripts_mixed"].values["scripts"] == ("Latin 33%", "Han 33%", "Cyrillic 33%")
    assert got["query_scripts"].values["scripts"] == ("Hangul",)
    assert got["query_scripts"].sure == "possible"
    one = cranfield.check(collection(("d1", "one"), ("d2", "two")))
    assert "scripts_mixed" not in keys(one)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("東京の天気はどうですか", "Kana"),
        ("检索评测", "Han"),
        ("Elasticsearch 索引", "Latin"),
        ("Ελληνικά", "Greek"),
        ("12 34", "none"),
        ("ภาษาไทย", "Thai"),
    ],
)
def test_script_of(text: str, script: str) -> None:
    assert script_of(text) == script
