"""The card of a run."""

import pytest

from cranfield.data.card import RunCard, changed_keys
from cranfield.errors import InputError


def test_changed_keys_names_what_differs_and_only_that() -> None:
    a = RunCard("a", {"engine": "bm25", "bm25": {"k1": 0.9, "b": 0.4}})
    b = RunCard("b", {"engine": "bm25", "bm25": {"k1": 1.2, "b": 0.4}, "stop": "en"})
    assert changed_keys(a, b) == {"bm25.k1": (0.9, 1.2), "stop": (None, "en")}
    assert changed_keys(a, a) == {}


def test_a_card_without_configuration_differs_in_nothing() -> None:
    assert changed_keys(RunCard("a"), RunCard("b", {"k1": 1})) == {}


@pytest.mark.parametrize("bad", [-1.0, float("nan"), float("inf")])
@pytest.mark.parametrize("what", ["latency", "cost"])
def test_latency_and_cost_are_finite_and_not_negative(what: str, bad: float) -> None:
    with pytest.raises(InputError, match=f"{what} of query 'q1'"):
        RunCard("a", **{what: {"q1": bad}})  # type: ignore[arg-type]
