"""`cranfield explain`: the calculation by hand."""

from __future__ import annotations

import json

import pytest

QRELS = "q 0 A 3\nq 0 B 0\nq 0 C 2\nq 0 D 1\nq 0 E 3\n"
RUN = "q Q0 A 1 5 s\nq Q0 B 2 4 s\nq Q0 C 3 3 s\nq Q0 D 4 2 s\nq Q0 E 5 1 s\n"
MEASURE = 'nDCG(gain="exp")@5'


@pytest.fixture
def example(files):
    return files("qrels.txt", QRELS), files("x.run", RUN)


def test_the_example_is_worked_out_term_by_term(cranfield, example):
    out = cranfield("explain", *example, "q", "-m", MEASURE).out
    for number in ("7.0000", "1.5000", "0.4307", "2.7080", "4.4165", "11.6386462", "13.3471848"):
        assert number in out
    assert f"{MEASURE} = DCG / IDCG = 0.8719925853" in out
    assert "most was lost at rank 2: 4.416508" in out
    assert "grade 0 where the ideal order has a 3" in out


def test_it_speaks_chinese(cranfield, example):
    out = cranfield("explain", *example, "q", "-m", MEASURE, "--lang", "zh").out
    assert "损失最大的位置：第 2 位" in out
    assert "理想相关性" in out


def test_json_has_the_loss_of_every_rank(cranfield, files):
    qrels = files("q.txt", "q 0 A 2\nq 0 B 3\nq 0 C 0\nq 0 D 0\nq 0 E 1\n")
    run = files("x.run", RUN)
    ended = cranfield("explain", qrels, run, "q", "-m", MEASURE, "--format", "json")
    said = json.loads(ended.out)
    losses = [step["loss"] for step in said["steps"]]
    assert losses == pytest.approx([4, -2.523719014, 0.5, 0, -0.3868528072], abs=1e-9)
    assert said["value"] == pytest.approx(0.8307820889, abs=1e-10)


@pytest.mark.parametrize("measure", ["AP", "RR@10", "P@3", "ERR@5", "RBP(p=0.5)", "bpref", "R@2"])
def test_any_measure_is_explained_and_ends_at_its_value(cranfield, example, measure):
    ended = cranfield("explain", *example, "q", "-m", measure, "--format", "json")
    said = json.loads(ended.out)
    shown = cranfield("explain", *example, "q", "-m", measure)
    assert f"{said['value']:.10f}" in shown.out
    if said["steps"][0]["value"] is not None:
        assert said["steps"][-1]["value"] == pytest.approx(said["value"])


def test_unjudged_and_missed_documents_are_named(cranfield, files):
    qrels = files("q.txt", "q 0 A 2\nq 0 Z 3\n")
    run = files("x.run", "q Q0 new 1 2 s\nq Q0 A 2 1 s\n")
    out = cranfield("explain", qrels, run, "q").out
    assert "unjudged" in out
    assert "relevant and never returned: 1 (grade): Z (3)" in out


def test_a_query_without_judgments_names_some_that_have(cranfield, example):
    ended = cranfield("explain", *example, "q7")
    assert ended.code == 2
    assert "'q'" in ended.err


def test_a_query_that_the_run_does_not_answer_scores_nothing(cranfield, files):
    qrels = files("q.txt", "q 0 A 2\nr 0 A 1\n")
    ended = cranfield("explain", qrels, files("x.run", "r Q0 A 1 1 s\n"), "q", "-m", "nDCG@3")
    assert ended.code == 0
    assert "0 of them among the 0 returned" in ended.out
