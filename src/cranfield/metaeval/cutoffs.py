"""How a measure stands another cutoff: the share of significant pairs, and the order of systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError, UnknownName, UsageError
from cranfield.evaluation.evaluate import evaluate
from cranfield.metaeval.agreement import Matrix
from cranfield.stats.arrays import matrix, share
from cranfield.stats.pairs import paired_t_all
from cranfield.stats.rankcorr import kendall_tau

CUTOFFS = (5, 10, 20, 50, 100)


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


def by_cutoff(
    qrels: Any,
    runs: Any,
    families: Sequence[str] = ("P", "nDCG"),
    ks: Sequence[int] = CUTOFFS,
    *,
    queries: Sequence[str] | None = None,
    alpha: float = 0.05,
    **how: Any,
) -> tuple[CutoffCurve, ...]:
    """`cutoff_curves` of runs that are scored for it.

    Parameters
    ----------
    qrels, runs : as for `evaluate`, and `how` what else it takes.
    families : measures without their cutoff, such as `P` or `nDCG(gain="exp")`.
    ks : cutoffs, ascending.
    queries : those that count; without them all that have a relevant document.
    """
    _check(ks)
    scores = evaluate(qrels, runs, [f"{family}@{k}" for family in families for k in ks], **how)
    keep = scores.answerable
    if queries is not None:
        unknown = [q for q in queries if q not in scores.queries]
        if unknown:
            shown = ", ".join(scores.queries[:8])
            raise UnknownName(f"no judged query {unknown[0]!r}", f"there are: {shown}")
        keep = np.isin(scores.queries, list(queries))
    shape = len(scores.runs), int(np.count_nonzero(keep)), len(families), len(ks)
    values = np.where(scores.valid, scores.values, 0.0)[:, keep].reshape(shape)
    return cutoff_curves(
        {family: values[:, :, i] for i, family in enumerate(families)}, ks, alpha=alpha
    )


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
    _check(ks)
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


def _check(ks: Sequence[int]) -> None:
    if list(ks) != sorted(set(ks)) or not ks or ks[0] < 1:
        raise UsageError("cutoffs ascend from 1 on, each once", f"not {list(ks)}")
