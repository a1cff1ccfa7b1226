"""How far judges agree beyond chance: Cohen's κ, Krippendorff's α, Gwet's AC1 and AC2.

Every coefficient here is a function of a table of counts that may be added up over queries: for
two judges the confusion matrix, for any number of them the coincidence matrix. A formula takes
many tables at once, [..., q, q], and is NaN where it is not defined; `coefficients` says None.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError, UsageError
from cranfield.stats.arrays import Floats, Index

Weights = Literal["none", "linear", "quadratic"]
Metric = Literal["nominal", "ordinal", "interval"]


def confusion(
    a: ArrayLike, b: ArrayLike, levels: ArrayLike, group: ArrayLike | None = None
) -> Floats:
    """Counts [q, q] of pairs with level i from `a` and j from `b`; with `group` [g, q, q].

    Parameters
    ----------
    a, b : [n] grades of the same pairs.
    levels : [q] the grades of the scale, ascending, those that nobody gave included.
    group : [n] numbers from 0 on, of the query of each pair.

    Raises
    ------
    InputError
        A grade that is not on the scale, or vectors of different lengths.
    """
    scale = np.asarray(levels, np.float64)
    first, second = _places(a, scale), _places(b, scale)
    if len(first) != len(second):
        raise InputError(f"{len(first)} grades against {len(second)}", "both of the same pairs")
    groups = np.zeros(len(first), np.int64) if group is None else np.asarray(group, np.int64)
    count, q = int(groups.max(initial=-1)) + 1, len(scale)
    cell = (groups * q + first) * q + second
    found = np.bincount(cell, minlength=max(count, 1) * q * q).reshape(-1, q, q).astype(np.float64)
    return np.asarray(found if group is not None else found.sum(axis=0))


def coincidences(ratings: ArrayLike, levels: ArrayLike, group: ArrayLike | None = None) -> Floats:
    """Krippendorff's coincidence matrix [q, q], or with `group` [g, q, q].

    A unit with m values brings in each ordered pair of them with weight 1 / (m - 1); one with
    fewer than two brings in nothing.

    Parameters
    ----------
    ratings : [judges, units], NaN where a judge said nothing.
    levels : [q] the grades of the scale, ascending.
    group : [units] numbers from 0 on.
    """
    table, scale = np.asarray(ratings, np.float64), np.asarray(levels, np.float64)
    if table.ndim != 2:
        raise InputError("ratings must be a matrix of judges by units")
    units, q = table.shape[1], len(scale)
    counts = np.zeros((units, q))
    for row in table:
        there = np.flatnonzero(~np.isnan(row))
        np.add.at(counts, (there, _places(row[there], scale)), 1)
    m = counts.sum(axis=1)
    weight = np.divide(1.0, m - 1, out=np.zeros(units), where=m > 1)
    groups = np.zeros(units, np.int64) if group is None else np.asarray(group, np.int64)
    found = np.zeros((max(int(groups.max(initial=-1)) + 1, 1), q, q))
    for c in range(q):
        pairs = counts[:, c, None] * counts
        pairs[:, c] -= counts[:, c]
        np.add.at(found[:, c], groups, pairs * weight[:, None])
    return np.asarray(found if group is not None else found.sum(axis=0))


def _places(grades: ArrayLike, scale: Floats) -> Index:
    given = np.asarray(grades, np.float64)
    at = np.searchsorted(scale, given)
    fine = (
        (at < len(scale)) & (scale[np.minimum(at, len(scale) - 1)] == given)
        if len(scale)
        else (np.zeros(len(given), bool))
    )
    if not fine.all():
        raise InputError(
            f"grade {given[~fine][0]:g} is not on the scale {', '.join(f'{x:g}' for x in scale)}"
        )
    return np.asarray(at, np.int64)


# ------------------------------------------------------------------ one value a table


def percent(table: Floats) -> Floats:
    """The share of pairs with the same grade."""
    total = table.sum(axis=(-2, -1))
    return _ratio(np.trace(table, axis1=-2, axis2=-1), total)


def kappa(table: Floats, levels: ArrayLike, weights: Weights = "none") -> Floats:
    """Cohen's κ (1960, weighted 1968): 1 - Σ w o / Σ w e.

    o are the counts, e those expected from the marginals, and w is 1 off the diagonal, |i - j| or
    (i - j)² of the grades. Not defined where both judges gave one and the same grade throughout.
    """
    w = _distance(levels, weights)
    rows, columns = table.sum(axis=-1), table.sum(axis=-2)
    expected = rows[..., :, None] * columns[..., None, :]
    seen = (w * table).sum(axis=(-2, -1)) * table.sum(axis=(-2, -1))
    return 1 - _ratio(seen, (w * expected).sum(axis=(-2, -1)))


def ac(table: Floats, levels: ArrayLike, weights: Weights = "none") -> Floats:
    """Gwet's AC1 (2008), with weights AC2 (2014): (p_a - p_e) / (1 - p_e).

    p_a = Σ w p with w = 1 - d / d_max; p_e = Σw / (q (q - 1)) · Σ π (1 - π), π the mean of both
    marginals and q the number of grades on the scale, whether or not anybody gave them.
    """
    d = _distance(levels, weights)
    q = len(d)
    if q < 2:
        return np.full(table.shape[:-2], np.nan)
    w = 1 - d / d.max()
    total = table.sum(axis=(-2, -1))
    agreed = _ratio((w * table).sum(axis=(-2, -1)), total)
    both = table.sum(axis=-1) + table.sum(axis=-2)
    pi = _ratio(both, 2 * total[..., None])
    chance = w.sum() / (q * (q - 1)) * (pi * (1 - pi)).sum(axis=-1)
    return _ratio(agreed - chance, 1 - chance)


def alpha(table: Floats, levels: ArrayLike, metric: Metric = "nominal") -> Floats:
    """Krippendorff's α (2004) of a coincidence matrix: 1 - D_o / D_e.

    The metric is 1 for different grades, (a - b)² of the grades, or for "ordinal" the square of
    the values that lie between two grades, half of the two themselves left out. Not defined where
    all values are the same.
    """
    if metric not in get_args(Metric):
        raise UsageError(f"alpha: no metric {metric!r}", ", ".join(get_args(Metric)))
    n = table.sum(axis=-1)
    total = n.sum(axis=-1)
    if metric == "ordinal":
        middle = np.cumsum(n, axis=-1) - n / 2
        d = (middle[..., :, None] - middle[..., None, :]) ** 2
    else:
        d = _distance(levels, "none" if metric == "nominal" else "quadratic")
    seen = (d * table).sum(axis=(-2, -1)) * (total - 1)
    expected = (d * n[..., :, None] * n[..., None, :]).sum(axis=(-2, -1))
    return 1 - _ratio(seen, expected)


def _distance(levels: ArrayLike, weights: Weights) -> Floats:
    scale = np.asarray(levels, np.float64)
    apart = np.abs(scale[:, None] - scale)
    if weights == "none":
        return (apart > 0).astype(np.float64)
    if weights not in ("linear", "quadratic"):
        raise UsageError(f"no weights {weights!r}", "none, linear or quadratic")
    return np.asarray(apart if weights == "linear" else apart**2)


def _ratio(top: Floats, bottom: Floats) -> Floats:
    out = np.full(np.broadcast(top, bottom).shape, np.nan)
    np.divide(top, bottom, out=out, where=np.asarray(bottom) > 0)
    return out
