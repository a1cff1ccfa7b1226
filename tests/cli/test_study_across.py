"""`cranfield study`: queries, runs and collections one by one, and going on where it stood."""

from __future__ import annotations

import csv
import io
import json
import math
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from cranfield.metaeval.method_names import METHODS
from cranfield.metaeval.predictors import count_terms, predict
from cranfield.metaeval.standardised import standardise
from cranfield.report.study_data import TABLES
from cranfield.retrieval.analyze import analyzer

QUICK = ("--resamples", "0", "--parts", "none", "--sizes", "none")


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def matrices(tmp_path):
    """Two collections of one measure; two runs are in both."""
    rng = np.random.default_rng(8)
    made = {}
    for name, runs, n in (("one", ["bm25", "dense", "a"], 6), ("two", ["dense", "b", "bm25"], 9)):
        values = rng.random((len(runs), n)).round(4)
        lines = [",".join(["AP", *(f"q{q}" for q in range(n))])]
        lines += [f"{r}," + ",".join(map(str, v)) for r, v in zip(runs, values, strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
        made[name] = dict(zip(runs, values, strict=True))
    (tmp_path / "study.toml").write_text(
        'methods = ["standardised"]\n[settings]\nresamples = 0\nparts = []\nsizes = []\n'
        '[[collection]]\nname = "第一"\nscores = "one.csv"\n'
        '[[collection]]\nname = "two"\nscores = "two.csv"\n'
    )
    return tmp_path, made


@pytest.fixture
def folder(tmp_path):
    """A collection with texts, and three runs."""
    rng = np.random.default_rng(3)
    words = [f"word{i}" for i in range(12)]
    docs = {f"d{d}": " ".join(rng.choice(words, 8)) for d in range(20)}
    queries = {f"q{q}": " ".join(rng.choice(words, 2)) for q in range(8)} | {"q8": "火星"}
    box = tmp_path / "box"
    (box / "qrels").mkdir(parents=True)
    for name, texts in (("corpus", docs), ("queries", queries)):
        lines = (json.dumps({"_id": i, "text": t}) for i, t in texts.items())
        (box / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    judged = ["query-id\tcorpus-id\tscore"]
    judged += [f"{q}\t{d}\t{int(rng.random() < 0.3 or d == 'd0')}" for q in queries for d in docs]
    (box / "qrels" / "test.tsv").write_text("\n".join(judged) + "\n")
    runs = []
    for r in range(3):
        runs.append(tmp_path / f"r{r}.run")
        runs[-1].write_text("".join(f"{q} Q0 {d} 1 {rng.random():.6f} x\n"
                                    for q in queries for d in docs))  # fmt: skip
    return box, runs, docs, queries


def test_standardised_scores_of_each_collection_and_across(cranfield, matrices):
    path, made = matrices
    for form in ("normal", "z", "ecdf"):
        typed = () if form == "normal" else ("--standardise", form)
        ended = cranfield("study", path / "study.toml", *typed, "--table", "across",
                          "--format", "csv")  # fmt: skip
        assert ended.code == 0, ended.err
        found = rows_of(ended.out)
        assert {row["run"] for row in found} == {"bm25", "dense"}
        for row in found:
            for shown, name in (("第一", "one"), ("two", "two")):
                runs = list(made[name])
                means = standardise([made[name][r] for r in runs], form=form).means
                assert float(row[shown]) == pytest.approx(means[runs.index(row["run"])])
            assert float(row["mean"]) == pytest.approx((float(row["第一"]) + float(row["two"])) / 2)
        each = rows_of(cranfield("study", path / "study.toml", *typed, "--table", "standardised",
                                 "--format", "csv").out)  # fmt: skip
        assert [row["collection"] for row in each] == ["第一"] * 3 + ["two"] * 3
    for lang, said in (("en", "The same runs across collections"), ("zh", "同一系统在各测试集")):
        ended = cranfield("study", path / "study.toml", "--lang", lang, "--tables", path / "t",
                          "--report", path / f"{lang}.html")  # fmt: skip
        assert ended.code == 0, ended.err
        assert said in ended.out and said in (path / f"{lang}.html").read_text()
    assert {"across.csv", "across.md", "across.tex"} <= {p.name for p in (path / "t").iterdir()}
    data = json.loads(cranfield("study", path / "study.toml", "--format", "json").out)
    standard = data["studies"][0]["conditions"][0]["standardised"]
    assert set(standard["means"]) == {"normal", "z", "ecdf"} and len(standard["sd"]) == 6
    assert math.fsum(row[0] for row in standard["means"]["z"]) == pytest.approx(0, abs=1e-12)


def test_one_collection_has_no_table_across(cranfield, matrices):
    path, _ = matrices
    ended = cranfield("study", path / "one.csv", *QUICK, "--standardise", "z", "--table", "across")
    assert ended.code == 2 and "no table 'across'" in ended.err and "standardised" in ended.err


def test_predictors_from_the_texts_of_the_collection(cranfield, folder):
    box, runs, docs, queries = folder
    call = ("study", box, *runs, "-m", "P@5", *QUICK, "--min-ap", "0", "--analyzer", "standard",
            "--method", "predictors")  # fmt: skip
    ended = cranfield(*call, "--table", "queries", "--format", "csv")
    assert ended.code == 0, ended.err
    cut = analyzer("standard")
    told = predict({q: cut(t) for q, t in queries.items()}, count_terms(map(cut, docs.values())))
    values = {one.query: one.values for one in told.queries}
    found = rows_of(ended.out)
    assert {row["query"] for row in found} == set(queries)
    for row in found:
        for name, value in values[row["query"]].items():
            assert row[name] == "" if value is None else float(row[name]) == pytest.approx(value)
    hard = [float(row["P@5"]) for row in found]
    assert hard == sorted(hard, reverse=True)
    text = cranfield(*call)
    assert "20 documents of box" in text.out and "1 query without a term" in text.out
    assert "analyzer standard" in text.out and "火星" not in text.err
    rows = rows_of(cranfield(*call, "--table", "predictors", "--format", "csv").out)
    assert [row["correlation"] for row in rows] == ["τ_b", "r"] * 8
    assert {row["queries"] for row in rows} == {"8"}
    assert "检索前预测" in cranfield(*call, "--lang", "zh").out


def test_texts_from_another_folder_and_none_at_all(cranfield, folder, tmp_path):
    box, runs, _, _ = folder
    lines = (box / "qrels" / "test.tsv").read_text().splitlines()[1:]
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join("{} 0 {} {}\n".format(*line.split("\t")) for line in lines))
    call = ("study", qrels, *runs, "-m", "P@5", *QUICK, "--min-ap", "0")
    named = cranfield(*call, "--collection", box, "--analyzer", "standard", "--method",
                      "predictors", "--format", "json")  # fmt: skip
    own = cranfield("study", box, *call[2:], "--analyzer", "standard", "--method", "predictors",
                    "--format", "json")  # fmt: skip
    assert named.code == own.code == 0, named.err
    of = [json.loads(e.out)["studies"][0] for e in (named, own)]
    assert of[0]["conditions"][0]["predictors"] == of[1]["conditions"][0]["predictors"]
    assert of[0]["texts"]["documents"] == 20
    few = ("topic-sets", "asl-resamples", "permutations", "rthsd-resamples", "swap-trials")
    some = cranfield(*call, "--method", "all", *(a for n in few for a in (f"--{n}", "9")))
    assert some.code == 0, some.err
    assert "left out: predictors, which need queries and documents" in some.out
    for args, code, said in (
        (("--method", "predictors"), 2, "needs queries and documents"),
        (("--method", "predictors", "--collection", tmp_path / "none"), 4, "no such folder"),
        (("--method", "predictors", "--collection", box, "--analyzer", "x"), 2, "no analyzer 'x'"),
    ):
        ended = cranfield(*call, *args)
        assert ended.code == code and said in ended.err, ended


def test_going_on_where_it_stood(cranfield, matrices):
    path, _ = matrices
    kept = path / "kept"
    call = ("study", path / "study.toml", "--format", "json")
    (path / "whole.csv").write_text((path / "two.csv").read_text())
    (path / "two.csv").write_text("AP,q0,q1\nbm25,0.5,x\n")  # the second collection fails
    broken = cranfield(*call, "--resume", kept)
    assert broken.code == 3 and len(list(kept.iterdir())) == 1
    (path / "two.csv").write_text((path / "whole.csv").read_text())
    plain = cranfield(*call)
    again = cranfield(*call, "--resume", kept)
    assert again.out == plain.out and "1 of 2 collections taken from" in again.err
    third = cranfield(*call, "--resume", kept, "--threads", "2")
    assert third.out == plain.out and "2 of 2 collections taken" in third.err
    # another choice or another file is another study
    seeded = cranfield(*call, "--resume", kept, "--seed", "3")
    assert "taken" not in seeded.err and json.loads(seeded.out) != json.loads(plain.out)
    (path / "one.csv").write_text((path / "one.csv").read_text().replace("0.", "0.1"))
    changed = cranfield(*call, "--resume", kept)
    assert "1 of 2 collections taken" in changed.err and changed.out != plain.out


def test_an_unknown_ending_is_refused_before_the_work(cranfield, matrices):
    path, _ = matrices
    ended = cranfield("study", path / "one.csv", "-o", path / "x.doc")
    assert ended.code == 2 and "no form for such a file" in ended.err
    ended = cranfield("study", path / "one.csv", *QUICK, "-o", path / "x.tex")
    assert ended.code == 0 and (path / "x.tex").read_text().startswith("\\begin{tabular}")


def test_a_table_runs_the_method_that_makes_it(cranfield, folder):
    box, runs, _, _ = folder
    call = ("study", box, *runs, "-m", "P@5", *QUICK, "--min-ap", "0", "--analyzer", "standard",
            "--topic-sets", "9", "--swap-trials", "9", "--halves", "9",
            "--format", "csv")  # fmt: skip
    for name in ("standardised", "predictors", "holes", "hole_shares", "cutoffs", "errors", "swaps",
                 "halves", "design", "agreement", "standings"):  # fmt: skip
        ended = cranfield(*call, "--table", name)
        assert ended.code == 0 and len(rows_of(ended.out)) >= 1, (name, ended)


def test_places_that_cannot_be_written_are_said_before_the_work(cranfield, matrices, tmp_path):
    path, _ = matrices
    (path / "two.csv").write_text("not read, since the place is looked at first")
    lost = tmp_path / "no" / "such"
    for args in (("-o", lost / "x.md"), ("--report", lost / "x.html"),
                 ("--tables", path / "one.csv" / "t"),
                 ("--figures", path / "one.csv" / "t")):  # fmt: skip
        ended = cranfield("study", path / "study.toml", *args)
        assert ended.code == 4 and "two.csv" not in ended.err, ended
        assert "does not exist" in ended.err or "cannot be made" in ended.err


def test_an_interrupt_keeps_what_was_finished(matrices):
    """Ctrl-C in the second collection; nothing half written is left."""
    path, _ = matrices
    rng = np.random.default_rng(1)
    values = rng.random((40, 200)).round(3)
    lines = [",".join(["AP", *(f"q{q}" for q in range(200))])]
    lines += [f"r{i}," + ",".join(map(str, row)) for i, row in enumerate(values)]
    (path / "two.csv").write_text("\n".join(lines) + "\n")
    kept = path / "kept"
    running = subprocess.Popen(
        [sys.executable, "-m", "cranfield", "study", path / "study.toml", "--resume", kept,
         "--method", "permutation", "--permutations", "1000000", "-o", path / "out.md"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        until = time.monotonic() + 60
        while not (kept.exists() and list(kept.glob("study-*.npz"))):
            assert time.monotonic() < until and running.poll() is None, running.communicate()
            time.sleep(0.05)
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130 and "Traceback" not in said
    assert len(list(kept.iterdir())) == 1 and not (path / "out.md").exists()


def test_the_help_names_every_table_and_method(cranfield):
    said = set(cranfield("study", "--help").out.replace(",", " ").replace(".", " ").split())
    assert set(TABLES) <= said
    assert set(METHODS) - {"t"} <= {word.rstrip(";") for word in said}
