"""Prediction-powered inference: a mean from many predicted values and a few true ones.

Of n topics the true value y and its prediction f are known, of N others the prediction alone. With
a weight λ the estimate is

    λ · mean_N(f) + mean_n(y - λ · f),   variance  λ² · var_N(f) / N + var_n(y - λ · f) / n.

The first part is cheap and may be wrong by any amount; the second measures by how much. λ = 1 is
the estimator of Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), λ = 0 is the mean of the
true values alone, and Angelopoulos, Duchi and Zrnic (2023, PPI++) choose the λ with the least
variance. The interval holds whatever the predictions are worth, provided that the n topics were
drawn at random from all.

The papers use normal quantiles, which promise too much for the few topics that people label. Here
the quantile is Student's t with the degrees of freedom of Satterthwaite (1946), and a λ taken from
the data costs one of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError, UsageError
from cranfield.kit.arguments import share
from cranfield.stats.arrays import NOISE, Floats, Index, pair, vector

Way = Literal["true", "classical", "tuned"]
WAYS: tuple[Way, ...] = ("true", "classical", "tuned")


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

    @property
    def width(self) -> float | None:
        """Of the whole interval."""
        return None if self.low is None or self.high is None else self.high - self.low


@dataclass(frozen=True)
class Pilot:
    """What the width of an interval follows from.

    Parameters
    ----------
    n, others : as they are now.
    var_true, var_predicted : of a topic's true value and of its prediction.
    covariance : of the two, over the n topics.
    """

    n: int
    others: int
    var_true: float
    var_predicted: float
    covariance: float

    @property
    def total(self) -> int:
        return self.n + self.others


@dataclass(frozen=True)
class Needed:
    """Topics with a true value that an interval of some width needs.

    Parameters
    ----------
    n : in all, taken from the topics at hand; None where all of them do not do it.
    more : beyond those there are.
    width : that n topics are expected to give; without n, that all topics would give.
    alone : topics that it would take without predictions, however many there are.
    """

    n: int | None
    more: int | None
    width: float
    alone: int | None


def powered_mean(
    true: ArrayLike,
    predicted: ArrayLike,
    others: ArrayLike,
    way: Way = "tuned",
    level: float = 0.95,
) -> Powered:
    """The mean of the true values over all topics, with an interval.

    Parameters
    ----------
    true, predicted : of the same n topics, [n].
    others : predictions of the N further topics, [N].
    way : one of `WAYS`.
    level : the coverage aimed at.

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
    n, more = len(y), len(g)
    weight = best_weight(pilot_of(y, f, g)) if way == "tuned" and n > 1 else float(way != "true")
    least = 3 if way == "tuned" else 2
    if n < least or (way != "true" and more < 2):
        few = f"{n} topics with a true value, {more} without: nothing is known of the spread"
        return Powered(way, None, None, None, None, None, weight, level, n, more, few)
    rest = y - weight * f
    mean = math.fsum(rest) / n
    spent = 2 if way == "tuned" else 1
    own = _centred(rest) / (n - spent) / n
    far = 0.0
    if way != "true":
        mean += weight * math.fsum(g) / more
        far = weight**2 * _centred(g) / (more - 1) / more
    se, df = math.sqrt(own + far), _freedom(own, n - spent, far, more - 1)
    half = _quantile(df, level) * se
    return Powered(way, mean, mean - half, mean + half, se, df, weight, level, n, more)


def pilot_of(true: ArrayLike, predicted: ArrayLike, others: ArrayLike) -> Pilot:
    """Variances and covariance, of predictions over all topics; two true values or more."""
    y, f, g = *pair(true, predicted), vector(others, "predictions")
    if len(y) < 2:
        raise InputError(f"{len(y)} topics with a true value", "a spread needs two or more")
    everything = np.concatenate([f, g])
    covariance = math.fsum((y - y.mean()) * (f - f.mean())) / (len(y) - 1)
    return Pilot(
        len(y),
        len(g),
        _centred(y) / (len(y) - 1),
        _centred(everything) / (len(everything) - 1),
        covariance,
    )


