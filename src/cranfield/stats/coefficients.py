"""Coefficients of agreement with intervals that keep the pairs of one query together.

A sample of queries drawn with replacement is a weighted sum of their tables, so that all samples
cost one matrix product.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from cranfield.kit.arguments import share, whole
from cranfield.stats.agreement import Metric, ac, alpha, kappa, percent
from cranfield.stats.arrays import Floats, drawn
from cranfield.stats.bootstrap import bootstrap_interval, place
from cranfield.stats.resampling import blocks, multiplicities
from cranfield.stats.results import Interval

Statistic = Callable[[Floats], Floats]  # [..., q, q] to [...], NaN where not defined

MOST_UNDEFINED = 0.05  # share of samples without a value that still allows an interval
NAMES = (
    "percent",
    "kappa",
    "kappa linear",
    "kappa quadratic",
    "AC1",
    "AC2 quadratic",
    "alpha nominal",
    "alpha ordinal",
    "alpha interval",
)
PER_QUERY = ("kappa by query", "kappa quadratic by query")
_CONSTANT = "all grades are the same: there is no chance agreement to correct for"
_NO_PAIR = "no pair was judged twice"


@dataclass(frozen=True)
class Coefficient:
    """A coefficient with its interval.

    Parameters
    ----------
    name : as in `NAMES`.
    value : None where it is not defined; `reason` then says why.
    interval : None where none was asked for.
    n : pairs that were compared, or the queries that a mean is over.
    """

    name: str
    value: float | None
    n: int
    interval: Interval | None = None
    reason: str | None = None


def pooled(
    tables: Floats,
    levels: ArrayLike,
    *,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> tuple[Coefficient, ...]:
    """All of `NAMES` for two judges, over the pairs of all queries together.

    Parameters
    ----------
    tables : [g, q, q] confusion matrices of the queries.
    levels : [q] the scale.
    resamples, seed, level : of the percentile intervals, for which whole queries are drawn with
        replacement; 0 resamples for none.
    """
    return tuple(
        estimate(name, statistic, tables, resamples=resamples, seed=seed, level=level)
        for name, statistic in _statistics(levels).items()
    )


def by_query(
    tables: Floats,
    levels: ArrayLike,
    *,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> tuple[Coefficient, ...]:
    """The means of κ over the queries where it is defined (`PER_QUERY`); `n` says how many."""
    found = []
    for name, weights in zip(PER_QUERY, ("none", "quadratic"), strict=True):
        values = kappa(tables, levels, weights)  # type: ignore[arg-type]
        values = values[~np.isnan(values)]
        if not len(values):
            found.append(Coefficient(name, None, 0, reason=_CONSTANT))
            continue
        interval = (
            bootstrap_interval(values, level, resamples=resamples, seed=seed) if resamples else None
        )
        found.append(Coefficient(name, float(values.mean()), len(values), interval))
    return tuple(found)


def several(
    tables: Floats,
    levels: ArrayLike,
    *,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> tuple[Coefficient, ...]:
    """Krippendorff's α with each metric, from the coincidence matrices [g, q, q] of the queries."""
    return tuple(
        estimate(
            f"alpha {metric}",
            lambda t, m=metric: alpha(t, levels, m),  # type: ignore[misc]
            tables,
            resamples=resamples,
            seed=seed,
            level=level,
        )
        for metric in get_args(Metric)
    )


def _statistics(levels: ArrayLike) -> dict[str, Statistic]:
    def of_both(metric: Metric) -> Statistic:
        return lambda t: alpha(t + np.swapaxes(t, -1, -2), levels, metric)

    return dict(
        zip(
            NAMES,
            (
                percent,
                lambda t: kappa(t, levels),
                lambda t: kappa(t, levels, "linear"),
                lambda t: kappa(t, levels, "quadratic"),
                lambda t: ac(t, levels),
                lambda t: ac(t, levels, "quadratic"),
                of_both("nominal"),
                of_both("ordinal"),
                of_both("interval"),
            ),
            strict=True,
        )
    )


def estimate(
    name: str,
    statistic: Statistic,
    tables: Floats,
    *,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
) -> Coefficient:
    """A statistic of the sum of `tables` [g, ...], with a percentile interval over samples of the
    g queries. Samples without a value are left out, and counted in the interval's method; with
    more than 5 % of them there is no interval."""
    total = tables.sum(axis=0)
    n = round(float(total.sum()))
    value = float(statistic(total))
    if np.isnan(value):
        return Coefficient(name, None, n, reason=_CONSTANT if n else _NO_PAIR)
    if not resamples:
        return Coefficient(name, value, n)
    level, resamples, g = share("level", level), whole("resamples", resamples, 1), len(tables)
    if g < 2:
        none = Interval(None, None, level, "none", g, "one query: nothing is known of the spread")
        return Coefficient(name, value, n, none)
    flat = tables.reshape(g, -1)
    samples = [
        statistic((multiplicities(seed, a, c, g) @ flat).reshape(-1, *tables.shape[1:]))
        for a, c in blocks(resamples, max(g, flat.shape[1]))
    ]
    values = np.sort(np.concatenate(samples))  # NaN last
    undefined = int(np.isnan(values).sum())
    how = f"percentile bootstrap over queries, {drawn(resamples, seed)}"
    if undefined > MOST_UNDEFINED * resamples:
        why = f"not defined in {undefined} of {resamples} samples of queries"
        return Coefficient(name, value, n, Interval(None, None, level, how, g, why))
    how += f", {undefined} without a value" if undefined else ""
    kept, tail = resamples - undefined, (1 - level) / 2
    low, high = (float(values[place(p, kept)]) for p in (tail, 1 - tail))
    return Coefficient(name, value, n, Interval(low, high, level, how, g))
