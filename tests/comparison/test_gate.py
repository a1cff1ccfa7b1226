"""A release check passes, fails, or cannot tell; each on data that deserve it."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cranfield.comparison.gate import GateResult, gate
from cranfield.comparison.rules import GatePlan, Rule
from cranfield.data.card import RunCard
from cranfield.data.collection import Query
from cranfield.errors import UnknownName
from cranfield.formats.card import write_card
from cranfield.report.gated import to_json

N = 40
Ranks = Callable[[int], int]


def _run(rank_of: Ranks, n: int = N) -> dict[str, dict[str, float]]:
    """A run that puts the one relevant document of query i at a rank (0: nowhere)."""
    run = {}
    for i in range(n):
        docs = [f"other{j}" for j in range(10)]
        if rank_of(i):
            docs.insert(rank_of(i) - 1, "good")
        run[f"q{i:02}"] = {doc: float(-place) for place, doc in enumerate(docs)}
    return run


QRELS = {f"q{i:02}": {"good": 1, "other0": 0, "other1": 0} for i in range(N)}
QUERIES = [
    Query(f"q{i:02}", f"query {i}", {"type": "even" if i % 2 == 0 else "odd"}) for i in range(N)
]
RR = "RR@10"
best = _run(lambda i: 1)
second = _run(lambda i: 2)
mixed = _run(lambda i: 1 + i % 2)
noisy = _run(lambda i: int(np.random.default_rng(i).integers(1, 4)))
noisy_too = _run(lambda i: int(np.random.default_rng(1000 + i).integers(1, 4)))


def check(base: object, run: object, *rules: Rule, **choices: object) -> GateResult:
    plan = GatePlan(rules).but(**choices)
    return gate(QRELS, {"base": base}, {"run": run}, plan, queries=QUERIES)


def results(found: GateResult) -> list[str]:
    return [o.result for o in found.outcomes]


def test_a_certain_and_large_loss_fails() -> None:
    found = check(best, second, Rule("no-loss", 0.01, RR))
    assert (found.result, found.exit_code) == ("fail", 1)
    assert found.outcomes[0].reason.key == "gate.lost"
    assert found.outcomes[0].value == -0.5


def test_the_same_loss_passes_a_rule_that_allows_it() -> None:
    found = check(best, mixed, Rule("no-loss", 0.4, RR))
    assert (found.result, found.exit_code) == ("pass", 0)
    assert found.outcomes[0].p is not None and found.outcomes[0].p < 0.05  # it is there, and small


def test_no_difference_shown_is_not_no_difference() -> None:
    found = check(noisy, noisy_too, Rule("no-loss", 0.01, RR))
    assert found.result == "undecided"
    assert found.outcomes[0].low is not None and found.outcomes[0].low < -0.01
    assert [
        check(noisy, noisy_too, Rule("no-loss", 0.01, RR), cannot_tell=policy).exit_code
        for policy in ("pass", "warn", "fail")
    ] == [0, 7, 1]


def test_identical_runs_lose_nothing_and_gain_nothing() -> None:
    found = check(noisy, noisy, Rule("no-loss", 0.0, RR), Rule("gain", 0.0, RR))
    assert results(found) == ["pass", "fail"]
    assert found.outcomes[1].reason.key == "gate.identical"


@pytest.mark.parametrize(
    ("run", "limit", "result"),
    [(best, 0.2, "pass"), (best, 0.9, "fail"), (noisy_too, 0.05, "undecided")],
)
def test_a_gain_is_shown_excluded_or_neither(run: object, limit: float, result: str) -> None:
    base = second if run is best else noisy
    assert check(base, run, Rule("gain", limit, RR)).result == result


def test_a_floor_is_held_by_the_mean_and_says_when_barely() -> None:
    found = check(best, mixed, Rule("at-least", 0.74, RR), Rule("at-least", 0.76, RR))
    assert results(found) == ["pass", "fail"]
    assert [o.value for o in found.outcomes] == [0.75, 0.75]
    assert found.outcomes[0].reason.key == "gate.enough_barely"
    assert check(best, best, Rule("at-least", 1.0, RR)).outcomes[0].reason.key == "gate.enough"


def test_a_slice_fails_where_the_whole_passes() -> None:
    """Half of the queries lose half a point each: the odd ones, all of them."""
    found = check(best, mixed, Rule("no-loss", 0.3, RR), Rule("no-loss", 0.3, RR, "type"))
    by_slice = {o.slice: o.result for o in found.outcomes}
    assert by_slice[("type", "even")] == "pass"
    assert by_slice[("type", "odd")] == "fail"
    assert found.hypotheses == 3
    one = check(best, mixed, Rule("no-loss", 0.3, RR, "type", "even"))
    assert results(one) == ["pass"]
    with pytest.raises(UnknownName, match="no query has type = prime"):
        check(best, mixed, Rule("no-loss", 0.3, RR, "type", "prime"))


def test_p_values_are_adjusted_over_the_rules_that_test() -> None:
    one = check(noisy, second, Rule("no-loss", 0.0, RR)).outcomes[0]
    three = check(
        noisy,
        second,
        Rule("no-loss", 0.0, RR),
        Rule("gain", 0.0, RR),
        Rule("at-least", 0.1, RR),
        correction="bonferroni",
    )
    assert three.hypotheses == 2
    assert one.p is not None
    assert three.outcomes[0].p == pytest.approx(min(1.0, 2 * one.p))
    assert three.outcomes[2].p is None


def test_missing_queries_and_holes_are_rules_of_their_own() -> None:
    short = {q: docs for q, docs in best.items() if q != "q07"}
    found = check(best, short, Rule("missing", 0), Rule("judged", 0.5), Rule("judged", 0.2))
    assert results(found) == ["fail", "fail", "pass"]
    assert found.outcomes[0].reason.values["some"] == ("q07",)
    assert found.outcomes[1].value == pytest.approx(0.3)


def test_a_run_that_did_not_answer_cannot_pass_on_what_it_answered() -> None:
    few = {q: docs for q, docs in best.items() if q < "q20"}
    found = check(second, few, Rule("gain", 0.0, RR))
    assert found.result == "undecided"
    assert found.exit_code == 7


def test_one_query_is_no_evidence() -> None:
    qrels = {"q00": QRELS["q00"]}
    plan = GatePlan((Rule("no-loss", 0.01, RR),))
    found = gate(qrels, {"a": best}, {"b": second}, plan)
    assert found.result == "undecided"


def test_an_empty_answer_that_the_card_vouches_for_is_not_a_missing_one(tmp_path: Path) -> None:
    run = tmp_path / "new.run"
    run.write_text("".join(f"q{i:02} Q0 good 1 1 t\n" for i in range(2, N)))
    plan = GatePlan((Rule("missing", 0),))
    assert gate(QRELS, {"base": best}, run, plan).outcomes[0].value == 2
    write_card(RunCard("new", empty=("q00",), failed=("q01",)), run)
    found = gate(QRELS, {"base": best}, run, plan)
    assert found.result == "fail"
    assert found.outcomes[0].reason.values["some"] == ("q01",)
    run.write_text("".join(f"q{i:02} Q0 good 1 1 t\n" for i in range(1, N)))  # what it had, it gave
    assert gate(QRELS, {"base": best}, run, plan).outcomes[0].reason.values["some"] == ("q01",)


def test_a_label_without_a_value_has_no_number():
    qrels = {f"q{i}": {"a": 0 if i < 3 else 1} for i in range(9)}
    run = {q: {"a": 1.0} for q in qrels}
    queries = [Query(q, "", {"type": "none" if i < 3 else "some"}) for i, q in enumerate(qrels)]
    plan = GatePlan((Rule("no-loss", 0.1, "AP", "type"),))
    found = gate(qrels, run, {"new": run}, plan, queries=queries, no_relevant="nan")
    none, some = found.outcomes
    assert (none.result, none.value, some.value) == ("undecided", None, 0.0)
    assert json.loads(to_json(found), parse_constant=pytest.fail)["rules"][0]["value"] is None


def test_queries_that_are_zero_whatever_is_returned_have_nothing_to_lose() -> None:
    qrels = {q: dict.fromkeys(docs, 0) if q > "q20" else docs for q, docs in QRELS.items()}
    queries = [Query(q, q, {"kind": "none" if q > "q20" else "some"}) for q in QRELS]
    rules = (Rule("no-loss", 0.4, RR, "kind"), Rule("gain", 0.0, RR, "kind", "none"))
    found = gate(qrels, {"base": best}, {"run": mixed}, GatePlan(rules), queries=queries)
    assert [(o.slice[1], o.result, o.reason.key) for o in found.outcomes if o.slice] == [
        ("some", "pass", "gate.not_lost"),
        ("none", "pass", "moot"),
        ("none", "undecided", "moot"),
    ]
