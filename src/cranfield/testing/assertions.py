"""A release check inside a team's own tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cranfield.comparison.gate import GateResult, gate
from cranfield.comparison.rules import GatePlan, Policy, Rule
from cranfield.data.collection import Query


def assert_not_worse(
    qrels: Any,
    base: Any,
    run: Any,
    measure: str = "nDCG@10",
    *,
    beyond: float = 0.01,
    at_most_missing: int = 0,
    by: str | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    cannot_tell: Policy = "pass",
    queries: Iterable[Query] | None = None,
    **settings: Any,
) -> GateResult:
    """Fail the test when a run is worse than its base, shown by evidence and by size.

    Parameters
    ----------
    qrels, base, run, queries, settings : as in `cranfield.compare`
    measure : what is held
    beyond : the loss that a significant one has to exceed
    at_most_missing : queries that the run may leave unanswered
    by : hold it for each label of this query field too
    alpha, seed : of the test
    cannot_tell : `fail` to fail the test when a larger loss can be neither shown nor excluded as
        well; `warn` to give a warning then

    Returns
    -------
    GateResult
        For what else the test wants to look at.

    Raises
    ------
    AssertionError
        With the rules and their numbers.
    """
    __tracebackhide__ = True  # pytest shows the caller's line
    rules = [Rule("no-loss", beyond, measure), Rule("missing", at_most_missing)]
    if by is not None:
        rules.append(Rule("no-loss", beyond, measure, by))
    plan = GatePlan(tuple(rules), alpha=alpha, seed=seed, cannot_tell=cannot_tell)
    found = gate(qrels, base, run, plan, queries=queries, **settings)
    if found.exit_code == 1:
        raise AssertionError(_said(found))
    if found.exit_code:
        import warnings

        warnings.warn(_said(found), stacklevel=2)
    return found


def _said(found: GateResult) -> str:
    lines = [f"{found.comparison.runs[0]} against {found.comparison.base}: {found.result}"]
    for o in found.outcomes:
        rule, slice_ = o.rule, "" if o.slice is None else f" on {o.slice[0]}={o.slice[1]}"
        what = f"{rule.kind} {rule.measure}".strip() + f" {rule.limit_name}={rule.limit:g}{slice_}"
        interval = "" if o.low is None or o.high is None else f", [{o.low:.4f}, {o.high:.4f}]"
        p = "" if o.p is None else ", p < 0.0001" if o.p < 0.0001 else f", p = {o.p:.4f}"
        value = "–" if o.value is None else f"{o.value:.4f}"
        lines.append(f"  {o.result:9}  {what}: {value}{interval}{p}")
    return "\n".join(lines)
