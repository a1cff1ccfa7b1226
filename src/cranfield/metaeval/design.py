"""How many topics each measure needs, by the variance that was seen (Sakai 2016, 2018)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError, UsageError
from cranfield.stats.arrays import Floats, matrix, share
from cranfield.stats.power import Design, design_anova, design_interval, design_t
from cranfield.stats.tukey import blocked_anova

Unit = Literal["measure", "mean", "spread"]


@dataclass(frozen=True)
class TopicsNeeded:
    """Sizes of topic sets under one measure; every size is None where no topic differs from
    another (VE = 0): two then do.

    Parameters
    ----------
    measure : its name.
    difference : of two means, in the unit of the measure, that the set is to find.
    ve : the residual variance of systems by topics, which the designs rest on.
    sd : standard deviation of a difference of two systems by topic, √(2 VE).
    sd_pairs : [low, median, high] the same of single pairs: the 5th, 50th and 95th percentile.
    t : paired t-test of two systems with that difference.
    anova : analysis of variance of `systems` whose best and worst differ by it.
    interval : the interval of a difference is expected no wider than `width`.
    """

    measure: str
    difference: float
    ve: float
    sd: float
    sd_pairs: tuple[float, float, float]
    t: Design | None
    anova: Design | None
    interval: Design | None


@dataclass(frozen=True)
class DesignStudy:
    """Topic set sizes of several measures for one question.

    Parameters
    ----------
    asked, unit : the difference as it was asked for: in the unit of the measure, as a share of the
        mean of all scores, or in standard deviations of the means of systems.
    alpha, power, systems, width : of the designs; `width` is a multiple of the difference.
    topics : n of the scores that the variances come from.
    rows : one a measure, in the order given.
    """

    asked: float
    unit: Unit
    alpha: float
    power: float
    systems: int
    width: float
    topics: int
    rows: tuple[TopicsNeeded, ...]


def topics_needed(
    values: ArrayLike,
    measures: Sequence[str],
    difference: float = 0.05,
    *,
    unit: Unit = "measure",
    alpha: float = 0.05,
    power: float = 0.8,
    systems: int = 2,
    width: float = 2.0,
) -> DesignStudy:
    """The topics that each measure needs to find a difference, with the variance seen here.

    A difference of .05 is not the same under two measures: one that gives higher or more spread
    scores separates the same systems by more. `unit` makes them comparable.

    Parameters
    ----------
    values : [m systems, n topics, s measures]; VE comes from the two-way analysis of variance.
    measures : s names.
    difference : above 0.
    unit : "measure", as it is; "mean", a share of the mean of all scores of the measure; "spread",
        a multiple of the standard deviation of the means of the systems under it.
    alpha, power : of the two tests.
    systems : that the analysis of variance is to compare, from 2 on.
    width : of the whole interval, as a multiple of the difference: 2 is difference ± difference, so
        that 0 is just left out.
    """
    found = np.asarray(values, np.float64)
    if found.ndim != 3 or found.shape[2] != len(measures):
        raise InputError(f"scores of shape {found.shape} for {len(measures)} measures")
    if unit not in ("measure", "mean", "spread"):
        raise UsageError(f"topics_needed: no unit {unit!r}", "measure, mean or spread")
    for value, name in ((difference, "difference"), (width, "width")):
        if not (value > 0 and math.isfinite(value)):
            raise UsageError(f"topics_needed: {name} must be a number above 0, not {value!r}")
    alpha, power = share(alpha, "alpha"), share(power, "power")
    rows = []
    for i, name in enumerate(measures):
        x = matrix(found[:, :, i])
        apart = difference * _scale(x, unit, name)
        ve = blocked_anova(x).VE
        sd = math.sqrt(2 * ve)
        designs: tuple[Design | None, ...] = (None, None, None)
        if ve > 0:
            designs = (
                design_t(apart / sd, alpha=alpha, power=power),
                design_anova(systems, apart, math.sqrt(ve), alpha=alpha, power=power),
                design_interval(width * apart, sd, level=1 - alpha),
            )
        rows.append(TopicsNeeded(name, apart, ve, sd, _pair_sds(x), *designs))
    n = found.shape[1]
    return DesignStudy(difference, unit, alpha, power, systems, width, n, tuple(rows))


def _scale(x: Floats, unit: Unit, name: str) -> float:
    if unit == "measure":
        return 1.0
    scale = float(x.mean()) if unit == "mean" else float(x.mean(axis=1).std(ddof=1))
    if scale <= 1e-12:
        what = "mean" if unit == "mean" else "spread of the systems' means"
        raise InputError(f"{name}: the {what} is {scale:g}", "no difference can be a share of it")
    return scale


def _pair_sds(x: Floats) -> tuple[float, float, float]:
    """From variances and covariances, which is close enough for percentiles."""
    covariance = np.cov(x)
    variance = np.diag(covariance)
    upper = np.triu_indices(len(x), 1)
    found = np.maximum((variance[:, None] + variance - 2 * covariance)[upper], 0.0)
    low, middle, high = np.percentile(np.sqrt(found), [5, 50, 95]).tolist()
    return low, middle, high
