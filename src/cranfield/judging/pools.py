"""What to label of several runs: a pool to a depth, or a sample of it drawn stratum by stratum.

A pool to depth k holds the first k documents of every run. Where that is too much, the deeper parts
are sampled: the pool is cut into strata by the best rank that a document has in any run, and each
stratum is labelled at a rate of its own. Extended infAP (Yilmaz, Kanoulas & Aslam 2008) estimates
average precision from such labels, infAP (Yilmaz & Aslam 2006) where there is one stratum.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cranfield.data.columns import Ids
from cranfield.data.qrels import Qrels, grade_text
from cranfield.errors import NothingToEvaluate, UsageError
from cranfield.judging.sets import LabelSet


@dataclass(frozen=True)
class Pooled:
    """A document of a pool.

    Parameters
    ----------
    stratum : from 1.
    sampled : whether it is to be labelled.
    rank : its best in any run; `runs` return it within the depth.
    grade : None without a label.
    """

    query: str
    doc: str
    stratum: int
    sampled: bool
    rank: int
    runs: int
    grade: float | None = None


@dataclass(frozen=True)
class Pool:
    """Documents by query, best rank and name.

    Parameters
    ----------
    depths, rates : of the strata: the last best rank that belongs to one, and the share of it
        that is labelled.
    seed : of the draw.
    runs : names.
    """

    rows: tuple[Pooled, ...]
    depths: tuple[int, ...]
    rates: tuple[float, ...]
    seed: int
    runs: tuple[str, ...]

    @property
    def queries(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.query for row in self.rows))

    @property
    def to_label(self) -> int:
        return sum(row.sampled for row in self.rows)


def pool_of(
    runs: Sequence[Any],
    depths: Sequence[int] = (100,),
    rates: Sequence[float] = (1.0,),
    *,
    seed: int = 0,
    queries: Iterable[str] | None = None,
) -> Pool:
    """Pool runs.

    Parameters
    ----------
    runs : of anything that holds a run.
    depths : the depth of the pool; several cut it into strata, as 10, 50, 100.
    rates : the share of each stratum to label, rounded up to whole documents a query; which ones
        follows from the seed and the names alone, so that another run or query changes no draw
        elsewhere.
    queries : ids to keep [all].

    Raises
    ------
    UsageError, NothingToEvaluate, FormatError, InputError, NoSuchInput
    """
    from cranfield.evaluation.lists import top_of
    from cranfield.formats.readers import read_run
    from cranfield.scan.lines import Lines

    depths, rates = _checked(depths, rates)
    if not runs:
        raise UsageError("no run to pool")
    kept = None if queries is None else set(queries)
    best: dict[tuple[str, str], list[int]] = {}
    names = []
    for given in runs:
        run = read_run(given)
        names.append(run.name)
        for query, results in top_of(Lines.from_run(run), depths[-1]).items():
            if kept is None or query in kept:
                for rank, (doc, _) in enumerate(results, 1):
                    best.setdefault((query, doc), []).append(rank)
    if not best:
        raise NothingToEvaluate("no run answers any of the queries")
    rows = [
        Pooled(query, doc, _stratum(min(ranks), depths), False, min(ranks), len(ranks))
        for (query, doc), ranks in best.items()
    ]
    return Pool(_drawn(rows, rates, seed), depths, rates, seed, tuple(names))


def _checked(
    depths: Sequence[int], rates: Sequence[float]
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    rising = all(a < b for a, b in zip([0, *depths], depths, strict=False))
    if not depths or not rising:
        shown = ", ".join(map(str, depths)) or "none"
        raise UsageError(f"depths {shown}", "whole numbers from 1 on, rising: 10,50,100")
    if len(rates) != len(depths):
        raise UsageError(f"{len(rates)} rates for {len(depths)} strata", "one for each depth")
    wrong = next((r for r in rates if not 0 < r <= 1), None)
    if wrong is not None:
        raise UsageError(f"rate {wrong!r}", "a share above 0, up to 1")
    return tuple(depths), tuple(float(r) for r in rates)


def _stratum(rank: int, depths: Sequence[int]) -> int:
    return next(s for s, depth in enumerate(depths, 1) if rank <= depth)


def _drawn(rows: list[Pooled], rates: Sequence[float], seed: int) -> tuple[Pooled, ...]:
    """Of each query and stratum the documents whose hash comes first."""
    by: dict[tuple[str, int], list[Pooled]] = {}
    for row in rows:
        by.setdefault((row.query, row.stratum), []).append(row)
    chosen: set[tuple[str, str]] = set()
    for (_, stratum), own in by.items():
        n = math.ceil(round(rates[stratum - 1] * len(own), 9))
        ordered = sorted(own, key=lambda r: _hash(seed, r.query, r.doc))
        chosen |= {(r.query, r.doc) for r in ordered[:n]}
    marked = (replace(r, sampled=(r.query, r.doc) in chosen) for r in rows)
    return tuple(sorted(marked, key=lambda r: (r.query, r.rank, r.doc)))


def _hash(seed: int, query: str, doc: str) -> tuple[bytes, str]:
    text = f"{seed}\0{query}\0{doc}".encode()
    return hashlib.blake2b(text, digest_size=8).digest(), doc


@dataclass(frozen=True)
class Filled:
    """A pool with labels.

    Parameters
    ----------
    labelled, missing : sampled documents with and without a label.
    unused : labels of documents that are not sampled: they would undo the sample, and are left
        out.
    """

    pool: Pool
    labelled: int
    missing: int
    unused: int


def fill(pool: Pool, labels: LabelSet) -> Filled:
    """The pool with the grades of its sampled documents."""
    grades = labels.grades()
    rows = tuple(
        replace(row, grade=grades.get((row.query, row.doc)) if row.sampled else None)
        for row in pool.rows
    )
    labelled = sum(row.grade is not None for row in rows)
    return Filled(
        replace(pool, rows=rows), labelled, pool.to_label - labelled, len(grades) - labelled
    )


def pool_qrels(pool: Pool) -> Qrels:
    """Qrels with strata, for xinfAP: -1 for a pooled document without a grade."""
    rows = [(r.query, r.doc, -1.0 if r.grade is None else r.grade) for r in pool.rows]
    strata = Ids.of(str(r.stratum) for r in pool.rows)
    return Qrels.from_rows(rows, name="pool", stratum=strata)


def sampled_lines(pool: Pool) -> str:
    """The form that NIST's sample_eval reads for extended infAP: query, 0, document, stratum,
    grade; -1 where it was not sampled or has no label."""
    lines = []
    for r in pool.rows:
        grade = "-1" if r.grade is None else grade_text(r.grade)
        lines.append(f"{r.query} 0 {r.doc} {r.stratum} {grade}\n")
    return "".join(lines)


def inferred_ap(pool: Pool, run: Any, rel: float = 1.0) -> Mapping[str, float]:
    """{query: xinfAP} of a run by a filled pool; a query that the run lacks has 0, one without a
    label has none."""
    from cranfield.evaluation.evaluate import evaluate
    from cranfield.measures import xinfAP

    return evaluate(pool_qrels(pool), run, xinfAP(rel=rel)).per_query()
