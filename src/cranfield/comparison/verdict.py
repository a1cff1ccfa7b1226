"""What may be concluded from one difference, as rules in a fixed order.

1. refused: fewer than two queries, too many of them unanswered, other queries on the two sides, a
   value that is no number, queries that are 0 whatever is returned. Whatever the figures say, they
   say it of something else.
2. equivalent, because every query has the same value in both runs.
3. better or worse: the corrected p is below alpha (strictly), the difference is at least
   `min_effect`, and the test points where the mean does.
4. equivalent within `min_effect`: two one-sided t tests (Schuirmann 1987) both reject a difference
   of that size, be it significant or not.
5. undecided, with the reasons.

The p values of equivalence are a family of their own, corrected as those of difference are: a
claim of either kind is wrong with probability alpha at most.
"""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.comparison.outcome import Choices, Remark, Verdict

DECIMALS = 12  # noise of the arithmetic is rounded away before anything is decided


@dataclass(frozen=True)
class Evidence:
    """What the rules read of a difference.

    Parameters
    ----------
    n, difference, low, high, p, p_adjusted, detectable, needed : as in `Difference`.
    p_equivalent : of two one-sided tests against `min_effect`, corrected; None where none is made.
    direction : 1, 0 or -1: where the test's own statistic points. A test of ranks or signs may
        point elsewhere than the mean.
    identical : every query has the same value in both runs.
    refusals : why no verdict may be given, beside too few queries.
    """

    n: int
    difference: float
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    p_equivalent: float | None = None
    direction: int = 0
    identical: bool = False
    detectable: float | None = None
    needed: int | None = None
    refusals: tuple[Remark, ...] = ()


def conclude(e: Evidence, choices: Choices) -> Verdict:
    """The verdict, by the rules above."""
    refusals = e.refusals
    if e.n < 2:
        refusals = (Remark("few", {"n": e.n}), *refusals)
    if refusals:
        return Verdict("refused", refusals)
    if e.identical:
        return Verdict("equivalent", (Remark("identical", {"n": e.n}),))
    difference = round(e.difference, DECIMALS)
    sign = (difference > 0) - (difference < 0)
    significant = e.p_adjusted is not None and e.p_adjusted < choices.alpha
    agrees = bool(sign) and sign == e.direction
    large = abs(difference) >= choices.min_effect
    p = {"p": e.p_adjusted, "alpha": choices.alpha}
    if significant and agrees and large:
        shown = Remark("shown", {**p, "min_effect": choices.min_effect})
        return Verdict("better" if sign > 0 else "worse", (shown, *_other_interval(e, True)))
    if choices.min_effect and e.p_equivalent is not None and e.p_equivalent < choices.alpha:
        within = {"p": e.p_equivalent, "alpha": choices.alpha, "min_effect": choices.min_effect}
        small = (Remark("small", p),) if significant and agrees else ()
        return Verdict("equivalent", (Remark("within", within), *small))
    reasons: list[Remark] = []
    if significant and not agrees:
        reasons.append(Remark("directions", {**p, "test": choices.test}))
    elif significant:
        values = {**p, "difference": e.difference, "min_effect": choices.min_effect}
        reasons.append(Remark("real_but_small", values))
    else:
        reasons += _not_shown(e, choices)
    return Verdict("undecided", (*reasons, *_how_far(e, choices)))


def _not_shown(e: Evidence, choices: Choices) -> list[Remark]:
    """Why a difference counts as not shown."""
    if e.p is None or e.p_adjusted is None:
        return [Remark("untested")]
    if e.p < choices.alpha:
        values = {"p": e.p, "p_adjusted": e.p_adjusted, "hypotheses": choices.hypotheses}
        return [Remark("corrected", {**values, "alpha": choices.alpha})]
    shown = {"p": e.p_adjusted, "alpha": choices.alpha}
    return [Remark("not_shown", shown), *_other_interval(e, False)]


def _other_interval(e: Evidence, significant: bool) -> list[Remark]:
    """Interval and test rest on different assumptions and may disagree; then it is said."""
    if e.low is None or e.high is None or (e.low > 0 or e.high < 0) == significant:
        return []
    return [Remark("interval_holds_0" if significant else "interval_without_0")]


def _how_far(e: Evidence, choices: Choices) -> list[Remark]:
    """What the queries there are allow to say, and how many would say more."""
    reasons = []
    if e.low is not None and e.high is not None:
        values = {"low": e.low, "high": e.high, "level": 1 - choices.alpha}
        reasons.append(Remark("interval", values))
    if choices.min_effect and e.p_equivalent is not None:
        reasons.append(Remark("not_within", {"min_effect": choices.min_effect}))
    if e.detectable is not None:
        values = {"n": e.n, "detectable": e.detectable, "power": choices.power}
        reasons.append(Remark("detectable", values))
    if e.needed is not None and e.needed > e.n:
        reasons.append(Remark("needed", {"needed": e.needed, "power": choices.power}))
    return reasons
