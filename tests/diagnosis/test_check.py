"""The whole check: registry, order of findings, exit codes, and real runs."""

from __future__ import annotations

import time

import pytest

import cranfield
from cranfield.diagnosis import check as room
from cranfield.diagnosis.finding import CheckResult, Finding, Section
from cranfield.errors import MeasureError, UsageError

QRELS = {"q": {"a": 1, "b": 0}}
RUN = {"q": {"a": 2.0, "x": 1.0}}


def test_a_check_is_one_more_line_of_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    def mine(found) -> Section:
        return Section("mine", findings=(Finding("mine", "error", {"runs": found.runs}),))

    monkeypatch.setattr(room, "mine", mine, raising=False)
    monkeypatch.setattr(room, "CHECKS", (*room.CHECKS, ("cranfield.diagnosis.check", "mine")))
    found = cranfield.check(QRELS, {"run": RUN})
    made = Finding("mine", "error", {"runs": ("run",)}, unpriced="not_computed")
    assert found.findings[0] == made
    assert found.section("mine") is not None


def test_findings_come_by_severity_and_decide_the_exit_code() -> None:
    found = CheckResult(
        "c", (), (), (Section("s", findings=(Finding("a", "info"), Finding("b", "warning"))),)
    )
    assert [f.key for f in found.findings] == ["b", "a"]
    codes = [found.exit_code(s) for s in ("info", "caution", "warning", "error", "never")]
    assert codes == [1, 1, 1, 0, 0]
    with pytest.raises(UsageError, match="no severity"):
        found.exit_code("loud")


def test_a_collection_without_runs_has_no_section_of_runs() -> None:
    found = cranfield.check(QRELS)
    assert [s.key for s in found.sections] == ["statistics"] and found.holes == ()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"k": 0}, UsageError),
        ({"k": 101}, UsageError),
        ({"pool_depth": 0}, UsageError),
        ({"ties": "expected"}, UsageError),
        ({"measures": "P"}, None),
        ({"measures": "Success"}, MeasureError),
    ],
)
def test_wrong_calls_are_refused(options, error) -> None:
    if error is None:
        assert cranfield.check(QRELS, {"run": RUN}, **options)
        return
    with pytest.raises(error):
        cranfield.check(QRELS, {"run": RUN}, **options)


def test_the_score_is_that_of_evaluate_and_lies_in_its_bounds(shared) -> None:
    folder = shared / "runs" / "trec-covid-r1"
    runs = [str(p) for p in sorted((folder / "runs").iterdir())[:6]]
    qrels = str(folder / "qrels.covid-round1.txt")
    found = cranfield.check(qrels, runs, ["nDCG@10", "AP", "RBP(p=0.8)"])
    scores = cranfield.evaluate(qrels, runs, ["nDCG@10", "AP", "RBP(p=0.8)", "Judged@10"])
    for row in found.section("holes").tables[1].rows:
        run, measure, score, _, low, high, open_low, open_high, kind = row
        assert score == pytest.approx(scores.mean(measure, run), abs=1e-12)
        assert (
            open_low <= low + 1e-12 <= score + 2e-12 and score <= high + 1e-12 <= open_high + 2e-12
        )
        assert kind == "exact"
    for row in found.section("holes").tables[0].rows:
        assert row[1] == pytest.approx(scores.mean("Judged@10", row[0]), abs=1e-12)
    assert len(found.section("reuse").tables[0].rows) == 18


@pytest.mark.slow
def test_all_runs_of_a_track_in_reasonable_time(shared) -> None:
    folder = shared / "runs" / "trec-covid-r1"
    runs = [str(p) for p in sorted((folder / "runs").iterdir())]
    begun = time.process_time()
    found = cranfield.check(str(folder / "qrels.covid-round1.txt"), runs)
    assert time.process_time() - begun < 240
    assert len(found.runs) == 143 and len(found.holes) > 1000
    assert dict(found.section("pairs").facts)["pairs"] == 142
