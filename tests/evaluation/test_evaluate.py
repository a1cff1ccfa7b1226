"""`evaluate`: which queries count, what is reported beside the scores, what is refused."""

from __future__ import annotations

import math

import pytest

from cranfield import Qrels, Query, Run, TestCollection, evaluate
from cranfield.errors import InputError, MeasureError, NothingToEvaluate, UsageError
from cranfield.formats.problems import ManyProblems

# q1 answered well, q2 badly, q3 not at all, q4 with an empty list, q5 no-answer; q9 unlabelled.
QRELS = {
    "q1": {"a": 2, "b": 0, "c": 1},
    "q2": {"a": 1},
    "q3": {"a": 1},
    "q4": {"a": 1},
    "q5": {"a": 0, "b": 0},
}
RUN = {
    "q1": {"a": 2.0, "x": 1.0},
    "q2": {"x": 2.0, "a": 1.0},
    "q4": {},
    "q5": {"b": 1.0, "a": 1.0},
    "q9": {"z": 1.0},
}


def per_query(**how) -> dict[str, float]:
    return evaluate(QRELS, RUN, "RR", **how).per_query()


def test_what_was_not_answered_scores_nothing_and_counts():
    scores = evaluate(QRELS, RUN, "RR")
    assert scores.per_query() == {"q1": 1.0, "q2": 0.5, "q3": 0.0, "q4": 0.0, "q5": 0.0}
    assert (scores.mean(), scores.n()) == (0.3, 5)
    assert (scores.mean(over="answerable"), scores.n(over="answerable")) == (0.375, 4)
    assert scores.answerable.tolist() == [True, True, True, True, False]


def test_missing_skip_leaves_out_what_the_run_does_not_name():
    assert per_query(missing="skip") == {"q1": 1.0, "q2": 0.5, "q4": 0.0, "q5": 0.0}


def test_missing_skip_is_decided_for_each_run():
    runs = {"one": {"q1": {"a": 1.0}}, "two": {"q2": {"a": 1.0}, "q3": {"x": 1.0}}}
    scores = evaluate(QRELS, runs, "RR", missing="skip")
    assert scores.per_query(run="one") == {"q1": 1.0}
    assert scores.per_query(run="two") == {"q2": 1.0, "q3": 0.0}
    assert [scores.n(run=r) for r in ("one", "two")] == [1, 2]


def test_no_relevant_skip_leaves_the_query_out_altogether():
    scores = evaluate(QRELS, RUN, "RR", no_relevant="skip")
    assert scores.queries == ("q1", "q2", "q3", "q4")
    assert scores.mean() == 0.375
    assert scores.answerable.all()
    assert scores.notes == ("1 query without a relevant document left out",)
    unanswered = {"q1": {"a": 1.0}, "q5": {}}
    (report,) = evaluate(QRELS, unanswered, "RR", no_relevant="skip").reports
    assert report.missing == ("q2", "q3", "q4")
    assert report.empty == ()  # q5 is left out here, too


def test_no_relevant_nan_keeps_the_query_and_says_it_is_not_defined():
    scores = evaluate(QRELS, RUN, "RR", no_relevant="nan")
    assert scores.queries == ("q1", "q2", "q3", "q4", "q5")
    assert "q5" not in scores.per_query()
    assert [r["value"] for r in scores.rows()] == [1.0, 0.5, 0.0, 0.0, None]
    assert (scores.mean(), scores.n()) == (0.375, 4)
    assert not scores.values[~scores.valid].any()


def test_nothing_relevant_anywhere_with_nan_has_no_mean():
    scores = evaluate({"q": {"a": 0}}, {"q": {"a": 1.0}}, "AP", no_relevant="nan")
    assert math.isnan(scores.mean())
    assert scores.n() == 0


