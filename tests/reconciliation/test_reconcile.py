"""Which conventions give a number seen, from a tool down to several changes at once."""

from __future__ import annotations

import math

import pytest

from cranfield import evaluate, reconcile
from cranfield.errors import MeasureError, NothingToEvaluate, UnknownName, UsageError
from cranfield.reconciliation.conventions import AXES, Conventions, asked_conventions, in_words
from cranfield.reconciliation.target import target_of
from cranfield.reconciliation.tools import PROFILES

QRELS = {
    "q1": {"a": 0, "b": 1, "c": 0, "d": 2, "x": 3},
    "q2": {"a": 1},
    "q3": {"z": 0},
    "q4": {"b": 3, "c": 1, "d": 2},
}
RUN = {
    "q1": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0},
    "q3": {"a": 2.0},
    "q4": {"c": 3.0, "b": 2.0, "q4": 9.0},
}


@pytest.mark.parametrize(
    "measure",
    [
        "nDCG@10",
        'nDCG(gain="exp")@3',
        "nDCG(gain={0:0,1:1,2:5,3:6})",
        "AP",
        'AP(norm="min")@2',
        "P(rel=2)@5",
        "R@3",
        "RR",
        "bpref",
        "Judged@5",
        "NumRel",
        "ERR@5",
        "P'@2",
        "DCG@3",
        "RBP",
        "F@2",
    ],
)
def test_cranfields_own_value_is_that_of_evaluate(measure):
    found = reconcile(QRELS, RUN, measure)
    assert found.asked.value == evaluate(QRELS, RUN, measure).mean()
    assert not found.asked.changed


def test_the_number_of_a_tool_is_known_by_its_name():
    found = reconcile(QRELS, RUN, "nDCG@10", "0.3412")
    by_tool = {tool: c.value for c in found.tools for tool in c.tools}
    seen = f"{by_tool['scikit-learn ndcg_score']:.4f}"
    found = reconcile(QRELS, RUN, "nDCG@10", seen)
    assert found.stage == 0
    assert [c.tools for c in found.matches] == [("scikit-learn ndcg_score",)]


def test_one_change_is_tried_before_two():
    both = Conventions(gain="binary", no_answer="one")
    alone = {tuple(c.changed.items()): c.value for c in reconcile(QRELS, RUN, "nDCG@10").single}
    seen = repr(alone[("no_answer", "one"),])
    found = reconcile(QRELS, RUN, "nDCG@10", seen)
    assert found.stage == 1
    assert {"no_answer": "one"} in [c.changed for c in found.matches]
    value = _value(both)
    found = reconcile(QRELS, RUN, "nDCG@10", repr(value))
    assert found.stage == 2
    assert {"gain": "binary", "no_answer": "one"} in [c.changed for c in found.matches]


def _value(c: Conventions) -> float:
    from cranfield.measures import parse
    from cranfield.reconciliation.material import gather
    from cranfield.reconciliation.values import Values

    return Values(gather(QRELS, RUN), parse("nDCG@10")).mean(c)[0]


def test_a_number_that_nothing_gives_has_a_nearest_one():
    found = reconcile(QRELS, RUN, "RR", "0.98765")
    assert found.stage is None
    assert found.complete
    assert found.matches == ()
    assert found.nearest is not None
    others = [c.value for c in (*found.tools, *found.single) if not math.isnan(c.value)]
    off = abs(found.nearest.value - 0.98765)
    assert all(off <= abs(value - 0.98765) for value in others)


def test_the_limit_is_kept():
    found = reconcile(QRELS, RUN, "nDCG@10", "0.98765", limit=40)
    assert (found.tried, found.complete) == (40, False)


def test_of_one_query():
    found = reconcile(QRELS, RUN, "nDCG@10", query="q4")
    assert found.asked.value == evaluate(QRELS, RUN, "nDCG@10").per_query()["q4"]
    assert found.asked.n == 1
    found = reconcile(QRELS, RUN, "nDCG@10", query="q2")
    left_out = [c for c in found.single if c.changed == {"missing": "skip"}]
    assert [(c.n, math.isnan(c.value)) for c in left_out] == [(0, True)]


