"""Leave one out on a pool small enough to be worked out by hand."""

from __future__ import annotations

import pytest

import cranfield
from cranfield.diagnosis.asked import Asked
from cranfield.diagnosis.holes import pool_depth
from cranfield.diagnosis.material import Examined, examine
from cranfield.diagnosis.reuse import leave_one_out, reuse
from cranfield.errors import UnknownName
from cranfield.report import checked

# judgments that come from the first three documents of three runs
QRELS = {"q": {"x": 1, "c": 1, "e": 1, "y": 0, "g": 0}}
RUNS = {
    "A": {"q": {"x": 3.0, "y": 2.0, "c": 1.0}},
    "B": {"q": {"y": 3.0, "e": 2.0, "x": 1.0}},
    "C": {"q": {"y": 3.0, "x": 2.0, "g": 1.0}},
}


@pytest.fixture
def pooled() -> Examined:
    return examine(QRELS, RUNS, ["AP", "nDCG@10", "Judged@10"], Asked())


def test_worked_values(pooled) -> None:
    assert pool_depth(pooled) == [3]
    left = {x.run: x for x in leave_one_out(pooled, 3)}
    worked = {
        "A": (1, 1, 0.5555555556, 0.5, 0.703918089, 0.6131471928),
        "B": (1, 1, 0.3888888889, 0.1666666667, 0.530721274, 0.3065735964),
        "C": (1, 0, 0.1666666667, 0.1666666667, 0.296081911, 0.296081911),
    }
    for run, (unique, relevant, ap, ap_less, ndcg, ndcg_less) in worked.items():
        got = left[run]
        assert (got.unique, got.relevant) == (unique, relevant)
        assert got.full[:2] == pytest.approx([ap, ndcg], abs=1e-9)
        assert got.reduced[:2] == pytest.approx([ap_less, ndcg_less], abs=1e-9)
        assert got.reduced[2] == pytest.approx(2 / 3)  # judged@10


def test_summary_over_runs(pooled) -> None:
    section = reuse(pooled)
    facts = dict(section.facts)
    assert facts["depth"] == 3 and facts["groups"] == 3
    assert facts["tau:AP"] == pytest.approx(0.8164965809)
    assert facts["max_change:AP"] == pytest.approx(0.2222222222)
    assert facts["mean_change:AP"] == pytest.approx(0.0925925926)
    (finding,) = section.findings
    assert finding.values["run"] == "B" and finding.effect["AP"] == pytest.approx(-0.2222222222)


def test_runs_of_a_group_are_left_out_together() -> None:
    grouped = cranfield.check(QRELS, RUNS, ["AP"], groups={"A": "one", "B": "one"})
    rows = {r[0]: r for r in grouped.section("reuse").tables[0].rows}
    # c and e are the group's, and x stays: C has it
    assert rows["A"][2:4] == (2, 2) and rows["A"][6] == pytest.approx(1.0)
    assert rows["B"][6] == pytest.approx(1 / 3)
    assert not grouped.section("reuse").findings  # two groups are no pool


def test_a_judgment_that_no_run_accounts_for_stays() -> None:
    qrels = {"q": {**QRELS["q"], "z": 1}}
    left = cranfield.check(qrels, RUNS, ["AP"]).section("reuse").tables[0].rows
    assert {r[0]: r[6] for r in left}["A"] == pytest.approx(1 / 3)  # R is x, e and z


def test_a_group_of_a_stranger_is_refused() -> None:
    with pytest.raises(UnknownName, match="no run"):
        cranfield.check(QRELS, RUNS, groups={"Z": "one"})


def test_pairs_whose_significance_changes_when_runs_are_left_out() -> None:
    """`new` alone finds a relevant document in every query; without these judgments it is behind
    `old`, whose documents the third run has too."""
    queries = [f"q{i}" for i in range(10)]
    qrels, runs = {}, {"new": {}, "old": {}, "twin": {}}
    for i, q in enumerate(queries):
        qrels[q] = {"own": 1, "both": 1, "x": 0, "y": 0}
        runs["new"][q] = {"own": 3.0, "x": 2.0} if i else {"own": 3.0, "both": 2.0}
        runs["old"][q] = {"y": 3.0, "both": 2.0}
        runs["twin"][q] = {"both": 3.0, "y": 2.0}
    found = cranfield.check(qrels, runs, ["RR"], pool_depth=2)
    section = found.section("reuse")
    facts = dict(section.facts)
    # RR: new 1, old 1/2, twin 1; new left out 0 but for q0 (1/2), so that twin is ahead of it
    assert facts["significant:RR"] == 2
    rows = {(r[0], r[1]): r[3] for r in section.tables[1].rows}
    assert rows == {("new", "old"): "turned", ("twin", "new"): "gained"}
    assert facts["significant_changed:RR"] == len(rows)
    assert "turned round" in checked.page(found).to_text()
