"""Whether a judge favours the runs of its own family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.scores import Scores
from cranfield.errors import UsageError
from cranfield.judging.how import How
from cranfield.stats.results import Interval


@dataclass(frozen=True)
class FamilyShift:
    """The runs of a family: their mean scores by both sets of labels, the second less the first,
    and their mean ranks."""

    family: str
    runs: tuple[str, ...]
    mean_a: float
    mean_b: float
    shift: float
    rank_a: float
    rank_b: float


@dataclass(frozen=True)
class SelfPreference:
    """What the second set of labels does for each family, under one measure.

    Parameters
    ----------
    judge : the family of the judge behind the second set; None where it is not known.
    excess : how much more its own family gains by it than the others do on average, with the
        interval over queries; None without a family, or without runs in it or beside it.
    """

    measure: str
    families: tuple[FamilyShift, ...]
    judge: str | None
    excess: float | None
    interval: Interval | None


def self_preference(
    one: Scores,
    two: Scores,
    families: Mapping[str, str],
    judge: str | None,
    how: How,
) -> tuple[SelfPreference, ...]:
    """One a measure.

    Parameters
    ----------
    families : {run: family}; runs that are not named are a family `-`.

    Raises
    ------
    UsageError
        A run that is not there.
    """
    from cranfield.judging.systems import _ranks
    from cranfield.stats.bootstrap import bootstrap_interval

    strange = [run for run in families if run not in one.runs]
    if strange:
        raise UsageError(
            f"no run {strange[0]!r} to be of the family {families[strange[0]]!r}",
            f"runs: {', '.join(one.runs)}",
        )
    of = [families.get(run, "-") for run in one.runs]
    found = []
    for i, measure in enumerate(one.measures):
        usable = (one.valid[:, :, i] & two.valid[:, :, i]).all(axis=0)
        x, y = one.values[:, usable, i], two.values[:, usable, i]
        ranks = _ranks(x.mean(axis=1)), _ranks(y.mean(axis=1))
        rows = []
        for family in sorted(set(of)):
            mine = np.array([f == family for f in of])
            mean_a, mean_b = float(x[mine].mean()), float(y[mine].mean())
            rows.append(
                FamilyShift(
                    family,
                    tuple(r for r, f in zip(one.runs, of, strict=True) if f == family),
                    mean_a,
                    mean_b,
                    mean_b - mean_a,
                    *(float(r[mine].mean()) for r in ranks),
                )
            )
        own = np.array([f == judge for f in of])
        excess, interval = None, None
        if judge is not None and own.any() and not own.all():
            shift = y - x
            d = shift[own].mean(axis=0) - shift[~own].mean(axis=0)
            excess = float(d.mean())
            if how.resamples:
                interval = bootstrap_interval(d, how.level, resamples=how.resamples, seed=how.seed)
        found.append(SelfPreference(measure.text, tuple(rows), judge, excess, interval))
    return tuple(found)


def of_family(families: Mapping[str, str], judge: str) -> Sequence[str]:
    """The runs that are of the judge's family."""
    return [run for run, family in families.items() if family == judge]
