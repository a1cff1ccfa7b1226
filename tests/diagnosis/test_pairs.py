"""Pairs of runs: bounded together, and left open only where the labels leave them open."""

from __future__ import annotations

import itertools

import pytest

import cranfield
from cranfield.evaluation.holes import Bounded, grades_of, levels_of
from cranfield.evaluation.undecided import gap
from cranfield.measures import parse

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2, "d": 0}}
ONE = {"q1": {"a": 3.0, "s": 2.0, "u": 1.0}, "q2": {"c": 2.0, "d": 1.0}}
TWO = {"q1": {"b": 3.0, "s": 2.0, "a": 1.0}, "q2": {"d": 2.0, "v": 1.0}}
RUNS = {"one": ONE, "two": TWO}


def lists(run):
    return {q: sorted(docs.items(), key=lambda d: -d[1]) for q, docs in run.items()}


def gap_of(qrels, one, two, measure: str, **more):
    judged = cranfield.read_qrels(qrels)
    way = Bounded(parse(measure), levels_of(judged))
    return gap(lists(one), lists(two), list(qrels), grades_of(judged), way, **more)


@pytest.mark.parametrize("measure", ["nDCG@10", "P@3", "AP@3", "RR@10"])
def test_every_labelling_stays_inside_and_the_ends_are_reached(measure: str) -> None:
    got = gap_of(QRELS, ONE, TWO, measure)
    tried = []
    for s, u, v in itertools.product(range(3), repeat=3):
        full = {"q1": {**QRELS["q1"], "s": s, "u": u}, "q2": {**QRELS["q2"], "v": v}}
        scores = cranfield.evaluate(full, RUNS, measure)
        tried.append(scores.mean(measure, "one") - scores.mean(measure, "two"))
    assert got.bound.low == pytest.approx(min(tried), abs=1e-12)
    assert got.bound.high == pytest.approx(max(tried), abs=1e-12)
    assert (got.holes, got.shared) == (3, 1)


def test_a_shared_document_at_the_same_rank_changes_no_sign() -> None:
    one = {"q": {"s": 2.0, "a": 1.0}}
    two = {"q": {"s": 2.0, "b": 1.0}}
    got = gap_of({"q": {"a": 1, "b": 0}}, one, two, "nDCG@10")
    assert got.bound.low > 0 and not got.bound.open and got.labels == 0


def test_the_labels_that_would_decide() -> None:
    """P@2: one has an unjudged document, two has two; one is ahead by 1/2 and may end at -1/2."""
    one, two = {"q": {"a": 2.0, "u": 1.0}}, {"q": {"v": 2.0, "w": 1.0}}
    got = gap_of({"q": {"a": 1}}, one, two, "P@2", difference=0.5)
    assert (got.bound.low, got.bound.high) == (-0.5, 1.0)
    assert got.labels == 2  # after one label it may still be 0
    tied = gap_of({"q": {"a": 0}}, {"q": {"a": 1.0}}, two, "P@2", difference=0.0)
    assert tied.bound.high == 0 and tied.labels == 1  # only two can win


def test_open_pairs_are_a_warning_with_the_rows() -> None:
    found = cranfield.check(QRELS, RUNS, ["P@3", "AP"])
    (finding,) = [f for f in found.findings if f.key == "undecidable"]
    assert finding.severity == "warning" and finding.values["n"] == 1
    section = found.section("pairs")
    assert {r[2] for r in section.tables[0].rows} == {"P@3"}  # AP reads lists of any length
    row = section.tables[0].rows[0]
    assert row[4] <= row[3] <= row[5] and row[11] >= 1
    assert row[6] <= row[4] and row[5] <= row[7]  # open world


def test_an_order_that_turns_without_the_unjudged_is_found() -> None:
    qrels = {"q": {"a": 1, "b": 0}}
    runs = {
        "one": {"q": {"b": 2.0, "a": 1.0}},
        "two": {"q": {"x": 4.0, "y": 3.0, "a": 2.0, "b": 1.0}},
    }
    (turned,) = [f for f in cranfield.check(qrels, runs).findings if f.key == "condensed_turns"]
    assert turned.rows.rows[0][:2] == ("one", "two")


def test_of_many_runs_neighbours_are_compared() -> None:
    runs = {f"r{i}": {"q": {f"d{i}": 2.0, "a": 1.0}} for i in range(10)}
    section = cranfield.check({"q": {"a": 1}}, runs, ["P@2"]).section("pairs")
    assert dict(section.facts)["pairs"] == 9 and dict(section.facts)["pairs_of"] == "neighbours"
