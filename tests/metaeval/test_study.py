"""The verb: what is kept, what is left out and said, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from tests.metaeval.conftest import of

from cranfield import ScoreMatrix, Study, evaluate, study
from cranfield.errors import InputError, NothingToEvaluate, UnknownName, UsageError
from cranfield.metaeval.choices import Choices

QUICK = {"resamples": 50, "repeats": 3}
QUERIES = [f"q{i}" for i in range(1, 9)]
QRELS = {q: {"a": 2, "b": 1, "c": 1, "d": 0} for q in QUERIES}


def run(*orders):
    """A run that returns these documents, one string a query."""
    return {
        q: {doc: 10.0 - i for i, doc in enumerate(order)}
        for q, order in zip(QUERIES, orders, strict=False)
    }


RUNS = {
    "good": run("abcd", "abdc", "bacd", "abcx", "acbd", "abcd", "bacd", "abdc"),
    "fair": run("axbc", "dabc", "xbac", "bxac", "daxb", "xabc", "cadb", "axxb"),
    "poor": run("xdya", "dxbc", "xyzb", "dxcz", "xyad", "dxyb", "xdcb", "dxya"),
}


@pytest.fixture(scope="module")
def found() -> Study:
    return study(QRELS, RUNS, name="示例", **QUICK)


def test_both_conditions_with_the_measures_of_the_paper(found):
    assert [c.name for c in found.conditions] == ["binary", "graded"]
    assert found["binary"].matrix.measures == ("AP", "P@10", "Rprec", "RR", "nDCG_JK")
    assert found["graded"].matrix.measures == (
        'AP_Wu(variant="padded")',
        "P_Wu(gmax=2)@10",
        "RP_Wu",
        "RR_Wu(gmax=2)",
        "nDCG_JK",
    )
    with pytest.raises(UnknownName, match="no condition given"):
        found["given"]


def test_binary_scores_are_of_merged_grades(found):
    merged = {q: {d: min(g, 1) for d, g in docs.items()} for q, docs in QRELS.items()}
    for condition, qrels in (("binary", merged), ("graded", QRELS)):
        scores = evaluate(qrels, RUNS, ["nDCG_JK"])
        assert (found[condition].matrix.of("nDCG_JK") == scores.values[:, :, 0]).all()
    assert (found["binary"].matrix.of("nDCG_JK") != found["graded"].matrix.of("nDCG_JK")).any()


def test_one_relevant_grade_has_one_condition():
    binary = {q: {"a": 1, "d": 0} for q in QUERIES}
    assert [c.name for c in study(binary, RUNS, **QUICK).conditions] == ["binary"]


def test_own_measures_and_conditions():
    own = study(QRELS, RUNS, ["nDCG@3", "P@1"], **QUICK)
    assert [(c.name, c.matrix.measures) for c in own.conditions] == [("graded", ("nDCG@3", "P@1"))]
    both = study(QRELS, RUNS, "map", conditions=["graded", "binary"], **QUICK)
    assert [(c.name, c.matrix.measures) for c in both.conditions] == [
        ("binary", ("AP",)),
        ("graded", ("AP",)),
    ]
    assert both.selection.floor_measure == "AP"
    ideal = study(QRELS, RUNS, graded_ap="ideal", conditions="graded", **QUICK)
    assert ideal.conditions[0].matrix.measures[0] == "AP_Wu"  # that variant is the measure's own


def test_queries_without_a_relevant_document_go_first():
    """q7 and q8 have none; over the queries kept the mean AP of `edge` is 1/6, over all 1/8."""
    qrels = {**QRELS, "q7": {"d": 0}, "q8": {"d": 0, "a": -1}}
    edge = {q: {"x": 2.0, "y": 1.0} for q in QUERIES} | {"q1": dict.fromkeys("abc", 1.0)}
    runs = {"good": RUNS["good"], "fair": RUNS["fair"], "edge": edge}
    kept = study(qrels, runs, min_ap=0.16, **QUICK).selection
    assert kept.dropped_queries == ("q7", "q8")
    assert kept.queries == tuple(QUERIES[:6])
    assert kept.runs == ("good", "fair", "edge") and kept.dropped_runs == ()
    gone = study(qrels, runs, min_ap=0.17, **QUICK).selection
    (dropped,) = gone.dropped_runs
    assert (dropped.name, dropped.mean) == ("edge", pytest.approx(1 / 6))
    all_kept = study(qrels, runs, drop_unanswerable=False, **QUICK).selection
    assert all_kept.queries == tuple(QUERIES) and all_kept.dropped_queries == ()
    assert all_kept.zero_queries == ("q7", "q8")


def test_the_floor_is_strict_and_of_classical_average_precision():
    one = {q: {"a": 2} for q in QUERIES}
    at_twenty = {q: {f"x{i}": 99.0 - i for i in range(19)} | {"a": 1.0} for q in QUERIES}
    below = {q: {f"x{i}": 99.0 - i for i in range(20)} | {"a": 1.0} for q in QUERIES}
    runs = {**RUNS, "at": at_twenty, "below": below}
    for conditions in (["graded"], ["binary"]):
        kept = study(one, runs, conditions=conditions, **QUICK).selection
        assert "at" in kept.runs  # 1/20 is not below .05
        assert [r.name for r in kept.dropped_runs] == ["below"]
    everyone = study(one, runs, min_ap=None, **QUICK).selection
    assert "below" in everyone.runs and everyone.min_ap is None


def test_queries_without_an_answer_score_zero_and_are_counted():
    short = {q: RUNS["good"][q] for q in QUERIES[:5]}
    found = study(QRELS, {**RUNS, "short": short}, ["AP"], **QUICK)
    assert found.selection.missing == {"short": 3}
    assert (found.conditions[0].matrix.of("AP")[3, 5:] == 0).all()
    assert any("1 of 4 runs did not answer every query" in note for note in found.notes)


def test_queries_without_judgments_are_told():
    more = {**RUNS, "good": {**RUNS["good"], "q99": {"a": 1.0}, "q7": RUNS["good"]["q7"]}}
    found = study({**QRELS, "q7": {"a": 0}, "q8": {"a": -1}}, more, ["AP"], **QUICK)
    assert found.selection.dropped_queries == ("q7", "q8")
    assert "queries of the runs without judgments are not scored: 1, q99" in found.notes
    kept = study({**QRELS, "q8": {"a": -1}}, RUNS, ["AP"], drop_unanswerable=False, **QUICK)
    assert kept.selection.dropped_queries == ("q8",)  # never judged at all


def test_settings_are_recorded(found):
    assert found.settings["seed"] == 0 and found.settings["resamples"] == 50
    assert found.settings["conditions"] == ["binary", "graded"]
    assert found.settings["scale"] == 2 and found.settings["ties"] == "docid-desc"


def test_the_same_twice_whatever_the_threads():
    one, two = (study(QRELS, RUNS, threads=t, **QUICK) for t in (1, 2))
    for a, b in zip(one.conditions, two.conditions, strict=True):
        assert (a.discrimination.significant == b.discrimination.significant).all()
        assert (a.discrimination.bootstrap.low == b.discrimination.bootstrap.low).all()
        assert all((x.curves == y.curves).all() for x, y in zip(a.parts, b.parts, strict=True))
        assert a.sizes.needed == b.sizes.needed


def test_parts_as_far_as_the_queries_go(found):
    assert [p.parts for p in found["binary"].parts] == [2, 3]
    assert "8 queries are too few for 5, 10 parts of two or more" in found.notes
    asked = study(QRELS, RUNS, ["AP"], parts=[4], cut="both", sizes=[], **QUICK).conditions[0]
    assert [(p.parts, p.how, p.repeats) for p in asked.parts] == [
        (4, "random", 3),
        (4, "contiguous", 1),
    ]
    assert asked.sizes is None
    with pytest.raises(UsageError, match="cannot be cut into 5 parts"):
        study(QRELS, RUNS, ["AP"], parts=[5], **QUICK)


def test_difficulty_in_three_readings(toy):
    found = study(toy, **QUICK).conditions[0].difficulty
    assert found.mean == pytest.approx([0.38125])
    assert found.index() == (pytest.approx(0.61875),)
    assert found.index("mean") == (pytest.approx(0.38125),)
    assert found.index("reciprocal") == (pytest.approx(1 / 0.38125),)
    assert found.of_queries("AP")[0] == pytest.approx(1 - (0.5 + 0.45 + 0.1 + 0.45) / 4)
    zero = study(of([[0, 0.5], [0, 0.7]]), difficulty="reciprocal", sizes=(), **QUICK)
    assert zero.conditions[0].difficulty.of_queries("M1")[0] is None
    assert zero.selection.zero_queries == ("q1",)


def test_measures_from_easy_to_hard():
    easy = np.array([[0.9, 0.8], [0.7, 0.9]])
    found = study(of(easy / 2, easy, measures=("low", "high")), sizes=(), **QUICK)
    difficulty = found.conditions[0].difficulty
    assert difficulty.order() == ("high", "low")
    assert difficulty.index()[0] > difficulty.index()[1]


def test_of_scores_and_of_a_matrix():
    scores = evaluate({**QRELS, "q8": {"d": 0}}, RUNS, ["AP", "nDCG@3"])
    found = study(scores, name="mine", **QUICK)
    assert (found.name, found.conditions[0].name) == ("mine", "given")
    assert found.selection.dropped_queries == ("q8",) and len(found.selection.queries) == 7
    matrix = ScoreMatrix.from_scores(scores)
    same = study(matrix, measures="nDCG@3", **QUICK)
    assert same.conditions[0].matrix.measures == ("nDCG@3",)
    assert len(same.selection.queries) == 8  # nothing is known of its judgments
    assert same.selection.zero_queries == ("q8",)
    assert same.selection.floor_measure == "AP"  # in the matrix, though not asked for
    without = study(matrix.select(measures=["nDCG@3"]), **QUICK)
    assert without.selection.floor_measure is None and without.selection.min_ap is None
    assert "no run was dropped: AP is not among the scores" in without.notes


def test_too_little_is_refused():
    with pytest.raises(InputError, match="1 run, and a study compares runs in pairs"):
        study(QRELS, {"good": RUNS["good"]})
    with pytest.raises(InputError, match=r"1 of 3 runs left .* 2 have a mean AP below 0\.9"):
        study(QRELS, RUNS, min_ap=0.9)
    with pytest.raises(InputError, match="1 query with a relevant document"):
        study({"q1": QRELS["q1"], "q2": {"a": 0}}, RUNS)
    with pytest.raises(NothingToEvaluate, match="no query has a relevant document"):
        study({q: {"a": 0} for q in QUERIES}, RUNS)
    with pytest.raises(InputError, match="1 query"):
        study(of([[0.1], [0.2]]))


def test_constant_scores_are_refused():
    with pytest.raises(InputError, match="all 2 runs have the same scores on every query"):
        study(QRELS, {"good": RUNS["good"], "again": RUNS["good"]}, **QUICK)
    one = study(of([[0.5, 0.2], [0.5, 0.2]], [[0.1, 0.2], [0.3, 0.9]]), sizes=(), **QUICK)
    assert "M1 gives all runs the same scores (given)" in one.notes


def test_runs_on_different_queries_are_refused():
    first = {q: RUNS["good"][q] for q in QUERIES[:4]}
    second = {q: RUNS["good"][q] for q in QUERIES[4:]}
    with pytest.raises(InputError, match="'one' and 'two' answer no query in common"):
        study(QRELS, {"one": first, "two": second})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"conditions": ["ternary"]}, "no condition 'ternary'"),
        ({"conditions": []}, "no condition asked for"),
        ({"measures": []}, "no measure asked for"),
        ({"graded_ap": "best"}, "graded_ap is 'best'"),
        ({"min_ap": 5}, "min_ap is 5"),
        ({"levels": [0.05, 0.01]}, "levels are 0.05, 0.01"),
        ({"levels": []}, "levels are none"),
        ({"levels": 0.05}, "levels is 0.05"),
        ({"levels": [0.05, 1.0]}, "a level of significance must lie between 0 and 1"),
        ({"resamples": 1}, "resamples is 1"),
        ({"resamples": -5}, "resamples is -5"),
        ({"confidence": 95}, "confidence must lie between 0 and 1"),
        ({"seed": -1}, "seed is -1"),
        ({"parts": [1]}, "a number of parts or of queries is 1"),
        ({"sizes": [99]}, "99 of 8 queries"),
        ({"repeats": 1}, "repeats is 1"),
        ({"shares": [2]}, "a share of pairs must lie between 0 and 1"),
        ({"cut": "fair"}, "cut is 'fair'"),
        ({"difficulty": "hard"}, "difficulty is 'hard'"),
        ({"threads": 0}, "threads is 0"),
    ],
)
def test_wrong_choices(wrong, message):
    with pytest.raises(UsageError, match=message):
        study(QRELS, RUNS, **wrong)


def test_scores_need_no_runs(toy):
    for extra in ({"runs": RUNS}, {"conditions": ["binary"]}, {"ties": "file"}):
        with pytest.raises(UsageError, match=f"scores and {next(iter(extra))}"):
            study(toy, **extra)


def test_choices_are_those_of_the_paper():
    default = Choices()
    assert (default.min_ap, len(default.levels), default.graded_ap) == (0.05, 15, "padded")
