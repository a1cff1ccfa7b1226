"""Several judges of one set of labels against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from cranfield.comparison.outcome import Remark
from cranfield.data.columns import Floats
from cranfield.errors import NothingToEvaluate
from cranfield.judging.how import How
from cranfield.judging.judgment import Judge, Judgment
from cranfield.stats.agreement import coincidences, confusion, kappa, percent
from cranfield.stats.coefficients import Coefficient, several


@dataclass(frozen=True)
class RaterPair:
    """Two judges on the n pairs that both graded."""

    a: str
    b: str
    n: int
    percent: float
    kappa: float | None
    quadratic: float | None


@dataclass(frozen=True, eq=False)
class Raters:
    """What `agree` found among the judges of one set.

    Parameters
    ----------
    judges : {name: pairs graded}, in order of appearance.
    units : pairs of query and document that two judges or more graded, of `pairs` graded at all.
    disputed : of the units, those with different grades.
    coefficients : Krippendorff's α with each metric, over all judges.
    table : of every two judges that share a pair, those that share most first.
    """

    name: str
    judges: dict[str, int]
    pairs: int
    units: int
    disputed: int
    queries: int
    levels: Floats
    coefficients: tuple[Coefficient, ...]
    table: tuple[RaterPair, ...]
    how: How
    part: str | None = None
    cautions: tuple[Remark, ...] = ()
    notes: tuple[str, ...] = ()


def raters_agree(
    name: str,
    judgments: Sequence[Judgment],
    how: How,
    *,
    only: Sequence[str] | None = None,
) -> Raters:
    """Judgments that stand, of one judge or many.

    Raises
    ------
    NothingToEvaluate
        No pair was graded by two judges.
    """
    kept = None if only is None else set(only)
    graded = [
        j for j in judgments
        if j.grade is not None and j.grade >= 0 and (kept is None or j.query in kept)
    ]  # fmt: skip
    names = _names(list(dict.fromkeys(j.judge for j in graded)))
    units: dict[tuple[str, str], dict[Judge, float]] = {}
    for j in graded:
        assert j.grade is not None
        units.setdefault(j.pair, {})[j.judge] = j.grade
    twice = {p: g for p, g in units.items() if len(g) > 1}
    if not twice:
        raise NothingToEvaluate(
            f"{name}: no pair of query and document was graded by two judges",
            f"{len(names)} judges: {', '.join(list(names.values())[:5])}",
        )
    scale = how.scale or {g for grades in units.values() for g in grades.values()}
    levels = np.array(sorted(scale))
    queries = list(dict.fromkeys(q for q, _ in twice))
    place = {q: i for i, q in enumerate(queries)}
    group = np.array([place[q] for q, _ in twice], np.int64)
    table = np.full((len(names), len(twice)), np.nan)
    row = {judge: i for i, judge in enumerate(names)}
    for u, grades in enumerate(twice.values()):
        for judge, grade in grades.items():
            table[row[judge], u] = grade
    tables = coincidences(table, levels, group)
    counted = Counter(names[j.judge] for j in graded)
    return Raters(
        name,
        {n: counted[n] for n in names.values()},
        len(units),
        len(twice),
        sum(len(set(g.values())) > 1 for g in twice.values()),
        len(queries),
        levels,
        several(tables, levels, resamples=how.resamples, seed=how.seed, level=how.level),
        tuple(_pairs(table, list(names.values()), levels)),
        how,
    )


def _names(judges: Sequence[Judge]) -> dict[Judge, str]:
    """Short names; those of two judges that would be the same tell their source or prompt too."""
    shared = Counter(j.name for j in judges)
    return {
        j: j.name
        if shared[j.name] == 1
        else " ".join(filter(None, (j.name, j.source, j.model, j.prompt[:12])))
        for j in judges
    }


def _pairs(table: Floats, names: Sequence[str], levels: Floats) -> list[RaterPair]:
    found = []
    for i, j in combinations(range(len(table)), 2):
        both = ~np.isnan(table[i]) & ~np.isnan(table[j])
        if not both.any():
            continue
        counts = confusion(table[i, both], table[j, both], levels)
        plain, squared = (float(kappa(counts, levels, w)) for w in ("none", "quadratic"))
        found.append(
            RaterPair(
                names[i],
                names[j],
                int(both.sum()),
                float(percent(counts)),
                None if np.isnan(plain) else plain,
                None if np.isnan(squared) else squared,
            )
        )
    return sorted(found, key=lambda pair: -pair.n)
