"""Preferences in `judge log`, `status`, `undo`, `import` and `preferences`."""

from __future__ import annotations

import json

import pytest

from cranfield.judging.labels import open_labels
from cranfield.judging.preferences import Preference, record_preferences


@pytest.fixture
def store(tmp_path, monkeypatch):
    """Four answers of anna and two of a model, one of them taken back."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CRANFIELD_LABELS", "l.sqlite")
    monkeypatch.setenv("CRANFIELD_CLOCK", "2026-01-31T12:00:00Z")
    labels = open_labels("l.sqlite")
    anna = {"assessor": "anna", "rubric": "preference-en@1", "seconds": 4.0}
    llm = {"source": "llm", "model": "m", "rubric": "preference-en@1"}
    record_preferences(labels, [
        Preference("q1", "a", "b", "a", **anna, reason="说明了原因"),
        Preference("q1", "c", "b", "tie", **anna),
        Preference("q2", "a", "b", "b", **anna),
        Preference("q2", "c", "d", state="unsure", **anna),
        Preference("q1", "a", "b", "b", **llm), Preference("q1", "b", "a", "a", **llm),
        Preference("q2", "a", "b", "a", **llm), Preference("q2", "b", "a", "a", **llm),
    ])  # fmt: skip
    labels.close()
    return tmp_path


def table(done):
    assert done.code == 0, done.err
    return json.loads(done.out)["rows"]


def test_log(cranfield, store):
    rows = table(cranfield("judge", "log", "--preferences", "--format", "json"))
    assert [(r["row"], r["document a"], r["better"], r["state"]) for r in rows][:4] == [
        (1, "a", "a", "decided"), (2, "c", "tie", "decided"), (3, "a", "b", "decided"),
        (4, "c", "", "unsure"),
    ]  # fmt: skip
    assert {r["counts"] for r in rows} == {"yes"} and len(rows) == 8
    mine = ("judge", "log", "--preferences", "--source", "human", "--query", "q2")
    assert [r["row"] for r in table(cranfield(*mine, "--format", "json"))] == [3, 4]
    some = cranfield("judge", "log", "--preferences", "-n", "2", "--assessor", "anna")
    assert "note: 2 earlier rows are not shown" in some.err and "说明了原因" not in some.out
    zh = cranfield("judge", "log", "--preferences", "--lang", "zh", "-n", "7")
    assert "文档 a" in zh.out and "平局" in zh.out and "另有 1 行较早的记录未显示" in zh.err
    assert table(cranfield("judge", "log", "--format", "json")) == []  # no judgments


def test_undo(cranfield, store):
    done = cranfield("judge", "undo", "1", "--preferences", "--reason", "slip")
    assert done.out == "row 9 undoes row 1: query q1, documents a, b\n"
    zh = cranfield("judge", "undo", "2", "--preferences", "--lang", "zh")
    assert zh.out == "第 10 行撤销第 2 行：查询 q1，文档 c, b\n"
    rows = table(cranfield("judge", "log", "--preferences", "--format", "json"))
    assert [(r["state"], r["counts"]) for r in rows if r["row"] in (1, 9)] == [
        ("decided", ""), ("undoes (1)", ""),
    ]  # fmt: skip
    again = cranfield("judge", "undo", "1", "--preferences")
    assert again.code == 2 and "undone that" in again.err
    assert cranfield("judge", "undo", "99", "--preferences").code == 2
    assert cranfield("judge", "undo", "1").code == 2  # there is no such judgment


def test_status(cranfield, store):
    cranfield("judge", "undo", "4", "--preferences")
    done = cranfield("judge", "status", "--preferences", "--format", "json")
    anna, model = table(done)
    assert (anna["judge"], anna["queries"], anna["pairs"], anna["seconds"]) == ("anna", 2, 3, 4)
    assert (anna["preferred"], anna["ties"], anna["unsure"], anna["undone"]) == (2, 1, 0, 1)
    assert (model["source"], model["preferred"], model["inconsistent"]) == ("llm", 1, 1)
    assert (anna["shared"], model["shared"]) == (1, 1)
    assert "9 rows, 7 of them count; 3 pairs of documents decided, 1 by two judges" in done.err
    assert "1 of them differently" in done.err
    mine = cranfield("judge", "status", "--preferences", "--source", "llm", "--format", "json")
    assert len(table(mine)) == 1
    assert "7 answers to which of two documents is better" in cranfield("judge", "status").err
    zh = cranfield("judge", "status", "--preferences", "--lang", "zh")
    assert "前后不一" in zh.out and "已判定文档 3 组" in zh.err


def test_a_log_is_imported_again(cranfield, store):
    cranfield("judge", "undo", "2", "--preferences")
    log = ("judge", "log", "--preferences", "--format", "jsonl")
    assert cranfield(*log, "-o", "rows.jsonl").code == 0
    done = cranfield("judge", "import", "rows.jsonl", "rows.jsonl", "--labels", "new.sqlite")
    assert done.code == 0, done.err
    assert "rows.jsonl: 9 preferences of 2 queries (rows)" in done.out
    assert "9 rows added to new.sqlite, which has 9 now" in done.out
    assert "9 rows are in the store already" in done.err
    lines = cranfield(*log, "--labels", "new.sqlite").out.splitlines()
    assert [json.loads(line).get("undoes") for line in lines if "undoes" in line] == [2]
    first = (store / "rows.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [json.loads(line) for line in first]
    (store / "l.csv").write_text("query,doc,grade\nq1,a,2\n")
    mixed = cranfield("judge", "import", "rows.jsonl", "l.csv")
    assert mixed.code == 2 and "import them apart" in mixed.err
    (store / "both.jsonl").write_text(first[0] + '\n{"query":"q","doc":"d","state":"skip"}\n')
    bad = cranfield("judge", "import", "both.jsonl")
    assert bad.code == 3 and "both.jsonl, line 2" in bad.err and "in one file" in bad.err
    (store / "odd.jsonl").write_text(first[0].replace('"better": "a"', '"better": "x"') + "\n")
    odd = cranfield("judge", "import", "odd.jsonl")
    assert odd.code == 3 and "odd.jsonl, line 1" in odd.err and "better is 'x'" in odd.err
    held = cranfield("agree", "rows.jsonl", "rows.jsonl")
    assert held.code == 3 and "preferences, not grades" in held.err


def test_of_people_or_of_a_model(cranfield, store):
    (store / "x.run").write_text("q1 Q0 a 1 2 x\nq1 Q0 b 2 1 x\nq2 Q0 a 1 2 x\nq2 Q0 b 2 1 x\n")
    for source, expected in (("human", 0.5), ("llm", 0.0)):
        done = cranfield("judge", "preferences", "--source", source, "-o", "x.prefs")
        assert done.code == 0, done.err
        scored = cranfield("evaluate", "x.prefs", "x.run", "-m", "prefs_simp", "--format", "json",
                           "--qrels-format", "prefs")  # fmt: skip
        assert table(scored)[0]["prefs_simp"] == expected
    zh = cranfield("judge", "preferences", "--lang", "zh")
    assert zh.out.startswith("q1 anna p1 a 2\n") and "6 组文档：" in zh.err
    assert "前后不一 1" in zh.err and "未判定 1" in zh.err
    none = cranfield("judge", "preferences", "--assessor", "bo")
    assert none.code == 6 and "--rubric preference" in none.err


def test_what_is_said_of_one_order_alone_is_what_is_written(cranfield, store):
    said = "one answered in one order so far counts by that answer"
    for command in ("serve", "terminal"):
        assert said in " ".join(cranfield("judge", command, "--help").out.split())
    labels = open_labels("l.sqlite")  # q1 once more, in the other order, and not the same
    record_preferences(labels, [Preference("q1", "b", "a", "a", assessor="anna")])
    labels.close()
    done = cranfield("judge", "preferences", "--source", "human")
    assert done.out == "q2 anna p1 b 2\nq2 anna p1 a 1\n"  # in one order; q1 differs in both
