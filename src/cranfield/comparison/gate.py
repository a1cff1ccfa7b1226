"""May this release pass: a comparison held against rules.

Evidence and practical size decide together. A loss fails a release when it is both too large and
shown not to be chance; a release passes when a loss that large has been shown *not* to be there.
What is neither shown nor excluded is undecided, and the policy says what becomes of that. A mean
that happens to be level on thirty queries is no proof that nothing was lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cranfield.comparison.compare import compare
from cranfield.comparison.outcome import Comparison, Difference, Remark
from cranfield.comparison.rules import GatePlan, Rule
from cranfield.data.card import RunCard
from cranfield.data.collection import Query
from cranfield.data.scores import RunReport
from cranfield.errors import UnknownName, UsageError

Result = Literal["pass", "fail", "undecided"]


@dataclass(frozen=True)
class Outcome:
    """One rule, held against the data.

    Parameters
    ----------
    rule : the rule; `slice` is the (field, label) that this row of it is about, None for all.
    result : pass, fail or undecided.
    value : what was held against the limit: a difference, a mean, a share, a count; None where
        there is none.
    low, high : its interval, where it has one.
    p : adjusted for all the rules that make a test; None for the others.
    reason : why.
    evidence : the comparison behind it, for rules about a measure.
    """

    rule: Rule
    slice: tuple[str, str] | None
    result: Result
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    reason: Remark
    evidence: Difference | None = None


@dataclass(frozen=True, eq=False)
class GateResult:
    """A release check: its rules, each with its outcome, and the comparison they read."""

    plan: GatePlan
    outcomes: tuple[Outcome, ...]
    comparison: Comparison
    hypotheses: int

    @property
    def result(self) -> Result:
        """fail if a rule fails, else undecided if one is, else pass; before the policy."""
        found = {o.result for o in self.outcomes}
        return "fail" if "fail" in found else "undecided" if "undecided" in found else "pass"

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail; undecided 0, 7 or 1 by the policy (`pass`, `warn`, `fail`)."""
        if self.result == "undecided":
            return {"pass": 0, "warn": 7, "fail": 1}[self.plan.cannot_tell]
        return 0 if self.result == "pass" else 1


def gate(
    qrels: Any,
    base: Any,
    run: Any,
    plan: GatePlan | None = None,
    *,
    queries: Iterable[Query] | None = None,
    **settings: Any,
) -> GateResult:
    """Hold a run against a base by the rules of a plan.

    Parameters
    ----------
    qrels, base, run, queries, settings : as in `compare`
    plan : the rules; None: no certain loss of more than 0.01 nDCG@10, and no missing query

    Raises
    ------
    UnknownName
        A rule is about a field or label that the queries do not have.
    and whatever `compare` raises.
    """
    plan = plan or GatePlan()
    return check(comparison_for(qrels, base, run, plan, queries=queries, **settings), plan)


def comparison_for(
    qrels: Any,
    base: Any,
    run: Any,
    plan: GatePlan,
    *,
    queries: Iterable[Query] | None = None,
    **settings: Any,
) -> Comparison:
    """The comparison that a plan reads."""
    return compare(
        qrels,
        base,
        run,
        plan.asked_measures,
        queries=queries,
        by=plan.fields,
        top=0,
        k=0,
        **plan.choices,
        **settings,
    )


def check(comparison: Comparison, plan: GatePlan) -> GateResult:
    """The rules of a plan, held against a comparison that has been made."""
    if len(comparison.runs) != 1:
        raise UsageError(
            f"a release check of {len(comparison.runs)} runs", "one base and one run at a time"
        )
    rows = [(rule, row) for rule in plan.rules for row in _rows(comparison, rule)]
    adjusted = _adjusted([row for rule, row in rows if rule.kind in ("no-loss", "gain")], plan)
    tests = iter(adjusted)
    outcomes = []
    for rule, row in rows:
        if row is None:
            outcomes.append(_whole_run(comparison, rule))
        elif rule.kind == "at-least":
            outcomes.append(_floor(comparison, rule, row))
        else:
            outcomes.append(_tested(rule, row, next(tests), plan.alpha))
    return GateResult(plan, tuple(outcomes), comparison, sum(p is not None for p in adjusted))


def _rows(comparison: Comparison, rule: Rule) -> list[Difference | None]:
    """What a rule is about: a row of the comparison for each label, or whole runs (None)."""
    if not rule.measure:
        return [None]
    if not rule.by:
        return [comparison.difference(rule.measure)]
    labels = comparison.scores.by(rule.by)
    if rule.label and rule.label not in labels:
        raise UnknownName(f"no query has {rule.by} = {rule.label}", f"labels: {', '.join(labels)}")
    chosen = [rule.label] if rule.label else list(labels)
    return [comparison.difference(rule.measure, slice=(rule.by, label)) for label in chosen]


