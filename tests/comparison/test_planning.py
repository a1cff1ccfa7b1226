"""Queries for differences and differences for queries."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cranfield.comparison.planning import Spread, plan, spread_of
from cranfield.errors import InputError, UsageError


def test_the_spread_of_a_pilot(scores, sakai):
    """Sakai 2018, table 5.1: the variance of the differences is .0251."""
    found = spread_of(scores({"B": sakai["B"], "A": sakai["A"]}))
    assert found.sd**2 == pytest.approx(0.02513157895, abs=1e-11)
    assert found.sd_within == pytest.approx(found.sd / math.sqrt(2))
    assert (found.n, found.difference) == (20, pytest.approx(0.075))


def test_the_spread_within_is_that_of_the_analysis_of_variance(scores, sakai):
    from cranfield.stats.tukey import blocked_anova

    x = np.array([sakai["A"], sakai["B"]])
    spread = spread_of(scores({"A": sakai["A"], "B": sakai["B"]}))
    assert spread.sd_within**2 == pytest.approx(blocked_anova(x).VE)


def test_only_queries_with_both_values_count(scores):
    assert spread_of(scores({"a": [None, 0.1, 0.2, 0.4], "b": [1, 0.2, 0.5, None]})).n == 2
    with pytest.raises(InputError, match="1 queries in common"):
        spread_of(scores({"a": [None, 0.1], "b": [1, 0.2]}))


def test_needed_and_detectable_are_two_sides_of_one_thing():
    found = plan(0.25, differences=[0.05], queries=[199, 198])
    assert found.needed == ((0.05, 199),)
    (n, enough), (_, short) = found.detectable
    assert n == 199 and enough <= 0.05 < short


def test_what_is_not_asked_for_is_filled_in_only_where_nothing_is():
    assert plan(0.2).needed and plan(0.2).detectable
    assert plan(0.2, differences=[0.1]).detectable == ()
    assert plan(0.2, queries=[10]).needed == ()


def test_more_chance_and_less_error_take_more_queries():
    def queries(**more):
        return plan(0.25, differences=[0.05], **more).needed[0][1]

    assert queries() < queries(power=0.9) < queries(power=0.9, alpha=0.01)


def test_designs_of_sakai():
    spread = Spread("", 1.0, 1.0)
    assert plan(spread, design="t", differences=[0.2], power=0.95).design[2] == 327
    name, values, n, width = plan(spread, design="ci", width=0.5).design
    assert (name, values["width"]) == ("ci", 0.5) and n > 2 and width <= 0.5
    few, many = (
        plan(spread, design="anova", differences=[0.5], systems=m).design[2] for m in (2, 10)
    )
    assert few < many
    with pytest.raises(UsageError, match="no design 'z'"):
        plan(spread, design="z", differences=[1])


@pytest.mark.parametrize("sd", [0.0, -1.0, math.nan, math.inf])
def test_a_spread_is_a_number_above_0(sd):
    with pytest.raises(UsageError, match="standard deviation"):
        plan(sd)
