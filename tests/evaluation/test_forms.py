"""One run in many forms, and what a session says of something that is not there."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield
from cranfield import Run, evaluate
from cranfield.errors import UnknownName, UsageError

QRELS = {"q1": {"a": 2, "b": 0}, "q2": {"a": 0}, "q3": {"c": 1}}
RUN = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"a": 1.0}}
ROWS = [("q1", "b", 2.0), ("q1", "a", 1.0), ("q2", "a", 1.0)]
NAMES = ("query", "doc", "score")
FORMS = {
    "dict": RUN,
    "tuples": ROWS,
    "lists": [list(r) for r in ROWS],
    "records": [dict(zip(NAMES, r, strict=True)) for r in ROWS],
    "columns": {k: list(v) for k, v in zip(NAMES, zip(*ROWS, strict=True), strict=True)},
    "Run": Run.from_rows(ROWS),
    "several": [RUN],
    "named": {"run": RUN},
}


@pytest.mark.parametrize("form", list(FORMS))
def test_every_form_is_the_same_run(form):
    scores = evaluate(QRELS, FORMS[form], ["nDCG@10", "AP"])
    assert scores.runs == ("run",)
    assert scores.per_query("AP") == {"q1": 0.5, "q2": 0.0, "q3": 0.0}


def test_no_relevant_skip_reports_only_the_queries_that_are_left():
    scores = evaluate(QRELS, {"q1": RUN["q1"]}, "AP", no_relevant="skip")
    assert scores.queries == ("q1", "q3")
    assert scores.reports[0].missing == ("q3",)
    assert "1 query without a relevant document left out" in scores.notes


def test_a_mean_over_fewer_queries_says_so_in_the_session():
    shown = repr(evaluate(QRELS, RUN, ["AP", "Judged@1"]))
    assert "1.0000 (n=2)" in shown
    assert shown.splitlines()[-1].endswith("  3")


def test_a_mean_over_a_mask():
    scores = evaluate(QRELS, RUN, "AP")
    assert scores.mean(over=np.array([True, False, True])) == 0.25
    assert scores.n(over=np.array([True, False, False])) == 1


@pytest.mark.parametrize("run", ["other", 1, -2])
def test_a_run_that_is_not_there(run):
    with pytest.raises(UnknownName, match="runs: run"):
        evaluate(QRELS, RUN, "AP").mean("AP", run)


def test_a_system_called_without_what_it_needs():
    with pytest.raises(UsageError, match="missing a required argument: 'documents'"):
        cranfield.system("scan")
    with pytest.raises(UsageError, match="unexpected keyword argument 'depth'"):
        cranfield.system("scan", documents=[], depth=3)


def test_dir_shows_the_public_names_once():
    assert dir(cranfield) == sorted([*cranfield.__all__, "__version__"])


def test_every_spelling_that_was_asked_for_finds_its_scores():
    scores = evaluate(QRELS, RUN, ["AP", "map", "ERR@5"])
    assert len(scores.measures) == 2
    assert scores.mean("map") == scores.mean("AP") == pytest.approx(1 / 6)
    assert scores.mean("ERR@5") == scores.mean("ERR(gmax=2)@5")
