"""The rules of a release check, written in TOML."""

import tomllib

import pytest

from cranfield.comparison.rules import DEFAULT_RULES, GatePlan, Rule, plan_of
from cranfield.errors import UsageError

GOOD = """
[gate]
alpha = 0.01
cannot_tell = "fail"

[[gate.rule]]
rule = "no-loss"
measure = "nDCG@10"
beyond = 0.02

[[gate.rule]]
rule = "no-loss"
measure = "nDCG@10"
beyond = 0.1
by = "type"
label = "exact"

[[gate.rule]]
rule = "at-least"
measure = "R@100"
value = 0.8

[[gate.rule]]
rule = "judged"
at_least = 0.75

[[gate.rule]]
rule = "missing"
"""


def test_a_plan_is_read_as_written() -> None:
    plan = plan_of(tomllib.loads(GOOD)["gate"], "cranfield.toml")
    assert plan == GatePlan(
        (
            Rule("no-loss", 0.02, "nDCG@10"),
            Rule("no-loss", 0.1, "nDCG@10", "type", "exact"),
            Rule("at-least", 0.8, "R@100"),
            Rule("judged", 0.75),
            Rule("missing", 0.0),
        ),
        alpha=0.01,
        cannot_tell="fail",
    )
    assert plan.measures == ("nDCG@10", "R@100")
    assert plan.fields == ("type",)


def test_a_table_without_rules_has_the_default_ones() -> None:
    assert plan_of({"seed": 3}, "x").rules == DEFAULT_RULES


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("[gate]\nalfa = 1\n", "x.toml, \\[gate\\]: nothing is called 'alfa'"),
        ('[gate]\nalpha = "5"\n', "x.toml, \\[gate\\]: alpha is '5'"),
        ("[gate]\nseed = true\n", "seed is True"),
        ("[gate]\nrule = 3\n", "rule is 3"),
        ("[gate]\nrule = [3]\n", "\\[\\[gate.rule\\]\\] 1 is 3"),
        ('[gate]\ncannot_tell = "maybe"\n', "cannot_tell is 'maybe'"),
        ('[[gate.rule]]\nrule = "no-los"\n', "\\[\\[gate.rule\\]\\] 1: rule is 'no-los'"),
        ('[[gate.rule]]\nrule = "no-loss"\n', "the rule no-loss needs a measure"),
        ('[[gate.rule]]\nrule = "judged"\n', "at_least is missing"),
        ('[[gate.rule]]\nrule = "judged"\nat_least = 2\n', "at_least of the rule judged is 2"),
        ('[[gate.rule]]\nrule = "missing"\nat_most = -1\n', "at_most of the rule missing is -1"),
        ('[[gate.rule]]\nrule = "missing"\nmeasure = "AP"\n', "the rule missing has no measure"),
        ('[[gate.rule]]\nrule = "no-loss"\nmeasure = 3\n', "measure is 3"),
        (
            '[[gate.rule]]\nrule = "no-loss"\nmeasure = "AP"\nlabel = "exact"\n',
            "label 'exact' without a field",
        ),
        (
            '[[gate.rule]]\nrule = "no-loss"\nmeasure = "AP"\nat_least = 1\n',
            "nothing is called 'at_least'",
        ),
    ],
)
def test_a_mistake_is_named_with_its_place(toml: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan_of(tomllib.loads(toml)["gate"], "x.toml")


@pytest.mark.parametrize("limit", [float("nan"), -0.1])
def test_a_limit_below_nothing_is_refused(limit: float) -> None:
    with pytest.raises(UsageError):
        Rule("no-loss", limit, "AP")
