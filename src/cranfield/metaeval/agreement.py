"""Whether two measures order systems alike: rank correlations of their orders, and which measures
belong together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError
from cranfield.stats.arrays import DECIMALS, Floats
from cranfield.stats.rankcorr import kendall_tau, rbo, tau_ap_b

Matrix = tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True)
class Merge:
    """One step of the clustering: two clusters become one.

    Parameters
    ----------
    left, right : numbers of clusters; those below the number of leaves are leaves, in the order of
        `Dendrogram.leaves`' names, and step i makes cluster (leaves + i).
    height : 1 - τ at which they meet, from 0 to 2.
    size : measures in the new cluster.
    """

    left: int
    right: int
    height: float
    size: int


@dataclass(frozen=True)
class Dendrogram:
    """Measures by how alike they order systems (average linkage over 1 - τ_b).

    Parameters
    ----------
    leaves : measures in the order given.
    merges : one fewer than leaves, the closest first.
    order : the leaves as they are drawn, so that no two branches cross.
    left_out : measures under which all systems are equal: they have no order.
    """

    leaves: tuple[str, ...]
    merges: tuple[Merge, ...]
    order: tuple[str, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class Agreement:
    """How alike measures order the same systems, by their means over the same topics.

    Parameters
    ----------
    measures : s names.
    systems : how many are ordered.
    tau : [s][s] Kendall's τ_b, 1 on the diagonal; None with a measure under which all are equal.
    tau_ap : [s][s] τ_AP,b (Urbano & Marrero 2017), which weighs the top of the order more.
    rbo : [s][s] rank-biased overlap of the ordered lists with persistence `rbo_p`. Equal means
        stand in the order in which the systems were given.
    """

    measures: tuple[str, ...]
    systems: int
    tau: Matrix
    tau_ap: Matrix
    rbo: Matrix
    rbo_p: float
    dendrogram: Dendrogram

    def of(self, first: str, second: str) -> float | None:
        """τ_b of two measures, by name."""
        return self.tau[self.measures.index(first)][self.measures.index(second)]


def agreement(values: ArrayLike, measures: Sequence[str], *, rbo_p: float = 0.9) -> Agreement:
    """The orders of systems under each measure, compared.

    Parameters
    ----------
    values : [m systems, n topics, s measures].
    measures : s names.
    rbo_p : the persistence of the rank-biased overlap: the first 1/(1 - p) systems carry most.
    """
    found = np.asarray(values, np.float64)
    if found.ndim != 3 or found.shape[2] != len(measures) or not np.isfinite(found).all():
        raise InputError(f"scores of shape {found.shape} for {len(measures)} measures")
    if found.shape[0] < 2:
        raise InputError("two systems or more have an order", f"there are {found.shape[0]}")
    means = np.round(found.mean(axis=1), DECIMALS).T
    orders = [np.argsort(-mean, kind="stable").tolist() for mean in means]
    s = len(measures)

    def table(what: Callable[[int, int], float | None]) -> Matrix:
        upper = {(i, j): what(i, j) for i in range(s) for j in range(i, s)}
        return tuple(tuple(upper[min(i, j), max(i, j)] for j in range(s)) for i in range(s))

    tau = table(lambda i, j: kendall_tau(means[i], means[j]))
    return Agreement(
        tuple(measures),
        found.shape[0],
        tau,
        table(lambda i, j: tau_ap_b(means[i], means[j])),
        table(lambda i, j: float(rbo(orders[i], orders[j], rbo_p).ext)),
        rbo_p,
        dendrogram(tau, measures),
    )


def dendrogram(tau: Sequence[Sequence[float | None]], names: Sequence[str]) -> Dendrogram:
    """Average linkage over 1 - τ: the distance of two clusters is the mean over their members.

    Parameters
    ----------
    tau : [s][s] symmetric correlations; a row of None is left out.
    names : s names.
    """
    kept = [i for i in range(len(names)) if tau[i][i] is not None]
    leaves = tuple(names[i] for i in kept)
    left_out = tuple(names[i] for i in range(len(names)) if i not in kept)
    if len(kept) < 2:
        return Dendrogram(leaves, (), leaves, left_out)
    from scipy.cluster.hierarchy import leaves_list, linkage

    distance = [
        max(0.0, 1.0 - (tau[i][j] or 0.0)) for a, i in enumerate(kept) for j in kept[a + 1 :]
    ]
    made: Floats = linkage(np.round(np.array(distance), DECIMALS), "average")
    merges = tuple(Merge(int(a), int(b), float(h), int(size)) for a, b, h, size in made.tolist())
    order = tuple(leaves[i] for i in leaves_list(made).tolist())
    return Dendrogram(leaves, merges, order, left_out)
