"""The values of a measure under given conventions.

Every number is made by the one implementation of its formula. Where a convention needs what that
formula does not have (another ideal list, another divisor, a negative gain), its inputs are
changed: the ideal list becomes a list of hits of its own, a divisor a count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.data.qrels import Qrels
from cranfield.measures import Hits, Judgments, Measure, compute
from cranfield.measures.hits import Bools, Floats, Ints
from cranfield.measures.views import share
from cranfield.reconciliation.conventions import Conventions
from cranfield.reconciliation.material import Material, judgments

DCG_FAMILIES = ("DCG", "nDCG")
DIVIDED = ("P", "R", "AP")
NEGATIVE_COUNTS = ("bpref", "Judged", "RBPRes")


@dataclass
class Values:
    """Values by conventions, each made once."""

    material: Material
    measure: Measure
    _kept: dict[tuple[Any, ...], tuple[Floats, Bools, Bools]] = field(default_factory=dict)

    def mean(self, c: Conventions, query: int | None = None) -> tuple[float, int]:
        """(the summary, over how many queries); NaN over none. One query's value with `query`."""
        value, counted = self.per_query(c)
        if query is not None:
            counted = counted & (np.arange(len(counted)) == query)
        n = int(counted.sum())
        total = math.fsum(value[counted].tolist())
        if self.measure.definition.aggregate == "sum":
            return total, n
        return (total / n if n else math.nan), n

    def per_query(self, c: Conventions) -> tuple[Floats, Bools]:
        """(value, whether it counts) of every query of the judgments."""
        material = self.material
        value, valid, empty = self._values(c)
        if c.only_pooled == "skip":
            valid = valid & material.judged
        if c.missing == "skip":
            valid = valid & material.answered
        if c.no_answer == "skip":
            valid = valid & ~empty
        elif c.no_answer == "one":
            value = np.where(empty, 1.0, value)
        if c.rounding is not None:
            scale = 10.0**c.rounding
            value = np.floor(value * scale + 0.5) / scale
        return value, valid

    def _values(self, c: Conventions) -> tuple[Floats, Bools, Bools]:
        """(value, defined, without anything relevant among the documents that are looked at)."""
        key = (
            c.gain, c.rel, c.ties, c.width, c.ideal, c.divisor, c.negative, c.duplicates,
            c.own_document,
        )  # fmt: skip
        if key not in self._kept:
            qrels, hits = self.material.read(c)
            grade = _grades(qrels, c)
            known = judgments(qrels, grade)
            defined = np.ones(known.n_queries, np.bool_)
            if self.measure.family == "nDCG":
                value = self._ndcg(qrels, known, hits, c)
            elif self.measure.family == "DCG":
                value = _dcg(qrels, known, hits, self._dcg_of(c), c)
            elif self.measure.family in DIVIDED and c.divisor != "standard":
                value = self._divided(known, hits, c)
            else:
                value, defined = _one(self._with_rel(c), known, hits, c)
            self._kept[key] = value, defined, ~self._any_relevant(known, hits, c)
        return self._kept[key]

    def _any_relevant(self, known: Judgments, hits: Hits, c: Conventions) -> Bools:
        rows = np.arange(len(known.query))
        if self.measure.family == "nDCG" and c.ideal in ("returned", "top"):
            rows = _looked_at(hits, c, self.measure.cutoff)
        good = rows[known.grade[rows] > 0]
        return np.bincount(known.query[good], minlength=known.n_queries) > 0

    def _with_rel(self, c: Conventions) -> Measure:
        asked = self.measure
        if asked.family == "AP":
            asked = asked(norm="rel")
        return asked(rel=c.rel) if "rel" in asked.values else asked

    def _dcg_of(self, c: Conventions) -> Measure:
        gain: Any = {"asked": self.measure.values["gain"], "binary": "linear"}.get(c.gain, c.gain)
        given = {"k": self.measure.cutoff, "condensed": self.measure.condensed}
        return Measure("DCG")(gain=gain, **given)

    def _ndcg(self, qrels: Qrels, known: Judgments, hits: Hits, c: Conventions) -> Floats:
        dcg = self._dcg_of(c)
        found = _dcg(qrels, known, hits, dcg, c)
        rows = np.arange(len(known.query))
        if c.ideal in ("returned", "top"):
            rows = _looked_at(hits, c, self.measure.cutoff)
        best = best_order(known, rows)
        if c.ideal == "depth":
            best = _first(best, hits.n_ret)
        best_dcg = dcg(condensed=False, **({"k": None} if c.ideal == "uncut" else {}))
        ideal = _dcg(qrels, known, best, best_dcg, Conventions(gain=c.gain, negative=c.negative))
        return share(np.where(ideal > 0, found, 0.0), ideal)

    def _divided(self, known: Judgments, hits: Hits, c: Conventions) -> Floats:
        asked = self._with_rel(c)
        k, R = asked.cutoff, known.num_rel(c.rel)
        if asked.family == "AP":
            if c.divisor == "min":
                return _one(asked(norm="min"), known, hits, c)[0]
            rows = np.zeros(len(known.query), np.bool_)
            rows[_looked_at(hits, Conventions(ideal="top"), k)] = True
            return _one(asked, _only(known, rows), hits, c)[0]
        if k is None:
            return _one(asked, known, hits, c)[0]
        found = _one(Measure("P")(rel=c.rel) @ k, known, hits, c)[0] * k
        if c.ties != "average":
            found = np.rint(found)  # a count: k · (count / k) may miss it by a bit
        size = np.minimum(hits.n_ret, k) if asked.family == "P" else np.minimum(R, k)
        return share(found, size)


