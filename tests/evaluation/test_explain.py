"""`explain`: the textbook example worked out rank by rank."""

from __future__ import annotations

import itertools
import math

import pytest

from cranfield import Qrels, Run, evaluate, explain
from cranfield.errors import FormatError, UnknownName, UsageError

EXP = 'nDCG(gain="exp")@5'


def ranked(*grades: float | None) -> tuple[dict, dict]:
    """One query whose documents come in this order with these grades (None: no row)."""
    docs = [f"d{i + 1:02d}" for i in range(len(grades))]
    qrels = {"q": {d: g for d, g in zip(docs, grades, strict=True) if g is not None}}
    return qrels, {"q": {d: float(-i) for i, d in enumerate(docs)}}


TEXT = ranked(3, 0, 2, 1, 3)
EXERCISE_1 = ranked(2, 3, 0, 0, 1)


def test_the_example_of_the_text():
    found = explain(*TEXT, "q", EXP)
    assert found.value == pytest.approx(0.8719925853, abs=5e-11)
    assert found.total == pytest.approx(11.6386462087, abs=5e-11)
    assert found.ideal_total == pytest.approx(13.3471848331, abs=5e-11)
    assert [s.term for s in found.steps] == pytest.approx([7, 0, 1.5, 0.430677, 2.70797], abs=1e-6)
    assert [s.gain for s in found.steps] == [7, 0, 3, 1, 7]
    assert [s.discount for s in found.steps] == pytest.approx(
        [math.log2(i + 1) for i in range(1, 6)]
    )
    assert [s.ideal_grade for s in found.steps] == [3, 3, 2, 1, 0]
    ideal = [7, 4.416508, 1.5, 0.430677, 0]
    assert [s.ideal_term for s in found.steps] == pytest.approx(ideal, abs=1e-6)
    assert found.worst.rank == 2
    assert found.worst.loss == pytest.approx(4.416508, abs=1e-6)
    assert found.measure == EXP
    assert (found.n_relevant, found.n_returned, found.missed) == (4, 5, ())


def test_exercise_1_says_where_the_score_was_lost():
    found = explain(*EXERCISE_1, "q", EXP)
    assert found.value == pytest.approx(0.8307820889, abs=5e-11)
    loss = [4, -2.523719014, 0.5, 0, -0.3868528072]
    assert [s.loss for s in found.steps] == pytest.approx(loss, abs=5e-10)
    assert found.worst.rank == 1
    assert [s.doc for s in found.steps] == ["d01", "d02", "d03", "d04", "d05"]
    assert [s.grade for s in found.steps] == [2, 3, 0, 0, 1]


def test_exercise_1_inside_the_judgments_of_the_text():
    qrels, _ = TEXT
    order = ["d03", "d01", "x", "d02", "d04"]  # grades 2, 3, none, 0, 1
    run = {"q": {d: float(-i) for i, d in enumerate(order)}}
    assert evaluate(qrels, run, EXP).mean() == pytest.approx(0.5846447157, abs=5e-11)


def test_exercise_2_reciprocal_rank_does_not_see_what_comes_late():
    qrels = {"q": {"a": 1, "b": 3, "c": 3}}
    order = ["a", *(f"n{i}" for i in range(7)), "b", "c"]
    run = {"q": {d: float(-i) for i, d in enumerate(order)}}
    scores = evaluate(qrels, run, ["RR@10", 'nDCG(gain="exp")@10'])
    assert scores.mean("RR@10") == 1.0
    assert scores.mean('nDCG(gain="exp")@10') == pytest.approx(0.4305509328, abs=5e-11)
    short = evaluate(qrels, {"q": {"a": 1.0}}, ["RR@10", 'nDCG(gain="exp")@10'])
    assert short.mean("RR@10") == 1.0
    assert short.mean('nDCG(gain="exp")@10') == pytest.approx(0.0839171993, abs=5e-11)
    ten = {"q": {f"r{i}": 1 for i in range(10)}}
    one = evaluate(ten, {"q": {"r0": 1.0}}, 'nDCG(gain="exp")@10')
    assert one.mean() == pytest.approx(0.2200917663, abs=5e-11)


def test_exercise_3_with_two_levels_the_order_of_the_two_rankings_turns_round():
    values = {}
    for gain in ('"exp"', '"linear"', "{0:0,1:1,2:1,3:1}"):
        measure = f"nDCG(gain={gain})@5"
        values[gain] = [evaluate(*toy, measure).mean() for toy in (TEXT, EXERCISE_1)]
    assert values['"exp"'] == pytest.approx([0.8719925853, 0.8307820889], abs=5e-11)
    assert values['"linear"'] == pytest.approx([0.8842041912, 0.8987333754], abs=5e-11)
    assert values["{0:0,1:1,2:1,3:1}"] == pytest.approx([0.9047172295, 0.9469024295], abs=5e-11)


