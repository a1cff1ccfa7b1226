"""The table of scores: means, frames, what it says when asked for what it has not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cranfield import evaluate
from cranfield.errors import UnknownName

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0}, "q3": {"c": 1}}
RUNS = {"one": {"q1": {"a": 1.0}, "q3": {"x": 1.0}}, "two": {"q1": {"b": 2.0, "a": 1.0}}}


@pytest.fixture(scope="module")
def scores():
    return evaluate(QRELS, RUNS, ["RR", "P@1", "NumRet", "Judged@2"], bounds=None)


def test_means_of_all_and_of_one(scores):
    assert scores.means()["one"] == {"RR": 1 / 3, "P@1": 1 / 3, "NumRet": 2.0, "Judged@2": 0.5}
    assert scores.mean("RR", "two") == pytest.approx(1 / 6)
    assert scores.mean("RR", 1) == scores.mean("RR", "two")
    assert scores.means(over="answerable")["one"]["RR"] == 0.5
    assert (scores.n("RR", "one"), scores.n("Judged@2", "one")) == (3, 2)


def test_a_mean_over_some_queries_is_over_those(scores):
    mask = np.array([True, False, False])
    assert scores.mean("RR", "two", over=mask) == 0.5
    assert scores.n("RR", "two", over=mask) == 1


def test_counts_are_added_up(scores):
    assert scores.mean("NumRet", "two") == 2.0
    assert scores.n("NumRet", "two") == 3


def test_what_is_not_there_is_said(scores):
    with pytest.raises(UnknownName, match="several runs"):
        scores.mean("RR")
    with pytest.raises(UnknownName, match="several measures"):
        scores.mean(run="one")
    with pytest.raises(UnknownName, match="no run 'three'") as e:
        scores.mean("RR", "three")
    assert e.value.hint == "runs: one, two"
    with pytest.raises(UnknownName, match="no scores for AP") as e:
        scores.mean("AP", "one")
    assert "RR" in e.value.hint
    with pytest.raises(UnknownName, match="no query field 'type'"):
        scores.by("type")


def test_frames_hold_the_same_table(scores):
    rows = list(scores.rows())
    assert len(rows) == 2 * 3 * 4
    assert rows[0] == {"run": "one", "query": "q1", "measure": "RR", "value": 1.0}
    frame = scores.to_pandas()
    assert list(frame.columns) == ["run", "query", "measure", "value"]
    assert frame["value"].isna().sum() == sum(r["value"] is None for r in rows) == 3
    assert scores.to_polars().rows() == [tuple(r.values()) for r in rows]
    assert scores.to_arrow().to_pylist() == rows


def test_a_query_without_a_value_is_left_out_of_its_list(scores):
    assert scores.per_query("Judged@2", "one") == {"q1": 1.0, "q3": 0.0}


def test_sums_are_exact_before_they_are_rounded():
    values = [1e16, 1.0, -1e16]  # a plain sum gives 0
    table = evaluate({"a": {"x": 1}, "b": {"x": 1}, "c": {"x": 1}}, {"a": {"x": 1.0}}, "RR")
    table.values[0, :, 0] = values
    assert table.mean() == 1 / 3


def test_how_they_are_shown(scores):
    lines = repr(scores).splitlines()
    assert lines[0] == "Scores: 2 runs, 3 queries (1 without a relevant document), 4 measures"
    assert lines[1].split() == ["run", "RR", "P@1", "NumRet", "Judged@2", "n"]
    assert lines[2].split() == ["one", "0.3333", "0.3333", "2", "0.5000", "(n=2)", "3"]
    assert len({len(line) for line in lines[1:]}) == 1
    assert "<td" in scores._repr_html_()


def test_names_are_escaped_in_html():
    scores = evaluate(QRELS, {"<b>&": RUNS["one"]}, "RR")
    assert "<b>" not in scores._repr_html_()
    assert "&lt;b&gt;&amp;" in scores._repr_html_()


def test_wide_names_are_aligned_and_many_runs_cut():
    runs = {f"系统{i}": RUNS["one"] for i in range(25)}
    lines = repr(evaluate(QRELS, runs, "RR", bounds=None)).splitlines()
    assert lines[-1] == "… and 5 more runs"
    assert len(lines) == 1 + 1 + 20 + 1
    assert lines[1] == "run         RR  n"  # 系统10 is six columns wide
    assert lines[2] == "系统0   0.3333  3"
    assert lines[12] == "系统10  0.3333  3"


def test_no_value_at_all_is_shown_as_a_dash():
    scores = evaluate({"q": {"a": 0}}, {"q": {"a": 1.0}}, "RR", no_relevant="nan")
    assert math.isnan(scores.mean())
    assert repr(scores).splitlines()[-1].split() == ["run", "–", "0"]