def best_order(known: Judgments, rows: Ints) -> Hits:
    """These rows of the judgments as a list by grade, the highest first."""
    rows = rows[np.lexsort((-known.grade[rows], known.query[rows]))]
    query = known.query[rows]
    rank = np.arange(len(rows)) - np.searchsorted(query, query)
    n_ret = np.bincount(query, minlength=known.n_queries).astype(np.int64)
    return Hits(query, rank, rows, rank, np.ones(len(rows), np.int64), n_ret)


def _first(hits: Hits, k: Ints) -> Hits:
    """The first k[query] of each list."""
    keep = hits.rank < k[hits.query]
    return Hits(
        query=hits.query[keep],
        rank=hits.rank[keep],
        row=hits.row[keep],
        tie_start=hits.tie_start[keep],
        tie_len=hits.tie_len[keep],
        n_ret=np.minimum(hits.n_ret, k),
    )


def _looked_at(hits: Hits, c: Conventions, k: int | None) -> Ints:
    """Rows of the judgments that were returned (among the first k, for the ideal of the top)."""
    if c.ideal == "top" and k is not None:
        return hits.row[hits.rank < k]
    return hits.row


def _only(known: Judgments, rows: Bools) -> Judgments:
    """The same rows, those not wanted unjudged."""
    return Judgments(known.n_queries, known.query, np.where(rows, known.grade, -1.0))


def _grades(qrels: Qrels, c: Conventions) -> NDArray[np.float64]:
    grade = qrels.grade
    if c.negative == "zero":
        grade = np.maximum(grade, 0.0)
    if c.gain == "binary":
        grade = np.where(grade >= 0, (grade >= c.rel).astype(np.float64), grade)
    return grade


def _one(
    measure: Measure, known: Judgments, hits: Hits, c: Conventions
) -> tuple[Floats, NDArray[np.bool_]]:
    value, valid = compute(
        [measure.resolve(known.max_grade)], known, hits, expected_ties=c.ties == "average"
    )
    return value[:, 0], valid[:, 0]


def _dcg(qrels: Qrels, known: Judgments, hits: Hits, dcg: Measure, c: Conventions) -> Floats:
    """DCG, less what grades below 0 cost where they do."""
    value = _one(dcg, known, hits, c)[0]
    if c.negative != "gain" or not (known.grade < 0).any():
        return value
    below = np.minimum(known.grade, 0.0)
    cost = judgments(qrels, 1.0 - 2.0**below if dcg.values["gain"] == "exp" else -below)
    return value - _one(dcg(gain="linear"), cost, hits, c)[0]
