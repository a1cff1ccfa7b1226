"""What becomes of the order of runs, and of the differences that a test calls significant, when the
same runs are scored a second time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from cranfield.data.columns import Floats, Index
from cranfield.errors import UsageError
from cranfield.stats.arrays import DECIMALS
from cranfield.stats.corrections import Correction, adjust
from cranfield.stats.pairs import paired_t_all
from cranfield.stats.rankcorr import kendall_tau, tau_ap_b

ALPHA = 0.05
CORRECTIONS: tuple[Correction, ...] = ("none", "holm", "bonferroni", "bh", "by")
Pair = tuple[str, str]
Verdict = Literal["lost", "gained", "turned"]


@dataclass(frozen=True)
class Order:
    """Two orders of the same runs.

    Parameters
    ----------
    tau, tau_ap : Kendall's τ_b, and τ_AP,b (Urbano & Marrero 2017); None for fewer than two runs,
        or where all runs of one side are equal.
    swapped : (run, other): the run is ahead in the first order and behind in the second.
    tied : pairs that are tied in one of the two only.
    """

    tau: float | None
    tau_ap: float | None
    swapped: tuple[Pair, ...]
    tied: int


@dataclass(frozen=True)
class Significance:
    """Differences that a paired t-test calls significant, before and after.

    Parameters
    ----------
    before, after : how many of the `pairs`; None where there are fewer than two topics.
    changed : (run, other, verdict); the run is the one ahead in the first scoring (in the second
        where the first has them equal). `lost`: significant in the first only, `gained`: in the
        second only, `turned`: in both, the other way round.
    """

    pairs: int
    before: int | None
    after: int | None
    changed: tuple[tuple[str, str, Verdict], ...] = ()

    def count(self, verdict: Verdict) -> int:
        return sum(v == verdict for _, _, v in self.changed)


def order_change(runs: Sequence[str], before: Floats, after: Floats) -> Order:
    """Of the [run] means before and after, rounded to 12 decimals."""
    one, two = np.round(before, DECIMALS), np.round(after, DECIMALS)
    swapped, tied = [], 0
    for a, b in combinations(np.argsort(-one, kind="stable").tolist(), 2):
        first, second = np.sign(one[a] - one[b]), np.sign(two[a] - two[b])
        if first * second < 0:
            swapped.append((runs[a], runs[b]))
        tied += bool(first != second and not first * second)
    if len(runs) < 2:
        return Order(None, None, (), 0)
    return Order(kendall_tau(one, two), tau_ap_b(one, two), tuple(swapped), tied)


def significance_change(
    runs: Sequence[str],
    before: Floats,
    after: Floats,
    alpha: float = ALPHA,
    correction: Correction = "none",
) -> Significance:
    """Of the [run, topic] scores before and after; the topics need not be the same.

    Raises
    ------
    UsageError
        `alpha` is not between 0 and 1, or there is no such correction.
    """
    if not 0 < alpha < 1:
        raise UsageError(f"alpha is {alpha:g}", "it lies between 0 and 1")
    if correction not in CORRECTIONS:
        raise UsageError(f"no correction {correction!r}", f"one of {', '.join(CORRECTIONS)}")
    m = len(runs)
    signs = [_signs(x, alpha, correction) for x in (before, after)]
    one, two = signs
    if one is None or two is None:
        counts = [None if s is None else int((s > 0).sum()) for s in signs]
        return Significance(m * (m - 1) // 2, counts[0], counts[1])
    changed: list[tuple[str, str, Verdict]] = []
    means = np.round(before.mean(axis=1), DECIMALS), np.round(after.mean(axis=1), DECIMALS)
    for a, b in combinations(range(m), 2):
        if one[a, b] == two[a, b]:
            continue
        verdict: Verdict = "lost" if not two[a, b] else "gained" if not one[a, b] else "turned"
        ahead = (means[0][a] - means[0][b]) or (means[1][a] - means[1][b])
        changed.append((runs[a], runs[b], verdict) if ahead >= 0 else (runs[b], runs[a], verdict))
    return Significance(
        m * (m - 1) // 2, int((one > 0).sum()), int((two > 0).sum()), tuple(changed)
    )


def _signs(x: Floats, alpha: float, correction: Correction) -> Index | None:
    """[run, run] the sign of each significant difference, else 0; None for fewer than two topics
    or runs."""
    if x.shape[0] < 2 or x.shape[1] < 2:
        return None
    found: Any = paired_t_all(x)
    upper = np.triu_indices(len(x), 1)
    p = np.ones(found.p.shape)
    p[upper] = adjust(found.p[upper], correction)
    out = np.where(np.minimum(p, p.T) < alpha, np.sign(found.difference), 0)
    return out.astype(np.int64)
