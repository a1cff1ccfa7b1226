"""All pairs of systems at once, with the family-wise error held: Tukey's honestly significant
differences in a two-way layout of systems by topics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError
from cranfield.stats.arrays import (
    NOISE,
    Advance,
    Floats,
    drawn,
    lattice,
    matrix,
    share,
    silent,
    slack,
    times,
)
from cranfield.stats.resampling import blocks, orders
from cranfield.stats.results import AllPairs
from cranfield.stats.studentised import range_quantile, range_tail

_LARGEST = 1 << 16  # systems whose orders fit the low bits of a random word


@dataclass(frozen=True)
class Anova:
    """Two-way analysis of variance without replication, of m systems over n topics.

    Parameters
    ----------
    SA, SB, SE : sums of squares between systems, between topics, and of the residuals.
    VA, VB, VE : the same divided by their degrees of freedom m - 1, n - 1 and (m - 1)(n - 1).
    F, p : of the systems; p is 1 or 0 where the residuals are all 0.
    F_topics, p_topics : of the topics.
    """

    m: int
    n: int
    SA: float
    SB: float
    SE: float
    VA: float
    VB: float
    VE: float
    F: float
    p: float
    F_topics: float
    p_topics: float

    @property
    def df_error(self) -> int:
        return (self.m - 1) * (self.n - 1)

    def margin(self, level: float = 0.95) -> float:
        """Half the width of the interval of one system's mean, t · √(VE / n) (Sakai 2018)."""
        from scipy.special import stdtrit

        t = float(stdtrit(self.df_error, (1 + share(level, "level")) / 2))
        return t * math.sqrt(self.VE / self.n)


@dataclass(frozen=True, eq=False)
class Tukey:
    """Tukey's HSD test of all pairs.

    Parameters
    ----------
    difference : [m, m] mean of row i less mean of row j.
    q : [m, m] |difference| / √(VE / n).
    p : [m, m] the chance of a studentised range of m means above q: family-wise, not to be
        adjusted again.
    effect : [m, m] difference / √VE (Sakai 2014); None where VE is 0.
    hsd : the least difference of means that is significant at `alpha`.
    """

    alpha: float
    difference: Floats
    q: Floats
    p: Floats
    effect: Floats | None
    hsd: float
    anova: Anova


@dataclass(frozen=True, eq=False)
class RandomisedTukey(AllPairs):
    """Randomised Tukey HSD: the test of each pair, and what it was held against.

    Parameters
    ----------
    widest : [resamples] the largest difference of two means in each draw, ascending.
    """

    widest: Floats

    def hsd(self, alpha: float = 0.05) -> float | None:
        """The least of the drawn differences whose p is below `alpha`; a difference of means as
        large as that is significant. None where there are too few draws for any to be."""
        draws = len(self.widest)
        # p = (1 + c) / (B + 1) < alpha for the differences that c draws reach
        most = math.ceil(share(alpha, "alpha") * (draws + 1)) - 2
        if most < 0:
            return None
        if most == 0:
            return float(self.widest[-1])
        reached = draws - np.searchsorted(self.widest, self.widest, side="left")
        fits = self.widest[reached <= most]
        return float(fits[0]) if len(fits) else None


def blocked_anova(x: ArrayLike) -> Anova:
    """Analysis of variance of x [m systems, n topics], both from 2 on, with topics as blocks."""
    x = matrix(x)
    m, n = x.shape
    grand, systems, topics = x.mean(), x.mean(axis=1), x.mean(axis=0)
    rest = x - systems[:, None] - topics + grand
    if np.abs(rest).max() <= NOISE * max(1.0, float(np.abs(x).max())):
        rest[:] = 0.0
    a = float(n * ((systems - grand) ** 2).sum())
    b = float(m * ((topics - grand) ** 2).sum())
    e = float((rest**2).sum())
    df = (m - 1) * (n - 1)
    va, vb, ve = a / (m - 1), b / (n - 1), e / df
    f_systems, p = _f_test(va, ve, m - 1, df)
    f_topics, p_topics = _f_test(vb, ve, n - 1, df)
    return Anova(m, n, a, b, e, va, vb, ve, f_systems, p, f_topics, p_topics)


def _f_test(between: float, error: float, df: int, df_error: int) -> tuple[float, float]:
    if error == 0:
        return (0.0, 1.0) if between <= NOISE * NOISE else (math.inf, 0.0)
    from scipy.special import fdtrc

    return between / error, float(fdtrc(df, df_error, between / error))


