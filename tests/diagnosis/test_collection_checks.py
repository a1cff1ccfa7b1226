"""Integrity, duplicates and queries of small collections, each with one thing wrong."""

from __future__ import annotations

import pytest

import cranfield
from cranfield.data.collection import Document, Query, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.diagnosis.copies import Near
from cranfield.diagnosis.integrity import alike, folded
from cranfield.diagnosis.queries import near_across, smallest_p

TEXTS = {
    "a": "the inverted index maps each term to the documents that hold it",
    "b": "a deadlock is a circle of threads that wait for one another",
    "c": "编辑距离可以用动态规划算法计算",
}


def collection(qrels, texts=TEXTS, queries=(("q", "what is an inverted index"),), fields=None):
    known = tuple(Query(i, t, (fields or {}).get(i, {})) for i, t in queries)
    documents = [Document(i, "", t) for i, t in texts.items()]
    return TestCollection(
        "toy", known, Qrels.from_dict(qrels), lambda: iter(documents), len(documents)
    )


def keys(found):
    return {f.key for f in found.findings}


def finding(found, key):
    return next(f for f in found.findings if f.key == key)


def run(**lists):
    return {q: {d: float(9 - i) for i, d in enumerate(docs)} for q, docs in lists.items()}


def test_a_sound_collection_has_no_finding_of_these():
    sound = collection({"q": {"a": 1, "b": 0, "c": 0}})
    found = cranfield.check(sound, {"x": run(q=["b", "a", "c"]), "y": run(q=["c", "b", "a"])})
    assert not keys(found) - {"empty_documents", "scripts_mixed"}
    assert [s.key for s in found.sections][:4] == [
        "statistics", "documents", "integrity", "duplicates",
    ]  # fmt: skip


def test_documents_that_are_not_there():
    found = cranfield.check(
        collection({"q": {"a": 1, "B ": 1, "z": 0, "c": 0}}), {"r": run(q=["A", "b", "c", "a"])}
    )
    missing = finding(found, "judged_missing")
    assert missing.severity == "caution" and missing.values == {"n": 2, "all": 4, "alike": 1}
    assert missing.rows.rows == (("B ", 1, "b"), ("z", 1, ""))
    gone = finding(found, "run_missing")
    assert gone.severity == "warning" and gone.rows.rows == (("r", 1, 0.25, "A", "a"),)


def test_a_run_of_another_corpus_means_nothing():
    found = cranfield.check(collection({"q": {"y": 1, "z": 0}}), {"r": run(q=["y", "z"])})
    assert finding(found, "judged_missing").severity == "error"
    assert finding(found, "run_missing").severity == "error"
    assert found.exit_code() == 1


def test_ids_that_are_almost_the_same():
    assert folded("Ｄ 1\u00a0") == folded("d1") == "d1"
    assert alike(["d1", "D1", "x", "ｄ１", "X1"]) == [("D1", "d1", "ｄ１")]
    twins = collection({"q": {"a": 1}, "Q": {"a": 0}}, {**TEXTS, "A": "all of it is other text"})
    found = cranfield.check(twins)
    assert finding(found, "document_ids_alike").rows.rows == (("'A', 'a'",),)
    assert finding(found, "query_ids_alike").severity == "warning"
    unknown = finding(found, "unknown_queries")
    assert unknown.rows.rows == (("Q", "qrels", "q"),) and unknown.values["judged"] == 1


def test_a_document_id_twice_is_an_error():
    twice = [Document("a", "", "one text"), Document("a", "", "another text")]
    given = TestCollection("t", (), Qrels.from_dict({"q": {"a": 1}}), lambda: iter(twice))
    assert finding(cranfield.check(given), "ids_twice").rows.rows == (("a", 2),)


def test_queries_of_runs_that_nobody_knows():
    found = cranfield.check(collection({"q": {"a": 1}}), {"r": run(q=["a"], zz=["b"])})
    assert finding(found, "unknown_queries").rows.rows == (("zz", "r", ""),)


def test_the_same_query_twice_and_queries_that_are_documents():
    texts = {**TEXTS, "q": "something of its own that nobody else says"}
    given = collection(
        {"q": {"a": 1}, "p": {"a": 0}},
        texts,
        queries=(("q", "Deadlock?"), ("p", " deadlock? "), ("o", TEXTS["b"].upper())),
    )
    found = cranfield.check(given, {"r": run(q=["a", "q"], o=["a", "b"])})
    same = finding(found, "same_queries")
    assert same.rows.rows == (("q, p", "deadlock?", "unequal"),) and same.values["unequal"] == 1
    itself = finding(found, "query_is_document")
    assert itself.rows.rows == (("o", "b", 1),) and itself.values["returned"] == 1
    assert finding(found, "query_is_id").values == {"n": 1, "own": 1, "k": 10}


COPY = {**TEXTS, "ax": TEXTS["a"].upper()}


