"""All pairs of three systems or more, and which of them cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cranfield.comparison.outcome import AllPairs, Choices
from cranfield.comparison.samples import Compared, scale
from cranfield.data.columns import Floats
from cranfield.data.scores import Scores

_COMPARED: dict[str, Compared] = {"sum": "count", "gm": "log"}


def all_pairs(scores: Scores, choices: Choices) -> Iterator[AllPairs]:
    """One a measure, by randomised Tukey HSD (Carterette 2012), which keeps the chance of one
    false difference among all pairs at alpha; over the queries that every run has a value for.
    Measures for which that is fewer than two queries have none."""
    from cranfield.stats.tukey import randomised_tukey_hsd

    if len(scores.runs) < 3:
        return
    # the queries and systems in the order of their names: no order of files shows in a figure
    queries = np.array(sorted(range(len(scores.queries)), key=scores.queries.__getitem__), np.int64)
    names = sorted(range(len(scores.runs)), key=scores.runs.__getitem__)
    for i, measure in enumerate(scores.measures):
        usable = (scores.valid[:, :, i] & np.isfinite(scores.values[:, :, i])).all(axis=0)
        kept = queries[usable[queries]]
        if len(kept) < 2:
            continue
        x = scale(
            scores.values[np.ix_(names, kept)][:, :, i], _COMPARED.get(measure.aggregate, "value")
        )
        found = randomised_tukey_hsd(x, resamples=choices.resamples, seed=choices.seed)
        means = x.mean(axis=1)
        order = np.argsort(-means, kind="stable")
        p = found.p[np.ix_(order, order)]
        yield AllPairs(
            measure=measure.text,
            runs=tuple(scores.runs[names[s]] for s in order.tolist()),
            means=means[order],
            p=p,
            groups=groups(p, choices.alpha),
            method=f"randomised Tukey HSD, {found.method}",
            n=len(kept),
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
