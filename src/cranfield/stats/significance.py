"""Two-sided tests of the difference of two systems over the same topics."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import UsageError
from cranfield.stats.arrays import NOISE, Floats, constant, vector
from cranfield.stats.bootstrap import bootstrap_asl
from cranfield.stats.flips import randomisation, subset_share
from cranfield.stats.pairs import bootstrap_asl_all, paired_t_all, randomisation_all
from cranfield.stats.results import AllPairs, Test, too_few

__all__ = [
    "AllPairs",
    "Test",
    "bootstrap_asl",
    "bootstrap_asl_all",
    "paired_t",
    "paired_t_all",
    "randomisation",
    "randomisation_all",
    "sign_test",
    "wilcoxon",
]

EXACT_RANKS = 50  # topics up to which "auto" takes the exact distribution of the rank sum
MOST_RANKS = 1000  # and up to which it is computed at all


def paired_t(d: ArrayLike) -> Test:
    """Student's paired t-test, t = mean(d) / (sd(d) / √n) with n - 1 degrees of freedom.

    Where all differences are the same there is no spread to compare with: p is 1 if they are 0,
    otherwise 0 and t infinite.

    Parameters
    ----------
    d : differences by topic, [n].

    Returns
    -------
    Test
        Details: `mean`, `sd`, `df`.
    """
    d = vector(d)
    n = len(d)
    if n < 2:
        return too_few("paired t", n)
    mean, sd = math.fsum(d) / n, float(d.std(ddof=1))
    details = {"mean": mean, "sd": sd, "df": float(n - 1)}
    if constant(d):
        t = 0.0 if abs(mean) <= NOISE else math.copysign(math.inf, mean)
        details["sd"] = 0.0
        return Test("paired t", "exact", t, 1.0 if t == 0 else 0.0, n, details)
    from scipy.special import stdtr

    t = mean / (sd / math.sqrt(n))
    return Test("paired t", "exact", t, float(2 * stdtr(n - 1, -abs(t))), n, details)


def wilcoxon(
    d: ArrayLike,
    method: Literal["auto", "exact", "normal"] = "auto",
    continuity: bool = False,
) -> Test:
    """Wilcoxon's signed-rank test; zeros are left out, equal sizes share their mean rank.

    Parameters
    ----------
    d : differences by topic, [n].
    method : "exact" counts the signs of the ranks as they are, ties included, by dynamic
        programming (up to 1000 topics); "normal" takes the normal approximation with the variance
        corrected for ties; "auto" is exact for up to 50 differences that are not 0.
    continuity : move the normal approximation by half a rank.

    Returns
    -------
    Test
        The statistic is the smaller rank sum. Details: `W+`, `W-`, `zeros`.
    """
    d = vector(d)
    if method not in ("auto", "exact", "normal"):
        raise UsageError(f"wilcoxon: no method {method!r}", "auto, exact or normal")
    if len(d) < 2:
        return too_few("Wilcoxon", len(d))
    kept = d[d != 0]
    n = len(kept)
    if method == "exact" and n > MOST_RANKS:
        raise UsageError(
            f"wilcoxon: {n} differences are too many for the exact test", "method='normal'"
        )
    ranks = mid_ranks(np.abs(kept))
    plus = math.fsum(ranks[kept > 0])
    minus = n * (n + 1) / 2 - plus
    low = min(plus, minus)
    details = {"W+": plus, "W-": minus, "zeros": float(len(d) - n)}
    if n == 0:
        return Test("Wilcoxon", "exact", 0.0, 1.0, len(d), details)
    if method == "exact" or (method == "auto" and n <= EXACT_RANKS):
        twice = np.rint(2 * ranks).astype(np.int64)  # a mean rank is a multiple of a half
        p, how = 2 * subset_share(twice, round(2 * low)), "exact"
    else:
        p, how = _normal_p(ranks, low, continuity), "normal approximation"
        how += ", continuity corrected" if continuity else ""
    return Test("Wilcoxon", how, low, min(1.0, p), len(d), details)


def _normal_p(ranks: Floats, low: float, continuity: bool) -> float:
    n = len(ranks)
    _, sizes = np.unique(ranks, return_counts=True)
    ties = float((sizes.astype(np.float64) ** 3 - sizes).sum())
    variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    z = (low - n * (n + 1) / 4 + (0.5 if continuity else 0.0)) / math.sqrt(variance)
    return math.erfc(-z / math.sqrt(2))


def mid_ranks(values: Floats) -> Floats:
    """Ranks from 1 on, the smallest first; equal values share the mean of theirs."""
    _, place, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    return np.asarray((last - (sizes - 1) / 2)[place], np.float64)


def sign_test(d: ArrayLike, min_d: float = 0.0) -> Test:
    """The sign test: are better and worse topics equally likely? Exact binomial.

    Parameters
    ----------
    d : differences by topic, [n].
    min_d : topics with |d| <= min_d count for neither side.

    Returns
    -------
    Test
        The statistic is the smaller count. Details: `positive`, `negative`, `dropped`.
    """
    d = vector(d)
    if not (min_d >= 0 and math.isfinite(min_d)):
        raise UsageError(f"sign_test: min_d must be a number from 0 on, not {min_d!r}")
    if len(d) < 2:
        return too_few("sign", len(d))
    plus, minus = int(np.count_nonzero(d > min_d)), int(np.count_nonzero(d < -min_d))
    n, low = plus + minus, min(plus, minus)
    details = {"positive": plus, "negative": minus, "dropped": len(d) - n}
    found = {name: float(count) for name, count in details.items()}
    return Test("sign", "exact", float(low), binomial_p(low, n), len(d), found)


def binomial_p(low: int, n: int) -> float:
    """Twice the chance of at most `low` of n fair coins, at most 1."""
    if n <= MOST_RANKS:  # whole numbers, divided once
        return min(1.0, float(2 * sum(math.comb(n, k) for k in range(low + 1)) / 2**n))
    from scipy.special import bdtr

    return min(1.0, float(2 * bdtr(low, n, 0.5)))
