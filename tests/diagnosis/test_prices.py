"""What a finding costs, worked out by hand on small collections."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import replace
from importlib import import_module

import pytest

import cranfield
from cranfield.data.collection import Document, Query, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.diagnosis import changed as changes
from cranfield.diagnosis import prices, put_right
from cranfield.diagnosis.check import CHECKS
from cranfield.formats.write import write_run
from cranfield.report.checked import page, to_json
from cranfield.report.checked_words import TEXT

LABELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1, "d": 0}, "q3": {"e": 1, "f": 0}, "q4": {"g": 0}}
LISTS = {
    "q1": {"a": 2.0, "b": 1.0},
    "q2": {"x": 3.0, "c": 2.0, "d": 1.0},
    "q3": {"f": 1.0},
    "q4": {"u": 1.0},
}
TEXTS = {"a": "apple", "b": "beet", "c": "carrot", "d": "dill", "e": "elder", "f": "fig", "g": "g"}


def collection(**changes) -> TestCollection:
    documents = [Document(i, "", text) for i, text in {**TEXTS, "x": "xylem", "u": "udon"}.items()]
    queries = tuple(Query(q, f"query {q}") for q in LABELS)
    made = TestCollection(
        "small", queries, Qrels.from_dict(LABELS), lambda: iter(documents), len(documents)
    )
    return replace(made, **changes)


def check(given=None, lists=LISTS, **options):
    runs = {"one": lists, "two": {**lists, "q2": {"c": 2.0, "d": 1.0}}}
    return cranfield.check(given or collection(), runs, ["RR@10", "P@10"], near=None, **options)


def price(found, key: str) -> dict[str, float]:
    return next(dict(f.effect) for f in found.findings if f.key == key)


def test_queries_that_tell_nothing_cost_what_leaving_them_out_does() -> None:
    found = check()
    # RR: one 1, 1/2, 0, 0; two 1, 1, 0, 0. q1 is easy, q3 is hard
    assert price(found, "queries_easy")["RR@10"] == pytest.approx(1.5 / 4 - 0.5 / 3)
    assert price(found, "queries_hard")["RR@10"] == pytest.approx(2 / 3 - 2 / 4)


def test_a_suspect_query_costs_what_its_unjudged_documents_may_add() -> None:
    assert price(check(), "no_answer_suspect") == pytest.approx({"RR@10": 1 / 4, "P@10": 0.1 / 4})


def test_results_outside_the_corpus_cost_what_dropping_them_does() -> None:
    documents = [Document(i, "", text) for i, text in TEXTS.items()]
    found = check(collection(documents=lambda: iter(documents), n_documents=len(documents)))
    # without x run one finds c first
    assert price(found, "run_missing") == pytest.approx({"RR@10": 1 / 8, "P@10": 0.0})


def test_judgments_outside_the_corpus_cost_what_taking_them_away_does() -> None:
    documents = [Document(i, "", text) for i, text in TEXTS.items() if i != "a"]
    found = check(collection(documents=lambda: iter(documents), n_documents=len(documents)))
    assert price(found, "judged_missing") == pytest.approx({"RR@10": 1 / 4, "P@10": 0.1 / 4})


def test_a_query_that_finds_itself_costs_what_dropping_it_does() -> None:
    documents = [Document(i, "", t) for i, t in {**TEXTS, "x": "query q2", "u": "udon"}.items()]
    found = check(collection(documents=lambda: iter(documents), n_documents=len(documents)))
    assert price(found, "query_is_document") == pytest.approx({"RR@10": 1 / 8, "P@10": 0.0})


def test_a_query_that_comes_twice_costs_what_its_second_weight_does() -> None:
    queries = (Query("q1", "same"), Query("q2", "same"), Query("q3", "other"), Query("q4", "more"))
    found = check(collection(queries=queries))
    # without q2 run one has 1, 0, 0 and run two too
    assert price(found, "same_queries")["RR@10"] == pytest.approx(2 / 4 - 1 / 3)


def test_without_runs_nothing_has_a_price_but_what_the_labels_alone_decide() -> None:
    found = cranfield.check(collection(), near=None)
    assert {f.key for f in found.findings if f.effect} <= {"no_relevant_queries"}


def test_answerable_queries_without_a_result_are_found_and_priced() -> None:
    lists = {q: docs for q, docs in LISTS.items() if q not in ("q2", "q4")}
    found = cranfield.check(collection(), {"one": lists}, "RR@10", near=None)
    finding = next(f for f in found.findings if f.key == "unanswered")
    assert finding.severity == "caution"  # one of three
    assert finding.rows.rows == (("one", 1, 0, 3),)  # q4 has nothing to find
    assert finding.effect["RR@10"] == pytest.approx(1 / 3 - 1 / 4)
    few = cranfield.check(collection(), {"one": {"q1": {"a": 1.0}}}, "RR@10", near=None)
    assert next(f for f in few.findings if f.key == "unanswered").severity == "warning"
    assert all(f.key != "unanswered" for f in check().findings)


def test_empty_answers_that_a_card_tells_of_are_empty_in_a_check_too(tmp_path) -> None:
    path = tmp_path / "one.run"
    run = Run.from_dict({q: LISTS[q] for q in ("q1", "q3", "q4")}, name="one")
    write_run(run, path)
    (tmp_path / "one.run.card.json").write_text('{"empty": ["q2"]}')
    found = cranfield.check(collection(), str(path), "RR@10", near=None)
    finding = next(f for f in found.findings if f.key == "unanswered")
    assert finding.rows.rows == (("one", 0, 1, 3),)
    run, _, n, empty, *_ = found.section("holes").tables[0].rows[0]
    assert (run, n, empty) == ("one", 3, 1)


def test_the_doctor_names_queries_without_a_result_where_nothing_else_is_wrong() -> None:
    from cranfield.diagnosis.doctor import doctor

    found = doctor(collection(), {"q1": LISTS["q1"]}).result
    assert [f.key for f in found.findings] == ["unanswered"] and found.exit_code() == 0


def reason(found, key: str) -> str:
    return next(f.unpriced for f in found.findings if f.key == key)


def changed(**texts: str):
    made = {**TEXTS, "x": "xylem", "u": "udon", **texts}
    documents = [Document(i, "", text) for i, text in made.items()]
    return {"documents": lambda: iter(documents), "n_documents": len(documents)}


def test_documents_that_cannot_be_read_cost_what_their_judgments_say() -> None:
    found = check(collection(**changed(c="\ufffd\ufffd")))
    # without c, q2 has no relevant document: RR falls by 1 and P by 1/10 in one of four queries
    assert price(found, "broken_encoding") == pytest.approx({"RR@10": 0.25, "P@10": 0.025})


def test_long_documents_cost_what_a_collection_without_them_would_give() -> None:
    found = check(collection(**changed(f="fig " * 3000)))
    # f stands alone for q3, and is not relevant
    assert price(found, "long_documents") == {"RR@10": 0.0, "P@10": 0.0}
    found = check(collection(**changed(x="x " * 3000)))
    # in one of the runs c then comes first: 1 instead of 1/2
    assert price(found, "long_documents") == pytest.approx({"RR@10": 0.5 / 4, "P@10": 0.0})
    found = check(collection(**changed(z="z " * 3000)))
    assert not price(found, "long_documents") and reason(found, "long_documents") == "untouched"


def test_queries_in_another_script_are_scored_apart() -> None:
    queries = (*(Query(q, f"query {q}") for q in ("q1", "q3", "q4")), Query("q2", "查询二"))
    found = check(collection(queries=queries, **changed(g="文档")))
    # RR without q2: 1/3 instead of (1 + 1/2)/4 and of 2/4
    assert price(found, "scripts_mixed")["RR@10"] == pytest.approx(0.5 - 1 / 3)
    rows = next(f.rows for f in found.findings if f.key == "scripts_mixed")
    assert rows.rows[0] == ("Latin", 3, "two", "RR@10", pytest.approx(1 / 3))
    assert rows.rows[2] == ("Han", 1, "two", "RR@10", 1.0)
    plain = check(collection(queries=queries))
    assert price(plain, "query_scripts") == price(found, "scripts_mixed")


def test_with_queries_in_one_script_mixed_documents_cost_their_absence() -> None:
    found = check(collection(**changed(x="文档")))
    assert price(found, "scripts_mixed") == pytest.approx({"RR@10": 0.5 / 4, "P@10": 0.0})


def test_columns_put_right_are_listed_with_the_scores_before_and_after() -> None:
    turned: dict[str, dict[str, float]] = {}
    for query, docs in LISTS.items():
        for doc, score in docs.items():
            turned.setdefault(doc, {})[query] = score
    found = cranfield.check(collection(), {"run": turned}, ["RR@10", "RR"], near=None)
    finding = next(f for f in found.findings if f.key == "columns_swapped")
    assert dict(finding.effect) == {"RR@10": pytest.approx(0.375)}
    assert finding.rows.rows == (("run", "RR@10", 0.0, 0.375, 0.375),)
    deep = cranfield.check(collection(), {"run": turned}, "RR", near=None)
    assert reason(deep, "columns_swapped") == "too_deep"


def test_a_finding_without_a_price_says_why() -> None:
    queries = (*(Query(q, f"query {q}") for q in LABELS), Query("q5", "nobody judged it"))
    made = collection(queries=queries)
    for found in (check(made), cranfield.check(made, near=None)):
        assert all(bool(f.effect) != bool(f.unpriced) for f in found.findings)
    bare = cranfield.check(made, near=None)
    assert reason(bare, "unlabelled_queries") == "not_scored"
    data = json.loads(to_json(check(made)))
    said = {f["key"]: f["unpriced"] for f in data["findings"]}
    assert said["unlabelled_queries"] == "not_scored" and said["queries_easy"] == ""
    for lang, words in (("en", "No price: these queries are in no mean"), ("zh", "没有量化影响")):
        assert words in page(check(made), lang).to_text()
    assert "No price" not in page(bare).to_text()  # said once for all


def test_every_reason_has_words() -> None:
    given = {key.removeprefix("check.why.") for key in TEXT if key.startswith("check.why.")}
    source = "".join(inspect.getsource(import_module(module)) for module, _ in CHECKS)
    source += "".join(map(inspect.getsource, (prices, put_right, changes)))
    used = set(re.findall(r'(?:Unpriced\(|unpriced=)"(\w+)"', source))
    used |= {*prices.NEVER.values(), "no_runs", "not_computed", "untouched", "all_queries"}
    assert given == used
