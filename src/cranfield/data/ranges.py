"""How far each score may move once unjudged documents are judged."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Floats

BOUND_WORLDS = ("closed", "open")
BoundWorld = Literal["closed", "open"]


@dataclass(frozen=True, eq=False)
class Ranges:
    """Bounds of m runs on n queries under s measures.

    Parameters
    ----------
    world : `closed` only the unjudged documents in a list may carry a grade, `open` also any
        number of documents that no list returned.
    low, high : float64 [m, n, s]; NaN under a measure of which no bounds are known.
    exact : bool [m, s]; False where a bound is an outer one, which may be wider than it need be.
    top : the largest grade that an unjudged document was supposed to have.
    """

    world: BoundWorld
    low: Floats
    high: Floats
    exact: NDArray[np.bool_]
    top: float = math.nan

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

    def only(self, queries: NDArray[np.bool_]) -> Ranges:
        """Those of the queries of a mask."""
        return Ranges(self.world, self.low[:, queries], self.high[:, queries], self.exact, self.top)
