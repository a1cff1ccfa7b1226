"""Depth or breadth: the plan of a pilot against what happens in the whole collection."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield.errors import InputError, UsageError
from cranfield.judging.budget import plan_budget
from cranfield.report import budget

DOCS = [f"d{i:02}" for i in range(30)]
Run = dict[str, dict[str, float]]


def world(n: int, seed: int) -> tuple[Run, Run, dict[str, dict[str, int]]]:
    rng = np.random.default_rng(seed)
    base, run, truth = {}, {}, {}
    for i in range(n):
        grades = (rng.random(30) < rng.beta(2, 4)).astype(int)
        q = f"q{i:04}"
        truth[q] = dict(zip(DOCS, grades.tolist(), strict=True))
        for made, skill in ((base, 0.5), (run, 1.0)):
            made[q] = dict(zip(DOCS, (skill * grades + rng.normal(0, 1, 30)).tolist(), strict=True))
    return base, run, truth


def thin(runs: list[Run], truth: dict[str, dict[str, int]], depth: int) -> dict[str, Any]:
    tops = {
        q: {d for r in runs for d in sorted(r[q], key=lambda d: -r[q][d])[:depth]} for q in truth
    }
    return {q: {d: g for d, g in docs.items() if d in tops[q]} for q, docs in truth.items()}


def differences(runs: list[Run], qrels: dict[str, Any], measure: str) -> np.ndarray:
    scores = cranfield.evaluate(qrels, {"a": runs[0], "b": runs[1]}, measure)
    return scores.values[1, :, 0] - scores.values[0, :, 0]


def test_every_number_of_a_row() -> None:
    base, run, truth = world(25, 1)
    plan = plan_budget(
        truth, [base, run], "nDCG@10", budget=200, depths=[3, 10], per_query=1.5, most_queries=30
    )
    full = differences([base, run], truth, "nDCG@10")
    assert (plan.pilot, plan.mean) == (25, pytest.approx(full.mean()))
    assert plan.between == pytest.approx(full.std(ddof=1))
    for row in plan.depths:
        few = thin([base, run], truth, row.depth)
        values = differences([base, run], few, "nDCG@10")
        cost = np.mean([len(docs) for docs in few.values()])
        assert row.labels == pytest.approx(cost)
        assert row.queries == min(30, int(200 / (cost + 1.5)))
        assert row.spread == pytest.approx(values.std(ddof=1))
        assert row.error == pytest.approx((values - full).std(ddof=1))
        assert row.bias == pytest.approx((values - full).mean())
        se = row.spread / math.sqrt(row.queries)
        assert row.se == pytest.approx(se)
        left = max(0.0, row.bias**2 - row.bias_se**2)
        assert row.rmse == pytest.approx(math.sqrt(se**2 + left))
        assert row.t == pytest.approx(values.mean() / se)


def test_the_plan_comes_true() -> None:
    """The mean over so many queries, judged so deep, is off by about what the plan says."""
    base, run, truth = world(2000, 2)
    pilot = dict(list(truth.items())[:300])
    plan = plan_budget(pilot, [base, run], "nDCG@10", budget=400, depths=[1, 3, 10])
    full = differences([base, run], truth, "nDCG@10").mean()
    rng = np.random.default_rng(3)
    for row in plan.depths:
        values = differences([base, run], thin([base, run], truth, row.depth), "nDCG@10")
        means = rng.choice(values, (3000, row.queries)).mean(axis=1)
        assert row.se == pytest.approx(means.std(), rel=0.12)
        off = values.mean() - full
        assert abs(row.bias - off) < 3 * row.bias_se + 1e-9
        assert row.rmse is not None
        assert abs(row.rmse - math.sqrt(((means - full) ** 2).mean())) < 0.012


def test_one_run_and_a_budget_that_is_too_small() -> None:
    _, run, truth = world(30, 4)
    plan = plan_budget(truth, [run], "P@5", budget=100)
    assert [d.depth for d in plan.depths] == [1, 2, 3, 5]
    assert plan.base is None
    assert plan.depths[-1].bias == 0  # P@5 needs no more than five labels
    assert plan.depths[-1].queries == 20
    poor = plan_budget(truth, [run], "P@5", budget=5, depths=[5])
    assert (poor.best, poor.depths[0].rmse) == (None, None)
    assert "does not pay" in budget.page(poor).to_text()
    assert "预算" in budget.page(plan, "zh").to_text()


def test_mistakes() -> None:
    base, run, truth = world(5, 5)
    few = dict(list(truth.items())[:2])
    with pytest.raises(InputError):
        plan_budget(few, [run], budget=10)
    for wrong in ({"budget": 0}, {"budget": 9, "per_query": -1}, {"budget": 9, "depths": [0]}):
        with pytest.raises(UsageError):
            plan_budget(truth, [base, run], **wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        plan_budget(truth, [base, run], ["P@5", "AP"], budget=9)
