"""All pairs of three systems or more, and which of them cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from cranfield.comparison.outcome import AllPairs, Choices, Remark
from cranfield.comparison.samples import COMPARED, barred, by_name, scale
from cranfield.data.card import RunCard
from cranfield.data.columns import Floats
from cranfield.data.scores import Scores


def all_pairs(
    scores: Scores, cards: Sequence[RunCard], choices: Choices
) -> tuple[tuple[AllPairs, ...], tuple[Remark, ...]]:
    """One a measure, by randomised Tukey HSD (Carterette 2012), which keeps the chance of one
    false difference among all pairs at alpha; and remarks on what was left out.

    Runs of which nothing may be concluded are left out; measures with fewer than three others, or
    with fewer than two queries, have no pairs.
    """
    if len(scores.runs) < 3:
        return (), ()
    found, remarks = [], []
    for i, measure in enumerate(scores.measures):
        out = barred(scores, i, cards, choices)
        if out.any():
            names = tuple(scores.runs[r] for r in np.flatnonzero(out).tolist())
            values = {"measure": measure.text, "n": len(names), "runs": names}
            remarks.append(Remark("not_paired", values))
        if (~out).sum() >= 3:
            found += list(_pairs(scores, i, ~out, choices))
    return tuple(found), tuple(remarks)


def _pairs(scores: Scores, i: int, kept: NDArray[np.bool_], choices: Choices) -> Iterator[AllPairs]:
    from cranfield.stats.tukey import randomised_tukey_hsd

    measure = scores.measures[i]
    queries, names = by_name(scores.queries), by_name(scores.runs)
    names = names[kept[names]]
    usable = np.all(scores.valid[kept, :, i], axis=0)
    queries = queries[usable[queries]]
    if len(queries) < 2:
        return
    x = scale(scores.values[:, :, i][np.ix_(names, queries)], COMPARED[measure.aggregate])
    found = randomised_tukey_hsd(x, resamples=choices.resamples, seed=choices.seed)
    means = x.mean(axis=1)
    order = np.argsort(-means, kind="stable")
    p = found.p[np.ix_(order, order)]
    yield AllPairs(
        measure=measure.text,
        runs=tuple(scores.runs[s] for s in names[order].tolist()),
        means=means[order],
        p=p,
        groups=groups(p, choices.alpha),
        method=f"{found.name}, {found.method}",
        n=len(queries),
    )


def groups(p: Floats, alpha: float) -> tuple[tuple[int, ...], ...]:
    """The largest stretches of systems, in the order of their means, in which no pair has
    p < alpha.

    p falls as two means move apart, so that a set in which no pair can be told apart is such a
    stretch or part of one.
    """
    apart = p < alpha
    m = len(p)
    found: list[tuple[int, ...]] = []
    for first in range(m):
        last = first
        while last + 1 < m and not apart[first : last + 1, last + 1].any():
            last += 1
        if not found or last > found[-1][-1]:
            found.append(tuple(range(first, last + 1)))
    return tuple(found)
