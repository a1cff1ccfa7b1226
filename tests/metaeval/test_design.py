from __future__ import annotations

import math

import numpy as np
import pytest

from cranfield.errors import InputError, UsageError
from cranfield.metaeval.design import topics_needed
from cranfield.stats.power import design_anova, design_interval, design_t
from cranfield.stats.tukey import blocked_anova

VALUES = np.random.default_rng(3).normal(0.4, 0.2, (6, 40, 1))


def test_the_designs_rest_on_the_residual_variance() -> None:
    found = topics_needed(VALUES, ["a"], 0.1, systems=5, width=1)
    (row,) = found.rows
    ve = blocked_anova(VALUES[:, :, 0]).VE
    assert row.ve == ve and row.sd == math.sqrt(2 * ve) and row.difference == 0.1
    assert row.t == design_t(0.1 / row.sd)
    assert row.anova == design_anova(5, 0.1, math.sqrt(ve))
    assert row.interval == design_interval(0.1, row.sd)
    assert row.t.attained >= 0.8 and found.topics == 40


def test_spread_of_single_pairs() -> None:
    (row,) = topics_needed(VALUES, ["a"]).rows
    x = VALUES[:, :, 0]
    sds = [(x[i] - x[j]).std(ddof=1) for i in range(6) for j in range(i + 1, 6)]
    assert row.sd_pairs == pytest.approx(tuple(np.percentile(sds, [5, 50, 95])))


def test_what_makes_measures_comparable() -> None:
    """The same scores in another unit need the same topics, but for a difference in that unit."""
    both = np.concatenate([VALUES, VALUES * 3], axis=2)
    for unit, same in (("measure", False), ("mean", True), ("spread", True)):
        one, two = topics_needed(both, ["a", "b"], 0.3, unit=unit).rows  # type: ignore[arg-type]
        assert one.t is not None and two.t is not None
        assert (one.t.n == two.t.n) == same
        if unit == "spread":
            assert one.difference == pytest.approx(0.3 * VALUES.mean(axis=1).std(ddof=1))
        if unit == "mean":
            assert one.difference == pytest.approx(0.3 * VALUES.mean())


def test_topics_that_never_differ_from_each_other() -> None:
    (row,) = topics_needed(np.repeat([[[0.1]], [[0.4]]], 5, axis=1), ["a"]).rows
    assert row.t is None and row.anova is None and row.interval is None and row.sd == 0


def test_what_is_refused() -> None:
    for bad in ({"difference": 0}, {"width": -1}, {"unit": "x"}, {"power": 1}):
        with pytest.raises(UsageError):
            topics_needed(VALUES, ["a"], **bad)
    with pytest.raises(InputError, match="no difference can be a share"):
        topics_needed(np.zeros((3, 4, 1)), ["a"], unit="mean")
    with pytest.raises(InputError, match="for 2 measures"):
        topics_needed(VALUES, ["a", "b"])
