"""Arrays checked on the way in, differences without rounding noise, and sums that are exact."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cranfield.errors import InputError

Floats: TypeAlias = NDArray[np.float64]
Index: TypeAlias = NDArray[np.int64]
Advance: TypeAlias = Callable[[float], None]  # is told what share of the work was done just now

DECIMALS = 12
NOISE = 1e-12  # a mean or a deviation up to this is 0
_LARGEST = 1e90  # so that no third power overflows


def vector(d: ArrayLike, what: str = "differences") -> Floats:
    """`d` [n] as float64, rounded to 12 decimals."""
    return np.round(_finite(d, 1, what), DECIMALS) + 0.0  # + 0.0: no negative zero


def matrix(x: ArrayLike, *, systems: int = 2, topics: int = 2) -> Floats:
    """`x` [m systems, n topics] as float64, of at least that many rows and columns."""
    found = _finite(x, 2, "scores")
    m, n = found.shape
    if m < systems or n < topics:
        raise InputError(
            f"{m} systems and {n} topics", f"at least {systems} systems and {topics} topics"
        )
    return found


def pair(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    """Two vectors of one length."""
    first, second = _finite(x, 1, "scores"), _finite(y, 1, "scores")
    if len(first) != len(second):
        raise InputError(
            f"{len(first)} scores against {len(second)}", "both must be over the same items"
        )
    return first, second


def _finite(values: ArrayLike, dimensions: int, what: str) -> Floats:
    try:
        found = np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"the {what} are not an array of numbers: {error}") from error
    if found.size == 0 and dimensions == 1:
        found = found.reshape(0)
    if found.ndim != dimensions:
        raise InputError(
            f"the {what} have {found.ndim} dimensions instead of {dimensions}",
            "a vector over topics, or a matrix of systems by topics",
        )
    if not np.isfinite(found).all():
        raise InputError(f"the {what} are not all finite numbers", "leave undefined topics out")
    if np.abs(found).max(initial=0.0) > _LARGEST:
        raise InputError(f"the {what} reach beyond {_LARGEST:g}", "use another unit")
    return found


def drawn(resamples: int, seed: int) -> str:
    """How a Monte Carlo result came about, in words that let it be repeated."""
    return f"{resamples} resamples, seed {seed}"


def constant(d: Floats) -> bool:
    """Whether the differences are all the same, apart from rounding."""
    return float(d.std(ddof=1)) <= NOISE * max(1.0, float(np.abs(d).max()))


def lattice(x: Floats) -> tuple[Floats, float]:
    """`x` [..., n] in whole units of 10^-k, held as float64, and the unit.

    k is 12, or less where large scores or very many topics need it, so that any signed sum over
    the topics of a difference of two rows stays below 2^53. Such sums are exact: the same in any
    order, block or number of threads, a matrix product included.
    """
    n, most = x.shape[-1], float(np.abs(x).max(initial=0.0))
    k = DECIMALS
    while k > -300 and 2 * n * (most * 10.0**k + 1) > 2.0**53:
        k -= 1
    return np.rint(x * 10.0**k) + 0.0, 10.0**-k


def slack(n: int) -> float:
    """How far apart two sums over n topics in units of the lattice may be and still count as
    equal: half a unit of rounding for each of the four scores that a topic brings in."""
    return 2.0 * n


def silent(done: float) -> None:
    """Nobody looks at the progress."""
