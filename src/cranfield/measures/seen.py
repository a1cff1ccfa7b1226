"""A topic whose top documents are not all judged, and an interval for a score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cranfield.data.columns import distinct
from cranfield.measures.gain import gain_of
from cranfield.measures.hits import Floats, Ints

World = Literal["closed", "open"]
Values = Mapping[str, Any]  # of the parameters of a measure


@dataclass(frozen=True)
class Bound:
    """low <= the true value <= high. `exact`: both ends are attained by some grades (in the open
    world, approached); otherwise the interval is an outer one, and may be too wide."""

    low: float
    high: float
    exact: bool = True

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def open(self) -> bool:
        """Whether the sign of a difference within these bounds is not known."""
        return self.low <= 0 <= self.high and (self.low, self.high) != (0, 0)


@dataclass(frozen=True, eq=False)
class Seen:
    """One topic as it is known.

    Parameters
    ----------
    judged : [row] the grades of all judged documents of the topic, returned or not (>= 0)
    grades : for each list (one or two) [n] the grade of the document at each rank; any number
        where nobody judged it
    holes : for each list [n] the number of the unjudged document at each rank, -1 for a judged
        one; two lists use the same number for the same document
    """

    judged: Floats
    grades: tuple[Floats, ...]
    holes: tuple[Ints, ...]

    @property
    def n_holes(self) -> int:
        return len(distinct(np.concatenate(self.holes)[np.concatenate(self.holes) >= 0]))

    def cut(self, k: int | None) -> Seen:
        """The first k of each list, with the holes there numbered from 0."""
        holes = [h[:k] for h in self.holes]
        if len(holes) == 1:  # a list has every document once
            (only,) = holes
            open_ = only >= 0
            renumbered = np.where(open_, np.cumsum(open_) - 1, -1)
            return Seen(self.judged, (self.grades[0][:k],), (renumbered,))
        there = distinct(np.concatenate(holes))
        there = there[there >= 0]
        fresh = tuple(np.where(h >= 0, np.searchsorted(there, h), -1) for h in holes)
        return Seen(self.judged, tuple(g[:k] for g in self.grades), fresh)


# (topic, parameters, [level] grades, world, most holes to enumerate) -> bounds
Way = Callable[[Seen, Values, Floats, World, int], Bound]

# (so many ranks, parameters) -> the factors of these ranks
Discount = Callable[[int, Values], Floats]


def signed(seen: Seen, at: Sequence[Floats], known: Sequence[Floats]) -> tuple[float, Floats]:
    """(what the judged documents add up to, [hole] what a worth of 1 would add): the first list
    counts up, the second down.

    Parameters
    ----------
    at : for each list [n] what a worth of 1 counts at each rank
    known : for each list [n] the worths of the judged documents
    """
    base, weights = 0.0, np.zeros(1 + max((int(h.max(initial=-1)) for h in seen.holes), default=-1))
    for sign, hole, rank, value in zip((1, -1), seen.holes, at, known, strict=False):
        judged = hole < 0
        base += sign * float((value[judged] * rank[judged]).sum())
        weights[hole[~judged]] += sign * rank[~judged]
    return base, weights


def linear(base: float, weights: Floats, top: float) -> Bound:
    """Each hole on its own takes the worth 0 or `top`."""
    return Bound(
        base + top * float(weights[weights < 0].sum()),
        base + top * float(weights[weights > 0].sum()),
    )


def relevance(seen: Seen, rel: float) -> list[Floats]:
    """For each list [n] 1 where a judged document is relevant."""
    return [np.where(h < 0, g >= rel, False).astype(np.float64) for g, h in ranked(seen)]


def ranked(seen: Seen) -> Any:
    """For each list its (grades, holes)."""
    return zip(seen.grades, seen.holes, strict=True)


def gradings(u: int, levels: int) -> Ints:
    """[levels^u, u] every way to give each of u holes a level."""
    powers = levels ** np.arange(u, dtype=np.int64)
    return np.arange(levels**u)[:, None] // powers % levels


def of_holes(values: Any, hole: Ints) -> Any:
    """[case, rank] the values of the holes, [case, hole], where they stand; 0 elsewhere."""
    if not values.shape[1]:
        return np.zeros((len(values), len(hole)), values.dtype)
    return np.where(hole >= 0, values[:, np.maximum(hole, 0)], 0)


def level_gains(levels: Floats, gain: Any) -> Floats:
    """[level] what a document of each level is worth; a level that a table lacks cannot be."""
    table = None if isinstance(gain, str) else dict(gain)
    return np.array(
        [
            0.0 if g <= 0 or (table is not None and g not in table) else gain_of(g, gain)
            for g in levels.tolist()
        ]
    )


def sums(values: Floats) -> Floats:
    """[n + 1] the sum of the first 0, 1, ..., n values."""
    return np.concatenate([np.zeros(1), np.cumsum(values)])
