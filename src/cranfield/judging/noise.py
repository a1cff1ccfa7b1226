"""Labels made worse on purpose: what would become of the systems if a judge with a known confusion
matrix had graded another collection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.data.columns import Floats
from cranfield.data.qrels import Qrels
from cranfield.errors import InputError, UsageError
from cranfield.judging.how import How
from cranfield.judging.systems import Order, orders, scored


def collapsed(tables: Floats, levels: Sequence[float], onto: Mapping[float, float]) -> Floats:
    """Confusion matrices on a coarser scale.

    Parameters
    ----------
    tables : [..., q, q]
    levels : [q]
    onto : {grade: grade of the coarser scale}; grades that are not named stay as they are.

    Returns
    -------
    [..., r, r], over the grades that are left, ascending.
    """
    named = [onto.get(level, level) for level in levels]
    left = sorted(set(named))
    into = np.zeros((len(levels), len(left)))
    for i, name in enumerate(named):
        into[i, left.index(name)] = 1.0
    return np.asarray(np.swapaxes(into, 0, 1) @ tables @ into)


def noised(
    qrels: Qrels, tables: Floats, levels: Sequence[float], *, seed: int = 0, by_query: bool = True
) -> Qrels:
    """Qrels whose grades are drawn anew: a grade a becomes b with the chance that the judge said b
    where the truth was a.

    Parameters
    ----------
    tables : [g, q, q] confusion matrices of the judge, one a query, the truth in rows.
    levels : [q] the scale of both.
    by_query : each query of `qrels` is given the matrix of one query of the judge, drawn at
        random, so that a judge who is far off on some queries is so here; else the sum of all.
        A grade that the judge did not meet in that query is drawn from the sum.
    seed : of all draws.

    Notes
    -----
    Errors are independent between the documents of a query. A real judge errs alike on like
    documents, and the more so on those of one system: what happens to the order of systems here
    is the least that has to be feared.

    Raises
    ------
    InputError
        A grade (of 0 or more) that is not on the scale, or one that the judge never met.
    """
    scale = np.asarray(levels, np.float64)
    at = np.searchsorted(scale, qrels.grade)
    judged = qrels.grade >= 0
    known = (at < len(scale)) & (scale[np.minimum(at, len(scale) - 1)] == qrels.grade)
    if not known[judged].all():
        strange = qrels.grade[judged & ~known][0]
        raise InputError(f"{qrels.name}: grade {strange:g} is not on the scale of the judge")
    total = tables.sum(axis=0)
    met = total.sum(axis=1) > 0
    if not met[at[judged]].all():
        missing = scale[at[judged]][~met[at[judged]]][0]
        raise InputError(f"the judge met no document of grade {missing:g}")
    stream = np.random.PCG64(seed)
    pick = (stream.random_raw(len(qrels.queries)) % np.uint64(len(tables))).astype(np.int64)
    uniform = stream.random_raw(len(qrels)) * 2.0**-64
    grade = qrels.grade.copy()
    for row in np.flatnonzero(judged).tolist():
        own = tables[pick[qrels.query[row]], at[row]] if by_query else total[at[row]]
        counts = own if own.sum() else total[at[row]]
        edge = np.cumsum(counts)
        place = np.searchsorted(edge, uniform[row] * edge[-1], side="right")
        grade[row] = scale[min(int(place), len(scale) - 1)]
    return replace(qrels, grade=grade, scale=float(scale[-1]))


def orders_under_noise(
    qrels: Qrels,
    runs: Sequence[Any],
    tables: Floats,
    levels: Sequence[float],
    measure: str = "nDCG@10",
    *,
    seeds: Sequence[int] = (0, 1, 2, 3, 4),
    by_query: bool = True,
    how: How | None = None,
) -> Iterator[Order]:
    """The order of the runs by `qrels` against that by noised ones, once a seed."""
    chosen = how or How(resamples=0)
    for seed in seeds:
        worse = noised(qrels, tables, levels, seed=seed, by_query=by_query)
        truth = replace(qrels, scale=worse.scale)
        found = orders(*scored(truth, worse, runs, [measure]), chosen)
        if not found:
            raise UsageError("an order takes two runs or more, and two queries")
        yield found[0]
