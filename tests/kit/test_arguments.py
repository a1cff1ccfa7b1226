"""Numbers of a caller: what is one, what is refused, and that the name is told."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from cranfield.comparison.compare import compare, compare_scores
from cranfield.comparison.gate import gate
from cranfield.comparison.outcome import Choices
from cranfield.comparison.planning import plan
from cranfield.comparison.rules import GatePlan, Rule
from cranfield.errors import UsageError
from cranfield.evaluation.evaluate import evaluate
from cranfield.kit.arguments import not_negative, number, positive, share, whole
from cranfield.stats import power

NONE = ["x", None, [0.5], {}, b"1", 1j, math.nan, True, object()]


@pytest.mark.parametrize("value", NONE)
@pytest.mark.parametrize("check", [share, positive, not_negative, lambda n, v: whole(n, v, 0)])
def test_what_is_no_number_is_refused_by_name(check, value: object) -> None:
    with pytest.raises(UsageError, match=r"^this is .*\n  hint: this must"):
        check("this", value)


def test_numbers_of_every_library() -> None:
    for value in (0.25, np.float64(0.25), np.float32(0.25), Fraction(1, 4)):
        found = share("x", value)
        assert found == 0.25 and type(found) is float
    for value in (3, np.int64(3), np.uint8(3)):
        found = whole("x", value, 3)
        assert found == 3 and type(found) is int
    assert not_negative("x", 0) == 0 and positive("x", 5e-324) > 0
    assert number("x", -math.inf, "must be below 0", lambda x: x < 0) == -math.inf


@pytest.mark.parametrize(
    ("call", "told", "hint"),
    [
        (lambda: share("x", 1), "x is 1", "x must lie between 0 and 1"),
        (lambda: positive("x", math.inf), "x is inf", "x must be a number above 0"),
        (lambda: not_negative("x", -1e-9), "x is -1e-09", "x must be a number from 0 on"),
        (lambda: whole("x", 0, 1), "x is 0", "x must be a whole number of at least 1"),
        (lambda: whole("x", 1.0, 0), "x is 1.0", "x must be a whole number from 0 on"),
        (lambda: whole("x", 1, 2, "must be two"), "x is 1", "x must be two"),
    ],
)
def test_what_does_not_fit(call, told: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        call()
    assert (caught.value.message, caught.value.hint) == (told, hint)


QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"b": 1}}
BASE = {"q1": {"a": 1.0, "b": 0.5}, "q2": {"a": 1.0}}
RUN = {"q1": {"b": 1.0}, "q2": {"b": 1.0}}
CHOICES = ("alpha", "power", "min_effect", "tie", "max_missing", "resamples", "seed")


@pytest.mark.parametrize("value", ["x", None, [1]])
@pytest.mark.parametrize("name", CHOICES)
def test_choices_of_compare_and_gate(name: str, value: object) -> None:
    scores = evaluate(QRELS, {"a": BASE, "b": RUN}, "nDCG@10")
    calls = [
        lambda: Choices(**{name: value}),
        lambda: compare(QRELS, {"a": BASE}, {"b": RUN}, **{name: value}),
        lambda: compare_scores(scores, **{name: value}),
    ]
    if name in ("alpha", "resamples", "seed"):
        calls.append(lambda: gate(QRELS, BASE, RUN, GatePlan(**{name: value})))
    for call in calls:
        with pytest.raises(UsageError, match=f"^{name} is .*\n  hint: {name} must"):
            call()


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: compare(QRELS, {"a": BASE}, {"b": RUN}, top="5"), "top must be a whole number"),
        (lambda: compare(QRELS, {"a": BASE}, {"b": RUN}, k=None), "k must be a whole number"),
        (lambda: compare(QRELS, {"a": BASE}, {"b": RUN}, by=5), "by is 5"),
        (lambda: compare(QRELS, {"a": BASE}, {"b": RUN}, by=[None]), "by is"),
        (lambda: compare(QRELS, {"a": BASE}, {"b": RUN}, measures=5), "measures is 5"),
        (lambda: Rule("missing", "x"), "at_most of the rule missing must be a number"),
        (lambda: Rule("judged", 1.5), "at_least of the rule judged must be a share"),
        (lambda: Rule("at-least", math.nan, "AP"), "value of the rule at-least must be a number"),
        (lambda: GatePlan(("x",)), "'x' among the rules"),
        (lambda: plan("x"), "the standard deviation must be a number above 0"),
        (lambda: plan(0), "the standard deviation must be a number above 0"),
        (lambda: plan(1, alpha="x"), "alpha must lie"),
        (lambda: plan(1, power=None), "power must lie"),
        (lambda: plan(1, differences=0.1), "differences is 0.1"),
        (lambda: plan(1, differences=["x"]), "difference must be a number"),
        (lambda: plan(1, queries="10"), "queries is '10'"),
        (lambda: plan(1, queries=[None]), "queries must be 2 or more"),
        (lambda: plan(1, design="anova", systems="2", differences=[1]), "systems must be"),
        (lambda: plan(1, design="ci", width="1"), "width must be a number above 0"),
        (lambda: plan(1, design=5, differences=[1]), "no design 5"),
        (lambda: power.power("5", 1), "n must be two topics or more"),
        (lambda: power.power(5, "1"), "d_z must be a finite number"),
        (lambda: power.queries_needed("1", 1), "difference must be a number above 0"),
        (lambda: power.queries_needed(1, None), "sd must be a number above 0"),
        (lambda: power.detectable(None), "n must be a whole number"),
        (lambda: power.detectable(5, "1"), "sd must be a number from 0 on"),
        (lambda: power.design_anova("2", 1, 1), "systems must be two systems or more"),
    ],
)
def test_other_numbers_of_compare_gate_and_power(call, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        call()


def test_a_rule_may_ask_for_any_mean() -> None:
    assert Rule("at-least", -1.0, "AP").limit == -1.0
    assert plan(np.float64(0.2), queries=np.array([50, 100])).detectable[0][0] == 50
