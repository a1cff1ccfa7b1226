"""What a study says about fewer queries, and about more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield.data.columns import Floats


@dataclass(frozen=True, eq=False)
class PartCurve:
    """The queries cut into parts; the curve of each part, averaged over the parts.

    Parameters
    ----------
    parts : how many.
    sizes : queries in each, the larger parts first.
    how : "random": cut from a random order, again for each repeat; "contiguous": in the order of
        the queries, once.
    seed : of the random orders.
    curves : [repeats, s measures, L levels] share of significant pairs, mean over parts.
    """

    parts: int
    sizes: tuple[int, ...]
    how: Literal["random", "contiguous"]
    seed: int | None
    curves: Floats

    @property
    def repeats(self) -> int:
        return len(self.curves)

    @property
    def share(self) -> Floats:
        """[s, L] mean over repeats."""
        return np.asarray(self.curves.mean(axis=0), np.float64)

    @property
    def sd(self) -> Floats | None:
        """[s, L] standard deviation of one repeat about that mean; None with a single one."""
        return self.curves.std(axis=0, ddof=1) if len(self.curves) > 1 else None

    @property
    def low(self) -> Floats:
        """[s, L] the lowest of the repeats."""
        return np.asarray(self.curves.min(axis=0), np.float64)

    @property
    def high(self) -> Floats:
        """[s, L] the highest of the repeats."""
        return np.asarray(self.curves.max(axis=0), np.float64)


@dataclass(frozen=True, eq=False)
class EffectModel:
    """How far apart the pairs of runs truly are under one measure, as a distribution of |d_z|: the
    true mean difference over the standard deviation of the differences by query.

    The observed |t| of all pairs is taken for a mixture of noncentral t distributions over a grid
    of true effects, and the weights of the grid are found by maximum likelihood (Kiefer and
    Wolfowitz 1956). The share of significant pairs with any number of queries is then the mean
    power of the t-test over that distribution. Effects of 0 cannot be told from very small ones:
    far beyond the queries at hand the model knows little, and says so by its intervals.

    Parameters
    ----------
    measure : its name.
    queries : the number of queries it was fitted on.
    effects, weights : [g] the grid, ascending, and the share of pairs at each point.
    error, worst : root mean square and largest absolute difference, over all levels and sizes,
        between shares of the model and shares seen in samples of the queries.
    """

    measure: str
    queries: int
    effects: Floats
    weights: Floats
    error: float
    worst: float


@dataclass(frozen=True)
class Needed:
    """How many queries a measure needs to tell a share of the pairs apart.

    Parameters
    ----------
    measure, level, share : under which measure, at which level, which share.
    like : the measure whose share with all queries this is; None: a share that was asked for.
    queries : the fewest that are expected to do it; None where the model never gets there.
    low, high : an interval of `confidence` from fits to half of the queries (delete-half
        jackknife, in logarithms); None where half of the queries do not say.
    extrapolated : more queries than the study has.
    """

    measure: str
    level: float
    share: float
    like: str | None
    queries: int | None
    low: int | None
    high: int | None
    confidence: float
    extrapolated: bool


@dataclass(frozen=True, eq=False)
class SizeCurve:
    """The share of significant pairs against the number of queries.

    Parameters
    ----------
    measures, levels : s names and L levels.
    sizes : z numbers of queries, ascending, the last one all of them.
    repeats, seed : samples without replacement for each size, and which.
    share, sd : [s, L, z] mean over samples and standard deviation of one sample about it (0 at the
        last size).
    models : one a measure.
    predicted_sizes, predicted : p numbers of queries, beyond those at hand too, and what the
        models expect, [s, L, p].
    needed : by measure, for every share that was asked for and for the share of every measure.
    """

    measures: tuple[str, ...]
    levels: tuple[float, ...]
    sizes: tuple[int, ...]
    repeats: int
    seed: int
    share: Floats
    sd: Floats
    models: tuple[EffectModel, ...]
    predicted_sizes: tuple[int, ...]
    predicted: Floats
    needed: tuple[Needed, ...]
