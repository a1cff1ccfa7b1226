"""Distributions of a normal value, or the range of some, over an estimate of the deviation.

An estimate s with df degrees of freedom (df s² / σ² is chi squared) has a smooth density f, and
whatever is divided by it has a distribution ∫ f(s) G(s) ds. The integrals are taken by Gauss and
Legendre's rule, for many values at once:

    studentised range    G(s) = P(range of m normal values <= q s)
    noncentral t         G(s) = Φ(δ - c s) + Φ(-δ - c s), the power of a two-sided t-test

SciPy has both, but the first one value at a time, minutes for ten thousand, and the second
(1.17) jumps by .5 where there are few degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from cranfield.stats.arrays import Floats

_NODES = np.polynomial.legendre.leggauss(64)
_FINE = np.polynomial.legendre.leggauss(400)
_WIDEST = 9.0  # the normal density beyond this is below 1e-18
_DEGREE = 256
_SMALL = (0.01, 0.03, 0.1, 0.3, 1.0)  # where s is cut if few degrees of freedom let it be near 0
_TURNS = 16.0  # a piece of s may be this long in units of 1/critical, in which Φ falls from 1 to 0
_AT_ONCE = 1024  # values of q, so that scratch memory stays in the cache


def range_tail(q: Floats, m: int, df: int) -> Floats:
    """The chance of a studentised range of m means above each q, exact to about 1e-11."""
    flat = np.asarray(q, np.float64).ravel()
    s, weight = _estimates(df)
    normal_tail = _normal_range_tail(m)
    out = np.empty_like(flat)
    for first in range(0, len(flat), _AT_ONCE):
        w = np.minimum(flat[first : first + _AT_ONCE, None] * s, 2 * _WIDEST)
        out[first : first + _AT_ONCE] = normal_tail(w) @ weight
    return np.clip(out, 0.0, 1.0).reshape(np.shape(q))


@lru_cache(maxsize=64)
def range_quantile(alpha: float, m: int, df: int) -> float:
    """The q that is exceeded with probability alpha, by bisection."""
    low, high = 0.0, 1.0
    while range_tail(np.array([high]), m, df)[0] > alpha:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        above = range_tail(np.array([middle]), m, df)[0] > alpha
        low, high = (middle, high) if above else (low, middle)
    return (low + high) / 2


@lru_cache(maxsize=8)
def _normal_range_tail(m: int) -> Callable[[Floats], Floats]:
    """1 - m ∫ φ(z) (Φ(z) - Φ(z - w))^(m-1) dz for w from 0 to twice the widest, as a polynomial
    through Chebyshev's points: the function is so smooth that nothing is lost, and ten thousand
    values of q cost no more than one."""
    from scipy.special import ndtr

    node, weight = _FINE
    z = node * _WIDEST
    density = weight * _WIDEST * np.exp(-z * z / 2) / np.sqrt(2 * np.pi)

    def tail(w: Floats) -> Floats:
        inside = ndtr(z) - ndtr(z - w[..., None])
        return np.asarray(1.0 - m * ((inside ** (m - 1)) @ density), np.float64)

    return np.polynomial.Chebyshev.interpolate(tail, _DEGREE, [0, 2 * _WIDEST])


def t_power(shift: float, critical: float, df: int) -> float:
    """The chance of |T| > critical for a noncentral t with noncentrality `shift` from 0 on."""
    from scipy.special import ndtr

    turn = shift / critical  # around here Φ falls from 1 to 0, within a few 1/critical
    cuts = [turn - 9 / critical, turn, turn + 9 / critical]
    s, weight = _estimates(df, cuts)
    return float(min(1.0, (ndtr(shift - critical * s) + ndtr(-shift - critical * s)) @ weight))


def t_powers(shifts: Floats, critical: float, df: int) -> Floats:
    """`t_power` of many noncentralities with one critical value from 0 on: exact to about 1e-13."""
    from scipy.special import ndtr

    s, weight = _estimates(df)
    ends = np.linspace(s[0], s[-1], 2 + int(critical * (s[-1] - s[0]) / _TURNS))
    s, weight = _estimates(df, ends[1:-1].tolist())
    found = np.empty(len(shifts))
    for first in range(0, len(shifts), _AT_ONCE // 8):
        shift = shifts[first : first + _AT_ONCE // 8, None]
        above = ndtr(shift - critical * s) + ndtr(-shift - critical * s)
        found[first : first + _AT_ONCE // 8] = above @ weight
    return np.minimum(found, 1.0)


def _estimates(df: int, cuts: Sequence[float] = ()) -> tuple[Floats, Floats]:
    """Nodes for s (σ = 1) and their shares of the density, cut where the integrand may turn."""
    from scipy.special import chdtri

    low, high = (float(np.sqrt(chdtri(df, p) / df)) for p in (1 - 1e-15, 1e-18))
    cuts = [*cuts, *_SMALL] if df < 30 else [*cuts]
    edges = np.array([low, *sorted(c for c in cuts if low < c < high), high])
    node, weight = _NODES
    half = np.diff(edges)[:, None] / 2
    s = (edges[:-1, None] + half * (1 + node)).ravel()
    off = s - 1  # the terms of log f cancel at the peak, and are taken from there
    density = np.exp((df - 1) * np.log1p(off) - df / 2 * off * (2 + off))
    share = density * (half * weight).ravel()
    return s, share / share.sum()
