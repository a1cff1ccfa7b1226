"""What runs score by the labels of people, where most queries have those of a model alone.

The scores of the queries that a model labelled are predictions; the queries that people labelled
too say how far off they are (`cranfield.stats.ppi`). Nothing is asked of the model: if its labels
are worthless, the interval is about as wide as that of the people's labels, and where its errors
are too few to say how rare they are, it is no narrower than what might be among the unseen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.comparison.outcome import Remark
from cranfield.data.columns import Floats
from cranfield.data.scores import Scores
from cranfield.errors import NothingToEvaluate, UsageError
from cranfield.judging.doubts import doubts, limits_of
from cranfield.judging.judgment import ALL, Wanted
from cranfield.judging.labels import Labels
from cranfield.judging.parts import known_parts
from cranfield.judging.policies import Policy
from cranfield.judging.scale import Scale, scale_of
from cranfield.judging.sets import MAJORITY, LabelSet, label_sets
from cranfield.stats.pilot import WAYS, Needed, needed, pilot_of
from cranfield.stats.ppi import Interval, Powered, powered_mean

FEW = 20  # queries that people labelled; below it an interval rests on little
DEEP = 0.9  # judged@k by people; below it their scores are lower bounds


@dataclass(frozen=True)
class Estimated:
    """A mean, or a difference of two runs, under one measure.

    Parameters
    ----------
    run, base : the mean of `run`, or with a base of `run` less `base`, query by query.
    model : the mean by the model's labels alone, over all queries: what would be believed.
    true, classical, tuned : by people's labels alone, and with the predictions.
    correlation : of the scores by both sets over the n queries; None where one is constant.
    worth : by how much the tuned estimate saves labels: people's labels of about this many queries
        would give as narrow an interval on their own; never more than all queries there are.
    needed : for the width that was asked for; None where a doubt stands against the interval, as
        its width then follows from no spread.
    """

    measure: str
    run: str
    base: str | None
    model: float
    true: Powered
    classical: Powered
    tuned: Powered
    correlation: float | None
    worth: float | None
    needed: Needed | None


@dataclass(frozen=True)
class Honest:
    """Estimates of all measures.

    Parameters
    ----------
    human, llm : names of the two sets of labels.
    n, others : queries that both label, and that the model alone labels.
    only_human : queries without a model's label, left out.
    width : that was asked for, of the whole interval.
    scale : the grades that both sets were scored on.
    """

    human: str
    llm: str
    n: int
    others: int
    only_human: tuple[str, ...]
    level: float
    width: float | None
    rows: tuple[Estimated, ...]
    scale: Scale
    cautions: tuple[Remark, ...] = ()
    notes: tuple[str, ...] = ()


def estimate(
    human: Any,
    llm: Any,
    runs: Sequence[Any],
    measures: Any = ("nDCG@10",),
    *,
    labels: Labels | None = None,
    combine: Policy = MAJORITY,
    level: float = 0.95,
    width: float | None = None,
    scale: float | None = None,
    interval: Interval = "careful",
    which: Wanted = ALL,
    **options: Any,
) -> Honest:
    """The mean of one run, or the difference (second - first) of two, by the labels of people.

    Parameters
    ----------
    human, llm : see `cranfield.judging.sets.label_set`. Every query that `human` labels must be
        labelled as fully as a query needs: what people left out counts as not relevant.
    runs : one or two, of anything that `evaluate` reads.
    level : the coverage aimed at.
    width : of the whole interval; with it the labels that would reach it are counted.
    scale : the largest grade [that of the rubrics that the labels name; where they name none that
        is known, the largest that either set gives].
    interval : "careful": Student's t with an allowance for errors that the few queries do not
        show, and the bounded interval where the t is not to be trusted; "student"; "bounded".
    which : only labels by these models, prompts and rubrics, see `label_sets`.
    options : of `evaluate`.

    Returns
    -------
    Honest

    Raises
    ------
    NothingToEvaluate
        Fewer than two queries are labelled by both, or no others by the model.
    UsageError, MeasureError, FormatError, InputError, NoSuchInput
    """
    from cranfield.evaluation.evaluate import evaluate

    if not 1 <= len(runs) <= 2:
        raise UsageError(f"{len(runs)} runs", "one for its mean, two for their difference")
    one, two = label_sets([human, llm], labels=labels, combine=combine, which=which)
    grades = scale_of([one, two], scale, labels)
    known = set(_queries(one))
    both = [q for q in _queries(two) if q in known]
    if len(both) < 2 or len(_queries(two)) == len(both):
        raise NothingToEvaluate(
            f"{one.name} and {two.name} label {len(both)} queries both, {two.name} alone "
            f"{len(_queries(two)) - len(both)}",
            "two queries or more that both label, and others that the model alone labels",
        )
    people, model = (
        evaluate(s.qrels, list(runs), measures, scale=grades.top, **options) for s in (one, two)
    )
    places = _places(people, model, set(both))
    rows = tuple(
        _estimated(people, model, places, m, level, width, interval)
        for m in range(len(people.measures))
    )
    cautions = [
        *(found for row in rows for found in doubts(row.measure, row.tuned, row.true)),
        *_cautions(people, model, places, one, two),
        *_tuned_on(labels, both),
    ]
    theirs = set(_queries(two))
    return Honest(
        one.name,
        two.name,
        len(both),
        len(theirs) - len(both),
        tuple(q for q in _queries(one) if q not in theirs),
        level,
        width,
        rows,
        grades,
        tuple(cautions),
        (*one.notes, *two.notes),
    )


def _queries(labels: LabelSet) -> list[str]:
    """Those with a row of grade 0 or more, in the order of the set."""
    q = labels.qrels
    judged = np.bincount(q.query[q.grade >= 0], minlength=len(q.queries)) > 0
    return [name for name, ok in zip(q.queries.to_list(), judged.tolist(), strict=True) if ok]


@dataclass(frozen=True, eq=False)
class _Places:
    """Where queries stand: the n in the scores of both, the others in the model's."""

    people: list[int]
    model: list[int]
    others: list[int]


