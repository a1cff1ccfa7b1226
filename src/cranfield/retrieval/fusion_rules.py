"""Rules of fusion, in two tables: every normalisation of `NORMS` goes with every combination of
scores in `RULES`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield.data.columns import Floats, Index
from cranfield.errors import UnknownName, UsageError


@dataclass(frozen=True, eq=False)
class Table:
    """What a rule sees: a row for every document that any run found for a query.

    Parameters
    ----------
    value : (rows, runs); the normalised score times the weight of the run, NaN where the run
        lacks the document
    rank : (rows, runs), from 1; NaN where the run lacks the document
    weight : (runs,)
    pool : (rows,); how many documents the query of the row has
    listed : (rows, runs); how many of them the run lists
    """

    value: Floats
    rank: Floats
    weight: Floats
    pool: Floats
    listed: Floats

    @property
    def found(self) -> Floats:
        """In how many runs the document is."""
        return np.asarray((~np.isnan(self.rank)).sum(axis=1), np.float64)


def _sum(values: Floats) -> Floats:
    """Row sums over what is there. Addends are sorted first: the order of the runs then changes no
    bit, and documents with the same addends tie."""
    return np.asarray(np.nan_to_num(np.sort(values, axis=1), nan=0.0).sum(axis=1), np.float64)


@dataclass(frozen=True)
class Rule:
    """How the values of a document in several runs become one.

    `uses` says what it reads: `score`s are normalised first, `rank`s are not. `weighs` says
    whether the runs may have weights.
    """

    name: str
    formula: str
    source: str
    uses: Literal["score", "rank"]
    weighs: bool
    combine: Callable[[Table, float], Floats]


_FOX = "Fox & Shaw 1994"
RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in [
        Rule("rrf", "Σ w / (k + rank)", "Cormack, Clarke & Büttcher 2009", "rank", True,
             lambda t, k: _sum(t.weight / (k + t.rank))),
        Rule("isr", "n · Σ w / rank²", "Mourão, Martins & Magalhães 2014", "rank", True,
             lambda t, k: t.found * _sum(t.weight / t.rank**2)),
        Rule("borda", "Σ w · points; c for the first of c documents, one less for each next, the "
             "rest shared by what a run lacks", "Aslam & Montague 2001", "rank", True,
             lambda t, k: _borda(t)),
        Rule("sum", "Σ w · score (CombSUM)", _FOX, "score", True,
             lambda t, k: _sum(t.value)),
        Rule("mnz", "n · Σ w · score (CombMNZ)", _FOX, "score", True,
             lambda t, k: t.found * _sum(t.value)),
        Rule("anz", "Σ w · score / n (CombANZ)", _FOX, "score", True,
             lambda t, k: _sum(t.value) / t.found),
        Rule("max", "the largest score (CombMAX)", _FOX, "score", False,
             lambda t, k: np.nanmax(t.value, axis=1)),
        Rule("min", "the smallest score of those there are (CombMIN)", _FOX, "score", False,
             lambda t, k: np.nanmin(t.value, axis=1)),
        Rule("med", "the median of the scores there are (CombMED)", _FOX, "score", False,
             lambda t, k: np.nanmedian(t.value, axis=1)),
        Rule("weighted", "Σ w · score, weights required", "Vogt & Cottrell 1999", "score", True,
             lambda t, k: _sum(t.value)),
    ]
}  # fmt: skip


def _borda(table: Table) -> Floats:
    pool = table.pool[:, None]
    left = pool - table.listed  # documents that the run lacks share the points 1 .. left
    points = np.where(np.isnan(table.rank), (left + 1) / 2, pool - table.rank + 1)
    return _sum(table.weight * points)


@dataclass(frozen=True, eq=False)
class Lists:
    """The result lists of one run: a number for the list of every row, and statistics by list."""

    score: Floats
    rank: Floats
    group: Index
    n: int

    def of(self, ufunc: np.ufunc, values: Floats, start: float) -> Floats:
        out = np.full(self.n, float(start))
        ufunc.at(out, self.group, values)
        return out[self.group]

    @property
    def size(self) -> Floats:
        return self.of(np.add, np.ones(len(self.score)), 0)

    @property
    def least(self) -> Floats:
        return self.of(np.minimum, self.score, math.inf)

    @property
    def most(self) -> Floats:
        return self.of(np.maximum, self.score, -math.inf)


def _divided(a: Floats, b: Floats, otherwise: float) -> Floats:
    """a / b, and what it is where b is zero."""
    out = np.full(len(a), float(otherwise))
    np.divide(a, b, out=out, where=b != 0)
    return out


def _zmuv(lists: Lists) -> Floats:
    mean = lists.of(np.add, lists.score, 0) / lists.size
    spread = np.sqrt(lists.of(np.add, (lists.score - mean) ** 2, 0) / lists.size)
    return _divided(lists.score - mean, spread, 0)


# Each turns the scores of one result list into comparable ones. Where all scores of a list are
# equal, min-max and sum-to-one give equal shares and not zeros, since a sole result is not nothing.
NORMS: dict[str, tuple[str, Callable[[Lists], Floats]]] = {
    "none": ("the score itself", lambda t: t.score),
    "min-max": (
        "(s - min) / (max - min)",
        lambda t: _divided(t.score - t.least, t.most - t.least, 1),
    ),
    "max": ("s / max", lambda t: _divided(t.score, t.most, 0)),
    "sum": (
        "(s - min) / Σ (s - min)",
        lambda t: np.where(
            t.most > t.least,
            _divided(t.score - t.least, t.of(np.add, t.score - t.least, 0), 0),
            1 / t.size,
        ),
    ),
    "zmuv": ("(s - mean) / standard deviation", _zmuv),
    "rank": ("1 - (rank - 1) / n", lambda t: 1 - (t.rank - 1) / t.size),
}


@dataclass(frozen=True)
class Fusion:
    """A rule with its parameters; a default normalisation of `min-max` for rules that use scores.

    Raises
    ------
    UnknownName, UsageError
        No such rule or normalisation, or parameters that the rule does not have.
    """

    method: str = "rrf"
    norm: str | None = None
    k: float | None = None
    weights: tuple[float, ...] | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.method not in RULES:
            raise UnknownName(f"no fusion {self.method!r}", f"fusions: {', '.join(RULES)}")
        rule = RULES[self.method]
        if self.norm is not None and self.norm not in NORMS:
            raise UnknownName(f"no normalisation {self.norm!r}", f"there are: {', '.join(NORMS)}")
        if rule.uses == "rank" and self.norm is not None:
            raise UsageError(f"{self.method} uses ranks", "leave the normalisation out")
        if self.weights is not None:
            if not rule.weighs:
                raise UsageError(f"{self.method} has no weights", "weighted, sum, rrf and mnz have")
            if not all(0 <= w < math.inf for w in self.weights) or not any(self.weights):
                raise UsageError("weights are numbers of 0 or more, and not all 0")
        elif self.method == "weighted":
            raise UsageError("weighted needs weights", "one number a run")
        if self.k is not None and self.method != "rrf":
            raise UsageError(f"{self.method} has no constant k", "rrf has one")
        if not 0 <= self.constant < math.inf or (self.depth is not None and self.depth < 1):
            raise UsageError("k is a number of 0 or more, depth 1 or more")

    @property
    def constant(self) -> float:
        """The k of `rrf`: 60 where none is given, as Cormack, Clarke & Büttcher (2009) chose."""
        return 60 if self.k is None else self.k

    def config(self) -> dict[str, object]:
        """What decides the fused run, for its card."""
        rule = RULES[self.method]
        out: dict[str, object] = {"method": self.method}
        out |= {"k": self.constant} if self.method == "rrf" else {}
        out |= {"norm": self.norm or "min-max"} if rule.uses == "score" else {}
        out |= {} if self.weights is None else {"weights": list(self.weights)}
        return out | ({} if self.depth is None else {"depth": self.depth})
