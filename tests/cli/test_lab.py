"""The commands of a lab, as they are typed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

QRELS = "q1 0 a 2\nq1 0 b 0\nq2 0 a 0\nq2 0 b 1\nq3 0 d 3\nq4 0 e 1\n"
GOOD = "q1 Q0 a 1 3 s\nq1 Q0 b 2 2 s\nq2 Q0 b 1 2 s\nq3 Q0 d 1 1 s\nq4 Q0 e 1 1 s\n"
BAD = "q1 Q0 b 1 3 s\nq1 Q0 a 2 2 s\nq2 Q0 a 1 2 s\nq2 Q0 b 2 1 s\nq3 Q0 d 1 1 s\nq4 Q0 e 1 1 s\n"
TEXTS = {"q1": "倒排索引", "q2": "connection pool", "q3": "HTTP 429", "q4": "sourdough"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a collection, two runs, and nothing else; the clock stands."""
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "qrels.txt").write_text(QRELS)
    lines = [json.dumps({"_id": q, "text": t}) for q, t in TEXTS.items()]
    (tmp_path / "c" / "queries.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "good.run").write_text(GOOD)
    (tmp_path / "bad.run").write_text(BAD)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CRANFIELD_CLOCK", "2026-01-31T12:00:00Z")
    return tmp_path


@pytest.fixture
def lab(here: Path, cranfield) -> Path:
    assert cranfield("init", "--collection", "c", "-m", "nDCG@10", "-m", "AP").code == 0
    return here


def test_a_lab_is_made_in_either_language(here, cranfield):
    assert "A lab in cranfield.toml" in cranfield("init", "--collection", "c").out
    ended = cranfield("init")
    assert (ended.code, "there already" in ended.err) == (2, True)
    assert "实验室已建立" in cranfield("init", "deep/er", "--lang", "zh").out
    assert (here / "deep" / "er" / "cranfield.toml").exists()


@pytest.mark.parametrize(
    "call", [("log",), ("show",), ("review", "tags"), ("compare", "@1", "@2"), ("split",)]
)
def test_outside_a_lab_they_say_how_to_make_one(here, cranfield, call):
    ended = cranfield(*call)
    assert ended.code == 4
    assert "in no lab" in ended.err and "cranfield init" in ended.err


@pytest.mark.parametrize("option", [("--note", "x"), ("--config", "a=1"), ("--no-record",)])
def test_options_of_a_lab_are_refused_outside(here, cranfield, option):
    ended = cranfield("evaluate", "c", "good.run", *option)
    assert (ended.code, f"{option[0]} is for a lab" in ended.err) == (2, True)
    assert not (here / ".cranfield").exists()


def test_evaluating_is_recorded_with_a_line_on_stderr(lab, cranfield):
    plain = cranfield("evaluate", "c", "good.run", "-m", "AP")
    assert "recorded as @1" in plain.err and "recorded" not in plain.out
    assert cranfield("evaluate", "good.run", "-m", "AP").out == plain.out
    assert "recorded" not in cranfield("evaluate", "good.run", "--no-record").err
    ended = cranfield("evaluate", "good.run", "bad.run", "--format", "json")
    assert "recorded as @3" in ended.err
    assert list(json.loads(ended.out)["rows"][0])[3:5] == ['nDCG(gain="linear")@10', "AP"]
    deep = lab / "deep"
    deep.mkdir()
    os.chdir(deep)
    assert "recorded as @4" in cranfield("evaluate", "../bad.run").err
    assert "bad.run (unchanged)" in cranfield("show").out


def test_the_qrels_may_be_left_out_named_or_shown(lab, cranfield):
    (lab / "judged.json").write_text('{"q1": {"a": 1}}')
    (lab / "runs.json").write_text('{"q1": {"a": 1.5}}')
    (lab / "judged.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\n")
    for call in (
        ["good.run"],
        ["c", "good.run"],
        ["c/qrels.txt", "good.run"],
        ["judged.tsv", "good.run"],
        ["good.run", "bad.run"],
        ["runs.json"],
        ["--qrels", "judged.json", "runs.json", "good.run"],
        ["--qrels", "c", "good.run"],
    ):
        ended = cranfield("evaluate", *call)
        assert ended.code == 0, (call, ended.err)
    entry = json.loads(cranfield("show", "@7", "--format", "json").out)
    assert "judged.json" in json.dumps(entry)
    ended = cranfield("evaluate", "judged.json", "good.run")
    assert ended.code == 2
    assert "judged.json may be judgments or a run" in ended.err
    assert "--qrels judged.json" in ended.err and "--qrels c" in ended.err
    assert "the run is missing" in cranfield("evaluate", "c").err
    assert cranfield("evaluate").code == 2


def test_without_a_collection_the_first_argument_is_the_qrels(here, cranfield):
    cranfield("init")
    ended = cranfield("evaluate", "good.run")
    assert ended.code == 2 and "name a collection in" in ended.err
    assert "recorded as @1" in cranfield("evaluate", "c", "good.run").err


def test_a_configuration_is_given_by_hand(lab, cranfield):
    (lab / "a.toml").write_text("[bm25]\nk1 = 0.9\nb = 0.4\n")
    cranfield("evaluate", "good.run", "--config-file", "a.toml", "--config", "stem=true")
    call = ("--config", "bm25.k1=1.2", "--config", "bm25.b=0.4", "--config", "stem=英文")
    cranfield("evaluate", "bad.run", *call, "--note", "更大的 k1")
    out = cranfield("log", "--format", "json").out
    row = json.loads(out)["rows"][-1]
    assert row["changed since"] == "bm25.k1: 0.9 → 1.2; stem: true → 英文"
    assert row["note"] == "更大的 k1" and row["against"] == "@1"
    for wrong in (["--config", "k1"], ["--config", "=1"], ["--config-file", "good.run"]):
        assert cranfield("evaluate", "good.run", *wrong).code in (2, 3)
    (lab / "l.json").write_text("[1]")
    assert "not an object" in cranfield("evaluate", "good.run", "--config-file", "l.json").err
    assert cranfield("evaluate", "good.run", "--config-file", "none.toml").code == 4


def test_a_release_check_shows_the_looks_in_what_it_writes(lab, cranfield):
    cranfield("split", "--test", "2")
    for number in (1, 2):
        ended = cranfield("gate", "good.run", "bad.run", "--summary", "g.md", "--json", "g.json")
        told = f"looked at {number} time"
        assert told in (lab / "g.md").read_text() and told in ended.out
        assert "looked at" not in ended.err
        cautions = json.loads((lab / "g.json").read_text())["cautions"]
        assert [c["values"]["count"] for c in cautions if c["key"] == "lab.looks"] == [number]


def test_a_changed_setting_is_told_though_the_run_is_the_same(lab, cranfield):
    cranfield("evaluate", "good.run", "--config", "k1=2")
    cranfield("evaluate", "good.run", "--config", "k1=3")
    cranfield("evaluate", "good.run", "--config", "k1=3")
    lines = cranfield("log").out.splitlines()
    assert lines[-2].endswith("the same run; k1: 2 → 3")
    assert lines[-1].endswith("the same run")


def test_the_log_shows_trend_changes_and_cost(lab, cranfield):
    assert "nothing has been recorded yet" in cranfield("log").err
    cranfield("evaluate", "good.run")
    card = {"latency_ms": {"q1": 10, "q2": 20, "q3": 30, "q4": 1000}, "cost": {"q1": 0.25}}
    (lab / "bad.run.card.json").write_text(json.dumps(card))
    cranfield("evaluate", "bad.run")
    cranfield("evaluate", "good.run")
    said = cranfield("log").out
    lines = said.splitlines()
    assert lines[0] == "█▁█  nDCG@10"
    assert [line[:2] for line in lines[-3:]] == ["@1", "@2", "@3"]
    assert "2026-01-31 12:00:00" in lines[-1] and "the same run" not in lines[-1]
    assert " 25 " in lines[-2] and " 854.5 " in lines[-2] and " 0.25 " in lines[-2]
    tsv = cranfield("log", "-m", "map", "-n", "2", "--format", "tsv").out.splitlines()
    assert tsv[0].split("\t")[4] == "AP" and len(tsv) == 3
    assert cranfield("log", "--run", "bad", "--format", "md").out.count("\n") == 3
    assert "对比" in cranfield("log", "--lang", "zh").out
    assert cranfield("log", "-m", "RR").code == 2
    assert cranfield("log").out == said, "the same ledger, the same bytes"


def test_changed_qrels_are_called_out(lab, cranfield):
    cranfield("evaluate", "good.run")
    (lab / "c" / "qrels.txt").write_text(QRELS.replace("q1 0 a 2", "q1 0 a 0"))
    cranfield("evaluate", "good.run")
    ended = cranfield("log")
    assert "QRELS CHANGED since @1: not comparable" in ended.out
    assert "the qrels changed between evaluations" in ended.err
    assert ended.out.splitlines()[0].startswith("█   c ")
    ended = cranfield("compare", "@1", "@2")
    assert ended.code == 2 and "different qrels" in ended.err


def test_a_plot_is_a_whole_svg(lab, cranfield):
    for run in ("good.run", "bad.run", "good.run"):
        cranfield("evaluate", run)
    assert cranfield("log", "--plot", "t.svg").code == 0
    first = (lab / "t.svg").read_bytes()
    root = ET.fromstring(first)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(root.findall(".//{*}circle")) == 3
    assert b"@3" in first and b"<style>" in first
    cranfield("log", "--plot", "t.svg")
    assert (lab / "t.svg").read_bytes() == first


def test_show_needs_no_run_file(lab, cranfield):
    cranfield("evaluate", "good.run", "--note", "第一次")
    before = cranfield("show", "@good", "-q").out
    (lab / "good.run").write_text(BAD)
    out = cranfield("show").out
    assert "good.run (has changed since)" in out and "第一次" in out
    assert "cranfield evaluate good.run --note" in out
    (lab / "good.run").unlink()
    assert "is not there any more" in cranfield("show").out
    assert cranfield("show", "@1", "-q").out == before
    assert before.splitlines()[1].split("\t")[:2] == ["good", "q1"]
    ended = cranfield("show", "@2")
    assert ended.code == 2 and "there are @1 to @1" in ended.err


def test_compare_takes_references_files_and_both(lab, cranfield):
    cranfield("evaluate", "good.run")
    cranfield("evaluate", "bad.run")
    whole = cranfield("compare", "@1", "@2")
    assert whole.code == 0 and "bad" in whole.out
    files = cranfield("compare", "good.run", "bad.run")
    assert "recorded as @3" in files.err and files.out == whole.out
    assert cranfield("compare", "@3").out == whole.out
    assert cranfield("compare", "@good", "bad.run").out == whole.out
    assert cranfield("compare", "c", "good.run", "bad.run").out == whole.out
    assert cranfield("compare", "good.run").code == 2
    (lab / "bad.run").write_text(GOOD)
    ended = cranfield("compare", "@1", "@2", "-m", "AP")
    assert "bad.run has changed since it was recorded as @2" in ended.err


def test_a_split_is_made_extended_and_used(lab, cranfield):
    ended = cranfield("split", "--test", "2", "--seed", "3")
    assert ended.code == 0 and "frozen as" in ended.err and "seed 3" in ended.err
    frozen = (lab / "split.json").read_bytes()
    ended = cranfield("split", "--test", "2")
    assert ended.code == 2 and "--extend" in ended.err
    assert (lab / "split.json").read_bytes() == frozen
    test = json.loads(frozen)["test"]
    rows = cranfield("evaluate", "good.run", "--split", "test", "-q").out.splitlines()[1:]
    assert sorted(r.split("\t")[1] for r in rows) == sorted(test)
    ended = cranfield("evaluate", "good.run", "--split", "test")
    assert "looked at 2 times (1 run)" in ended.err
    assert "looked at 2 times" in cranfield("log").err
    assert "已查看 2 次" in cranfield("show", "--lang", "zh").err
    assert "looked" not in cranfield("evaluate", "good.run", "--split", "dev").err
    with (lab / "c" / "queries.jsonl").open("a") as file:
        name, text = next(iter(test.items()))
        for query, new in (("q5", f"{text}?"), ("q6", "something new")):
            file.write(json.dumps({"_id": query, "text": new}) + "\n")
    ended = cranfield("split", "--extend")
    assert f"q5 is nearly the same as test query {name}" in ended.err
    assert "new in dev: 1 (q6)" in ended.err and "held back" in ended.out
    assert json.loads((lab / "split.json").read_text())["test"] == test


def test_tuning_on_the_test_is_called_out(lab, cranfield):
    cranfield("split", "--test", "2")
    for i in range(5):
        config = ("--config", f"k={i}")
        ended = cranfield("evaluate", "good.run", "--split", "test", *config)
        assert ("looks like tuning" in ended.err) == (i == 4)
    assert "looks like tuning" in cranfield("log").err
    assert "5 次" in cranfield("log", "--lang", "zh").err


def test_a_split_needs_no_lab(here, cranfield):
    ended = cranfield("split", "c", "--test", "0.5", "-o", "s.json")
    assert ended.code == 0 and len(json.loads((here / "s.json").read_text())["test"]) == 2
    one = (here / "s.json").read_bytes()
    cranfield("split", "c/queries.jsonl", "--test", "2", "-o", "t.json")
    assert (here / "t.json").read_bytes() == one
    assert cranfield("split", "c", "--test", "2").code == 2
    assert cranfield("split", "c", "--test", "9", "-o", "u.json").code == 2
    assert not (here / "u.json").exists()


def test_a_review_from_first_to_last(lab, cranfield):
    assert cranfield("review", "show", "good.run").code == 2
    ended = cranfield("review", "add", "q1", "q2", "--note", "看第一条")
    assert "2 queries (q1, q2)" in ended.out
    assert cranfield("review", "add", "q17").code == 2
    assert "the first run reviewed" in cranfield("review", "show", "good.run").out
    assert cranfield("review", "tag", "q1", "wrong-entity").out == "q1 of good: wrong-entity\n"
    out = cranfield("review", "show", "bad.run").out
    assert "against good: 2 of 2 queries changed" in out and "倒排索引" in out
    assert "tags of good  wrong-entity" in out and "▲ up" in out and "▼ down" in out
    ended = cranfield("review", "tag", "q2", "标注错误", "--lang", "zh")
    assert ended.out == "bad 的 q2：标注错误\n"
    table = cranfield("review", "tags", "--format", "tsv").out
    assert table == "tag\tgood\tbad\nwrong-entity\t1\t0\nlabel-error\t0\t1\n"
    cranfield("review", "tag", "q1", "wrong-entity", "--run", "good", "--off")
    assert "wrong-entity" not in cranfield("review", "tags").out
    cranfield("review", "note", "q1", "another")
    found = json.loads(cranfield("review", "show", "bad.run", "--format", "json").out)
    assert [n["text"] for n in found["queries"][0]["notes"]] == ["看第一条", "another"]
    assert "| " in cranfield("review", "show", "bad.run", "--format", "md").out
    cranfield("review", "remove", "q1")
    assert (
        len(json.loads(cranfield("review", "show", "bad.run", "--format", "json").out)["queries"])
        == 1
    )


def test_a_ledger_of_a_newer_version_is_told(lab, cranfield):
    import sqlite3

    cranfield("evaluate", "good.run")
    with sqlite3.connect(lab / ".cranfield" / "ledger.sqlite") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    ended = cranfield("log")
    assert ended.code == 3 and "newer Cranfield" in ended.err
    ended = cranfield("evaluate", "good.run")
    assert ended.code == 0 and "not recorded" in ended.err and ended.out


def test_a_configuration_error_names_file_and_line(lab, cranfield):
    (lab / "cranfield.toml").write_text("collection = \n")
    ended = cranfield("evaluate", "good.run")
    assert ended.code == 3 and "cranfield.toml, line 1" in ended.err


def test_two_commands_at_once_are_both_recorded(lab, cranfield):
    call = [sys.executable, "-m", "cranfield", "evaluate"]
    both = [
        subprocess.Popen([*call, run], stdout=subprocess.DEVNULL) for run in ("good.run", "bad.run")
    ]
    assert [p.wait(timeout=120) for p in both] == [0, 0]
    rows = json.loads(cranfield("log", "--format", "json").out)["rows"]
    assert sorted(r["run"] for r in rows) == ["bad", "good"]


def test_a_check_says_that_the_judgments_have_changed(lab, cranfield):
    def changed(*more):
        ended = cranfield("check", "c", *more, "--format", "json")
        found = json.loads(ended.out)["findings"]
        return [f["values"] for f in found if f["key"] == "qrels_changed"]

    assert changed() == []
    cranfield("evaluate", "good.run", "-m", "P@10")
    assert changed() == changed("good.run") == []
    labels = lab / "c" / "qrels.txt"
    labels.write_text("\n".join(reversed(QRELS.splitlines())) + "\n")
    assert changed() == []
    labels.write_text(QRELS.replace("q1 0 b 0", "q1 0 b 1"))
    assert changed() == [{"entry": "@1", "at": "2026-01-31T12:00:00Z"}]
    told = json.loads(cranfield("check", "c", "good.run", "--format", "json").out)["findings"]
    (one,) = [f for f in told if f["key"] == "qrels_changed"]
    (row,) = [r for r in one["rows"] if r["measure"] == "P@10"]
    assert row["then"] != row["now"] and one["effect"]["P@10"] == row["now"] - row["then"]
    assert not one["unpriced"]
    told = json.loads(cranfield("check", "c", "--format", "json").out)["findings"]
    assert [f["unpriced"] for f in told if f["key"] == "qrels_changed"] == ["no_runs"]
    told = json.loads(cranfield("check", "c", "bad.run", "--format", "json").out)["findings"]
    assert [f["unpriced"] for f in told if f["key"] == "qrels_changed"] == ["not_recorded"]
    assert "last evaluation by them" in cranfield("report", "c", "good.run", "--check").out
    cranfield("evaluate", "good.run")
    assert changed() == []


def test_a_check_compares_queries_across_the_frozen_split(lab, cranfield):
    def across():
        found = json.loads(cranfield("check", "c", "--format", "json").out)["findings"]
        return [f["rows"] for f in found if f["key"] == "near_across"]

    assert cranfield("split", "--test", "0.5").code == 0
    assert across() == []
    split = json.loads((lab / "split.json").read_text("utf-8"))
    held, dev = next(iter(split["test"])), next(iter(split["dev"]))
    texts = {**TEXTS, dev: f"{TEXTS[held]}!"}
    lines = [json.dumps({"_id": q, "text": t}) for q, t in texts.items()]
    (lab / "c" / "queries.jsonl").write_text("\n".join(lines) + "\n")
    ((row,),) = across()
    assert {row["query"]: row["side"], row["other_query"]: row["other_side"]} == {
        held: "test",
        dev: "dev",
    }


def test_what_unjudged_documents_leave_open_is_looked_up_with_the_scores(lab, cranfield):
    Path("holes.run").write_text("q1 Q0 x 1 3 s\nq1 Q0 a 2 2 s\nq2 Q0 b 1 2 s\n")
    assert cranfield("evaluate", "good.run").code == 0
    assert "at least" not in cranfield("show").out + cranfield("log").out
    shown = cranfield("evaluate", "holes.run", "--format", "table").out.splitlines()
    ends = [line.split()[2:4] for line in shown if line.strip().startswith(("at least", "at most"))]
    assert [len(own) for own in ends] == [2, 2]
    lines = cranfield("show").out.splitlines()
    below = [line.split()[2:4] for line in lines if line.startswith(("  at least", "  at most"))]
    assert below == ends and any("(the first k) turn out to be" in line for line in lines)
    record = json.loads(cranfield("show", "--format", "json").out)["blocks"][1]
    assert "low AP" in record["columns"] and len(record["rows"]) == 1
    assert cranfield("show", "-q").out.splitlines()[0].split("\t")[3].startswith("low nDCG")
    log = cranfield("log", "-m", "AP", "--format", "tsv")
    head, good, holes = (line.split("\t") for line in log.out.splitlines())
    at = head.index("at least")
    assert good[at] == good[at + 1] == good[at - 1], "nothing is open"
    assert float(holes[at]) <= float(holes[at - 1]) < float(holes[at + 1])
    assert "between these a score lies" in log.err
    page = lab / "lab.html"
    assert cranfield("report", "--lab", "-o", page).code == 0
    assert "at most" in page.read_text() and "between these a score lies" in page.read_text()
    assert cranfield("evaluate", "holes.run", "--bounds", "none").code == 0
    assert "were not worked out" in cranfield("show").out
