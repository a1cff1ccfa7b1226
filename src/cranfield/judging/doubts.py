"""Whether intervals of scores are to be trusted, and within what limits the scores lie."""

from __future__ import annotations

import math

from cranfield.comparison.outcome import Remark
from cranfield.measures import parse
from cranfield.stats.ppi import Powered


def limits_of(measure: str, n: int) -> tuple[float, float] | None:
    """Of a query's score or, for two runs, of its difference; None where there is no end."""
    low, high = map(float, parse(measure).definition.range)
    if not math.isfinite(high - low) or low == high:
        return None
    return (low, high) if n == 1 else (low - high, high - low)


def doubts(measure: str, *estimates: Powered) -> list[Remark]:
    """Why t intervals of these are not to be trusted, each reason once, and what was done."""
    found: dict[str, Remark] = {}
    for p in estimates:
        if p.doubt is not None:
            what = "bounded" if p.interval == "bounded" else "open"
            key = f"honest.doubt.{p.doubt}.{what}"
            found.setdefault(key, Remark(key, {"measure": measure, "n": p.n}))
    return list(found.values())
