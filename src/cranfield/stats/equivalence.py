"""Is the difference too small to matter? That no difference was found does not say so."""

from __future__ import annotations

import math
from dataclasses import dataclass

from numpy.typing import ArrayLike

from cranfield.errors import UsageError
from cranfield.kit.arguments import positive, share
from cranfield.stats.arrays import constant, vector
from cranfield.stats.intervals import t_interval
from cranfield.stats.results import few


@dataclass(frozen=True)
class Equivalence:
    """Whether a mean difference lies within -margin and margin.

    Parameters
    ----------
    p : the larger p of the two one-sided tests; None where there is no test.
    low, high : the 1 - 2 alpha interval of the mean difference.
    equivalent : p < alpha, which is the same as the interval lying within the margin; False where
        there is no test.
    """

    p: float | None
    low: float | None
    high: float | None
    equivalent: bool
    margin: float
    alpha: float
    n: int
    reason: str | None = None


def tost(d: ArrayLike, margin: float, alpha: float = 0.05) -> Equivalence:
    """Two one-sided t-tests (Schuirmann 1987) of |mean difference| < margin.

    Parameters
    ----------
    d : differences by topic, [n].
    margin : the smallest difference that would matter, in the unit of d, above 0. It has to be
        chosen before the data are seen.
    alpha : the level of each test, below 0.5.
    """
    d, alpha = vector(d), share("alpha", alpha)
    margin = positive("margin", margin)
    if alpha >= 0.5:
        raise UsageError(f"tost: alpha must lie below 0.5, not {alpha!r}")
    n = len(d)
    if n < 2:
        return Equivalence(None, None, None, False, margin, alpha, n, few(n))
    mean = math.fsum(d) / n
    inside = margin - abs(mean)
    interval = t_interval(d, 1 - 2 * alpha)
    if constant(d):
        p = 0.0 if inside > 0 else 1.0
    else:
        from scipy.special import stdtr

        p = float(stdtr(n - 1, -inside / (float(d.std(ddof=1)) / math.sqrt(n))))
    return Equivalence(p, interval.low, interval.high, p < alpha, margin, alpha, n)
