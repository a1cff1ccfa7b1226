"""The other methods by name, and how much they draw."""

from __future__ import annotations

import pytest
from tests.metaeval.test_recommend import scores

from cranfield.errors import UnknownName, UsageError
from cranfield.metaeval.errors_ties import stability
from cranfield.metaeval.method_names import METHODS, Draws, named
from cranfield.metaeval.methods import methods
from cranfield.metaeval.swaps import swaps

FEW = Draws(asl=50, permutation=50, rthsd=50, sets=20, trials=20, halves=10)


def test_names_may_be_joined_and_all_is_all():
    assert named(["swap,asl", " error "]) == ("asl", "error", "swap")
    assert named(["all"]) == METHODS and named([]) == ()
    with pytest.raises(UnknownName, match="no method 'tukeys'"):
        named(["asl,tukeys"])


def test_only_what_is_named_is_run():
    matrix = scores(runs=5, queries=8)
    found = methods(matrix, ["swap"], draws=FEW)
    one = found.of("AP")
    assert one.swaps is not None and one.swaps.trials == 20
    assert (one.by_sets, one.curve, one.halves, one.normal) == (None,) * 4
    assert (found.power, found.agreement, found.design) == (None,) * 3
    assert methods(matrix, ["t"], draws=FEW).power is None  # it stands in the study
    assert methods(matrix, ["agreement"], draws=FEW).reliability == ()


def test_a_test_stands_beside_the_t_test():
    power = methods(scores(runs=5, queries=8), ["sign"], draws=FEW).power
    assert {row.test for row in power.rows} == {"t", "sign"}


def test_each_is_the_method_itself():
    matrix = scores(runs=5, queries=9)
    found = methods(matrix, draws=FEW, seed=4, fuzziness=0.1)
    for measure in matrix.measures:
        one, x = found.of(measure), matrix.of(measure)
        assert one.by_sets == stability(x, 0.1, sets=20, seed=4)
        assert one.swaps.rate == swaps(x, trials=20, seed=4).rate
        assert one.halves.trials == 10 and one.normal.sizes == (4, 9)
    assert [row.measure for row in found.design.rows] == list(matrix.measures)


def test_draws_are_checked():
    for name in ("asl", "halves"):
        with pytest.raises(UsageError, match=f"{name} is 0"):
            Draws(**{name: 0})
