from __future__ import annotations

import math

import pytest

from cranfield import evaluate
from cranfield.measures import AP, GMAP, Topic, bpref


def test_topics_have_the_values_of_the_plain_measure(t2: Topic, value_of) -> None:
    assert value_of("GMAP", t2) == value_of("AP", t2)
    assert value_of("GMbpref(rel=2)", t2) == value_of("bpref(rel=2)", t2)
    assert GMAP.definition.aggregate == "gm"
    assert AP.definition.aggregate == bpref.definition.aggregate == "mean"


def test_the_mean_is_geometric_and_zero_counts_as_a_hundred_thousandth() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1, "b": 1}, "q3": {"a": 1}}
    run = {"q1": {"a": 2}, "q2": {"x": 2, "a": 1}, "q3": {"x": 1}}
    scores = evaluate(qrels, run, ["GMAP", "AP", "gm_bpref"])
    assert scores.per_query("GMAP") == scores.per_query("AP") == {"q1": 1, "q2": 0.25, "q3": 0}
    expected = math.exp((math.log(1) + math.log(0.25) + math.log(1e-5)) / 3)
    assert scores.mean("GMAP") == pytest.approx(expected, rel=1e-14)
    assert scores.mean("GMbpref") == pytest.approx((0.5 * 1e-5) ** (1 / 3))
    assert scores.mean("AP") == pytest.approx(1.25 / 3)
    assert math.isnan(scores.summary(0, 0, scores._mask("all") & False)[0])