def _places(people: Scores, model: Scores, both: set[str]) -> _Places:
    at = {q: i for i, q in enumerate(model.queries)}
    mine = [(i, at[q]) for i, q in enumerate(people.queries) if q in both and q in at]
    others = [i for q, i in at.items() if q not in both]
    return _Places([i for i, _ in mine], [j for _, j in mine], others)


def _values(scores: Scores, queries: list[int], measure: int) -> tuple[Floats, Any]:
    """(the mean or the difference of each query, whether it is defined)."""
    values = scores.values[:, queries, measure]
    fine = scores.valid[:, queries, measure].all(axis=0)
    return (values[0] if len(values) == 1 else values[1] - values[0]), fine


def _estimated(
    people: Scores,
    model: Scores,
    at: _Places,
    m: int,
    level: float,
    width: float | None,
    interval: Interval,
) -> Estimated:
    (y, fine_y), (f, fine_f) = _values(people, at.people, m), _values(model, at.model, m)
    g, fine_g = _values(model, at.others, m)
    fine = fine_y & fine_f
    y, f, g = (np.round(x, 12) for x in (y[fine], f[fine], g[fine_g]))
    limits = limits_of(people.measures[m].full, len(people.runs))
    true, classical, tuned = (
        powered_mean(y, f, g, way, level, interval=interval, limits=limits) for way in WAYS
    )
    pilot = pilot_of(y, f, g) if len(y) > 1 else None
    spread = math.sqrt(float(np.var(y)) * float(np.var(f))) if len(y) > 1 else 0.0
    runs = people.runs
    return Estimated(
        people.measures[m].text,
        runs[-1],
        runs[0] if len(runs) == 2 else None,
        float(np.concatenate([f, g]).mean()) if len(f) + len(g) else 0.0,
        true,
        classical,
        tuned,
        float(np.cov(y, f, bias=True)[0, 1] / spread) if spread > 1e-12 else None,
        _worth(true, tuned),
        needed(pilot, width, "tuned", level)
        if width is not None and pilot and not tuned.doubt
        else None,
    )


def _worth(true: Powered, tuned: Powered) -> float | None:
    """By the widths. Where they are of two kinds it is the tuned one that is bounded, since what
    is doubtful about people's values alone is so about both: the worth is then none too great."""
    if not true.width or not tuned.width:
        return None
    return min(true.n * (true.width / tuned.width) ** 2, float(true.n + true.others))


def _cautions(
    people: Scores, model: Scores, at: _Places, human: LabelSet, llm: LabelSet
) -> list[Remark]:
    found = []
    if len(at.people) < FEW:
        found.append(Remark("honest.few", {"n": len(at.people), "limit": FEW}))
    for report in people.reports:
        if report.n_judged and report.judged < DEEP:
            values = {"run": report.name, "share": report.judged, "k": people.k, "name": human.name}
            found.append(Remark("honest.shallow", values))
    for m, label in enumerate(model.measures):
        (f, fine_f), (g, fine_g) = _values(model, at.model, m), _values(model, at.others, m)
        p = _welch(f[fine_f], g[fine_g])
        if p is not None and p < 0.05:
            values = {"measure": label.text, "name": llm.name, "p": p}
            values |= {"mean": float(f[fine_f].mean()), "other": float(g[fine_g].mean())}
            found.append(Remark("honest.unlike", values))
    return found


def _welch(a: Floats, b: Floats) -> float | None:
    """p of Welch's test (1947) that two samples have one mean; None without a spread."""
    if min(len(a), len(b)) < 2:
        return None
    one, two = float(a.var(ddof=1)) / len(a), float(b.var(ddof=1)) / len(b)
    if one + two <= 1e-24:
        return None
    from scipy.special import stdtr

    df = (one + two) ** 2 / (one**2 / (len(a) - 1) + two**2 / (len(b) - 1))
    return 2 * float(stdtr(df, -abs(float(a.mean() - b.mean())) / math.sqrt(one + two)))


def _tuned_on(labels: Labels | None, both: Sequence[str]) -> list[Remark]:
    """A rubric tuned on these queries agrees with people there better than elsewhere."""
    parts = known_parts(labels) if labels is not None else None
    if parts is None:
        return []
    n = len(set(parts.tune) & set(both))
    return [Remark("honest.tuned", {"n": n, "all": len(both)})] if n else []
