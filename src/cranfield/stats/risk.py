"""A mean can rise while queries get worse: wins and losses, and measures that weigh losses more."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError
from cranfield.kit.arguments import not_negative
from cranfield.stats.arrays import Floats, constant, matrix, vector


@dataclass(frozen=True)
class WinTieLoss:
    wins: int
    ties: int
    losses: int


def win_tie_loss(d: ArrayLike, eps: float = 0.0) -> WinTieLoss:
    """Topics by the sign of the difference; |d| <= eps is a tie."""
    d, eps = vector(d), not_negative("eps", eps)
    wins, losses = int(np.count_nonzero(d > eps)), int(np.count_nonzero(d < -eps))
    return WinTieLoss(wins, len(d) - wins - losses, losses)


def urisk(d: ArrayLike, alpha: float) -> float | None:
    """URisk (Wang, Bennett & Collins-Thompson 2012): the mean of d over the topics, losses taken
    (1 + alpha)-fold. Higher is better; with alpha 0 it is the mean difference. None without a
    topic."""
    weighed = _weighed(vector(d), alpha)
    return math.fsum(weighed) / len(weighed) if len(weighed) else None


def trisk(d: ArrayLike, alpha: float) -> float | None:
    """TRisk (Dinçer, Macdonald & Ounis 2014): URisk over its standard error, with n - 1 in the
    variance. Below about -2 the risk against the baseline is significant, above 2 the reward; with
    alpha 0 it is the paired t. None for fewer than two topics; 0 or infinite without spread."""
    weighed = _weighed(vector(d), alpha)
    n = len(weighed)
    if n < 2:
        return None
    mean = math.fsum(weighed) / n
    if constant(weighed):
        return 0.0 if mean == 0 else math.copysign(math.inf, mean)
    return mean / (float(weighed.std(ddof=1)) / math.sqrt(n))


def zrisk(x: ArrayLike, alpha: float) -> Floats:
    """ZRisk (Dinçer, Macdonald & Ounis 2016) of every system against all, [m].

    A score is compared with what its row and column sums would have it, e = S_i T_q / N, as
    z = (x - e) / √e; the sum of z over the topics takes negative ones (1 + alpha)-fold. e = 0
    gives z = 0.

    Parameters
    ----------
    x : scores from 0 on, [m systems, n topics].
    alpha : from 0 on.
    """
    x = matrix(x, systems=1, topics=1)
    if (x < 0).any():
        raise InputError("zrisk: a score is below 0")
    total = x.sum()
    expected = x.sum(axis=1)[:, None] * x.sum(axis=0) / (total if total > 0 else 1.0)
    away = np.round(x - expected, 12)
    z = np.divide(away, np.sqrt(expected), out=np.zeros_like(x), where=expected > 0)
    return np.asarray(_weighed(z, alpha).sum(axis=1))


def georisk(x: ArrayLike, alpha: float) -> Floats:
    """GeoRisk (Dinçer, Macdonald & Ounis 2016) of every system, [m]: √(mean · Φ(ZRisk / n)), the
    geometric mean of how good and how safe it is, between 0 and 1 for scores up to 1."""
    risk = zrisk(x, alpha)
    x = matrix(x, systems=1, topics=1)
    safe = np.array([math.erfc(-z / x.shape[1] / math.sqrt(2)) / 2 for z in risk.tolist()])
    return np.asarray(np.sqrt(x.mean(axis=1) * safe))


def _weighed(d: Floats, alpha: float) -> Floats:
    alpha = not_negative("alpha", alpha)
    return np.where(d < 0, (1 + alpha) * d, d)
