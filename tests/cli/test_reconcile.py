"""`cranfield reconcile`: the tool behind a number."""

from __future__ import annotations

import json

import pytest

QRELS = "q1 0 a 2\nq1 0 b 0\nq1 0 c 1\nq2 0 a 1\nq3 0 d 3\n"
RUN = "q1 Q0 b 1 3 sys\nq1 Q0 a 2 2 sys\nq1 Q0 x 3 1 sys\nq2 Q0 b 1 1 sys\n"


@pytest.fixture
def example(files):
    return files("qrels.txt", QRELS), files("x.run", RUN)


def test_the_first_sentence_names_the_tools(cranfield, example):
    ended = cranfield("reconcile", *example, "-m", "RR", "--value", "0.25")
    assert ended.code == 0
    assert "0.25 is what trec_eval 9, pytrec_eval and MTEB mrr give." not in ended.out
    assert "0.25 is what trec_eval 9 and pytrec_eval give." in ended.out
    assert "queries not answered left out" in ended.out
    assert "1 query judged and not answered by the run" in ended.out


def test_without_a_number_it_lists_what_tools_print(cranfield, example):
    out = cranfield("reconcile", *example).out
    assert "give" not in out.splitlines()[2]
    for tool in ("pytrec_eval", "ranx", "scikit-learn", "Quepid", "gdeval", "Elasticsearch"):
        assert tool in out


def test_one_convention_changed(cranfield, example):
    out = cranfield("reconcile", *example, "-m", "RR", "--value", "0.1667", "--digits", "4").out
    assert "0.1667 is what Cranfield" in out
    out = cranfield("reconcile", *example, "-m", "P@5", "--value", "0.1111").out
    assert "0.1111 is what Elasticsearch/OpenSearch rank_eval and Quepid give." in out
    out = cranfield("reconcile", *example, "-m", "RR", "--value", "0.77").out
    assert "Nothing tried gives 0.77" in out
    assert "The nearest is 0.2500: queries not answered left out" in out


def test_a_combination_is_told_with_its_changes(cranfield, example):
    text = ("reconcile", *example, "-m", "R(rel=1)@1", "--query", "q1")
    assert "query q1" in cranfield(*text).out


def test_json_has_everything(cranfield, example, tmp_path):
    path = tmp_path / "out.json"
    args = ("-m", "nDCG@10", "--value", "0.2", "--format", "json", "-o", path)
    assert cranfield("reconcile", *example, *args).code == 0
    said = json.loads(path.read_text())
    assert said["seen"] == {"text": "0.2", "value": 0.2, "digits": 1}
    assert {"asked", "tools", "single", "matches", "nearest", "conventions"} <= set(said)
    gain = next(axis for axis in said["conventions"] if axis["name"] == "gain")
    assert "gdeval" in next(a["tools"] for a in gain["answers"] if a["answer"] == "exp")


@pytest.mark.parametrize(
    ("args", "code"), [(["--value", "x"], 2), (["-m", "nope"], 2), (["--query", "q7"], 2)]
)
def test_a_wrong_call_ends_with_2(cranfield, example, args, code):
    assert cranfield("reconcile", *example, *args).code == code


def test_standard_input_is_read_once(files, example):
    import subprocess
    import sys

    qrels, run = example
    twice = run.read_text() + "q1 Q0 b 4 0.5 sys\n"
    done = subprocess.run(
        [sys.executable, "-m", "cranfield", "reconcile", str(qrels), "-"],
        input=twice,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert "- 1 row repeated; the first was kept" in done.stdout


def test_counts_are_summed(cranfield, example):
    out = cranfield("reconcile", *example, "-m", "NumRel", "--value", "3").out
    assert "the sum over queries" in out
    assert "3 is what trec_eval 9 and pytrec_eval give." in out
    assert "rounded" not in out
