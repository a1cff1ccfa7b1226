"""The choices behind the figures of agreement."""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.errors import UsageError


@dataclass(frozen=True)
class How:
    """Every choice that decides a figure; printed with it.

    Parameters
    ----------
    rel : the least grade that is relevant.
    scale : all grades there are; empty: those that occur. A grade off it is left out and counted.
    k : results of a run that its bias is measured on.
    top : systems, the best by the first set, whose order is looked at alone.
    pairs : systems are scored by the `common` pairs, or by `own`, all that each set has.
    test, correction, alpha : which differences of systems are significant: `t` or
        `randomisation`, over all pairs of systems.
    level, resamples, seed : of the intervals, for which whole queries are drawn.
    """

    rel: float = 1.0
    scale: tuple[float, ...] = ()
    k: int = 10
    top: int = 10
    pairs: str = "common"
    test: str = "t"
    correction: str = "holm"
    alpha: float = 0.05
    level: float = 0.95
    resamples: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.pairs not in ("common", "own"):
            raise UsageError(f"pairs are {self.pairs!r}", "common or own")
        if self.test not in ("t", "randomisation"):
            raise UsageError(f"no test {self.test!r} of all pairs", "t or randomisation")
        if self.k < 1 or self.top < 2:
            raise UsageError("k is at least 1 and top at least 2")
        for name, share in (("alpha", self.alpha), ("level", self.level)):
            if not 0 < share < 1:
                raise UsageError(
                    f"{name} is {share}",
                    f"a share between 0 and 1, for example {0.05 if name == 'alpha' else 0.95}",
                )
        if self.resamples < 0:
            raise UsageError(f"resamples are {self.resamples}", "0 (no intervals) or more")
