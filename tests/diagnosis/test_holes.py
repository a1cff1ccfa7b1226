"""Judge rates under every definition, bounds by run, and what is found."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import cranfield
from cranfield.diagnosis.asked import Asked
from cranfield.diagnosis.holes import judge_rates, pool_depth
from cranfield.diagnosis.material import Examined, examine
from cranfield.diagnosis.worklist import all_holes
from cranfield.errors import UsageError
from cranfield.report.checked import page

# six queries as in docs/concepts/no-answer-queries.md: two answerable, two without an answer, two
# without judgments; q4 and q6 are answered with nothing
QRELS = {
    "q1": {"a": 1, "b": 0},
    "q2": {"c": 1},
    "q3": {"d": 0},
    "q4": {"e": 0, "f": -1},
}
RUN = {
    "q1": {"a": 3.0, "b": 2.0, "u": 1.0},
    "q2": {"v": 2.0, "c": 1.0},
    "q3": {"z": 1.0},
    "q4": {},
    "q5": {"k": 1.0},
    "q6": {},
}


def examined(qrels, runs, *measures: str, **asked) -> Examined:
    return examine(qrels, runs, list(measures) or ["nDCG@10"], Asked(**asked))


def rates(qrels, runs, **asked):
    rows = judge_rates(examined(qrels, runs, **asked))
    names = ("run", "ours", "n", "empty", "pooled", "elastic", "ir_measures", "holes")
    return [dict(zip(names, row, strict=True)) for row in rows]


def test_the_four_definitions_differ_as_they_say() -> None:
    (got,) = rates(QRELS, {"run": RUN})
    assert got["ours"] == pytest.approx((2 / 3 + 1 / 2 + 0) / 3)
    assert (got["n"], got["empty"], got["holes"]) == (3, 1, 3)
    assert got["pooled"] == pytest.approx(3 / 6)
    assert got["elastic"] == pytest.approx((2 / 3 + 1 / 2 + 0 + 0) / 4)  # q5 counts, with 0
    assert got["ir_measures"] is None  # an empty result stops it


def test_a_row_below_0_is_judged_for_others_and_not_for_us() -> None:
    (got,) = rates({"q1": {"a": 1, "b": -1}, "q2": {"c": 1}}, {"run": {"q1": {"a": 2.0, "b": 1.0}}})
    assert (got["ours"], got["pooled"]) == (0.5, 0.5)
    assert (got["elastic"], got["ir_measures"]) == (1.0, 0.5)  # q2 was not answered


def test_ir_measures_prints_the_same_number() -> None:
    ir_measures = pytest.importorskip("ir_measures")
    qrels = {"q1": {"a": 1, "b": -1}, "q2": {"c": 1}, "q3": {"d": 0}}
    run = {"q1": {"a": 2.0, "b": 1.0, "x": 0.5}, "q3": {"y": 1.0, "d": 0.5}}
    (got,) = rates(qrels, {"run": run})
    theirs = ir_measures.calc_aggregate([ir_measures.parse_measure("Judged@10")], qrels, run)
    assert got["ir_measures"] == pytest.approx(next(iter(theirs.values())))


def test_pool_depth_stops_at_the_first_hole_of_any_run() -> None:
    qrels = {"q1": {"a": 1, "b": 0, "c": 0}, "q2": {"a": 1}}
    runs = {
        "one": {"q1": {"a": 3.0, "b": 2.0, "x": 1.0}, "q2": {"a": 1.0}},
        "two": {"q1": {"c": 3.0, "b": 2.0, "a": 1.0, "y": 0.5}, "q2": {"x": 1.0}},
    }
    assert pool_depth(examined(qrels, runs)) == [2, 0]


def test_bounds_of_a_run_are_means_of_its_topics() -> None:
    found = cranfield.check(QRELS, {"run": RUN}, ["P@2", "infAP", "nDCG@2", "bpref"])
    rows = {r[1]: r for r in found.section("holes").tables[1].rows}
    # q1 keeps 1/2, q2 1/2 to 1, q3 0 to 1/2, q4 0
    assert rows["P@2"][2:6] == (
        pytest.approx(0.25),
        pytest.approx(0.25),
        pytest.approx(0.25),
        pytest.approx(0.5),
    )
    assert rows["infAP"][4:] == (None, None, None, None, "none")
    assert rows["bpref"][8] == "exact"
    assert rows["nDCG@2"][8] == "exact" and rows["nDCG@2"][6] <= rows["nDCG@2"][4]


def test_the_work_list_comes_by_runs_and_rank() -> None:
    runs = {
        "one": {"q": {"u": 3.0, "a": 2.0, "v": 1.0}},
        "two": {"q": {"u": 3.0, "w": 2.0, "a": 1.0}},
    }
    found = examined({"q": {"a": 1}}, runs, "nDCG@10")
    found = replace(found, asked=replace(found.asked, order="weight"))
    got = all_holes(found)
    assert [(h.document, h.rank, h.runs) for h in got] == [("u", 1, 2), ("w", 2, 1), ("v", 3, 1)]
    assert got[0].weight == pytest.approx(2.0)
    assert got[1].weight == pytest.approx(1 / math.log2(3))
    assert got[0].certainty > 0
    whole = cranfield.check({"q": {"a": 1}}, runs, order="weight")
    assert whole.holes == tuple(got) and whole.settings["order"] == "weight"


def test_by_swing_a_document_that_all_have_at_one_rank_comes_last() -> None:
    runs = {
        "one": {"q": {"u": 3.0, "a": 2.0, "v": 1.0}},
        "two": {"q": {"u": 3.0, "w": 2.0, "a": 1.0}},
    }
    found = cranfield.check({"q": {"a": 1}}, runs)
    got = found.holes
    assert got == cranfield.check({"q": {"a": 1}}, runs, order="swing").holes
    assert found.settings["order"] == "swing"
    assert [h.document for h in got] == ["w", "v", "u"]
    assert [h.swing for h in got] == pytest.approx([1 / math.log2(3), 0.5, 0.0])
    three = cranfield.check({"q": {"a": 1}}, {**runs, "three": {"q": {"a": 1.0}}}).holes
    assert next(h.swing for h in three if h.document == "u") == pytest.approx(2.0)


def test_swing_over_many_runs_is_that_of_neighbours() -> None:
    runs = {f"r{i}": {"q": {"a": 9.0 - i, "b": 5.0, "u": 4.0}} for i in range(10)}
    got = cranfield.check({"q": {"a": 1, "b": 0}}, runs, order="swing").holes
    assert [(h.document, h.runs, h.swing) for h in got] == [
        ("u", 10, pytest.approx(1 / math.log2(3) - 0.5))
    ]


def test_one_run_is_listed_by_rank_and_says_so() -> None:
    found = cranfield.check({"q": {"a": 1}}, {"one": {"q": {"u": 3.0, "a": 2.0, "v": 1.0}}})
    assert [h.document for h in found.holes] == ["u", "v"]
    assert found.settings["order"] == "weight" and found.holes[0].swing is None
    assert ("ordered_by", "weight") in found.section("worklist").facts
    text = page(found).to_text()
    assert "ordered by" in text and "weight: how high" in text
    two = {"one": {"q": {"u": 1.0}}, "two": {"q": {"v": 1.0}}}
    assert "swing: how far" in page(cranfield.check({"q": {"a": 1}}, two)).to_text()
    assert cranfield.check({"q": {"a": 1}}).settings["order"] is None


@pytest.mark.parametrize(
    ("runs", "order", "said"),
    [({"one": {"q": {"u": 1.0}}}, "swing", "no second run"), ({}, "loud", "order is 'loud'")],
)
def test_an_order_that_cannot_be_is_refused(runs, order, said) -> None:
    with pytest.raises(UsageError, match=said):
        cranfield.check({"q": {"a": 1}}, runs or (), order=order)


def test_certainty_is_what_a_label_of_0_takes_from_the_width() -> None:
    run = {"run": {"q": {"a": 2.0, "u": 1.0}}}
    before = cranfield.check({"q": {"a": 1}}, run).section("holes").tables[1].rows[0]
    after = cranfield.check({"q": {"a": 1, "u": 0}}, run).section("holes").tables[1].rows[0]
    hole = cranfield.check({"q": {"a": 1}}, run).holes[0]
    assert hole.certainty == pytest.approx((before[5] - before[4]) - (after[5] - after[4]))


def test_holes_of_a_query_without_judgments_are_listed_without_certainty() -> None:
    got = {(h.query, h.document): h for h in cranfield.check(QRELS, {"run": RUN}).holes}
    assert got["q5", "k"].certainty is None and ("q4", "f") not in got


def found_of(qrels, runs, **more):
    return {f.key: f for f in cranfield.check(qrels, runs, **more).findings}


def test_strange_ids_are_an_error() -> None:
    got = cranfield.check({"q": {"doc1": 1}}, {"run": {"q": {"DOC1": 1.0}}})
    assert [f.key for f in got.findings if f.severity == "error"] == [
        "ids_differ",
        "nothing_judged",
    ]
    assert got.exit_code() == 1 and got.exit_code("never") == 0


def test_low_and_uneven_judge_rates_are_warnings_with_their_effect() -> None:
    qrels = {"q": {"a": 1, "b": 0, "c": 0}}
    good = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    bad = {"q": {"x": 3.0, "y": 2.0, "a": 1.0}}
    got = found_of(qrels, {"good": good, "bad": bad})
    assert got["judged_low"].severity == "warning" and got["judged_low"].values["n"] == 1
    apart = got["judged_apart"].values
    assert (apart["most"], apart["least"]) == ("good", "bad")
    assert got["judged_low"].effect["P@10"] == pytest.approx(0.2)
    assert "judged_apart" not in found_of(qrels, {"good": good, "same": dict(good)})


def test_a_fully_judged_run_has_no_finding_of_holes() -> None:
    got = cranfield.check({"q": {"a": 1, "b": 0}}, {"run": {"q": {"a": 2.0, "b": 1.0}}})
    assert not got.findings and got.holes == () and got.exit_code("info") == 0