def tukey_hsd(x: ArrayLike, alpha: float = 0.05) -> Tukey:
    """Tukey's HSD with topics as blocks, for x [m systems, n topics].

    q = |mean difference| / √(VE / n) against the studentised range of m means with (m - 1)(n - 1)
    degrees of freedom. It rests on residuals of one spread, and so a pair of nearly equal systems
    is judged by the spread of all; `randomised_tukey_hsd` asks less. Functions that take groups
    and not a layout (one-way) leave the topics in the residuals and find less.
    """
    x, alpha = matrix(x), share(alpha, "alpha")
    m, n = x.shape
    anova = blocked_anova(x)
    mean = x.mean(axis=1)
    difference = mean[:, None] - mean
    difference[np.abs(difference) <= NOISE] = 0.0
    error = math.sqrt(anova.VE / n)
    if error == 0:
        q = np.where(difference == 0, 0.0, np.inf)
        p = np.where(difference == 0, 1.0, 0.0)
        return Tukey(alpha, difference, q, p, None, 0.0, anova)
    q = np.abs(difference) / error
    p = np.ones((m, m))
    upper = np.triu_indices(m, 1)
    p[upper] = range_tail(q[upper], m, anova.df_error)
    p[upper[::-1]] = p[upper]
    hsd = range_quantile(alpha, m, anova.df_error) * error
    return Tukey(alpha, difference, q, p, difference / math.sqrt(anova.VE), hsd, anova)


def randomised_tukey_hsd(
    x: ArrayLike, *, resamples: int = 10_000, seed: int = 0, advance: Advance = silent
) -> RandomisedTukey:
    """Randomised Tukey HSD (Carterette 2012; Sakai 2012), for x [m systems, n topics].

    Each topic's scores are handed to the systems in a random order, and the largest difference of
    two means is noted. p = (1 + c) / (B + 1) with c of B draws whose largest difference reaches
    that of the pair: family-wise, not to be adjusted again. With two systems it is the
    randomisation test. Sums are exact, so that p does not depend on the order of summation. The
    statistic is the mean difference.
    """
    return randomised_tukey_hsds([x], resamples=resamples, seed=seed, advance=advance)[0]


def randomised_tukey_hsds(
    xs: Sequence[ArrayLike],
    *,
    resamples: int = 10_000,
    seed: int = 0,
    advance: Advance = silent,
) -> tuple[RandomisedTukey, ...]:
    """`randomised_tukey_hsd` of several layouts of one shape, such as the same runs under several
    measures. The random orders, which take most of the time, are drawn once for all of them; each
    layout would be given the same ones alone."""
    layouts, resamples = [matrix(x) for x in xs], times(resamples)
    if not layouts:
        return ()
    m, n = layouts[0].shape
    if any(x.shape != (m, n) for x in layouts):
        raise InputError("randomised Tukey HSD: the layouts differ in shape")
    if m > _LARGEST:
        raise InputError(f"randomised Tukey HSD: {m} systems are more than {_LARGEST}")
    lattices = [lattice(x) for x in layouts]
    columns = [np.ascontiguousarray(units.T) for units, _ in lattices]
    start = (np.arange(n, dtype=np.int64) * m)[:, None]  # of each topic in the flattened columns
    widest = np.empty((len(layouts), resamples))
    for first, count in blocks(resamples, n * m):
        order = orders(seed, first, count, n, m)
        order += start
        for x, units in enumerate(columns):
            sums = units.take(order).sum(axis=1)
            widest[x, first : first + count] = sums.max(axis=1) - sums.min(axis=1)
        advance(count / resamples)
    widest.sort(axis=1)
    how = f"Monte Carlo, {drawn(resamples, seed)}"
    found = []
    for (units, unit), reach in zip(lattices, widest, strict=True):
        total = units.sum(axis=1)
        seen = total[:, None] - total
        reached = resamples - np.searchsorted(reach, np.abs(seen) - slack(n), side="left")
        p = (1 + reached) / (resamples + 1)
        np.fill_diagonal(p, 1.0)
        mean = seen * unit / n
        found.append(
            RandomisedTukey("randomised Tukey HSD", how, n, mean, mean, p, reach * unit / n)
        )
    return tuple(found)
