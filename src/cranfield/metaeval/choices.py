"""The choices of a study, checked before any file is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np

from cranfield.errors import UsageError
from cranfield.metaeval.discrimination import LEVELS
from cranfield.metaeval.needed import SHARES
from cranfield.metaeval.results import KINDS, Kind
from cranfield.stats.arrays import share

PARTS = (2, 3, 5, 10)
MIN_AP = 0.05
GRADED_AP = ("padded", "ideal", "weighted")
CUTS = ("random", "contiguous", "both")


@dataclass(frozen=True)
class Choices:
    """How a study is made; the defaults are those of Wu, Tan & Shi (2015) where they say.

    Parameters
    ----------
    min_ap : runs with a mean AP (of grades from 1 on, over the queries kept) below it are dropped;
        None keeps all.
    drop_unanswerable : whether queries without a document of grade 1 or more are dropped.
    graded_ap : variant of AP_Wu among the graded measures of the paper: "padded", "ideal" or
        "weighted".
    levels : of significance, ascending; a pair counts where p is strictly below.
    resamples, confidence : samples of the queries for intervals and for how sure an order is;
        0 resamples: none.
    seed : of everything random: resamples, parts and sizes.
    parts : into how many parts the queries are cut, None: 2, 3, 5 and 10 as far as two queries
        are left in each; (): not at all.
    cut : parts from random orders ("random"), "contiguous", or "both".
    repeats : random orders for parts and sizes, from 2 on.
    sizes : numbers of queries for the share against their number, None: round ones; (): no curve.
    shares, level : for what shares of the pairs the queries needed are given, at which level.
    difficulty : the reading that is the default: "one_minus", "mean" or "reciprocal".

    Raises
    ------
    UsageError
        A choice that does not exist or a number out of its range.
    """

    min_ap: float | None = MIN_AP
    drop_unanswerable: bool = True
    graded_ap: str = "padded"
    levels: tuple[float, ...] = LEVELS
    resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0
    parts: tuple[int, ...] | None = None
    cut: Literal["random", "contiguous", "both"] = "random"
    repeats: int = 50
    sizes: tuple[int, ...] | None = None
    shares: tuple[float, ...] = SHARES
    level: float = 0.05
    difficulty: Kind = "one_minus"

    def __post_init__(self) -> None:
        for name in ("levels", "shares", "parts", "sizes"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _tuple(name, value))
        for name, allowed in (("graded_ap", GRADED_AP), ("cut", CUTS), ("difficulty", KINDS)):
            if getattr(self, name) not in allowed:
                what = f"{name} is {getattr(self, name)!r}"
                raise UsageError(what, f"{name} is one of {', '.join(allowed)}")
        if self.min_ap is not None and not 0 <= self.min_ap <= 1:
            raise UsageError(f"min_ap is {self.min_ap}", "a mean from 0 to 1; None keeps all runs")
        if not self.levels or list(self.levels) != sorted(set(self.levels)):
            raise UsageError(
                f"levels are {', '.join(map(str, self.levels)) or 'none'}",
                "levels of significance, ascending and each once",
            )
        for value in (*self.levels, self.level):
            share(value, "a level of significance")
        for value in self.shares:
            share(value, "a share of pairs")
        share(self.confidence, "confidence")
        _whole("seed", self.seed, 0)
        _whole("repeats", self.repeats, 2)
        if self.resamples != 0:
            _whole("resamples", self.resamples, 2, "; 0: none")
        for value in (*(self.parts or ()), *(self.sizes or ())):
            _whole("a number of parts or of queries", value, 2)

    @classmethod
    def names(cls) -> frozenset[str]:
        return frozenset(field.name for field in fields(cls))


def _tuple(name: str, value: Any) -> tuple[Any, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence | np.ndarray):
        raise UsageError(f"{name} is {value!r}", f"{name} is a list of numbers")
    return tuple(v.item() if isinstance(v, np.generic) else v for v in value)


def _whole(name: str, value: object, least: int, more: str = "") -> None:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
        raise UsageError(f"{name} is {value!r}", f"a whole number from {least} on{more}")
