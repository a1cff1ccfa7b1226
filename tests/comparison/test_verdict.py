"""Each rule of the verdict, from both sides of its border."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cranfield.comparison.compare import compare_scores
from cranfield.comparison.outcome import Choices, Remark
from cranfield.comparison.verdict import Evidence, conclude

CHOICES = Choices(hypotheses=1)
WIN = Evidence(
    n=30,
    difference=0.05,
    low=0.01,
    high=0.09,
    p=0.01,
    p_adjusted=0.01,
    direction=1,
    detectable=0.04,
    needed=25,
)


def keys(evidence, **choices):
    found = conclude(evidence, replace(CHOICES, **choices))
    return found.kind, [reason.key for reason in found.reasons]


def test_a_difference_that_is_shown():
    assert keys(WIN) == ("better", ["shown"])
    loss = replace(WIN, difference=-0.05, low=-0.09, high=-0.01, direction=-1)
    assert keys(loss) == ("worse", ["shown"])


def test_p_must_be_below_alpha_and_not_at_it():
    assert keys(replace(WIN, p=0.05, p_adjusted=0.05))[0] == "undecided"
    assert keys(replace(WIN, p=0.0499999, p_adjusted=0.0499999))[0] == "better"


def test_it_is_the_corrected_p_that_counts():
    kind, reasons = keys(replace(WIN, p=0.03, p_adjusted=0.06), hypotheses=2)
    assert (kind, reasons[0]) == ("undecided", "corrected")
    kind, reasons = keys(replace(WIN, p=0.06, p_adjusted=0.06, low=-0.01))
    assert (kind, reasons[0]) == ("undecided", "not_shown")


@pytest.mark.parametrize("n", [0, 1])
def test_fewer_than_two_queries(n):
    assert keys(Evidence(n=n, difference=0.5)) == ("refused", ["few"])


def test_two_queries_may_be_judged():
    assert keys(replace(WIN, n=2))[0] == "better"


@pytest.mark.parametrize("evidence", [WIN, replace(WIN, identical=True, difference=0.0)])
def test_a_refusal_outweighs_every_figure(evidence):
    reason = Remark("unanswered", {"run": "a"})
    assert keys(replace(evidence, refusals=(reason,))) == ("refused", ["unanswered"])
    assert keys(replace(evidence, n=1, refusals=(reason,))) == ("refused", ["few", "unanswered"])


def test_the_same_value_on_every_query():
    same = Evidence(n=5, difference=0.0, low=0.0, high=0.0, p=1.0, p_adjusted=1.0, identical=True)
    assert keys(same) == ("equivalent", ["identical"])
    assert keys(replace(same, identical=False))[0] == "undecided"


def test_a_mean_difference_of_0_is_not_sameness():
    evidence = replace(WIN, difference=0.0, direction=0, low=-0.1, high=0.1, p=1.0, p_adjusted=1.0)
    assert keys(replace(evidence, needed=None))[0] == "undecided"


def test_the_smallest_difference_that_matters():
    assert keys(WIN, min_effect=0.05)[0] == "better"  # at it
    kind, reasons = keys(replace(WIN, p_equivalent=0.3), min_effect=0.0501)
    assert (kind, reasons[0]) == ("undecided", "real_but_small")
    assert "not_within" in reasons


def test_a_difference_counts_without_the_noise_of_its_last_digits():
    assert keys(replace(WIN, difference=0.3 - 0.25), min_effect=0.05)[0] == "better"


def test_equivalence_needs_its_own_test():
    small = replace(WIN, difference=0.005, p=0.4, p_adjusted=0.4, low=-0.007, high=0.017)
    assert keys(replace(small, p_equivalent=0.04), min_effect=0.02) == ("equivalent", ["within"])
    kind, reasons = keys(replace(small, p_equivalent=0.05), min_effect=0.02)
    assert (kind, reasons[0]) == ("undecided", "not_shown")
    assert keys(replace(small, p_equivalent=0.04))[0] == "undecided"  # no such size was named


def test_a_difference_can_be_real_and_too_small_to_matter():
    real = replace(WIN, difference=0.005, p_equivalent=0.001)
    assert keys(real, min_effect=0.02) == ("equivalent", ["within", "small"])


def test_a_test_that_points_elsewhere_than_the_mean_shows_nothing():
    for direction in (-1, 0):
        kind, reasons = keys(replace(WIN, direction=direction), test="wilcoxon")
        assert (kind, reasons[0]) == ("undecided", "directions")
    assert keys(replace(WIN, direction=1), test="wilcoxon")[0] == "better"


def test_interval_and_test_that_disagree_are_said_to():
    assert keys(replace(WIN, low=-0.001)) == ("better", ["shown", "interval_holds_0"])
    kind, reasons = keys(replace(WIN, p=0.066, p_adjusted=0.066))
    assert (kind, reasons[:2]) == ("undecided", ["not_shown", "interval_without_0"])
    kind, reasons = keys(replace(WIN, p=0.066, p_adjusted=0.066, low=-0.001))
    assert "interval_without_0" not in reasons


def test_without_a_test_nothing_is_told():
    evidence = Evidence(n=4, difference=0.1)
    assert keys(evidence) == ("undecided", ["untested"])


def test_what_would_say_more_is_named_only_where_it_would():
    unclear = replace(WIN, p=0.2, p_adjusted=0.2, low=-0.02)
    assert keys(replace(unclear, needed=80))[1][-2:] == ["detectable", "needed"]
    assert keys(replace(unclear, needed=20))[1][-1] == "detectable"
    assert keys(replace(unclear, needed=None))[1][-1] == "detectable"


def test_queries_that_are_zero_whatever_is_returned_show_nothing(scores):
    """They are no evidence of equivalence, and no hypothesis that others pay for."""
    found = compare_scores(
        replace(
            scores({"A": [0.5, 0.2, 0.7, 0.0, 0.0], "B": [0.6, 0.4, 0.8, 0.0, 0.0]}),
            answerable=np.array([True, True, True, False, False]),
            slices={"type": ("a", "a", "a", "none", "none")},
        ),
        by="type",
    )
    moot = found.difference(slice=("type", "none"))
    assert (moot.verdict.kind, moot.verdict.reasons[0].key, moot.p) == ("refused", "moot", None)
    assert found.difference(slice=("type", "a")).p is not None
    assert found.choices.hypotheses == 2
