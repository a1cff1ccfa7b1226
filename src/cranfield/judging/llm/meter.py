"""What asking a model costs: estimated before the first call, counted while it goes on, limited."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable
from dataclasses import dataclass

from cranfield.errors import UsageError
from cranfield.judging.llm.prompt import Call


class Spent(UsageError):
    """The budget does not allow one more call; asking again would not help."""


@dataclass(frozen=True)
class Prices:
    """Of a million tokens, in any currency; None where nobody said."""

    tokens_in: float | None = None
    tokens_out: float | None = None

    def __post_init__(self) -> None:
        for price in (self.tokens_in, self.tokens_out):
            if price is not None and not 0 <= price < math.inf:
                raise UsageError(f"a price is {price}", "0 or more, of a million tokens")

    def of(self, tokens_in: int, tokens_out: int) -> float | None:
        """The cost of so many tokens; None without prices."""
        if self.tokens_in is None and self.tokens_out is None:
            return None
        return (tokens_in * (self.tokens_in or 0) + tokens_out * (self.tokens_out or 0)) / 1e6


@dataclass(frozen=True)
class Estimate:
    """`calls`, tokens sent (about), and tokens that may come back at most."""

    calls: int
    tokens_in: int
    tokens_out: int


def tokens_of(text: str) -> int:
    """About how many tokens a text has: a token for four ASCII characters, or for one other.

    Tokenizers differ, and services count by their own; this errs on the high side, English by
    about a tenth and Chinese by about a half.
    """
    plain = sum(c < "\x80" for c in text)
    return math.ceil(plain / 4) + len(text) - plain


def tokens_in(call: Call) -> int:
    """About how many tokens a request has; ten are for the marks of its turns."""
    return tokens_of(call.system) + tokens_of(call.user) + 10


def estimate(calls: Iterable[Call]) -> Estimate:
    """Of requests, each sent once."""
    n = sent = back = 0
    for call in calls:
        n, sent, back = n + 1, sent + tokens_in(call), back + call.max_tokens
    return Estimate(n, sent, back)


class Meter:
    """Counts calls and tokens of all threads, and stops them at a limit.

    A call counts when it is sent, also where it fails and is sent again. Its tokens count as
    estimated until the service has said how many they were, so that calls under way side by side
    keep within the limit too. Where a service counts more than was estimated, the estimates of
    the calls that follow grow by the largest ratio seen; the calls that show it may carry the sum
    over the limit.

    Parameters
    ----------
    max_calls, max_tokens : None for no limit.
    """

    def __init__(self, max_calls: int | None = None, max_tokens: int | None = None) -> None:
        self.max_calls, self.max_tokens = max_calls, max_tokens
        self.calls = self.tokens_in = self.tokens_out = 0
        self.unsaid = 0  # calls whose tokens the service did not say; they count as estimated
        self._reserved = 0
        self._ratio_in = self._ratio_out = 1.0  # of what is counted to what was estimated
        self._lock = threading.Lock()

    def begin(self, call: Call) -> int:
        """Before a request is sent; how many tokens are set aside for it.

        Raises
        ------
        Spent
        """
        with self._lock:
            sent, back = tokens_in(call) * self._ratio_in, call.max_tokens * self._ratio_out
            needed = math.ceil(sent) + math.ceil(back)
            used = self.tokens_in + self.tokens_out
            if self.max_calls is not None and self.calls >= self.max_calls:
                raise Spent(f"{self.calls} calls are made, as many as --max-calls allows")
            if self.max_tokens is not None and used + self._reserved + needed > self.max_tokens:
                aside = f", {self._reserved} are set aside for calls under way"
                raise Spent(
                    f"{used} tokens are used{aside if self._reserved else ''}, and the next call "
                    f"may need {needed} of the {self.max_tokens} that --max-tokens allows"
                )
            self.calls += 1
            self._reserved += needed
        return needed

    def end(
        self, reserved: int, call: Call, said: tuple[int, int] | None, guess: tuple[int, int]
    ) -> None:
        """After it: the tokens that the service counted, or a guess."""
        with self._lock:
            self._reserved -= reserved
            tokens = guess if said is None else said
            self.unsaid += said is None
            self.tokens_in += tokens[0]
            self.tokens_out += tokens[1]
            if said is not None:
                self._ratio_in = max(self._ratio_in, said[0] / tokens_in(call))
                self._ratio_out = max(self._ratio_out, said[1] / call.max_tokens)

    def failed(self, reserved: int) -> None:
        """After a request without an answer, whose tokens nobody counts."""
        with self._lock:
            self._reserved -= reserved
