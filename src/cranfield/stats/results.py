"""What the tests give back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from cranfield.stats.arrays import Floats

_NOTHING: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True)
class Test:
    """A two-sided test of no difference between two systems.

    Parameters
    ----------
    name : "paired t", "Wilcoxon", "sign", "randomisation" or "bootstrap".
    method : how p was found: "exact", "normal approximation", or the number of resamples and the
        seed.
    statistic : t, the smaller rank sum, the smaller count, or the mean difference; infinite where
        all differences are the same and not 0; None without a test.
    p : None where there is no test; `reason` then says why.
    n : topics that came in.
    details : further numbers by name.
    """

    __test__ = False  # no class of tests, whatever pytest thinks of the name

    name: str
    method: str
    statistic: float | None
    p: float | None
    n: int
    details: Mapping[str, float] = field(default_factory=lambda: _NOTHING)
    reason: str | None = None


@dataclass(frozen=True)
class Interval:
    """A confidence interval; low and high are None where there is none, and `reason` says why."""

    low: float | None
    high: float | None
    level: float
    method: str
    n: int
    reason: str | None = None


@dataclass(frozen=True, eq=False)
class AllPairs:
    """One test for each pair of m systems over the same n topics.

    Parameters
    ----------
    name, method : as in `Test`.
    n : topics.
    difference : [m, m] mean of row i less mean of row j.
    statistic : [m, m], antisymmetric.
    p : [m, m], symmetric, 1 on the diagonal; not adjusted for the number of pairs.
    """

    name: str
    method: str
    n: int
    difference: Floats
    statistic: Floats
    p: Floats

    @property
    def pairs(self) -> int:
        """The number of hypotheses, m(m - 1)/2."""
        return len(self.p) * (len(self.p) - 1) // 2


@dataclass(frozen=True, eq=False)
class AllIntervals:
    """One interval for the mean difference of each pair; low and high are [m, m]."""

    low: Floats
    high: Floats
    level: float
    method: str
    n: int


def too_few(name: str, n: int) -> Test:
    """The result that says that there is no test."""
    return Test(name, "none", None, None, n, reason=few(n))


def few(n: int) -> str:
    return "no topic" if n == 0 else "one topic: nothing is known of the spread"
