"""No-answer, empty and under-labelled queries, on a worked example."""

from __future__ import annotations

import pytest

from cranfield import Qrels, Run, evaluate
from cranfield.evaluation.answers import answers, status

QRELS = {"q1": {"a": 3, "b": 0}, "q2": {"c": 1}, "q3": {"x": 0, "y": 0}, "q4": {"x": 0}}
RANKINGS = {"q1": ["a", "u", "b"], "q2": [], "q3": ["x", "z"], "q4": [], "q5": ["k"]}
RANKINGS["q6"] = ["m", "n"]
QUERIES = ["q1", "q2", "q3", "q4", "q5", "q6"]


@pytest.fixture
def toy():
    run = {q: {d: float(-i) for i, d in enumerate(docs)} for q, docs in RANKINGS.items()}
    return Qrels.from_dict(QRELS), Run.from_dict(run, name="toy")


def test_the_counts_of_the_worked_example(toy):
    found = answers(*toy, QUERIES)
    assert {k: len(found.of_kind(k)) for k in ("answerable", "no_answer", "unlabelled")} == {
        "answerable": 2,
        "no_answer": 2,
        "unlabelled": 2,
    }
    assert [q.query for q in found.empty] == ["q2", "q4"]
    assert [q.query for q in found.correct_empty] == ["q4"]
    assert [q.query for q in found.missed] == ["q2"]
    assert [q.query for q in found.false_recalls] == ["q3"]
    assert [q.query for q in found.nothing_relevant] == ["q3", "q5", "q6"]
    assert found.false_recall_rate == 0.5
    assert found.correct_empty_rate == 0.5


def test_the_status_of_every_query(toy):
    found = [answers(*toy, QUERIES)]
    assert {q: status(found, q) for q in QUERIES} == {
        "q1": ("answerable_with_holes", ["u"]),
        "q2": ("answerable", []),
        "q3": ("no_answer_suspect", ["z"]),
        "q4": ("no_answer_confirmed", []),
        "q5": ("unlabelled", ["k"]),
        "q6": ("unlabelled", ["m", "n"]),
    }


def test_declared_complete_labels_confirm_a_no_answer_query(toy):
    found = [answers(*toy, QUERIES)]
    assert status(found, "q3", exhaustive=True) == ("no_answer_confirmed", ["z"])
    assert status(found, "q1", exhaustive=True)[0] == "answerable"


def test_a_second_run_can_make_a_query_suspect(toy):
    qrels, run = toy
    other = Run.from_dict({"q4": {"w": 1.0}}, name="other")
    both = [answers(qrels, run, QUERIES), answers(qrels, other, QUERIES)]
    assert status(both, "q4") == ("no_answer_suspect", ["w"])


def test_means_over_all_and_over_answerable(toy):
    qrels, run = toy
    scores = evaluate(qrels, run, "nDCG@10")
    assert scores.mean() == 0.25
    assert scores.mean(over="answerable") == 0.5
    assert scores.reports[0].empty == ("q2", "q4")
    assert scores.reports[0].unlabelled == ("q5", "q6")


def test_pooled_but_unjudged_rows_are_no_judgments():
    qrels = Qrels.from_dict({"q": {"a": -1}})
    found = answers(qrels, Run.from_dict({"q": {"a": 1.0}}), ["q"])
    assert found.queries[0].kind == "unlabelled"
    assert found.queries[0].holes == ("a",)


def test_no_no_answer_queries_means_no_rate():
    found = answers(Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 1.0}}), ["q"])
    assert found.false_recall_rate is None
    assert found.correct_empty_rate is None


def test_only_the_first_k_are_looked_at():
    qrels = Qrels.from_dict({"q": {"a": 1, "b": 0}})
    run = Run.from_dict({"q": {"b": 2.0, "a": 1.0}})
    assert answers(qrels, run, ["q"], k=1).queries[0].relevant == 0
    assert answers(qrels, run, ["q"], k=2).queries[0].relevant == 1
