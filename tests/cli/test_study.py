"""`cranfield study` as it is typed."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

QUICK = ("--resamples", "40", "--repeats", "3")


@pytest.fixture
def scores(tmp_path):
    """Files of two measures, a row a run and a column a query; AP tells more apart."""
    rng = np.random.default_rng(2)
    quality = np.linspace(0.2, 0.5, 8)[:, None] + rng.normal(0, 0.05, 24)
    paths = []
    for name, noise in (("AP", 0.04), ("RR", 0.5)):
        values = np.clip(quality + rng.normal(0, noise, quality.shape), 0, 1)
        lines = [",".join([name, *(str(401 + q) for q in range(24))])]
        lines += [f"run{r}," + ",".join(f"{v:.4f}" for v in row) for r, row in enumerate(values)]
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join(lines) + "\n")
        paths.append(path)
    return paths


@pytest.fixture
def collection(tmp_path):
    """Judgments of three grades and four runs."""
    rng = np.random.default_rng(1)
    queries = [f"q{i}" for i in range(12)]
    grades = {q: rng.choice([0, 1, 2], 30, p=[0.6, 0.3, 0.1]) for q in queries}
    lines = [f"{q} 0 d{d} {g}" for q in queries for d, g in enumerate(grades[q])]
    (tmp_path / "qrels.txt").write_text("\n".join([*lines, "none 0 d1 0"]) + "\n")
    runs = []
    for r in range(4):
        lines = []
        for q in queries:
            luck = rng.random(30) + r * 0.3 * grades[q]
            lines += [
                f"{q} Q0 d{d} {i + 1} {luck[d]:.6f} x" for i, d in enumerate(np.argsort(-luck))
            ]
        runs.append(tmp_path / f"run{r}.run")
        runs[-1].write_text("\n".join(lines) + "\n")
    return tmp_path / "qrels.txt", runs


def test_judgments_and_runs_in_both_conditions(cranfield, collection):
    qrels, runs = collection
    ended = cranfield("study", qrels, *runs, *QUICK, "--name", "集合")
    assert ended.code == 0, ended.err
    assert "===== Which measure should decide: 集合 =====" in ended.out
    assert "集合, binary" in ended.out and "集合, graded" in ended.out
    assert "1 query without a relevant document: none" in ended.out
    assert "nDCG_JK" in ended.out and 'AP_Wu(variant="padded")' in ended.out


def test_a_matrix_is_told_by_what_it_holds_and_the_recommendation_comes_first(cranfield, scores):
    ended = cranfield("study", *scores, *QUICK, "--recommend")
    assert ended.code == 0, ended.err
    assert "Decide by AP" in ended.out
    assert "AP: one measure (AP), a row a run, 8 runs and 24 queries" in ended.out
    assert "watch" in ended.out
    chinese = cranfield("study", *scores, *QUICK, "--recommend", "--lang", "zh")
    assert "用 AP 来决定" in chinese.out


def test_the_same_call_writes_the_same_bytes(cranfield, scores):
    calls = [cranfield("study", *scores, *QUICK, "--method", "all", "--topic-sets", "20",
                       "--asl-resamples", "30", "--permutations", "30", "--rthsd-resamples", "30",
                       "--format", "json", "--threads", str(n)) for n in (1, 2)]  # fmt: skip
    assert calls[0].code == 0, calls[0].err
    assert calls[0].out == calls[1].out
    methods = json.loads(calls[0].out)["studies"][0]["conditions"][0]["methods"]
    assert {"power", "agreement", "design", "reliability"} <= set(methods)


def test_one_table_in_the_form_of_a_paper(cranfield, scores):
    ended = cranfield("study", *scores, *QUICK, "--table", "shares", "--format", "latex")
    assert ended.out.startswith("\\begin{tabular}{lrr}")
    assert "note: AP: one measure" in ended.err
    rows = cranfield("study", *scores, *QUICK, "--format", "csv").out.splitlines()
    assert rows[0] == "level,AP,RR" and len(rows) == 17
    share = float(rows[14].split(",")[1])
    assert 0 < share <= 1 and f"{100 * share:.2f} \\%" in ended.out


def test_steps_are_options(cranfield, scores):
    ended = cranfield("study", *scores, "--resamples", "0", "--levels", "0.01,0.05", "--parts",
                      "2,4", "--cut", "contiguous", "--sizes", "none", "--format", "json",
                      "-m", "AP", "--min-ap", "0.3", "--seed", "7")  # fmt: skip
    found = json.loads(ended.out)["studies"][0]
    (condition,) = found["conditions"]
    assert condition["discrimination"]["levels"] == [0.01, 0.05]
    assert condition["discrimination"]["bootstrap"] is None and condition["sizes"] is None
    assert [(p["parts"], p["how"], p["sizes"]) for p in condition["parts"]] == [
        (2, "contiguous", [12, 12]),
        (4, "contiguous", [6, 6, 6, 6]),
    ]
    assert found["selection"]["dropped_runs"] and found["settings"]["seed"] == 7


def test_report_tables_and_figures(cranfield, scores, tmp_path):
    pytest.importorskip("resvg_py", reason="resvg-py is not installed")
    ended = cranfield("study", *scores, *QUICK, "--method", "agreement", "--report",
                      tmp_path / "r.html", "--tables", tmp_path / "t", "--figures", tmp_path / "f",
                      "--figure-format", "both", "-o", tmp_path / "out.md")  # fmt: skip
    assert (ended.code, ended.out) == (0, ""), ended.err
    page = (tmp_path / "r.html").read_text()
    assert "<svg" in page and "AP.csv" in page and str(tmp_path) not in page
    assert (tmp_path / "out.md").read_text().startswith("# Which measure")
    made = sorted(os.listdir(tmp_path / "f"))
    assert made == sorted(f"{n}.{e}" for n in ("agreement", "curves", "parts-AP", "parts-RR",
                                               "sizes") for e in ("png", "svg"))  # fmt: skip
    assert (tmp_path / "f" / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "t" / "shares.tex").exists() and (tmp_path / "t" / "shares.csv").exists()


def test_several_collections_from_a_file(cranfield, collection, scores, tmp_path):
    text = """
