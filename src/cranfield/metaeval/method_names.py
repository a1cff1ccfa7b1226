"""The names of the other methods, and how much they draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

from cranfield.errors import UnknownName, UsageError
from cranfield.metaeval.discriminative import PairTest

# What each name runs. A test stands beside the t-test in one table.
PAIR_TESTS: Mapping[str, PairTest] = {
    "t": "t",
    "asl": "bootstrap",
    "wilcoxon": "wilcoxon",
    "sign": "sign",
    "permutation": "randomisation",
    "tukey": "tukey",
    "rthsd": "rthsd",
}
OTHERS = ("agreement", "error", "minority", "swap", "halves", "normal", "design")
ROBUST = ("holes", "cutoff")  # these need judgments and runs, and not their scores alone
ACROSS = ("standardised", "predictors")  # of runs and queries; predictors need documents
METHODS = (*PAIR_TESTS, *OTHERS, *ROBUST, *ACROSS)


@dataclass(frozen=True)
class Draws:
    """How often the methods draw, each at least once.

    Parameters
    ----------
    asl, permutation, rthsd : resamples of these tests.
    sets : topic sets of error and minority rates.
    trials : of the swap method; halves : splits in half.
    """

    asl: int = 1000
    permutation: int = 10_000
    rthsd: int = 5000
    sets: int = 1000
    trials: int = 1000
    halves: int = 200

    def __post_init__(self) -> None:
        for f in fields(self):
            value = getattr(self, f.name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise UsageError(f"{f.name} is {value!r}", "a whole number from 1 on")


def named(methods: Iterable[str]) -> tuple[str, ...]:
    """The methods of a list in which names may be joined by commas and `all` stands for all.

    Raises
    ------
    UnknownName
        A name is none of them.
    """
    asked = [name.strip() for text in methods for name in text.split(",") if name.strip()]
    for name in asked:
        if name not in (*METHODS, "all"):
            raise UnknownName(f"no method {name!r}", f"methods: {', '.join(METHODS)}; or all")
    return tuple(m for m in METHODS if m in asked or "all" in asked)