def _adjusted(rows: Sequence[Difference | None], plan: GatePlan) -> list[float | None]:
    """p values adjusted for all rules together: each is another chance of a false alarm."""
    from cranfield.stats.corrections import adjust

    raw = [row.p if row is not None and row.verdict.kind != "refused" else None for row in rows]
    known = np.array([p for p in raw if p is not None], np.float64)
    done = iter(adjust(known, plan.correction).tolist())
    return [None if p is None else next(done) for p in raw]


def _tested(rule: Rule, row: Difference, p: float | None, alpha: float) -> Outcome:
    """A loss or a gain: the size says whether it matters, the test whether it is there, the
    interval whether the opposite has been shown."""
    result, reason = (_no_loss if rule.kind == "no-loss" else _gain)(rule, row, p, alpha)
    if row.verdict.kind == "refused":
        reason = row.verdict.reasons[0]
        nothing_to_lose = rule.kind == "no-loss" and reason.key == "moot"
        result = "pass" if nothing_to_lose else "undecided"
    value = row.difference if row.n else None
    return Outcome(rule, row.slice, result, value, row.low, row.high, p, reason, row)


def _no_loss(rule: Rule, row: Difference, p: float | None, alpha: float) -> tuple[Result, Remark]:
    if row.low is None or p is None:
        return "undecided", Remark("gate.too_few", {"n": row.n})
    if p < alpha and -row.difference > rule.limit:
        return "fail", Remark("gate.lost", {"loss": -row.difference, "p": p})
    if row.low >= 0:
        return "pass", Remark("gate.nothing_lost")
    if row.low >= -rule.limit:
        return "pass", Remark("gate.not_lost", {"loss": -row.low})
    values = {"loss": -row.low, "p": p, "needed": row.needed, "detectable": row.detectable}
    return "undecided", Remark("gate.maybe_lost", values)


def _gain(rule: Rule, row: Difference, p: float | None, alpha: float) -> tuple[Result, Remark]:
    if row.high is None or p is None:
        return "undecided", Remark("gate.too_few", {"n": row.n})
    if row.wins + row.losses == 0:
        return "fail", Remark("gate.identical", {"n": row.n})
    if p < alpha and row.difference > 0 and row.difference >= rule.limit:
        return "pass", Remark("gate.gained", {"gain": row.difference, "p": p})
    if p < alpha and row.difference < 0:
        return "fail", Remark("gate.lost_instead", {"loss": -row.difference, "p": p})
    if row.high < rule.limit:
        return "fail", Remark("gate.not_gained", {"gain": row.high})
    values = {"gain": row.high, "p": p, "needed": row.needed, "detectable": row.detectable}
    return "undecided", Remark("gate.maybe_gained", values)


def _floor(comparison: Comparison, rule: Rule, row: Difference) -> Outcome:
    """A floor under the mean of the run: the mean decides, its interval is stated."""
    from cranfield.stats.intervals import t_interval

    scores = comparison.scores
    measure = next(i for i, m in enumerate(scores.measures) if m.text == row.measure)
    mask = scores.valid[1, :, measure]
    if row.slice is not None:
        mask = mask & scores.by(row.slice[0])[row.slice[1]]
    mean, n = scores.summary(1, measure, mask)
    if not n:
        return Outcome(
            rule, row.slice, "undecided", None, None, None, None, Remark("gate.none"), row
        )
    low = high = None
    if n > 1 and scores.measures[measure].aggregate == "mean":
        interval = t_interval(scores.values[1, mask, measure], 1 - comparison.choices.alpha)
        low, high = interval.low, interval.high
    enough = mean >= rule.limit
    key = "gate.enough" if enough else "gate.short"
    if enough and low is not None and low < rule.limit:
        key = "gate.enough_barely"  # other queries of the same kind may well fall short
    reason = Remark(key, {"mean": mean, "n": n, "short": rule.limit - mean})
    return Outcome(
        rule, row.slice, "pass" if enough else "fail", mean, low, high, None, reason, row
    )


def _unanswered(report: RunReport, card: RunCard) -> set[str]:
    """Missing or failed; an empty answer, which a TREC file cannot hold, is an answer."""
    return (set(report.missing) - set(card.empty)) | set(card.failed)


def _whole_run(comparison: Comparison, rule: Rule) -> Outcome:
    report = comparison.scores.reports[1]
    if rule.kind == "judged":
        share = report.judged if report.n_judged else None
        good = share is not None and share >= rule.limit
        key = "gate.judged" if good else "gate.holes"
        values = {
            "k": comparison.scores.k,
            "share": share,
            "base": comparison.scores.reports[0].judged,
        }
        result: Result = "pass" if good else "fail"
        return Outcome(rule, None, result, share, None, None, None, Remark(key, values))
    card = next((c for c in comparison.cards if c.name == report.name), RunCard(report.name))
    unanswered = _unanswered(report, card)
    absent = [q for q in comparison.scores.queries if q in unanswered]
    good = len(absent) <= rule.limit
    key = "gate.answered" if good else "gate.absent"
    n = len(absent)
    said = Remark(key, {"n": n, "some": tuple(absent[:5]), "of": len(comparison.scores.queries)})
    return Outcome(rule, None, "pass" if good else "fail", float(n), None, None, None, said)
