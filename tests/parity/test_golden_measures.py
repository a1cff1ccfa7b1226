"""Every measure that trec_eval printed for official runs, for each topic and over all of them.

The outputs are those of trec_eval 10, which keeps scores as double, and of 9.0.8, which keeps
them as float and counts levels of recall in another way.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from cranfield import evaluate
from cranfield.evaluation.align import align
from cranfield.formats.readers import open_run, read_qrels
from cranfield.measures import Judgments, Measure, parse, relstring
from cranfield.scan.judged import JudgedIndex

RUNS = (
    "InexpC2 MU03rob01 NLPR03vb10 SABIR03BASE Sel50 THUIRr0301 UAmsT03RDesc UIUC03Rd1 VTcdhgp1 "
    "aplrob03a fub03IeOLKe3 humR03dc oce03noXbmD pircRBa1 rutcor03100 uic0301 uwmtCR0"
).split()
PRINTED = 5.1e-5  # four decimals


def golden(shared: Path, run: str, suffix: str) -> dict[str, dict[str, str]]:
    """{measure: {topic or "all": text}} of one output."""
    path = shared / "conformance" / "robust03" / f"input.{run}.trec_eval{suffix}.out.gz"
    found: dict[str, dict[str, str]] = {}
    with gzip.open(path, "rt") as lines:
        for line in lines:
            name, topic, value = line.rstrip("\n").split("\t")
            found.setdefault(name.strip(), {})[topic] = value
    return found


def named(name: str, suffix: str) -> Measure:
    measure = parse(name)
    if suffix and "convention" in measure.values:
        return measure(convention="v9")
    return measure


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize(("suffix", "width", "count"), [("", 64, 98), ("_908", 32, 93)])
def test_every_measure_and_topic(
    run: str, suffix: str, width: int, count: int, shared: Path
) -> None:
    printed = golden(shared, run, suffix)
    measures = {n: named(n, suffix) for n in printed if n not in ("runid", "relstring")}
    assert len(measures) == count
    folder = shared / "runs" / "trec-robust-2003"
    scores = evaluate(
        folder / "qrels.txt",
        folder / "runs" / f"input.{run}.gz",
        list(measures.values()),
        score_width=width,
    )
    assert len(scores.queries) == 100
    for name, measure in measures.items():
        mine = {**scores.per_query(measure), "all": scores.mean(measure)}
        theirs = {topic: float(text) for topic, text in printed[name].items()}
        assert {t: mine[t] for t in theirs} == pytest.approx(theirs, abs=PRINTED), name
        assert len(theirs) == (1 if name in ("num_q", "gm_map", "gm_bpref") else 101)


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS)
def test_relevance_strings(run: str, shared: Path) -> None:
    folder = shared / "runs" / "trec-robust-2003"
    qrels = read_qrels(folder / "qrels.txt")
    found = align(open_run(folder / "runs" / f"input.{run}.gz"), JudgedIndex(qrels))
    judgments = Judgments(len(qrels.queries), qrels.query, qrels.grade)
    mine = dict(zip(qrels.queries, relstring(judgments, found.hits), strict=True))
    theirs = {t: text.strip("'") for t, text in golden(shared, run, "")["relstring"].items()}
    assert len(theirs) == 100
    assert {t: mine[t] for t in theirs} == theirs


@pytest.mark.parametrize(
    ("output", "qrels", "level"),
    [
        ("out.test.aq", "qrels.test", 1),
        ("out.test.meas_params", "qrels.test", 1),
        ("out.test.aql", "qrels.rel_level", 2),
    ],
)
def test_the_checks_that_come_with_trec_eval(
    output: str, qrels: str, level: int, shared: Path
) -> None:
    """Three topics; names with parameters, as the output prints them; and -l 2."""
    folder = shared / "conformance" / "trec_eval_v10"
    printed: dict[str, dict[str, float]] = {}
    for line in (folder / output).read_text().splitlines():
        name, topic, value = line.split("\t")
        if name.strip() != "runid" and not name.startswith("relstring"):
            printed.setdefault(name.strip(), {})[topic] = float(value)
    measures = {name: parse(name) for name in printed}
    for name, measure in measures.items():
        if "rel" in measure.values and measure.definition.param("rel").applies(measure.values):
            measures[name] = measure(rel=level)
    asked = list(dict.fromkeys(measures.values()))
    scores = evaluate(folder / qrels, folder / "results.test", asked, missing="skip")
    for name, theirs in printed.items():
        mine = {**scores.per_query(measures[name]), "all": scores.mean(measures[name])}
        assert {t: mine[t] for t in theirs} == pytest.approx(theirs, abs=PRINTED), name