def test_what_is_beside_the_scores_is_reported():
    (report,) = evaluate(QRELS, RUN, "nDCG@2").reports
    assert report.missing == ("q3",)
    assert report.unlabelled == ("q9",)
    assert report.empty == ("q4",)
    assert report.n_returned == 7
    assert report.judged == pytest.approx((0.5 + 0.5 + 1.0) / 3)
    assert report.n_judged == 3
    assert report.tied == pytest.approx(2 / 6)  # q5's two, of two each for q1, q2 and q5


def test_queries_with_only_unjudged_rows_are_not_scored_but_said():
    scores = evaluate({"q1": {"a": 1}, "q2": {"a": -1}}, {"q1": {"a": 1.0}, "q2": {"a": 1.0}}, "AP")
    assert scores.queries == ("q1",)
    assert scores.reports[0].unlabelled == ("q2",)
    assert "pooled, never judged" in scores.notes[0]
    assert scores.notes[0].endswith("q2")


def test_nothing_but_unjudged_rows_is_nothing_to_evaluate():
    with pytest.raises(NothingToEvaluate, match="every grade is below 0"):
        evaluate({"q": {"a": -1}}, {"q": {"a": 1.0}})


def test_no_query_in_common_is_an_error_that_shows_both_sides():
    with pytest.raises(NothingToEvaluate) as e:
        evaluate({"q1": {"a": 1}}, {"1": {"a": 1.0}})
    assert e.value.exit_code == 6
    assert "look like 'q1', those of the runs like '1'" in e.value.hint


def test_one_run_without_a_query_in_common_beside_another_is_no_error():
    scores = evaluate({"q1": {"a": 1}}, {"x": {"q1": {"a": 1.0}}, "y": {"1": {"a": 1.0}}}, "AP")
    assert scores.means() == {"x": {"AP": 1.0}, "y": {"AP": 0.0}}
    assert scores.reports[1].missing == ("q1",)


def test_runs_of_one_name_are_told_apart(write, tmp_path):
    line = "q1 Q0 a 1 1 t\n"
    (tmp_path / "other").mkdir()
    here, there = write("run.txt", line), write("other/run.txt.gz", line)
    scores = evaluate(QRELS, [here, there, here, Run.from_dict(RUN), Run.from_dict(RUN)], "AP")
    assert scores.runs == (str(here), str(there), f"{here} (2)", "run", "run (2)")


def test_the_same_measure_asked_twice_is_one_column():
    scores = evaluate(QRELS, RUN, ["map", "AP", "nDCG@10", 'nDCG(gain="linear")@10', "ndcg_cut_10"])
    assert [m.text for m in scores.measures] == ["AP", "nDCG@10"]
    assert scores.mean("map") == scores.mean("AP")


def test_a_collection_brings_its_queries_along():
    queries = (Query("q1", "one", {"type": "short"}), Query("q2", "two", {"type": "long"}))
    collection = TestCollection("toy", queries, Qrels.from_dict(QRELS))
    scores = evaluate(collection, RUN, "RR")
    assert scores.slices == {"type": ("short", "long", None, None, None)}
    assert scores.by("type")["long"].tolist() == [False, True, False, False, False]
    given = evaluate(collection, RUN, "RR", queries=[Query("q5", "", {"kind": "none"})])
    assert given.slices == {"kind": (None, None, None, None, "none")}


SUBTOPICS = "q1 1 a 1\nq1 2 a 0\nq1 1 b 1\n"


def test_subtopic_qrels_are_refused_and_the_hint_merges_them(write):
    path = write("subtopics", SUBTOPICS)
    with pytest.raises(InputError, match="once per subtopic") as e:
        evaluate(path, {"q1": {"b": 2.0, "a": 1.0}}, "RR")
    assert "on-duplicate max" in e.value.hint
    assert evaluate(path, {"q1": {"a": 1.0}}, "RR", on_duplicate="max").mean() == 1.0
    assert evaluate(path, {"q1": {"a": 1.0}}, "RR", on_duplicate="last").mean() == 0.0


