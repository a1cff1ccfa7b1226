"""The randomisation test: what the mean difference would be with the systems' names exchanged
on any of the topics."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import UsageError
from cranfield.kit.arguments import whole
from cranfield.stats.arrays import Floats, Index, drawn, lattice, slack, vector
from cranfield.stats.resampling import blocks, signs
from cranfield.stats.results import Test, too_few

_STEPS = 300_000_000  # additions that dynamic programming may take, under a second
_HALVES = 40  # differences whose 2^n signs are counted by meeting in the middle
_SORTING = 200  # additions that sorting and matching one sum of a half costs


def randomisation(
    d: ArrayLike,
    *,
    method: Literal["auto", "exact", "monte-carlo"] = "auto",
    resamples: int = 100_000,
    seed: int = 0,
) -> Test:
    """Fisher's paired randomisation test (Smucker, Allan & Carterette 2007), two-sided.

    p is the share of the 2^n ways to give the differences signs whose sum is at least as far from
    0 as the one seen. "auto" counts all of them where that is possible in about a second: for up
    to 40 differences that are not 0, and for more where they are multiples of a unit that is not
    too small, as those of scores written with four decimals are. Otherwise signs are drawn, and
    p = (1 + c) / (B + 1) with c draws of B at least as far out.

    Parameters
    ----------
    d : differences by topic, [n].
    method : "auto", "exact" or "monte-carlo".
    resamples, seed : for Monte Carlo.

    Returns
    -------
    Test
        The statistic is the mean difference. Details: `zeros`, and for Monte Carlo `resamples`
        and `seed`.

    Raises
    ------
    UsageError
        "exact" where it would take too long, or a method that does not exist.
    """
    d = vector(d)
    if method not in ("auto", "exact", "monte-carlo"):
        raise UsageError(f"randomisation: no method {method!r}", "auto, exact or monte-carlo")
    if len(d) < 2:
        return too_few("randomisation", len(d))
    mean = math.fsum(d) / len(d)
    zeros = float(np.count_nonzero(d == 0))
    if method != "monte-carlo":
        p = exact_p(d)
        if p is not None:
            return Test("randomisation", "exact", mean, p, len(d), {"zeros": zeros})
        if method == "exact":
            raise UsageError(
                f"randomisation: {len(d)} differences are too many for the exact test",
                "method='monte-carlo'",
            )
    resamples = whole("resamples", resamples, 1)
    p = _monte_carlo_p(d, resamples, seed)
    details = {"zeros": zeros, "resamples": float(resamples), "seed": float(seed)}
    how = f"Monte Carlo, {drawn(resamples, seed)}"
    return Test("randomisation", how, mean, p, len(d), details)


def exact_p(d: Floats) -> float | None:
    """The exact p of rounded differences, or None where it would take too long."""
    units, _ = lattice(d)
    total, near = abs(int(units.sum())), slack(len(d))
    if total <= near:
        return 1.0
    whole = np.abs(units[units != 0]).astype(np.int64)
    step = int(np.gcd.reduce(whole))
    whole //= step
    # a sum of signed values is at most -total exactly if the positive ones reach this
    reach = math.floor((int(whole.sum()) - (total - near) / step) / 2)
    by_sums = len(whole) * reach
    by_halves = _SORTING << (len(whole) // 2) if len(whole) <= _HALVES else _STEPS + 1
    if min(by_sums, by_halves) > _STEPS:
        return None
    count = subset_share if by_sums <= by_halves else _halves_share
    return min(1.0, 2 * count(whole, reach))


def subset_share(values: Index, reach: int) -> float:
    """The share of all subsets of the values (whole numbers from 1 on) whose sum is at most
    `reach`, by dynamic programming over the sum."""
    if reach < 0:
        return 0.0
    chance = np.zeros(reach + 1)
    chance[0] = 1.0
    top = 0
    for value in np.sort(values).tolist():  # small ones first keep the range short for longer
        before, top = top, min(top + value, reach)
        chance[: before + 1] *= 0.5
        if value <= reach:
            kept = min(before, reach - value) + 1
            # the old values shifted, where overlap is safe because NumPy buffers it
            chance[value : value + kept] += chance[:kept]
    return math.fsum(chance[: top + 1])


def _halves_share(values: Index, reach: int) -> float:
    """The same for few and large values: the subset sums of both halves, sorted, are matched."""
    first, second = (_subset_sums(half) for half in (values[::2], values[1::2]))
    found = np.searchsorted(np.sort(second), reach - np.sort(first), side="right")
    return float(int(found.sum()) / 2 ** len(values))


def _subset_sums(values: Index) -> Index:
    sums = np.zeros(1, np.int64)
    for value in values.tolist():
        sums = np.concatenate((sums, sums + value))
    return sums


def _monte_carlo_p(d: Floats, resamples: int, seed: int) -> float:
    units, _ = lattice(d)
    least = abs(units.sum()) - slack(len(d))
    found = 0
    for first, count in blocks(resamples, len(d)):
        found += int(np.count_nonzero(np.abs(signs(seed, first, count, len(d)) @ units) >= least))
    return (1 + found) / (resamples + 1)
