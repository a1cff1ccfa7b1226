"""Scores with the range that their holes leave open."""

from __future__ import annotations

import math
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


def test_without_bounds_there_are_none_to_ask_for() -> None:
    scores = cranfield.evaluate(QRELS, {"run": RUN}, "RR@10")
    with pytest.raises(UnknownName, match="no bounds were computed"):
        scores.bounds()
    assert "low" not in next(iter(scores.rows()))


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