def test_column_2_without_repeats_is_no_matter(write):
    path = write("qrels", "q1 1 a 1\nq1 2 b 0\n")
    assert evaluate(path, {"q1": {"a": 1.0}}, "RR").mean() == 1.0


def test_grades_between_0_and_1_are_cautioned_about_where_they_matter():
    qrels = {"q": {"a": 0.5, "b": 0.2, "c": 2}}
    (note,) = evaluate(qrels, RUN | {"q": {}}).notes
    assert "between 0 and 1" in note
    assert "2 rows" in note
    assert "AP(rel=0.5)" in note
    assert not evaluate(qrels, {"q": {"a": 1.0}}, ["nDCG@10", "AP(rel=0.5)"]).notes
    assert evaluate(qrels, {"q": {"a": 1.0}}, "AP").mean() == 0.0
    assert evaluate(qrels, {"q": {"a": 1.0}}, "AP(rel=0.5)").mean() == 0.5


def test_all_judgments_zero_is_cautioned_about():
    assert "every score is 0" in evaluate({"q": {"a": 0}}, {"q": {"a": 1.0}}, "AP").notes[0]


def test_the_scale_is_the_largest_grade_unless_it_is_said():
    run = {"q1": {"a": 1.0}}
    top = evaluate(QRELS, run, "ERR@10", missing="skip")
    said = evaluate(QRELS, run, "ERR@10", missing="skip", scale=4)
    assert top.mean() == 0.75  # (2^2 - 1) / 2^2
    assert said.mean() == 3 / 16
    assert top.measures[0].full == "ERR(gmax=2)@10"
    assert said.measures[0].full == "ERR(gmax=4)@10"
    assert said.settings["scale"] == 4


def test_a_scale_below_the_grades_is_refused():
    with pytest.raises(MeasureError, match="grade 2, above gmax=1"):
        evaluate(QRELS, RUN, "ERR@10", scale=1)


def test_grades_below_0_are_as_good_as_no_judgment():
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    with_row = evaluate({"q": {"a": -1, "b": 0, "c": 1}}, run, ["nDCG", "AP", "bpref", "Judged@3"])
    without = evaluate({"q": {"b": 0, "c": 1}}, run, ["nDCG", "AP", "bpref", "Judged@3"])
    assert with_row.means() == without.means()
    assert with_row.mean("Judged@3") == 2 / 3


@pytest.mark.parametrize(
    ("how", "value"),
    [
        ("ties", "random"),
        ("score_width", 16),
        ("no_relevant", "drop"),
        ("missing", "nan"),
        ("on_duplicate", "min"),
        ("scale", 0),
        ("scale", -1),
        ("scale", math.nan),
        ("measures", []),
    ],
)
def test_a_choice_that_does_not_exist_is_a_usage_error(how, value):
    with pytest.raises(UsageError) as e:
        evaluate(QRELS, RUN, **{how: value})
    assert e.value.hint


def test_no_run_is_a_usage_error():
    with pytest.raises(UsageError, match="no run"):
        evaluate(QRELS, [])


def test_all_errors_of_a_run_are_listed(write):
    path = write("run", "q1 Q0 a 1 x t\nq1 Q0 b 2 1 t\nq1 Q0 b 3 y t\n")
    with pytest.raises(ManyProblems) as e:
        evaluate(QRELS, path, all_errors=True)
    assert [p.line for p in e.value.problems] == [1, 3]


@pytest.mark.parametrize("ties", ["docid-desc", "docid-asc", "file", "expected"])
def test_the_largest_finite_score_is_one_like_others(ties):
    """What lies behind it is infinity, which no warning has to say."""
    most = 1.7976931348623157e308
    run = {"q": {"c": most, "a": most, "b": 1.0}}
    first = {"docid-desc": 0.0, "docid-asc": 1.0, "file": 0.0, "expected": 0.5}
    assert evaluate({"q": {"a": 1}}, run, ["P@1"], ties=ties).mean("P@1") == first[ties]
