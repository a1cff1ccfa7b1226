from __future__ import annotations

import numpy as np
import pytest

from cranfield.stats.agreement import confusion, kappa, percent
from cranfield.stats.coefficients import by_query, estimate, pooled

SCALE = [0, 1, 2, 3]


def test_queries_are_drawn_whole() -> None:
    """Ten pairs of each query agree or none does: the interval is that of 40 queries, not of 400
    pairs."""
    right = np.repeat(np.arange(40) % 2, 10)
    a = np.zeros(400)
    group = np.repeat(np.arange(40), 10)
    wide = estimate("percent", percent, confusion(a, 1 - right, [0, 1], group), seed=3)
    narrow = estimate("percent", percent, confusion(a, 1 - right, [0, 1], np.arange(400)), seed=3)
    assert wide.value == narrow.value == 0.5
    assert wide.interval is not None and narrow.interval is not None
    spread = [(i.high or 0) - (i.low or 0) for i in (wide.interval, narrow.interval)]
    assert spread[0] == pytest.approx(2 * 1.96 * np.sqrt(0.25 / 40), rel=0.1)
    assert spread[1] == pytest.approx(2 * 1.96 * np.sqrt(0.25 / 400), rel=0.1)
    again = estimate("percent", percent, confusion(a, 1 - right, [0, 1], group), seed=3)
    assert again == wide


def test_samples_without_a_value_are_counted() -> None:
    """Only one query of five has a grade other than 0, so that a third of the samples have none."""
    tables = np.zeros((5, 2, 2))
    tables[:, 0, 0] = 3
    tables[0] = [[1, 1], [0, 1]]
    found = estimate("kappa", lambda t: kappa(t, [0, 1]), tables)
    assert found.value is not None and found.interval is not None
    assert found.interval.low is None and "not defined in" in str(found.interval.reason)


def test_the_mean_over_queries_leaves_out_where_it_is_not_defined() -> None:
    tables = confusion([0, 1, 1, 1, 0, 1], [0, 1, 1, 1, 1, 0], [0, 1], [0, 0, 1, 1, 2, 2])
    plain = by_query(tables, [0, 1], resamples=100)[0]
    assert (plain.name, plain.value, plain.n) == ("kappa by query", 0.0, 2)  # 1 and -1
    none = by_query(tables[1:2], [0, 1])[0]
    assert none.value is None and none.n == 0


def test_constant_judges_have_no_kappa() -> None:
    for c in pooled(confusion([1, 1], [1, 1], SCALE)[None], SCALE):
        if c.name in ("percent", "AC1", "AC2 quadratic"):
            assert c.value == 1
        else:
            assert c.value is None and c.reason and "the same" in c.reason
    empty = pooled(confusion([], [], SCALE)[None], SCALE)
    assert all(c.value is None and c.reason == "no pair was judged twice" for c in empty)
