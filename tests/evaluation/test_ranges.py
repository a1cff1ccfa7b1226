"""Scores with the range that their holes leave open."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import cranfield
from cranfield.errors import MeasureError, UnknownName, UsageError

QRELS = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1, "d": 0}, "q3": {"e": 0}}
RUN = {"q1": {"u": 4.0, "a": 3.0, "v": 2.0}, "q2": {"c": 2.0, "w": 1.0}, "q3": {"x": 1.0}}
MEASURES = ["nDCG@10", "AP", "RR@10", "P@10", "R@10", "Judged@10"]
BOUNDED = MEASURES[:5]


def by_force(measure: str) -> tuple[float, float]:
    """The least and the largest mean over every grading of the unjudged documents."""
    holes = [("q1", "u"), ("q1", "v"), ("q2", "w"), ("q3", "x")]
    means = []
    for grades in product(range(3), repeat=len(holes)):
        labels = {q: dict(docs) for q, docs in QRELS.items()}
        for (query, doc), grade in zip(holes, grades, strict=True):
            labels[query][doc] = grade
        means.append(cranfield.evaluate(labels, {"run": RUN}, measure, scale=2).mean(measure))
    return min(means), max(means)


@pytest.mark.parametrize("measure", BOUNDED)
def test_the_bounds_of_a_mean_are_reached_by_some_grading_and_passed_by_none(measure) -> None:
    scores = cranfield.evaluate(QRELS, {"run": RUN}, MEASURES, bounds="closed")
    assert scores.bounds(measure) == pytest.approx(by_force(measure), abs=1e-12)
    low, high = scores.bounds(measure)
    assert low - 1e-12 <= scores.mean(measure) <= high + 1e-12


def test_they_are_those_of_a_check() -> None:
    found = cranfield.check(QRELS, {"run": RUN}, ["nDCG@10", "RR@10"])
    for world, first in (("closed", 4), ("open", 6)):
        scores = cranfield.evaluate(QRELS, {"run": RUN}, ["nDCG@10", "RR@10"], bounds=world)
        for row in found.section("holes").tables[1].rows:
            assert scores.bounds(row[1]) == pytest.approx(row[first : first + 2], abs=1e-12)


def test_a_measure_without_known_bounds_has_none() -> None:
    scores = cranfield.evaluate(QRELS, {"run": RUN}, MEASURES, bounds="closed")
    assert all(map(math.isnan, scores.bounds("Judged@10")))
    rows = list(scores.rows())
    assert {r["measure"] for r in rows if r["low"] is None} == {"Judged@10"}
    assert all(r["low"] - 1e-12 <= r["value"] <= r["high"] + 1e-12 for r in rows if r["low"])
    frame = scores.to_pandas()
    assert frame["high"].dtype == np.float64 and frame["high"].isna().sum() == 3


def test_policies_on_queries_hold_for_the_bounds_too() -> None:
    everyone = cranfield.evaluate(QRELS, {"run": RUN}, "RR@10", bounds="closed")
    assert everyone.bounds() == pytest.approx((0.5, 1.0))
    some = cranfield.evaluate(QRELS, {"run": RUN}, "RR@10", bounds="closed", no_relevant="skip")
    assert some.bounds() == pytest.approx((0.75, 1.0)) and some.n() == 2
    assert everyone.bounds(over="answerable") == some.bounds()
    one = {"q1": RUN["q1"]}
    skipped = cranfield.evaluate(QRELS, {"run": one}, "RR@10", bounds="closed", missing="skip")
    assert skipped.bounds() == pytest.approx((0.5, 1.0)) and skipped.n() == 1


def test_a_range_stands_beside_the_scores_unasked_where_there_are_holes() -> None:
    scores = cranfield.evaluate(QRELS, {"run": RUN}, MEASURES)
    asked = cranfield.evaluate(QRELS, {"run": RUN}, MEASURES, bounds="closed")
    assert list(scores.rows()) == list(asked.rows())
    assert scores.bounds("RR@10") == asked.bounds("RR@10") == pytest.approx((0.5, 1.0))
    assert [scores.holes(measure) for measure in MEASURES] == [4] * 6
    assert [line.split()[:2] for line in repr(scores).splitlines()[2:]] == [
        ["run", "0.5436"],
        ["at", "least"],
        ["at", "most"],
    ]


def test_without_holes_no_range_is_shown_and_it_can_be_read_all_the_same() -> None:
    known = {"q1": {"a": 1.0}}
    scores = cranfield.evaluate(QRELS, {"run": known}, "nDCG@10", missing="skip")
    assert scores.ranges is None and "low" not in next(iter(scores.rows()))
    assert scores.bounds() == pytest.approx((1.0, 1.0)) and len(repr(scores).splitlines()) == 3
    asked = cranfield.evaluate(QRELS, {"run": known}, "nDCG@10", bounds="closed")
    assert asked.ranges is not None


def test_a_hole_below_the_cutoff_is_none() -> None:
    deep = {"q1": {"a": 3.0, "b": 2.0, "u": 1.0}}
    scores = cranfield.evaluate(QRELS, {"run": deep}, ["P@2", "R@3"])
    assert (scores.holes("P@2"), scores.holes("R@3")) == (0, 1) and scores.ranges is not None
    assert cranfield.evaluate(QRELS, {"run": deep}, "P@2").ranges is None


@pytest.mark.parametrize(
    "options", [{"bounds": None}, {"ties": "expected"}, {"measures": ["Judged@10"]}]
)
def test_where_nothing_can_or_shall_be_bounded_there_is_no_range(options) -> None:
    scores = cranfield.evaluate(QRELS, {"run": RUN}, **{"measures": "RR@10", **options})
    assert scores.ranges is None and "low" not in next(iter(scores.rows()))
    with pytest.raises(UnknownName, match="no bounds were computed"):
        scores.bounds()


def test_what_takes_long_is_left_out_unless_it_is_asked_for() -> None:
    many = {f"q{i}": {"u": 2.0, "a": 1.0} for i in range(600)}
    judged = {query: {"a": 1} for query in many}
    scores = cranfield.evaluate(judged, {"run": many}, ["bpref", "RR@10"])
    assert scores.ranges.dear == ("bpref",) and math.isnan(scores.bounds("bpref")[0])
    assert scores.bounds("RR@10") == (0.5, 1.0)
    asked = cranfield.evaluate(judged, {"run": many}, "bpref", bounds="closed")
    assert asked.bounds() == pytest.approx((0.0, 1.0)) and not asked.ranges.dear
    few = {query: many[query] for query in ("q1", "q2")}
    assert not cranfield.evaluate(judged, {"run": few}, "bpref").ranges.dear


def test_grades_without_number_are_not_bounded_unasked() -> None:
    judged = {"q": {f"d{i}": i / 100 for i in range(100)}}
    assert cranfield.evaluate(judged, {"run": {"q": {"u": 1.0}}}, "nDCG@10").ranges is None


def test_ranges_follow_the_runs_and_measures_that_are_kept() -> None:
    other = {"q1": {"a": 1.0}}
    scores = cranfield.evaluate(QRELS, {"run": RUN, "other": other}, ["nDCG@10", "RR@10"])
    kept = replace(
        scores,
        runs=scores.runs[1:],
        reports=scores.reports[1:],
        measures=(scores.measures[1], replace(scores.measures[0], full="new")),
        values=scores.values[1:, :, ::-1],
        valid=scores.valid[1:, :, ::-1],
    )
    assert kept.bounds("RR@10") == scores.bounds("RR@10", "other")
    assert (kept.holes("RR@10"), kept.holes("new")) == (0, None)
    assert math.isnan(kept.limits(0, 1, kept._mask("all"))[0])


def test_scores_can_be_kept_in_a_file_with_their_ranges() -> None:
    scores = cranfield.evaluate(QRELS, {"run": RUN}, "RR@10")
    assert pickle.loads(pickle.dumps(scores)).bounds() == scores.bounds()


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"bounds": "both"}, UsageError, "bounds is 'both'"),
        ({"bounds": "closed", "ties": "expected"}, UsageError, "expected"),
        ({"bounds": "open", "measures": ["Judged@10"]}, MeasureError, "no bounds are known"),
        ({"bounds": "open", "measures": ["GMAP"]}, MeasureError, "no bounds are known"),
    ],
)
def test_what_cannot_be_bounded_is_refused(options, error, said) -> None:
    with pytest.raises(error, match=said):
        cranfield.evaluate(QRELS, {"run": RUN}, **{"measures": "RR@10", **options})
