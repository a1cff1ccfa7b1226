"""A release check as an assertion in somebody's tests."""

import pytest

from cranfield.testing import assert_not_worse

QRELS = {f"q{i:02}": {"good": 1, "bad": 0} for i in range(30)}
GOOD = {q: {"good": 2.0, "bad": 1.0} for q in QRELS}
BAD = {q: {"good": 1.0, "bad": 2.0} for q in QRELS}
HALF = {q: (GOOD if i % 2 else BAD)[q] for i, q in enumerate(QRELS)}
OTHER_HALF = {q: (BAD if i % 2 else GOOD)[q] for i, q in enumerate(QRELS)}


def test_a_run_that_is_as_good_passes() -> None:
    found = assert_not_worse(QRELS, GOOD, GOOD, "RR")
    assert found.result == "pass"


def test_a_worse_one_fails_with_the_numbers() -> None:
    told = r"no-loss RR beyond=0.01: -0.5000, \[-0.5000, -0.5000\], p < 0.0001\n"
    with pytest.raises(AssertionError, match=told):
        assert_not_worse(QRELS, GOOD, BAD, "RR")


def test_what_cannot_be_told_passes_warns_or_fails() -> None:
    assert assert_not_worse(QRELS, HALF, OTHER_HALF, "RR").result == "undecided"
    with pytest.warns(UserWarning, match="undecided"):
        assert_not_worse(QRELS, HALF, OTHER_HALF, "RR", cannot_tell="warn")
    with pytest.raises(AssertionError, match="undecided"):
        assert_not_worse(QRELS, HALF, OTHER_HALF, "RR", cannot_tell="fail")


def test_a_missing_query_fails_unless_allowed() -> None:
    short = {q: docs for q, docs in GOOD.items() if q != "q00"}
    with pytest.raises(AssertionError, match=r"missing at_most=0: 1\.0000"):
        assert_not_worse(QRELS, BAD, short, "RR")
    assert_not_worse(QRELS, BAD, short, "RR", at_most_missing=1)
