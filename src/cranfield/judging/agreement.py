"""How far two sets of labels agree, where they part, and what that does to the systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from cranfield.comparison.outcome import Remark
from cranfield.data.columns import Floats
from cranfield.judging.families import SelfPreference
from cranfield.judging.how import How
from cranfield.judging.sets import Paired
from cranfield.judging.systems import Order, RunBias
from cranfield.stats.agreement import confusion, kappa, percent
from cranfield.stats.coefficients import Coefficient, by_query, estimate, pooled
from cranfield.stats.results import Interval


@dataclass(frozen=True)
class Relevant:
    """The same labels as relevant or not, the second set judged by the first.

    Parameters
    ----------
    both, only_a, only_b, neither : pairs that are relevant by both, one, or no set.
    agreement, interval : the share of pairs with the same label, with Wilson's interval, which
        takes pairs for independent.
    precision, recall, f1 : of the second set's relevant; None where nothing is relevant.
    overlap : relevant by both over relevant by either (Voorhees 2000).
    kappa : Cohen's, of the two labels.
    """

    both: int
    only_a: int
    only_b: int
    neither: int
    agreement: float
    interval: Interval
    precision: float | None
    recall: float | None
    f1: float | None
    overlap: float | None
    kappa: float | None


@dataclass(frozen=True)
class GradeBias:
    """Pairs with one grade by the first set: how many, which share has the same by the second, the
    mean there, and how far that is off."""

    grade: float
    n: int
    same: float
    mean: float
    bias: float


@dataclass(frozen=True)
class SliceAgreement:
    """The queries with one label of a field; `bias` is the mean grade of the second set less that
    of the first."""

    field: str
    label: str
    queries: int
    n: int
    percent: float
    kappa: float | None
    quadratic: float | None
    bias: float


@dataclass(frozen=True, eq=False)
class Agreement:
    """What `agree` found between two sets of labels.

    Parameters
    ----------
    a, b : their names; where one is the truth it is the first.
    n, queries : pairs graded by both, and the queries they belong to.
    only_a, only_b, off_scale : as in `Paired`.
    levels, matrix : [q] the scale, and [q, q] counts, the first set's grades in rows.
    pooled : coefficients over all pairs together; `by_query` the means of κ over queries.
    bias : mean grade of the second set less that of the first.
    relevant, grades, slices : see there.
    runs : by run, over its first results.
    orders : by measure; empty without runs.
    own : by measure, for a judge whose family is known.
    part : `tune` or `report`, where the queries are one part of a split; None: all.
    cautions : what is to be thought of beside the figures.
    """

    a: str
    b: str
    n: int
    queries: int
    only_a: int
    only_b: int
    off_scale: int
    levels: Floats
    matrix: Floats
    pooled: tuple[Coefficient, ...]
    by_query: tuple[Coefficient, ...]
    bias: Coefficient
    relevant: Relevant
    grades: tuple[GradeBias, ...]
    slices: tuple[SliceAgreement, ...]
    how: How
    runs: tuple[RunBias, ...] = ()
    orders: tuple[Order, ...] = ()
    own: tuple[SelfPreference, ...] = ()
    part: str | None = None
    cautions: tuple[Remark, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def __getitem__(self, name: str) -> Coefficient:
        """A coefficient by its name, as `kappa quadratic`."""
        for c in (*self.pooled, *self.by_query, self.bias):
            if c.name == name:
                return c
        raise KeyError(name)


def labels_agree(
    a: str,
    b: str,
    pairs: Paired,
    how: How,
    slices: Mapping[str, Mapping[str, str]],
    notes: Sequence[str],
) -> Agreement:
    """Everything that needs no run.

    Parameters
    ----------
    slices : {field: {query: label}}.
    """
    tables = confusion(pairs.a, pairs.b, pairs.levels, pairs.query)
    drawing = {"resamples": how.resamples, "seed": how.seed, "level": how.level}
    matrix = tables.sum(axis=0)
    apart = pairs.levels[None, :] - pairs.levels[:, None]

    def bias(table: Floats) -> Floats:
        return np.asarray((apart * table).sum(axis=(-2, -1)) / table.sum(axis=(-2, -1)))

    made = Agreement(
        a,
        b,
        len(pairs.a),
        len(pairs.queries),
        pairs.only_a,
        pairs.only_b,
        pairs.off_scale,
        pairs.levels,
        matrix,
        pooled(tables, pairs.levels, **drawing),  # type: ignore[arg-type]
        by_query(tables, pairs.levels, **drawing),  # type: ignore[arg-type]
        estimate("bias", bias, tables, **drawing),  # type: ignore[arg-type]
        _relevant(pairs, how),
        _grades(matrix, pairs.levels),
        tuple(_slices(pairs, tables, slices)),
        how,
        notes=tuple(notes),
    )
    object.__setattr__(made, "cautions", tuple(_cautions(made)))
    return made


def _relevant(pairs: Paired, how: How) -> Relevant:
    from cranfield.stats.intervals import wilson

    one, two = pairs.a >= how.rel, pairs.b >= how.rel
    table = confusion(one, two, [0, 1])
    (neither, only_b), (only_a, both) = (map(int, row) for row in table.tolist())
    n = len(pairs.a)
    precision = both / (both + only_b) if both + only_b else None
    recall = both / (both + only_a) if both + only_a else None
    either = both + only_a + only_b
    chance = float(kappa(table, [0, 1]))
    return Relevant(
        both,
        only_a,
        only_b,
        neither,
        (both + neither) / n,
        wilson(both + neither, n, how.level),
        precision,
        recall,
        2 * both / (2 * both + only_a + only_b) if either else None,
        both / either if either else None,
        None if np.isnan(chance) else chance,
    )


def _grades(matrix: Floats, levels: Floats) -> tuple[GradeBias, ...]:
    found = []
    for i, level in enumerate(levels.tolist()):
        n = matrix[i].sum()
        if n:
            mean = float((matrix[i] * levels).sum() / n)
            same = float(matrix[i, i] / n)
            found.append(GradeBias(level, int(n), same, mean, mean - level))
    return tuple(found)


def _slices(
    pairs: Paired, tables: Floats, slices: Mapping[str, Mapping[str, str]]
) -> list[SliceAgreement]:
    found = []
    off = np.bincount(pairs.query, pairs.b - pairs.a, len(pairs.queries))
    for name, label_of in slices.items():
        labels = [label_of.get(q) for q in pairs.queries]
        for label in dict.fromkeys(x for x in labels if x is not None):
            mine = np.array([x == label for x in labels])
            table = tables[mine].sum(axis=0)
            n = int(table.sum())
            plain, squared = (float(kappa(table, pairs.levels, w)) for w in ("none", "quadratic"))
            found.append(
                SliceAgreement(
                    name,
                    label,
                    int(mine.sum()),
                    n,
                    float(percent(table)),
                    None if np.isnan(plain) else plain,
                    None if np.isnan(squared) else squared,
                    float(off[mine].sum() / n),
                )
            )
    return found


FEW_QUERIES = 10
PARADOX = 0.2  # by which κ falls behind AC1 where one grade is almost everything


def _cautions(found: Agreement) -> list[Remark]:
    said = []
    if found.queries < FEW_QUERIES:
        said.append(Remark("agree.few_queries", {"n": found.queries}))
    values = {c.name: c.value for c in found.pooled}
    plain, ac1 = values["kappa"], values["AC1"]
    if plain is not None and ac1 is not None and ac1 - plain > PARADOX:
        said.append(Remark("agree.prevalence", {"kappa": plain, "ac1": ac1}))
    unused = found.matrix.sum(axis=1) == 0
    strange = found.levels[unused & (found.matrix.sum(axis=0) > 0)].tolist()
    if strange and not found.how.scale:
        n = int(found.matrix[:, unused].sum())
        said.append(Remark("agree.strange_grades", {"grades": strange, "n": n, "a": found.a}))
    if found.off_scale:
        said.append(Remark("agree.off_scale", {"n": found.off_scale}))
    return said
