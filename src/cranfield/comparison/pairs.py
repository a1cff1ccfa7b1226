"""All pairs of three systems or more, and which of them cannot be told apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cranfield.comparison.outcome import AllPairs, Choices, Remark
from cranfield.comparison.samples import COMPARED, barred, by_name, scale
from cranfield.data.card import RunCard
from cranfield.data.columns import Floats, Index
from cranfield.data.scores import Label, Scores

if TYPE_CHECKING:
    from cranfield.stats.results import AllPairs as TukeyPairs


# Draws of all pairs: as many as asked for, while the scores drawn stay below some seconds' work;
# for a hundred systems 10 000, which give a p of .05 with a standard error of .002.
FEWEST, WORK = 10_000, 400_000_000


def draws(asked: int, shape: tuple[int, ...]) -> int:
    """How many orders are drawn for scores [systems, queries]."""
    return min(asked, max(FEWEST, WORK // max(1, math.prod(shape))))


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
    layouts, remarks = [], []
    for i, measure in enumerate(scores.measures):
        out = barred(scores, i, cards, choices)
        if out.any():
            names = tuple(scores.runs[r] for r in np.flatnonzero(out).tolist())
            values = {"measure": measure.text, "n": len(names), "runs": names}
            remarks.append(Remark("not_paired", values))
        if (~out).sum() >= 3:
            layouts += list(_layout(scores, i, ~out))
    tested = _tested([layout.x for layout in layouts], choices)
    found = (_pairs(scores, *both, choices) for both in zip(layouts, tested, strict=True))
    return tuple(found), tuple(remarks)


@dataclass(frozen=True, eq=False)
class _Layout:
    """x [systems, queries] of a measure, and which runs its rows are."""

    measure: Label
    names: Index
    x: Floats


def _layout(scores: Scores, i: int, kept: NDArray[np.bool_]) -> Iterator[_Layout]:
    measure = scores.measures[i]
    queries, names = by_name(scores.queries), by_name(scores.runs)
    names = names[kept[names]]
    usable = np.all(scores.valid[kept, :, i], axis=0)
    queries = queries[usable[queries]]
    if len(queries) >= 2:
        x = scale(scores.values[:, :, i][np.ix_(names, queries)], COMPARED[measure.aggregate])
        yield _Layout(measure, names, x)


def _tested(layouts: Sequence[Floats], choices: Choices) -> list[TukeyPairs]:
    """The test of each; layouts of one shape together, for they are given the same draws."""
    from cranfield.kit.progress import progress
    from cranfield.stats.tukey import randomised_tukey_hsds

    alike: dict[tuple[int, ...], list[int]] = {}
    for place, x in enumerate(layouts):
        alike.setdefault(x.shape, []).append(place)
    found: dict[int, TukeyPairs] = {}
    with progress("testing all pairs", len(alike)) as advance:
        for shape, places in alike.items():
            tested = randomised_tukey_hsds(
                [layouts[place] for place in places],
                resamples=draws(choices.resamples, shape),
                seed=choices.seed,
                advance=advance,
            )
            found.update(zip(places, tested, strict=True))
    return [found[place] for place in range(len(layouts))]


def _pairs(scores: Scores, layout: _Layout, found: TukeyPairs, choices: Choices) -> AllPairs:
    means = layout.x.mean(axis=1)
    order = np.argsort(-means, kind="stable")
    p = found.p[np.ix_(order, order)]
    return AllPairs(
        measure=layout.measure.text,
        runs=tuple(scores.runs[s] for s in layout.names[order].tolist()),
        means=means[order],
        p=p,
        groups=groups(p, choices.alpha),
        method=f"{found.name}, {found.method}",
        n=layout.x.shape[1],
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
