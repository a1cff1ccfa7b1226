"""How far each score may move once unjudged documents are judged."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Floats

BOUND_WORLDS = ("closed", "open")
BoundWorld = Literal["closed", "open"]
# `auto`: closed, worked out when first read, without what takes long, and shown where a run holds
# unjudged documents
BoundChoice = Literal["auto", "closed", "open"]


@dataclass(frozen=True, eq=False)
class Ranges:
    """Bounds of m runs on n queries under s measures.

    Parameters
    ----------
    world : `closed` only the unjudged documents in a list may carry a grade, `open` also any
        number of documents that no list returned.
    runs, queries, measures : names; of the measures the full ones.
    low, high : float64 [m, n, s]; NaN under a measure of which no bounds are known.
    exact : bool [m, s]; False where a bound is an outer one, which may be wider than it need be.
    dear : measures with bounds that were left out because they take long.
    """

    world: BoundWorld
    runs: tuple[str, ...]
    queries: tuple[str, ...]
    measures: tuple[str, ...]
    low: Floats
    high: Floats
    exact: NDArray[np.bool_]
    dear: tuple[str, ...] = ()

    def known(self, measure: int) -> bool:
        """Whether there are bounds of a measure."""
        return not bool(np.isnan(self.low[:, :, measure]).any())

    def of(self, run: int, measure: int, queries: NDArray[np.bool_]) -> tuple[float, float]:
        """Bounds of the mean over the queries of a mask: the means of the ends; NaN for none."""
        n = int(np.count_nonzero(queries))
        ends: Iterable[Floats] = (self.low, self.high)
        low, high = (
            math.fsum(end[run, queries, measure].tolist()) / n if n else math.nan for end in ends
        )
        return low, high

    def aligned(
        self, runs: tuple[str, ...], queries: tuple[str, ...], measures: tuple[str, ...]
    ) -> Ranges:
        """Those of other runs, queries and measures; NaN where these hold none."""
        names = (runs, queries, measures)
        if names == (self.runs, self.queries, self.measures):
            return self
        r, q, i = map(_places, (self.runs, self.queries, self.measures), names)
        unknown = (r < 0)[:, None, None] | (q < 0)[None, :, None] | (i < 0)[None, None, :]
        low, high = (
            np.where(unknown, np.nan, end[np.ix_(r, q, i)]) for end in (self.low, self.high)
        )
        return Ranges(self.world, *names, low, high, self.exact[np.ix_(r, i)], self.dear)


def _places(have: Sequence[str], wanted: Sequence[str]) -> NDArray[np.int64]:
    """Where each name stands; -1 for one that is not there."""
    place = {name: i for i, name in enumerate(have)}
    return np.array([place.get(name, -1) for name in wanted], np.int64)


@dataclass(frozen=True, eq=False)
class OpenEnds:
    """Ranges that are worked out when they are first read.

    Parameters
    ----------
    make : works them out
    count : {(run, full name of a measure): unjudged documents among those that it reads}, quickly
    asked : a world was asked for: they are shown whether or not there are holes
    """

    make: Callable[[], Ranges]
    count: Callable[[], dict[tuple[str, str], int]]
    asked: bool

    @cached_property
    def ranges(self) -> Ranges:
        return self.make()

    @cached_property
    def holes(self) -> dict[tuple[str, str], int]:
        return self.count()

    def any_holes(self, runs: Iterable[str], measures: Sequence[str]) -> bool:
        """Whether any of these runs has some under any of these measures."""
        return any(self.holes.get((run, measure)) for run in runs for measure in measures)
