"""How a measure stands another cutoff: the share of significant pairs, and the order of systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError, UsageError
from cranfield.metaeval.agreement import Matrix
from cranfield.stats.arrays import matrix, share
from cranfield.stats.pairs import paired_t_all
from cranfield.stats.rankcorr import kendall_tau


@dataclass(frozen=True)
class CutoffCurve:
    """One measure at several cutoffs.

    Parameters
    ----------
    family : the measure without its cutoff.
    ks : cutoffs, ascending.
    shares : share of significant pairs at each.
    means : mean score at each.
    tau : [ks][ks] τ_b between the orders of systems; None where all are equal.
    """

    family: str
    ks: tuple[int, ...]
    alpha: float
    shares: tuple[float, ...]
    means: tuple[float, ...]
    tau: Matrix

    @property
    def tau_to_deepest(self) -> tuple[float | None, ...]:
        """τ_b of each cutoff with the deepest one."""
        return self.tau[-1]


def t_share(x: ArrayLike, alpha: float = 0.05) -> float:
    """The share of all pairs of rows of x [m systems, n topics] with p < alpha in a paired t-test
    (Wu, Tan & Shi 2015)."""
    p = paired_t_all(x).p
    upper = np.triu_indices(len(p), 1)
    return float(np.count_nonzero(p[upper] < alpha) / len(upper[0]))


def cutoff_curves(
    values: Mapping[str, ArrayLike], ks: Sequence[int], *, alpha: float = 0.05
) -> tuple[CutoffCurve, ...]:
    """How the share of significant pairs and the order of systems depend on the cutoff.

    Parameters
    ----------
    values : {measure without cutoff: [m systems, n topics, k cutoffs]}.
    ks : cutoffs, ascending.
    alpha : of the paired t-tests.
    """
    alpha = share(alpha, "alpha")
    if list(ks) != sorted(set(ks)) or not ks or ks[0] < 1:
        raise UsageError("cutoffs ascend from 1 on, each once", f"not {list(ks)}")
    curves = []
    for family, given in values.items():
        found = np.asarray(given, np.float64)
        if found.ndim != 3 or found.shape[2] != len(ks):
            raise InputError(f"{family}: scores of shape {found.shape} for {len(ks)} cutoffs")
        layers = [matrix(found[:, :, i]) for i in range(len(ks))]
        means = [x.mean(axis=1) for x in layers]
        tau = tuple(tuple(kendall_tau(a, b) for b in means) for a in means)
        shares = tuple(t_share(x, alpha) for x in layers)
        scores = tuple(float(x.mean()) for x in layers)
        curves.append(CutoffCurve(family, tuple(ks), alpha, shares, scores, tau))
    return tuple(curves)
