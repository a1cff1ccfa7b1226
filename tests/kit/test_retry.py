"""Asking again: how often, with what pauses, and what is not asked again."""

from __future__ import annotations

import pytest

from cranfield.errors import CranfieldError, UsageError
from cranfield.kit.retry import Backoff


class Flaky:
    """Fails the first `failures` times."""

    def __init__(self, failures: int, error: Exception) -> None:
        self.failures, self.error, self.calls = failures, error, 0

    def __call__(self) -> str:
        self.calls += 1
        if self.calls <= self.failures:
            raise self.error
        return "answer"


def test_an_answer_at_last() -> None:
    pauses: list[float] = []
    flaky = Flaky(3, OSError("down"))
    assert Backoff(4, sleep=pauses.append).call(flaky, "q1") == "answer"
    assert flaky.calls == 4
    assert len(pauses) == 3


def test_the_last_error_is_raised() -> None:
    flaky = Flaky(9, OSError("down"))
    with pytest.raises(OSError, match="down"):
        Backoff(3, sleep=lambda s: None).call(flaky, "q1")
    assert flaky.calls == 3


def test_pauses_grow_between_their_bounds_and_are_the_same_for_the_same_seed() -> None:
    backoff = Backoff(9, first=1, factor=2, most=10, seed=3)
    for attempt, full in [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (8, 10)]:
        pauses = [backoff.pause(f"q{i}", attempt) for i in range(200)]
        assert min(pauses) >= full / 2 and max(pauses) <= full
        assert max(pauses) - min(pauses) > full / 4  # they do not come back together
    assert backoff.pause("q", 2) == Backoff(first=1, factor=2, most=10, seed=3).pause("q", 2)
    assert backoff.pause("q", 2) != Backoff(first=1, factor=2, most=10, seed=4).pause("q", 2)


def test_a_server_may_ask_for_a_longer_pause() -> None:
    error = OSError("429")
    error.retry_after = 7  # type: ignore[attr-defined]
    pauses: list[float] = []
    Backoff(2, sleep=pauses.append).call(Flaky(1, error), "q")
    assert pauses == [7]
    assert Backoff(most=5).pause("q", 1, 60) == 5


def test_errors_of_the_call_are_not_asked_again() -> None:
    flaky = Flaky(9, UsageError("no such option"))
    with pytest.raises(UsageError):
        Backoff(5, sleep=lambda s: None).call(flaky, "q")
    assert flaky.calls == 1


def test_other_errors_of_ours_are() -> None:
    flaky = Flaky(1, CranfieldError("503"))
    assert Backoff(2, sleep=lambda s: None).call(flaky, "q") == "answer"


@pytest.mark.parametrize("wrong", [{"attempts": 0}, {"first": -1}, {"factor": 0.5}, {"most": -1}])
def test_a_backoff_that_is_none(wrong: dict) -> None:
    with pytest.raises(UsageError):
        Backoff(**wrong)
