"""Prediction-powered inference: a mean from many predicted values and a few true ones.

Of n topics the true value y and its prediction f are known, of N others the prediction alone. With
a weight λ the estimate is

    λ · mean_N(f) + mean_n(y - λ · f),   variance  λ² · var_N(f) / N + var_n(y - λ · f) / n.

The first part is cheap and may be wrong by any amount; the second measures by how much. λ = 1 is
the estimator of Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), λ = 0 is the mean of the
true values alone, and Angelopoulos, Duchi and Zrnic (2023, PPI++) choose the λ with the least
variance. The estimate is right on average whatever the predictions are worth, provided that the n
topics were drawn at random from all.

The papers use normal quantiles, which promise too much for the few topics that people label. Here
the quantile is Student's t with the degrees of freedom of Satterthwaite (1946), and a λ taken from
the data costs one of them. That is the interval "student", and it too promises too much where
predictions are nearly always right: the few errors may all be among the other topics. "careful"
adds one topic more to the spread of y - λ · f, one whose prediction says nothing: var(y) + λ²
var(f), in the manner of the pseudo-observations of Agresti and Coull (1998). And where few topics
carry the spread (`cranfield.stats.extremes.doubt_of`) it gives the interval "bounded": that of
Gaffke (2005) for each of the two parts, put together by the method of Zou and Donner (2008).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import UsageError
from cranfield.kit.arguments import share
from cranfield.stats.arrays import Floats, pair, vector
from cranfield.stats.extremes import Doubt, bounded_interval, doubt_of
from cranfield.stats.pilot import WAYS, Way, best_weight, centred, pilot_of, t_quantile

Interval = Literal["careful", "student", "bounded"]
INTERVALS: tuple[Interval, ...] = ("careful", "student", "bounded")
MANY = 300  # predictions of different value, from which on the t interval of their mean holds


@dataclass(frozen=True)
class Powered:
    """An estimate of a mean with its interval.

    Parameters
    ----------
    way : "true" (from the n true values alone), "classical" (λ = 1), "tuned" (the best λ).
    mean, low, high : None where there is none; `reason` says why.
    se : standard error; `df` its degrees of freedom.
    weight : λ, the weight of the predictions.
    n, others : topics with a true value, topics with a prediction alone.
    interval : which it is; "careful" has become "bounded" where there was a doubt and limits.
    doubt : why a t interval is not to be trusted here.
    """

    way: Way
    mean: float | None
    low: float | None
    high: float | None
    se: float | None
    df: float | None
    weight: float
    level: float
    n: int
    others: int
    reason: str | None = None
    interval: Interval = "careful"
    doubt: Doubt | None = None

    @property
    def width(self) -> float | None:
        """Of the whole interval."""
        return None if self.low is None or self.high is None else self.high - self.low


def powered_mean(
    true: ArrayLike,
    predicted: ArrayLike,
    others: ArrayLike,
    way: Way = "tuned",
    level: float = 0.95,
    *,
    interval: Interval = "careful",
    limits: tuple[float, float] | None = None,
) -> Powered:
    """The mean of the true values over all topics, with an interval.

    Parameters
    ----------
    true, predicted : of the same n topics, [n].
    others : predictions of the N further topics, [N].
    way : one of `WAYS`.
    level : the coverage aimed at.
    interval : one of `INTERVALS`; see above.
    limits : of a value, true or predicted; without them there is no "bounded" interval.

    Returns
    -------
    Powered
        Without a mean where there are fewer than two topics of a kind (three for "tuned").

    Raises
    ------
    InputError, UsageError
    """
    y, f, g = *pair(true, predicted), vector(others, "predictions")
    level = share("level", level)
    if way not in WAYS:
        raise UsageError(f"no estimator {way!r}", ", ".join(WAYS))
    if interval not in INTERVALS:
        raise UsageError(f"no interval {interval!r}", ", ".join(INTERVALS))
    limits = limits if limits is not None and math.isfinite(limits[1] - limits[0]) else None
    if interval == "bounded" and limits is None:
        raise UsageError("values without limits have no bounded interval", "student or careful")
    n, more = len(y), len(g)
    weight = best_weight(pilot_of(y, f, g)) if way == "tuned" and n > 1 else float(way != "true")
    least = 3 if way == "tuned" else 2
    if n < least or (way != "true" and more < 2):
        few = f"{n} topics with a true value, {more} without: nothing is known of the spread"
        none = (None,) * 5
        return Powered(way, *none, weight, level, n, more, few, interval)
    rest = y - weight * f
    mean = math.fsum(rest) / n
    spent = 2 if way == "tuned" else 1
    spread = centred(rest)
    if interval == "careful" and way != "true":
        pilot = pilot_of(y, f, g)
        spread += pilot.var_true + weight**2 * pilot.var_predicted
    own = spread / (n - spent) / n
    far = 0.0
    if way != "true":
        mean += weight * math.fsum(g) / more
        far = weight**2 * centred(g) / (more - 1) / more
    se, df = math.sqrt(own + far), _freedom(own, n - spent, far, more - 1)
    half = t_quantile(df, level) * se
    low, high = mean - half, mean + half
    middle = math.fsum(y) / n
    reach = math.inf if limits is None else max(limits[1] - middle, middle - limits[0])
    # of the true values as such, so that all ways are doubted alike for what these lack
    doubt = doubt_of(y, t_quantile(n - 1, level) * math.sqrt(centred(y) / (n - 1) / n), reach)
    if way != "true":
        doubt = doubt_of(y - f, half, reach) or doubt
    if limits is not None and (interval == "bounded" or (doubt and interval == "careful")):
        interval = "bounded"
        low, high = _bounded(rest, None if way == "true" else g, weight, level, limits)
    made = (mean, low, high, se, df, weight, level, n, more, None)
    return Powered(way, *made, interval, doubt)


def _bounded(
    rest: Floats, others: Floats | None, weight: float, level: float, limits: tuple[float, float]
) -> tuple[float, float]:
    """Gaffke's interval of the mean of y - λ f, and λ times that of the predictions: the distances
    of the ends from the means added in quadrature (MOVER, Zou and Donner 2008)."""
    low, high = limits
    mean = math.fsum(rest) / len(rest)
    ends = bounded_interval(rest, low - weight * high, high - weight * low, level)
    off = [mean - ends[0], ends[1] - mean]
    if others is not None and weight > 0:
        far = math.fsum(others) / len(others)
        if len(np.unique(others)) > MANY:
            se = math.sqrt(centred(others) / (len(others) - 1) / len(others))
            theirs = [t_quantile(len(others) - 1, level) * se] * 2
        else:
            found = bounded_interval(others, low, high, level)
            theirs = [far - found[0], found[1] - far]
        off = [math.hypot(a, weight * b) for a, b in zip(off, theirs, strict=True)]
        mean += weight * far
    return max(mean - off[0], low), min(mean + off[1], high)


def _freedom(own: float, df_own: float, far: float, df_far: float) -> float:
    """Satterthwaite's degrees of freedom of a sum of two variances."""
    if far == 0 or own + far == 0:
        return float(df_own)
    return (own + far) ** 2 / (own**2 / df_own + far**2 / df_far)
