"""What prediction-powered inference comes to with other numbers of true values: its weight, and how
wide the interval will be (Angelopoulos, Duchi and Zrnic 2023; `cranfield.stats.ppi`)."""

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
        centred(y) / (len(y) - 1),
        centred(everything) / (len(everything) - 1),
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
    """Of the careful interval, in the absence of doubts, once n of the topics at hand have a true
    value; infinite for too few."""
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
        blind = np.where(usable, pilot.var_true + weight**2 * pilot.var_predicted, 0.0)
        own = (np.maximum(spread, 0.0) + blind / np.maximum(left, 1.0)) / size
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
        return 2 * t_quantile(n - 1, level) * math.sqrt(variance / n) > width

    while wide(high):
        low, high = high, 2 * high
        if high > most:
            return None
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if wide(middle) else (low, middle)
    return high


def centred(values: Floats) -> float:
    """Σ (x - mean)²; 0 for values that differ by rounding alone."""
    off = values - math.fsum(values) / len(values)
    return 0.0 if np.abs(off).max() <= NOISE else math.fsum(off**2)


def t_quantile(df: float, level: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(df, (1 + level) / 2))