def best_weight(pilot: Pilot) -> float:
    """The λ of PPI++ for a mean, cov(y, f) / ((1 + n / N) var(f)), kept within 0 and 1; 0 where
    predictions do not vary or there are no further topics."""
    if pilot.others == 0 or pilot.var_predicted <= NOISE:
        return 0.0
    best = pilot.covariance / ((1 + pilot.n / pilot.others) * pilot.var_predicted)
    return min(max(best, 0.0), 1.0)


def expected_width(pilot: Pilot, n: int, way: Way = "tuned", level: float = 0.95) -> float:
    """Of the interval once n of the topics at hand have a true value; infinite for too few."""
    return float(_widths(pilot, np.array([n]), way, share("level", level))[0])


def needed(pilot: Pilot, width: float, way: Way = "tuned", level: float = 0.95) -> Needed:
    """How many true values narrow the interval to `width` (of the whole interval).

    The topics stay those at hand: each true value more is one prediction alone less.
    """
    level = share("level", level)
    if not (width > 0 and math.isfinite(width)):
        raise UsageError(f"the width is {width!r}", "a number above 0, of the whole interval")
    sizes = np.arange(pilot.n, pilot.total + 1)
    widths = _widths(pilot, sizes, way, level)
    fine = np.flatnonzero(widths <= width)
    alone = _alone(pilot.var_true, width, level)
    if not len(fine):
        return Needed(None, None, float(widths[-1]), alone)
    n = int(sizes[fine[0]])
    return Needed(n, n - pilot.n, float(widths[fine[0]]), alone)


def _widths(pilot: Pilot, n: Index, way: Way, level: float) -> Floats:
    """[n] where no topic is left without a true value the interval is that of the true values."""
    size = n.astype(np.float64)
    rest = pilot.total - size
    weight = np.full(len(size), float(way != "true"))
    if way == "tuned" and pilot.var_predicted > NOISE:
        weight = np.clip(pilot.covariance / (pilot.total * pilot.var_predicted) * rest, 0.0, 1.0)
    elif way == "tuned":
        weight[:] = 0.0
    usable = (rest >= 2) & (weight > 0)
    weight = np.where(usable, weight, 0.0)
    spent = np.where(usable & (way == "tuned"), 2.0, 1.0)
    left = np.maximum(size - spent, 0.0)
    spread = pilot.var_true - 2 * weight * pilot.covariance + weight**2 * pilot.var_predicted
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.maximum(spread, 0.0) / size
        far = np.where(usable, weight**2 * pilot.var_predicted / rest, 0.0)
        df = np.where(
            far > 0,
            (own + far) ** 2 / (own**2 / left + far**2 / np.maximum(rest - 1, 1)),
            left,
        )
    from scipy.special import stdtrit

    fine = (left >= 1) & (df > 0)
    quantile = stdtrit(np.where(fine, df, 1.0), (1 + level) / 2)
    return np.where(fine, 2 * quantile * np.sqrt(own + far), np.inf)


def _alone(variance: float, width: float, level: float) -> int | None:
    """The fewest topics whose t interval is that narrow; None beyond a billion."""
    most = 1_000_000_000
    low, high = 2, 2

    def wide(n: int) -> bool:
        return 2 * _quantile(n - 1, level) * math.sqrt(variance / n) > width

    while wide(high):
        low, high = high, 2 * high
        if high > most:
            return None
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if wide(middle) else (low, middle)
    return high


def _centred(values: Floats) -> float:
    """Σ (x - mean)²; 0 for values that differ by rounding alone."""
    off = values - math.fsum(values) / len(values)
    return 0.0 if np.abs(off).max() <= NOISE else math.fsum(off**2)


def _freedom(own: float, df_own: float, far: float, df_far: float) -> float:
    """Satterthwaite's degrees of freedom of a sum of two variances."""
    if far == 0 or own + far == 0:
        return float(df_own)
    return (own + far) ** 2 / (own**2 / df_own + far**2 / df_far)


def _quantile(df: float, level: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + level) / 2))