recommend = true
[settings]
resamples = 30
repeats = 3
sizes = []
[[collection]]
name = "runs"
qrels = "qrels.txt"
runs = "*.run"
[[collection]]
name = "scores"
scores = ["AP.csv", "RR.csv"]
"""
    (tmp_path / "study.toml").write_text(text)
    ended = cranfield("study", tmp_path / "study.toml", "--table", "collections", "--format", "csv")
    assert ended.code == 0, ended.err
    rows = [line.split(",") for line in ended.out.splitlines()]
    assert [row[0] for row in rows[1:]] == ["runs", "scores"]
    assert [row[1] for row in rows[1:]] == ["12", "24"]
    assert rows[1][2] == "1" and rows[2][2] == ""  # of scores it is not known
    # what is typed goes before the file
    more = cranfield("study", tmp_path / "study.toml", "--resamples", "20", "--format", "json")
    assert {s["settings"]["resamples"] for s in json.loads(more.out)["studies"]} == {20}
    figures = cranfield("study", tmp_path / "study.toml", "--figures", tmp_path / "f")
    assert figures.code == 0
    assert {"curves.svg", "curves-runs-binary.svg", "curves-scores.svg"} <= set(
        os.listdir(tmp_path / "f")
    )


def test_what_is_wrong_is_said_with_the_right_code(cranfield, collection, scores, tmp_path):
    qrels, runs = collection
    (tmp_path / "flat.csv").write_text("run,1,2\na,0.5,0.5\nb,0.5,0.5\n")
    (tmp_path / "one.csv").write_text("run,1,2\na,0.5,0.25\n")
    (tmp_path / "holes.csv").write_text("run,1,2\na,0.5,\nb,0.5,0.1\n")
    cases = [
        ((qrels,), 2, "alone is no study"),
        ((tmp_path / "nothing.csv",), 4, "no such file"),
        ((qrels, runs[0]), 3, "1 run"),
        ((tmp_path / "flat.csv",), 3, "nothing to tell apart"),
        ((tmp_path / "one.csv",), 3, "1 run"),
        ((tmp_path / "holes.csv",), 3, "holes.csv, line 2: no value for run 'a', query '2'"),
        ((*scores, "--method", "magic"), 2, "no method 'magic'"),
        ((*scores, "--table", "chairs"), 2, "no table 'chairs'"),
        ((*scores, "--table", "power"), 2, "no table 'power'"),
        ((*scores, "--table", "shares", "--format", "json"), 2, "--table with JSON"),
        ((*scores, "--levels", "a,b"), 2, "not a list of numbers"),
        ((*scores, "--at", "0.03"), 2, "is none of the levels"),
        ((*scores, "--condition", "binary"), 2, "--condition with scores"),
        ((*scores, "--method", "holes"), 2, "--method holes needs judgments and runs"),
        ((*scores, "--ties", "file"), 2, "--ties with scores"),
        ((*scores, "--name", "x", scores[0]), 3, "a second value"),
        ((*scores, "-m", "nDCG"), 2, "no measure 'nDCG' among the scores"),
        ((*scores, "--report", "x.doc"), 2, "no form for such a file"),
        ((*scores, "-o", scores[0]), 2, "is an input and would be overwritten"),
        ((*scores, scores[0]), 3, "a second value"),
        ((*scores, "--parts", "50"), 2, ""),
    ]
    for args, code, said in cases:
        ended = cranfield("study", *args, *QUICK)
        assert ended.code == code and said in ended.err, (args, ended)
        assert "Traceback" not in ended.err


def test_fewer_judgments_and_other_cutoffs(cranfield, collection):
    qrels, runs = collection
    ended = cranfield("study", qrels, *runs, "-m", "P@10", "-m", "RR", "--resamples", "0",
                      "--parts", "none", "--sizes", "none", "--method", "all", "--topic-sets", "9",
                      "--format", "json")  # fmt: skip
    assert ended.code == 0, ended.err
    (condition,) = json.loads(ended.out)["studies"][0]["conditions"]
    found = condition["robustness"]
    assert found["holes"]["rates"] == [0.9, 0.7, 0.5, 0.3, 0.1]
    p = next(c for c in found["cutoffs"] if c["family"] == "P")
    at_05 = condition["discrimination"]["levels"].index(0.05)
    assert p["shares"][p["ks"].index(10)] == condition["discrimination"]["share"][0][at_05]
    for name in ("holes", "cutoffs"):
        rows = cranfield("study", qrels, *runs, "-m", "P@10", "--resamples", "0", "--method",
                         "holes,cutoff", "--table", name, "--format", "csv").out  # fmt: skip
        assert len(rows.splitlines()) > 5


def test_a_missing_cell_may_count_as_zero(cranfield, tmp_path):
    (tmp_path / "m.csv").write_text("run,1,2,3\na,0.5,,0.1\nb,0.4,0.1,0.3\n")
    ended = cranfield("study", tmp_path / "m.csv", "--missing", "zero", "--resamples", "0")
    assert ended.code == 0, ended.err
    assert "1 of 6 cells have no value and count as 0" in ended.out