def test_copies_with_unequal_labels_and_the_runs_that_suffer():
    given = collection({"q": {"a": 1, "b": 0, "c": 0}}, COPY)
    runs = {"good": run(q=["b", "a"]), "bad": run(q=["ax", "b"])}
    found = cranfield.check(given, runs, ["RR@10", "AP"])
    assert finding(found, "copies").values == {"n": 1, "clusters": 1, "exact": 1}
    unequal = finding(found, "copies_unequal")
    assert unequal.rows.rows == (("q", "a: 1", "ax"),)
    assert unequal.effect == {"RR@10": 1.0, "AP": 1.0}
    assert finding(found, "copies_unjudged").rows.rows == (("bad", 1),)
    table = found.section("duplicates").tables[0]
    assert table.rows == (
        ("good", "RR@10", 0.5, 0.5, 0.5),
        ("good", "AP", 0.5, 0.25, 0.5),
        ("bad", "RR@10", 0.0, 1.0, 1.0),
        ("bad", "AP", 0.0, 0.5, 1.0),
    )
    turn = finding(found, "copies_turn")
    assert turn.values == {"n": 1, "measure": "RR@10"}
    assert turn.rows.rows == (("expand", "good", "bad"), ("collapse", "good", "bad"))


def test_near_duplicates_can_be_left_out():
    texts = {**TEXTS, "near": TEXTS["a"] + " too"}
    given = collection({"q": {"a": 1}}, texts)
    assert dict(cranfield.check(given, near=Near(0.7)).section("duplicates").facts) == {
        "clusters": 1, "copies_exact": 0, "copies_near": 1, "largest_cluster": 2,
        "labels_unequal": 1, "near_threshold": 0.7, "passed_over": 0,
    }  # fmt: skip
    assert dict(cranfield.check(given, near=None).section("duplicates").facts)["clusters"] == 0
    assert cranfield.check(given, documents=False).section("duplicates") is None


NO_ANSWER = {"q1": {"a": 3, "b": 0}, "q2": {"c": 1}, "q3": {"x": 0, "y": 0}, "q4": {"x": 0}}


def test_the_kinds_of_queries():
    lists = run(q1=["a", "u", "b"], q3=["x", "z"], q5=["k"], q6=["m", "n"])
    found = cranfield.check(
        NO_ANSWER, {"r": {**lists, "q2": {}, "q4": {}}}, queries=[Query("q5", "")]
    )
    assert dict(found.section("queries").facts) == {
        "status_answerable": 1, "status_answerable_with_holes": 1, "status_no_answer_confirmed": 1,
        "status_no_answer_suspect": 1, "status_unlabelled": 2, "queries_compared": 1,
    }  # fmt: skip
    assert finding(found, "no_answer_suspect").rows.rows == (("q3", 1),)


def test_queries_that_tell_no_runs_apart():
    qrels = {q: {"a": 1, "b": 0} for q in ("easy", "hard", "even", "good")}
    one = run(easy=["a"], hard=["b"], even=["b", "a"], good=["a"])
    two = run(easy=["a", "b"], hard=["b"], even=["b", "a"], good=["b", "a"])
    found = cranfield.check(qrels, {"1": one, "2": two}, "RR@10")
    for name in ("easy", "hard", "even"):
        assert finding(found, f"queries_{name}").rows.rows == ((name,),)
    assert not {"queries_easy", "queries_hard"} & keys(cranfield.check(qrels, {"1": one}))


def test_near_queries_across_a_split():
    pair = [Query("1", "how to reset my password"), Query("2", "How to reset my password?")]
    rows = near_across([*pair, Query("3", "else")], {"1": "dev", "2": "test", "3": "dev"})
    assert rows == [("1", "dev", "2", "test", 1.0)]
    assert near_across(pair, {"1": "dev", "2": "dev"}) == near_across(pair, {"1": "dev"}) == []
    fields = {"1": {"split": "dev"}, "2": {"split": "test"}}
    given = collection({"1": {"a": 1}}, queries=[(q.id, q.text) for q in pair], fields=fields)
    assert finding(cranfield.check(given), "near_across").rows.rows == tuple(rows)


def test_types_too_small_to_see_anything():
    assert [smallest_p(n) for n in (0, 1, 5, 6)] == [1, 1, 0.0625, 0.03125]
    names = [f"q{i}" for i in range(11)]
    fields = {q: {"type": "few" if i < 5 else "many"} for i, q in enumerate(names)}
    given = collection(
        {q: {"a": 1, "b": 0} for q in names},
        queries=[(q, f"{q} {i * 7919}") for i, q in enumerate(names)],
        fields=fields,
    )
    one, two = run(**{q: ["a"] for q in names}), run(**{q: ["b", "a"] for q in names[:6]})
    found = cranfield.check(given, {"one": one, "two": two}, "RR@10")
    small = finding(found, "types_small")
    assert small.rows.rows == (("type=few", 5),) and small.values == {"n": 1, "alpha": 0.05}
    few, many = found.section("queries").tables[0].rows
    assert few[:3] == ("type=few", 5, 0.0625) and many[:3] == ("type=many", 6, 0.03125)
    assert few[3] > many[3] > 0


@pytest.mark.slow
def test_real_collections(shared):
    for name in ("cranfield", "vaswani-npl", "dureader-demo"):
        found = cranfield.check(str(shared / "collections" / name))
        assert found.section("integrity") and found.section("duplicates")
