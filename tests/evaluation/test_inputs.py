"""The same judgments and runs in any form give the same scores, and stay as they were."""

from __future__ import annotations

import copy
import gzip
import json

import pandas
import polars
import pyarrow
import pytest

from cranfield import Qrels, Run, Scores, evaluate
from cranfield.errors import InputError, UsageError

QRELS = {"q1": {"a": 2, "b": 0, "c": -1}, "2": {"é": 0.5, "日": 1}}
RUN = {"q1": {"b": 3.5, "a": 1.25, "u": 1.25}, "2": {"日": 1e-3, "é": -0.0, "z": -2.0}}
MEASURES = ["nDCG@10", 'nDCG(gain="exp")', "AP", "bpref", "RR(rel=2)", "Judged@10", "NumRet"]
TREC_QRELS = "".join(f"{q} 0 {d} {g}\n" for q, docs in QRELS.items() for d, g in docs.items())
TREC_RUN = "".join(f"{q} Q0 {d} 1 {s!r} t\n" for q, docs in RUN.items() for d, s in docs.items())
QRELS_TABLE = {
    "query_id": [q for q, docs in QRELS.items() for _ in docs],
    "doc_id": [d for docs in QRELS.values() for d in docs],
    "relevance": [float(g) for docs in QRELS.values() for g in docs.values()],
}
RUN_TABLE = {
    "query_id": [q for q, docs in RUN.items() for _ in docs],
    "doc_id": [d for docs in RUN.values() for d in docs],
    "score": [float(s) for docs in RUN.values() for s in docs.values()],
}


def csv_of(table: dict) -> str:
    rows = zip(*table.values(), strict=True)
    return "\n".join([",".join(table), *(",".join(map(str, row)) for row in rows)]) + "\n"


def forms(name: str, plain: dict, table: dict, trec: str, noun: type, write, folder) -> dict:
    rows = list(zip(*table.values(), strict=True))
    frame = pandas.DataFrame(table)
    arrow = pyarrow.table(table)
    frame.to_parquet(folder / f"{name}.parquet")
    lines = "\n".join(json.dumps(dict(zip(table, row, strict=True))) for row in rows)
    return {
        "dict": plain,
        "noun": noun.from_dict(plain),
        "rows": rows,
        "records": [dict(zip(table, row, strict=True)) for row in rows],
        "columns": table,
        "pandas": frame,
        "polars": polars.DataFrame(table),
        "lazy": polars.LazyFrame(table),
        "arrow": arrow,
        "batch": arrow.to_batches()[0],
        "path": write(f"{name}.txt", trec),
        "text path": str(write(f"{name}-2.txt", trec)),
        "gz": write(f"{name}.gz", gzip.compress(trec.encode())),
        "tabs": write(f"{name}.tsv", trec.replace(" ", "\t")),
        "crlf": write(f"{name}.crlf", trec.replace("\n", "\r\n")),
        "json": write(f"{name}.json", json.dumps(plain)),
        "jsonl": write(f"{name}.jsonl", lines),
        "csv": write(f"{name}.csv", csv_of(table)),
        "parquet": folder / f"{name}.parquet",
    }


def numbers(scores: Scores) -> tuple:
    report = scores.reports[0]
    return (
        scores.queries,
        scores.values.tobytes(),
        scores.valid.tobytes(),
        [m.full for m in scores.measures],
        (report.n_returned, report.missing, report.unlabelled, report.judged, report.tied),
    )


@pytest.fixture
def all_qrels(write, tmp_path):
    return forms("qrels", QRELS, QRELS_TABLE, TREC_QRELS, Qrels, write, tmp_path)


@pytest.fixture
def all_runs(write, tmp_path):
    return forms("run", RUN, RUN_TABLE, TREC_RUN, Run, write, tmp_path)


def test_every_form_of_run_gives_the_same_scores(all_runs):
    expected = numbers(evaluate(QRELS, RUN, MEASURES))
    assert {k: numbers(evaluate(QRELS, v, MEASURES)) == expected for k, v in all_runs.items()} == (
        dict.fromkeys(all_runs, True)
    )


def test_every_form_of_judgments_gives_the_same_scores(all_qrels):
    expected = numbers(evaluate(QRELS, RUN, MEASURES))
    assert {k: numbers(evaluate(v, RUN, MEASURES)) == expected for k, v in all_qrels.items()} == (
        dict.fromkeys(all_qrels, True)
    )


def test_every_form_of_run_can_be_named(all_runs):
    scores = evaluate(QRELS, all_runs, MEASURES)
    assert scores.runs == tuple(all_runs)
    assert {scores.values[r].tobytes() for r in range(len(scores.runs))} == {
        evaluate(QRELS, RUN, MEASURES).values[0].tobytes()
    }


@pytest.mark.parametrize(
    "runs", [RUN, [RUN], (RUN, RUN), {"mine": RUN}, {"mine": Run.from_dict(RUN)}]
)
def test_one_run_several_runs_and_named_runs_are_told_apart(runs):
    scores = evaluate(QRELS, runs, "AP")
    assert scores.runs[0] == ("mine" if isinstance(runs, dict) and "mine" in runs else "run")
    assert set(scores.values[:, 0, 0]) == {1 / 3}  # b, then u before a


def test_nothing_that_is_passed_in_is_changed():
    qrels, runs = copy.deepcopy(QRELS), {"a": copy.deepcopy(RUN)}
    frame, table = pandas.DataFrame(RUN_TABLE), polars.DataFrame(QRELS_TABLE)
    measures = list(MEASURES)
    run, judged = Run.from_dict(RUN), Qrels.from_dict(QRELS)
    before = [c.tobytes() for c in (run.score, run.query, run.docs.buffer, judged.grade)]
    for _ in range(2):
        evaluate(qrels, runs, measures)
        evaluate(table, frame, measures)
        evaluate(judged, [run, run], measures, on_duplicate="max", score_width=32)
    assert (qrels, runs, measures) == (QRELS, {"a": RUN}, MEASURES)
    assert frame.equals(pandas.DataFrame(RUN_TABLE))
    assert table.equals(polars.DataFrame(QRELS_TABLE))
    assert [c.tobytes() for c in (run.score, run.query, run.docs.buffer, judged.grade)] == before
    assert run.name == "run"


@pytest.mark.parametrize("bad", [object(), 3, None, b"bytes", {1, 2}, lambda: None])
def test_what_is_no_run_is_a_usage_error(bad):
    with pytest.raises(UsageError, match="cannot be read as a run"):
        evaluate(QRELS, bad)
    with pytest.raises(UsageError, match="cannot be read as qrels"):
        evaluate(bad, RUN)


@pytest.mark.parametrize("score", [float("nan"), None, "high", [1]])
def test_a_score_in_a_dictionary_that_is_no_number_is_named(score):
    with pytest.raises(InputError, match="score"):
        evaluate(QRELS, {"q1": {"a": score}})


@pytest.mark.parametrize("grade", [float("nan"), float("inf"), None, "good"])
def test_a_grade_in_a_dictionary_that_is_no_number_is_named(grade):
    with pytest.raises(InputError, match="grade"):
        evaluate({"q1": {"a": grade}}, RUN)


def test_nan_in_a_run_in_memory_is_refused():
    run = Run.from_rows([("q1", "a", float("nan"))])
    with pytest.raises(InputError, match="'a' is NaN"):
        evaluate(QRELS, run)
