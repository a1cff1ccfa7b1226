"""What many tests at once do to the error: adjusted p-values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError, UsageError
from cranfield.kit.arguments import whole
from cranfield.stats.arrays import DECIMALS, Advance, Floats, drawn, lattice, silent, slack
from cranfield.stats.resampling import blocks, signs

Correction = Literal["holm", "bonferroni", "bh", "by", "none"]


@dataclass(frozen=True, eq=False)
class MaxT:
    """Adjusted p-values of h hypotheses that are tested on the same topics.

    Parameters
    ----------
    p : [h] adjusted, step-down.
    raw : [h] of each hypothesis by itself, from the same signs.
    statistic : [h] |Σd| / √(Σd²).
    """

    p: Floats
    raw: Floats
    statistic: Floats
    method: str


def adjust(p: ArrayLike, method: Correction = "holm") -> Floats:
    """Adjusted p-values: reject where one is below the level of the whole family.

    Parameters
    ----------
    p : raw p-values, [h].
    method : "bonferroni" min(1, h p) and "holm" (Holm 1979, step-down, never weaker) hold the
        chance of one wrong rejection or more, whatever the dependence; "bh" (Benjamini & Hochberg
        1995) and "by" (Benjamini & Yekutieli 2001, any dependence) hold the expected share of
        wrong ones among the rejections; "none" leaves them as they are.

    Raises
    ------
    InputError
        A p outside 0 to 1.
    UsageError
        A method that does not exist.
    """
    raw = np.asarray(p, np.float64)
    if raw.ndim != 1 or not ((raw >= 0) & (raw <= 1)).all():
        raise InputError("p-values must be numbers from 0 to 1, in one row")
    h = len(raw)
    if method == "none" or h == 0:
        return raw.copy()
    if method == "bonferroni":
        return np.asarray(np.minimum(1.0, raw * h))
    order = np.argsort(raw, kind="stable")
    rank = np.arange(1, h + 1)
    if method == "holm":
        steps = np.maximum.accumulate(np.minimum(1.0, (h - rank + 1) * raw[order]))
    elif method in ("bh", "by"):
        harmonic = float((1 / rank).sum()) if method == "by" else 1.0
        steps = np.minimum.accumulate((raw[order] * harmonic * h / rank)[::-1])[::-1]
        steps = np.minimum(1.0, steps)
    else:
        raise UsageError(f"adjust: no method {method!r}", "holm, bonferroni, bh, by or none")
    out = np.empty(h)
    out[order] = steps
    return out


def max_t(
    d: ArrayLike, *, resamples: int = 10_000, seed: int = 0, advance: Advance = silent
) -> MaxT:
    """Step-down max-T (Westfall & Young 1993) by joint changes of sign.

    Each topic's sign is changed in all hypotheses at once, so that their correlation is kept and
    paid for only once. The statistic |Σd| / √(Σd²) grows with |t| and has the same spread under
    changes of sign for every hypothesis. In each draw a hypothesis is compared with the largest
    statistic among those that were seen no larger than its own; p = (1 + c) / (B + 1).

    Parameters
    ----------
    d : differences, [h hypotheses, n topics]; NaN where a topic does not belong to a hypothesis.
        A row without a topic, or of zeros only, has p = 1.
    resamples, seed : how many draws, and which.
    advance : is told after each step what share of the whole it was.
    """
    try:
        given = np.asarray(d, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"the differences are not an array of numbers: {error}") from error
    if given.ndim != 2 or np.isinf(given).any():
        raise InputError("max_t: differences must be finite, one row a hypothesis")
    resamples = whole("resamples", resamples, 1)
    h, n = given.shape
    known = np.where(np.isnan(given), 0.0, given)
    units, _ = lattice(np.asarray(np.round(known, DECIMALS), np.float64))
    norm = np.sqrt((units**2).sum(axis=1))
    norm[norm == 0] = np.inf
    total = np.abs(units.sum(axis=1))
    statistic, reached = total / norm, (total - slack(n)) / norm
    order = np.argsort(statistic, kind="stable")  # the smallest first
    units, norm, least = units[order], norm[order, None], reached[order, None]
    alone, jointly = np.zeros(h, np.int64), np.zeros(h, np.int64)
    for first, count in blocks(resamples, n + h):
        drawn_t = np.abs(units @ signs(seed, first, count, n).T) / norm
        alone += np.count_nonzero(drawn_t >= least, axis=1)
        np.maximum.accumulate(drawn_t, axis=0, out=drawn_t)
        jointly += np.count_nonzero(drawn_t >= least, axis=1)
        advance(count / resamples)
    raw, p = np.empty(h), np.empty(h)
    raw[order] = (1 + alone) / (resamples + 1)
    steps = (1 + jointly) / (resamples + 1)
    p[order] = np.maximum.accumulate(steps[::-1])[::-1]
    return MaxT(p, raw, statistic, f"Monte Carlo, {drawn(resamples, seed)}")