def test_only_what_can_matter_is_tried():
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"b": 2.0, "a": 1.0}}
    found = reconcile(qrels, run, "RR")
    assert found.facts == {}
    assert {axis for c in found.single for axis in c.changed} == {"rounding"}
    found = reconcile(QRELS, RUN, "nDCG@10")
    assert set(found.facts) == {"missing", "no_answer", "ties", "own_document", "rel", "gain"}


def test_two_rows_for_one_document(write):
    qrels = write("q.txt", "q 0 a 1\nq 0 b 0\nq 0 a 3\nq 0 b 2\n")
    run = write("r.run", "q Q0 a 1 3 s\nq Q0 b 2 2 s\nq Q0 a 3 1 s\n")
    found = reconcile(qrels, run, "nDCG@10")
    assert found.facts["duplicates"] == "3 rows repeated"
    for policy in ("first", "last", "max"):
        value = evaluate(qrels, run, "nDCG@10", on_duplicate=policy).mean()
        alone = [c.value for c in found.single if c.changed == {"duplicates": policy}]
        assert [value] == (alone or [found.asked.value])


def test_grades_below_0():
    qrels = {"q": {"a": -1, "b": 3, "c": -2}, "p": {"a": -1}}
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}, "p": {"a": 1.0}}
    alone = {tuple(c.changed.items()): c.value for c in reconcile(qrels, run, "nDCG@10").single}
    log3 = 1 / math.log2(3)
    assert alone[("negative", "gain"),] == pytest.approx((-1 + 3 * log3 - 1) / (3 - log3 - 1))
    assert alone[("only_pooled", "zero"),] == pytest.approx(log3 / 2)
    alone = {tuple(c.changed.items()): c.value for c in reconcile(qrels, run, "bpref").single}
    assert alone[("negative", "zero"),] < reconcile(qrels, run, "bpref").asked.value


@pytest.mark.parametrize(
    ("seen", "value", "digits"),
    [("0.4312", 0.4312, 4), ("43.12", 0.4312, 4), ("43.1%", 0.431, 3), (0.5, 0.5, 1), ("1", 1, 0)],
)
def test_how_exact_a_number_is_meant(seen, value, digits):
    target = target_of(seen)
    assert (target.value, target.digits) == (pytest.approx(value), digits)


def test_a_number_is_met_within_its_last_digit():
    target = target_of("0.4312")
    assert target.meets(0.43124999)
    assert target.meets(0.43125)
    assert not target.meets(0.43126)
    assert not target.meets(math.nan)
    assert target_of("0.4312", digits=2).meets(0.435)


@pytest.mark.parametrize("seen", ["", "abc", "nan", "inf", "%"])
def test_what_is_no_number_is_refused(seen):
    with pytest.raises(UsageError, match="is not a number"):
        reconcile(QRELS, RUN, "nDCG@10", seen)


def test_calls_that_are_wrong():
    with pytest.raises(MeasureError):
        reconcile(QRELS, RUN, "nope")
    with pytest.raises(UnknownName, match="no judgments for query 'q9'"):
        reconcile(QRELS, RUN, "AP", query="q9")
    with pytest.raises(NothingToEvaluate, match="answers no query"):
        reconcile(QRELS, {"other": {"a": 1.0}}, "AP")
    with pytest.raises(UsageError):
        reconcile(QRELS, RUN, "AP", limit=0)


def test_every_profile_says_answers_that_there_are():
    for profile in PROFILES:
        for axis, answer in profile.says.items():
            assert answer in (AXES[axis].answers or ("standard", "min", "found")), profile.tool
            for family in profile.families:
                assert in_words(axis, answer, family)


def test_what_a_measure_says_is_where_the_search_begins():
    from cranfield.measures import parse

    asked = asked_conventions(parse('AP(norm="min", rel=2)@10'))
    assert (asked.divisor, asked.rel) == ("min", 2.0)
    assert asked_conventions(parse("nDCG(gain={0:0,1:3})")).gain == "asked"
