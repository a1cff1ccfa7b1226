"""The figures of a difference: interval, p, effect, what n queries can show. Each comes from
`cranfield.stats`; here they are only asked for, and set against each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from cranfield.comparison.outcome import Choices, Difference
from cranfield.comparison.samples import Sample
from cranfield.comparison.verdict import DECIMALS, Evidence, conclude
from cranfield.data.columns import Floats

SMALLEST = 1e-3  # d_z; below it queries are counted in millions, and none are named


@dataclass(frozen=True)
class _Tested:
    p: float | None
    method: str
    direction: int


NO_TEST = _Tested(None, "none", 0)  # where no run could differ; no hypothesis, either


def differences(found: Sequence[Sample], choices: Choices) -> tuple[list[Difference], Choices]:
    """A row for each sample, p values corrected together; and the choices with their number."""
    from cranfield.kit.progress import progress

    tested = []
    with progress("testing", len(found)) as advance:
        for sample in found:
            moot = any(remark.key == "moot" for remark in sample.refusals)
            tested.append(NO_TEST if moot else _test(sample.d, choices))
            advance(1)
    choices = replace(choices, hypotheses=sum(t.p is not None for t in tested))
    adjusted = _adjusted(found, [t.p for t in tested], choices)
    margins = [
        None if test is NO_TEST else _equivalence(sample.d, choices)
        for sample, test in zip(found, tested, strict=True)
    ]
    equivalent = _corrected(margins, choices)
    rows = [
        _row(sample, test, p, q, choices)
        for sample, test, p, q in zip(found, tested, adjusted, equivalent, strict=True)
    ]
    return rows, choices


def _row(
    sample: Sample,
    tested: _Tested,
    p_adjusted: float | None,
    p_equivalent: float | None,
    choices: Choices,
) -> Difference:
    from cranfield.stats.effect import d_z
    from cranfield.stats.risk import win_tie_loss

    d = np.round(sample.d, DECIMALS) + 0.0
    n = len(d)
    low, high = _interval(sample.d, choices)
    effect = d_z(d) if n > 1 else None
    sd = float(d.std(ddof=1)) if n > 1 else 0.0
    smallest = detectable_effect(n, choices)
    detectable = smallest * sd if smallest is not None and sd > 0 else None
    needed = queries_for(abs(effect), choices) if effect else None
    sides = win_tie_loss(d, choices.tie)
    mean, base_mean = _mean(sample.values), _mean(sample.base)
    evidence = Evidence(
        n=n,
        difference=_mean(sample.d),
        low=low,
        high=high,
        p=tested.p,
        p_adjusted=p_adjusted,
        p_equivalent=p_equivalent,
        direction=tested.direction,
        identical=n > 0 and not d.any(),
        detectable=detectable,
        needed=needed,
        refusals=sample.refusals,
    )
    return Difference(
        run=sample.run,
        measure=sample.measure,
        slice=sample.slice,
        n=n,
        base_mean=base_mean,
        mean=mean,
        difference=evidence.difference,
        low=low,
        high=high,
        p=tested.p,
        p_adjusted=p_adjusted,
        method=tested.method,
        effect=effect,
        wins=sides.wins,
        ties=sides.ties,
        losses=sides.losses,
        detectable=detectable,
        needed=needed,
        verdict=conclude(evidence, choices),
        compared=sample.compared,
    )


def _mean(values: Floats) -> float:
    return math.fsum(values.tolist()) / len(values) if len(values) else math.nan


def _test(d: Floats, choices: Choices) -> _Tested:
    from cranfield.stats import significance as s

    if choices.test == "randomisation":
        found = s.randomisation(d, resamples=choices.resamples, seed=choices.seed)
    elif choices.test == "bootstrap":
        found = s.bootstrap_asl(d, resamples=choices.resamples, seed=choices.seed)
    elif choices.test == "t":
        found = s.paired_t(d)
    elif choices.test == "wilcoxon":
        found = s.wilcoxon(d)
    else:
        found = s.sign_test(d, choices.tie)
    sides = {"wilcoxon": ("W+", "W-"), "sign": ("positive", "negative")}.get(choices.test)
    if sides is not None:
        way = found.details.get(sides[0], 0.0) - found.details.get(sides[1], 0.0)
    else:
        way = round(_mean(d), DECIMALS) if len(d) else 0.0
    method = f"{found.name}, {found.method}" if found.p is not None else found.reason or "none"
    return _Tested(found.p, method, (way > 0) - (way < 0))


def _interval(d: Floats, choices: Choices) -> tuple[float | None, float | None]:
    from cranfield.stats.intervals import bootstrap_interval, t_interval

    level = 1 - choices.alpha
    if choices.interval == "t":
        found = t_interval(d, level)
    else:
        found = bootstrap_interval(
            d,
            level,
            method=choices.interval,  # type: ignore[arg-type]
            resamples=choices.resamples,
            seed=choices.seed,
        )
    return found.low, found.high


def _equivalence(d: Floats, choices: Choices) -> float | None:
    from cranfield.stats.equivalence import tost

    return tost(d, choices.min_effect).p if choices.min_effect and len(d) > 1 else None


def _adjusted(
    found: Sequence[Sample], p: Sequence[float | None], choices: Choices
) -> list[float | None]:
    """For max-T the differences of all hypotheses are given the same changes of sign, query by
    query, whatever queries a slice has."""
    if choices.correction != "max-t" or not any(value is not None for value in p):
        return _corrected(p, choices)
    from cranfield.stats.corrections import max_t

    d = np.full((len(found), max(int(s.places.max(initial=0)) for s in found) + 1), np.nan)
    for row, sample in zip(d, found, strict=True):
        row[sample.places] = sample.d
    joint = max_t(d, resamples=choices.resamples, seed=choices.seed).p.tolist()
    return [None if a is None else max(a, b) for a, b in zip(p, joint, strict=True)]


def _corrected(p: Sequence[float | None], choices: Choices) -> list[float | None]:
    """Corrected together; what was not tested counts for nothing."""
    from cranfield.stats.corrections import adjust

    method = "holm" if choices.correction == "max-t" else choices.correction
    known = [value for value in p if value is not None]
    done: Iterator[float] = iter(adjust(known, method).tolist())  # type: ignore[arg-type]
    return [None if value is None else float(next(done)) for value in p]


def detectable_effect(n: int, choices: Choices) -> float | None:
    """The smallest d_z that n queries show with the chosen power; None where n < 2."""
    return _detectable(n, choices.alpha, choices.power)


@cache
def _detectable(n: int, alpha: float, power: float) -> float | None:
    from cranfield.stats.power import detectable

    return detectable(n, alpha=alpha, power=power)


def queries_for(effect: float, choices: Choices) -> int | None:
    """Queries that show a d_z with the chosen power; None where they are more than anybody has."""
    from cranfield.stats.power import queries_needed

    if abs(effect) < SMALLEST:
        return None
    return queries_needed(effect, 1.0, alpha=choices.alpha, power=choices.power)
