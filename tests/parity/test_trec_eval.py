"""trec_eval's own printed numbers for the official runs of Robust 2003: version 10 keeps scores as
doubles, version 9 as floats; every value of both is met, digit for digit."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

from cranfield import Scores, evaluate
from cranfield.errors import FormatError

RUNS = (
    "InexpC2 MU03rob01 NLPR03vb10 SABIR03BASE Sel50 THUIRr0301 UAmsT03RDesc UIUC03Rd1 VTcdhgp1 "
    "aplrob03a fub03IeOLKe3 humR03dc oce03noXbmD pircRBa1 rutcor03100 uic0301 uwmtCR0"
).split()
CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
WHOLE = "num_q num_ret num_rel num_rel_ret map Rprec bpref recip_rank ndcg set_P set_recall set_F"
NAMES = [
    *WHOLE.split(),
    *(f"{name}_{k}" for name in ("P", "recall", "ndcg_cut", "map_cut") for k in CUTS),
    *(f"success_{k}" for k in (1, 5, 10)),
]
COUNTS = {"num_q", "num_ret", "num_rel", "num_rel_ret"}


def printed(name: str, value: float) -> str:
    return f"{value:.0f}" if name in COUNTS else f"{value:6.4f}"


def golden(path: Path) -> list[tuple[str, str, str]]:
    """(measure, topic, value) of the measures that there are here."""
    with gzip.open(path, "rt") as stream:
        rows = [tuple(cell.strip() for cell in line.split("\t")) for line in stream]
    return [row for row in rows if row[0] in NAMES]


def added_up(values: dict[str, float], name: str) -> float:
    """The summary as trec_eval forms it: topic after topic, each sum rounded. Where the exact mean
    lies halfway between two printed numbers (0.09605) that rounding shows; ours has none."""
    total = 0.0
    for topic in sorted(values):
        total += values[topic]
    return total if name in COUNTS else total / len(values)


def differences(scores: Scores, rows: list[tuple[str, str, str]]) -> list[tuple[str, ...]]:
    values = {name: scores.per_query(name) for name in NAMES}
    found = []
    for name, topic, expected in rows:
        value = added_up(values[name], name) if topic == "all" else values[name][topic]
        if topic == "all":
            assert scores.mean(name) == pytest.approx(value, rel=1e-14)
        if printed(name, value) != expected:
            found.append((name, topic, expected, repr(value)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("version", "width"), [("trec_eval", 64), ("trec_eval_908", 32)])
@pytest.mark.parametrize("name", RUNS)
def test_every_printed_value_of_an_official_run(shared, name, version, width):
    rows = golden(shared / "conformance" / "robust03" / f"input.{name}.{version}.out.gz")
    folder = shared / "runs" / "trec-robust-2003"
    run = folder / "runs" / f"input.{name}.gz"
    scores = evaluate(folder / "qrels.txt", run, NAMES, score_width=width)
    assert len(scores.queries) == 100
    assert {topic for _, topic, _ in rows} >= {"all", "303", "650"}
    assert len(rows) > 90 * (len(NAMES) - 1)
    assert {name for name, _, _ in rows} == set(NAMES)
    assert differences(scores, rows) == []


@pytest.mark.slow
def test_the_two_versions_do_differ_on_these_runs(shared):
    """Else the test above would not tell float32 from float64."""
    folder = shared / "runs" / "trec-robust-2003"
    different = []
    for name in RUNS:
        run = folder / "runs" / f"input.{name}.gz"
        wide, narrow = (
            evaluate(folder / "qrels.txt", run, ["AP", "nDCG"], score_width=w).values
            for w in (64, 32)
        )
        different += [name] if wide.tobytes() != narrow.tobytes() else []
    assert "InexpC2" in different


@pytest.mark.slow
def test_gdeval_exponential_gain_and_expected_reciprocal_rank(shared):
    path = shared / "conformance" / "robust03" / "gdeval_k20_uic0301.csv"
    folder = shared / "runs" / "trec-robust-2003"
    run = folder / "runs" / "input.uic0301.gz"
    asked = ['nDCG(gain="exp")@20', "ERR(gmax=4)@20"]
    scores = evaluate(folder / "qrels.txt", run, asked)
    ndcg, err = (scores.per_query(m) for m in asked)
    with path.open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) > 95
    for row in rows:
        topic = row["topic"]
        mine = [scores.mean(m) for m in asked] if topic == "amean" else [ndcg[topic], err[topic]]
        assert [f"{v:.5f}" for v in mine] == [row["ndcg@20"], row["err@20"]], topic


# ---- trec_eval's own test: what version 10 prints for `-m all_trec -q -c`

OWN = [
    ("qrels.test", "results.test", "out.test.aq"),
    ("qrels.test", "results.trunc", "out.test.aqc"),
    ("qrels.test.with-comments", "results.test", "out.test"),
    ("qrels.comment.test", "results.comment.test", "out.comment.test"),
]


@pytest.mark.parametrize(("qrels", "run", "expected"), OWN)
def test_trec_evals_own_test_files(shared, write, qrels, run, expected):
    """One of the runs has words behind the tag, which trec_eval passes over and we refuse."""
    folder = shared / "conformance" / "trec_eval_v10"
    rows = [
        tuple(cell.strip() for cell in line.split("\t"))
        for line in (folder / expected).read_text().splitlines()
    ]
    rows = [row for row in rows if row[0] in NAMES]
    averaged = "skip" if expected != "out.test.aqc" else "zero"  # without -c
    if run == "results.trunc":
        with pytest.raises(FormatError, match="the tag 'STANDARD more junk at' holds a blank"):
            evaluate(folder / qrels, folder / run)
        lines = (folder / run).read_text().splitlines()
        path = write("results", "".join(" ".join(line.split()[:6]) + "\n" for line in lines))
    else:
        path = folder / run
    scores = evaluate(folder / qrels, path, NAMES, missing=averaged)
    assert len(rows) > 10
    assert differences(scores, rows) == []
