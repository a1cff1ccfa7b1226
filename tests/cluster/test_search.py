"""Searching a real cluster: the contract, ids and texts of every kind, templates, filters."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from cranfield import Document, Query
from cranfield.demo import collection
from cranfield.errors import InputError, UsageError
from cranfield.retrieval.cluster.system import OpenSearch
from cranfield.testing import check_system

Make = Callable[..., OpenSearch]
IDS = ["a b", "死锁-1", "é/ü?&#=%20", "_x", "-1", "‮rtl", "🔒", '"quoted"', "x" * 512]


def documents() -> list[Document]:
    return [
        Document("d1", "Java deadlock", "Two threads wait for each other.", {"lang": "en", "n": 1}),
        Document(
            "d2", "", "How a deadlock in MySQL is found", {"lang": "en", "tags": ["db", "ops"]}
        ),
        Document("d3", "Java 死锁", "两个线程互相等待", {"lang": "zh", "n": 3}),
    ]


def found(system: OpenSearch, text: str, **more: Any) -> list[str]:
    return [doc for doc, _ in system.search(Query("q", text), 10, **more)]


def test_contract(opensearch: Make, new_index: str) -> None:
    bundled = collection()
    assert bundled.documents is not None
    names = iter(f"{new_index}-{n}" for n in range(9))

    def make(given: Iterable[Document]) -> OpenSearch:
        return opensearch(given, index=next(names), create=True, shards=2, replicas=1)

    check_system(make, list(bundled.documents()), bundled.queries[:10])


def test_ids_come_back_as_they_went_in(opensearch: Make, new_index: str) -> None:
    given = [Document(doc, "", f"same words {n}") for n, doc in enumerate(IDS)]
    system = opensearch(given, index=new_index, create=True)
    assert sorted(found(system, "words")) == sorted(IDS)


def test_chinese_is_found_by_the_cjk_analyzer(opensearch: Make, new_index: str) -> None:
    given = [Document("a", "死锁排查", "数据库里的锁等待"), Document("b", "缓存穿透", "布隆过滤器")]
    system = opensearch(given, index=new_index, create=True, analyzer="cjk")
    assert found(system, "死锁") == ["a"]
    assert found(system, "数据库") == ["a"]
    assert found(system, "过滤器 😀 穿透") == ["b"]


def test_an_analyzer_of_the_users_own(opensearch: Make, new_index: str, tmp_path: Path) -> None:
    pairs = {"type": "ngram", "min_gram": 2, "max_gram": 2}
    analysis = {
        "tokenizer": {"pairs": pairs},
        "analyzer": {"own": {"tokenizer": "pairs", "filter": ["lowercase"]}},
    }
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"analysis": analysis}), encoding="utf-8")
    system = opensearch(
        documents(), index=new_index, create=True, analyzer="own", settings=str(settings)
    )
    assert found(system, "线程") == ["d3"] and set(found(system, "EADLO")) == {"d1", "d2"}


def test_filters(opensearch: Make, new_index: str) -> None:
    system = opensearch(documents(), index=new_index, create=True)
    assert set(found(system, "java deadlock")) == {"d1", "d2", "d3"}
    assert set(found(system, "java deadlock", filters={"lang": "en"})) == {"d1", "d2"}
    assert found(system, "java deadlock", filters={"lang": "en", "n": 1}) == ["d1"]
    assert found(system, "java deadlock", filters={"tags": "ops"}) == ["d2"]
    assert set(found(system, "java deadlock", filters={"lang": ["zh", "xx"]})) == {"d3"}
    plain = dict(system.search(Query("q", "java deadlock"), 10))
    kept = dict(system.search(Query("q", "java deadlock"), 10, filters={"lang": "en"}))
    assert kept == {doc: plain[doc] for doc in kept}, "a filter changes scores"
    many = system.search_many([Query("q", "java")] * 2, 10, filters=[{"lang": "zh"}, {}])
    assert [len(one) for one in many] == [1, 2]


def test_a_template(opensearch: Make, new_index: str, tmp_path: Path) -> None:
    opensearch(documents(), index=new_index, create=True)
    body = {
        "query": {
            "bool": {
                "should": [{"match": {"title": "{query}"}}],
                "filter": ["{filters}", {"term": {"lang": "{query.lang}"}}],
            }
        },
        "size": "{k}",
    }
    path = tmp_path / "body.json"
    path.write_text(json.dumps(body), encoding="utf-8")
    system = opensearch(index=new_index, template=str(path))
    asked = Query("q", '"java" {k}', {"lang": "en"})
    assert [doc for doc, _ in system.search(asked, 5)] == ["d1", "d2"]
    assert len(system.search(asked, 1)) == 1
    assert [doc for doc, _ in system.search(asked, 5, filters={"n": 1})] == ["d1"]
    assert system.config["request"]["body"] == body
    with pytest.raises(InputError, match="no field 'lang'"):
        system.search(Query("q", "java"), 5)


def test_a_search_sorted_by_something_else(opensearch: Make, new_index: str) -> None:
    """There is no score then; the order of the engine is kept."""
    opensearch(documents(), index=new_index, create=True)
    body = {"query": {"match": {"title": "{query}"}}, "sort": [{"n": "desc"}]}
    system = opensearch(index=new_index, template=body)
    assert system.search(Query("q", "java"), 5) == [("d3", 1.0), ("d1", 0.5)]


def test_an_id_in_a_field(opensearch: Make, new_index: str) -> None:
    given = [Document(str(n), "", "word", {"meta": {"sku": f"货-{n}"}}) for n in range(3)]
    opensearch(given, index=new_index, create=True)
    system = opensearch(index=new_index, id_field="meta.sku")
    assert sorted(found(system, "word")) == ["货-0", "货-1", "货-2"]
    with pytest.raises(UsageError, match="no field 'nope'"):
        found(opensearch(index=new_index, id_field="nope"), "word")


def test_a_query_that_the_engine_refuses_is_not_empty(opensearch: Make, new_index: str) -> None:
    opensearch(documents(), index=new_index, create=True)
    system = opensearch(index=new_index, template={"query": {"mtch": {"text": "{query}"}}})
    with pytest.raises(InputError, match=r"unknown query \[mtch\]"):
        system.search(Query("q", "java"), 5)
    with pytest.raises(InputError, match=r"unknown query \[mtch\]"):
        system.search_many([Query("q", "java")], 5)
    with pytest.raises(InputError, match="too large"):
        opensearch(index=new_index).search(Query("q", "java"), 20_000)


def test_it_says_what_made_a_run(opensearch: Make, new_index: str) -> None:
    made = opensearch(documents(), index=new_index, create=True, shards=2)
    assert made.config["index"]["corpus"]["documents"] == 3
    assert made.config["engine"]["version"].split(".")[0] in "23"
    other = opensearch(documents(), index=f"{new_index}-b", create=True, shards=2, analyzer="cjk")
    here = opensearch(index=new_index).config["index"]
    there = opensearch(index=f"{new_index}-b").config["index"]
    assert here["documents"] == there["documents"] == 3
    assert here["definition"] != there["definition"]
    assert other.config["index"]["definition"] != made.config["index"]["definition"]