def test_exercise_3_how_many_rankings_two_levels_can_tell_apart():
    orders = sorted(set(itertools.permutations((3, 3, 2, 1, 0))))
    assert len(orders) == 60
    found = {}
    for gain in ('"exp"', "{0:0,1:1,2:1,3:1}"):
        values = [evaluate(*ranked(*order), f"nDCG(gain={gain})@5").mean() for order in orders]
        found[gain] = (len({round(v, 10) for v in values}), min(values), max(values))
    assert found['"exp"'] == (60, pytest.approx(0.588411, abs=5e-7), 1.0)
    assert found["{0:0,1:1,2:1,3:1}"] == (5, pytest.approx(0.760640, abs=5e-7), 1.0)


MEASURES = ["nDCG@3", EXP, "nDCG", "DCG@4", "AP", "AP@3", "RR", "P@5", "bpref", "nDCG'@4", "ERR@5"]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("ties", ["docid-desc", "docid-asc", "file"])
@pytest.mark.parametrize("score_width", [64, 32])
def test_the_value_is_that_of_evaluate_to_the_bit(measure, ties, score_width):
    qrels = {"q": {"a": 1, "b": 0, "c": 2, "d": -1, "e": 3, "f": 1}, "p": {"a": 3}}
    run = {
        "p": {"a": 1.0},
        "q": {"b": 1.00000001, "c": 1.0, "x": 1.0, "d": 0.5, "a": 0.5, "e": 0.1},
    }
    how = {"ties": ties, "score_width": score_width}
    found = explain(qrels, run, "q", measure, **how)
    assert found.value == evaluate(qrels, run, measure, **how).per_query()["q"]
    if found.total is not None and measure.startswith("nDCG"):
        assert found.value == pytest.approx(found.total / found.ideal_total, rel=1e-14)
        assert sum(s.term for s in found.steps) == pytest.approx(found.total, rel=1e-14) or (
            measure == "nDCG"
        )


def test_the_value_at_every_rank_of_a_measure_without_gains():
    found = explain(*EXERCISE_1, "q", "AP")
    assert [s.value for s in found.steps] == pytest.approx(
        [1 / 3, 2 / 3, 2 / 3, 2 / 3, 2 / 3 + 1 / 5]
    )
    assert found.worst is None
    assert found.total is None


def test_unjudged_documents_and_missed_ones_are_told():
    qrels = {"q": {"a": 1, "b": 3, "c": 0, "d": 1, "e": -1}}
    found = explain(qrels, {"q": {"x": 3.0, "e": 2.0, "a": 1.0}}, "q", "nDCG@5")
    assert [(s.doc, s.grade) for s in found.steps] == [
        ("x", None),
        ("e", -1),
        ("a", 1),
        (None, None),
        (None, None),
    ]
    assert found.missed == (("b", 3), ("d", 1))
    assert (found.n_relevant, found.n_returned) == (3, 3)


def test_a_condensed_measure_leaves_out_what_was_not_judged():
    qrels = {"q": {"a": 1, "c": 0, "e": -1}}
    found = explain(qrels, {"q": {"x": 4.0, "e": 3.0, "c": 2.0, "a": 1.0}}, "q", "nDCG'@3")
    assert [s.doc for s in found.steps] == ["c", "a", None]


def test_a_perfect_list_lost_nothing():
    found = explain(*ranked(3, 2, 1), "q", "nDCG@3")
    assert (found.value, found.worst) == (1.0, None)


def test_a_query_that_the_run_does_not_answer_is_nought():
    found = explain({"q": {"a": 1}}, {"p": {"a": 1.0}}, "q", "nDCG@3")
    assert (found.value, found.n_returned) == (0.0, 0)
    assert found.missed == (("a", 1.0),)


@pytest.mark.parametrize("scattered", [False, True])
def test_a_query_is_found_in_a_file_wherever_its_lines_are(write, scattered):
    lines = [f"q{i % 3} Q0 d{i:02d} 1 {-i} t\n" for i in range(30)]
    path = write("run", "".join(lines if scattered else sorted(lines)))
    found = explain({"q1": {"d04": 1}}, path, "q1", "RR")
    assert found.value == 1 / 2  # d01, d04, d07, ...
    assert found.n_returned == 10


def test_a_bad_line_elsewhere_in_the_file_is_not_passed_over(write):
    path = write("run", "q1 Q0 a 1 1 t\nq2 Q0 b 1 x t\n")
    with pytest.raises(FormatError) as e:
        explain({"q1": {"a": 1}}, path, "q1")
    assert e.value.line == 2


def test_an_unknown_query_names_those_nearby():
    qrels = Qrels.from_dict({"MB101": {"a": 1}, "MB102": {"a": 1}, "x": {"a": 1}})
    with pytest.raises(UnknownName, match="'MB10' has no judgments") as e:
        explain(qrels, Run.from_dict({}), "MB10")
    assert "MB101" in e.value.hint
    assert "MB102" in e.value.hint


def test_expectations_cannot_be_worked_out_by_hand():
    with pytest.raises(UsageError, match="one order"):
        explain(*TEXT, "q", ties="expected")


def test_the_scale_is_that_of_the_whole_collection():
    qrels = {"q": {"a": 1}, "p": {"a": 4}}
    run = {"q": {"a": 1.0}}
    assert explain(qrels, run, "q", "ERR").value == 1 / 16
    assert explain(qrels, run, "q", "ERR", scale=5).value == 1 / 32
    assert explain(qrels, run, "q", "ERR").measure == "ERR(gmax=4)"
