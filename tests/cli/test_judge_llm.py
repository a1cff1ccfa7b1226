"""`cranfield judge llm`, `rubrics` and `preferences`, as a user calls them."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys

import pytest

from cranfield.judging.llm.rubric import bundled


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("LABELS", "LLM_URL", "LLM_MODEL", "LLM_KEY"):
        monkeypatch.delenv(f"CRANFIELD_{name}", raising=False)
    (tmp_path / "c" / "qrels").mkdir(parents=True)
    docs = [{"_id": f"d{n}", "title": "", "text": "文" * n} for n in range(1, 7)]
    queries = [{"_id": q, "text": f"text {q}"} for q in ("q1", "q2")]
    for name, rows in (("corpus", docs), ("queries", queries)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / "c" / f"{name}.jsonl").write_text(lines)
    (tmp_path / "c/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t0\n")
    run = "".join(f"{q} Q0 d{n} {n} {9 - n} s\n" for q in ("q1", "q2") for n in range(1, 7))
    (tmp_path / "s.run").write_text(run)
    return tmp_path


def call(cranfield, url, *more):
    return cranfield(
        "judge", "llm", "c", "s.run", "--url", url + "/v1", "--model", "m", "--labels",
        "l.sqlite", *more,
    )  # fmt: skip


def test_from_a_run_to_qrels(cranfield, desk, serve, chat_server):
    url = serve(chat_server.Model())
    done = call(cranfield, url, "--at-once", "3", "--price-in", "1", "--price-out", "10")
    assert done.code == 0, done.err
    assert "10 pairs to judge by grades-en@" in done.out
    assert "calls: 10; tokens sent: about " in done.out
    assert "10 grades added, 0 answers that cannot be read, 0 questions without" in done.out
    assert "10 calls, 1,000 tokens sent, 70 back, cost 0.0017" in done.out
    assert "2 pairs left out: the collection has labels of them" in done.err
    again = call(cranfield, url)
    assert "10 answers are there already" in again.out and "calls: 0;" in again.out
    done = cranfield(
        "judge", "export", "--policy", "human-over-llm", "--labels", "l.sqlite", "-o", "x.qrels"
    )
    assert done.code == 0, done.err
    rows = (desk / "x.qrels").read_text().splitlines()
    assert sorted(rows)[:2] == ["q1 0 d2 2", "q1 0 d3 3"] and len(rows) == 10


def test_a_dry_run_asks_and_writes_nothing(cranfield, desk):
    dry = ("judge", "llm", "c", "s.run", "--model", "m", "--dry-run")
    done = cranfield(*dry, "--show-prompt", "--rubric", "binary-zh")
    assert done.code == 0, done.err  # without a store, a server or a key
    assert "--- system\n你负责评判" in done.out and "<query-" in done.out
    assert cranfield(*dry, "--labels", "l.sqlite").code == 0
    assert not (desk / "l.sqlite").exists()
    assert cranfield(*dry).out == cranfield(*dry).out


def test_environment(cranfield, desk, serve, chat_server, monkeypatch):
    model = chat_server.Model()
    monkeypatch.setenv("CRANFIELD_LLM_URL", serve(model) + "/v1")
    monkeypatch.setenv("CRANFIELD_LLM_MODEL", "mm")
    monkeypatch.setenv("CRANFIELD_LLM_KEY", "sk-very-secret")
    monkeypatch.setenv("CRANFIELD_LABELS", "l.sqlite")
    done = cranfield("judge", "llm", "c", "--labelled")
    assert done.code == 0, done.err
    assert model.asked[0]["model"] == "mm"
    assert model.headers[0]["authorization"] == "Bearer sk-very-secret"
    assert b"sk-very-secret" not in (desk / "l.sqlite").read_bytes()
    monkeypatch.setenv("OTHER", "sk-other")
    cranfield("judge", "llm", "c", "s.run", "--key-env", "OTHER")
    assert model.headers[-1]["authorization"] == "Bearer sk-other"
    done = cranfield("judge", "llm", "c", "s.run", "--rubric", "binary", "--key-env", "NONE")
    assert done.code == 2 and "NONE" in done.err


def test_exit_codes(cranfield, desk, serve, chat_server):
    quick = ("--attempts", "1")
    down = serve(lambda asked: (503, {}, b"down"))
    done = call(cranfield, down, *quick)
    assert done.code == 9 and "5 questions in a row had no answer" in done.err
    assert call(cranfield, serve(lambda asked: (401, {}, b"no")), *quick).code == 2
    assert call(cranfield, serve(lambda asked: (404, {}, b"no model")), *quick).code == 3
    talk = serve(chat_server.Model(reply=lambda body: chat_server.completion("a three")))
    done = call(cranfield, talk, "--rubric", "binary")
    assert done.code == 9 and "no answer could be read, of 10" in done.err
    assert "unread, 10 times: not JSON" in done.err
    status = json.loads(
        cranfield("judge", "status", "--labels", "l.sqlite", "--format", "json").out
    )
    assert [(r["failed"], r["graded"]) for r in status["rows"]][-1] == (10, 0)
    assert cranfield("judge", "llm", "c", "--labelled", "--dry-run").code == 2  # no model
    assert cranfield("judge", "llm", "c", "--labelled", "--model", "m").code == 2  # no store
    assert call(cranfield, "", "--labelled").code == 2  # two sources
    nowhere = ("judge", "llm", "c", "s.run", "--model", "m", "--labels", "x.sqlite")
    assert cranfield(*nowhere).code == 2  # no address
    assert cranfield("judge", "llm", "none", "s.run", "--model", "m", "--dry-run").code == 4
    assert call(cranfield, down, "--rubric", "stars").code == 2
    assert call(cranfield, down, "--part", "tune").code == 2


def test_some_without_an_answer(cranfield, desk, serve, chat_server):
    model = chat_server.Model(script=("answer", 503))
    done = call(cranfield, serve(model), "--attempts", "1")
    assert done.code == 9 and "1 questions had no answer" in done.err
    assert "9 grades added" in done.out
    done = call(cranfield, serve(model))
    assert done.code == 0 and "1 grade added" in done.out


def test_many_calls_need_a_yes_or_a_limit(cranfield, desk, serve, chat_server, monkeypatch):
    from cranfield.cli.judging import llm

    monkeypatch.setattr(llm, "MANY", 5)
    model = chat_server.Model()
    url = serve(model)
    done = call(cranfield, url)
    assert done.code == 2 and "these are 10 calls" in done.err and not model.asked
    done = call(cranfield, url, "--max-calls", "3")
    assert done.code == 0 and len(model.asked) == 3
    assert "stopped: 3 calls are made" in done.err and "7 questions are open" in done.err
    done = call(cranfield, url, "--yes")
    assert done.code == 0 and len(model.asked) == 10


def test_what_the_server_cannot_is_said(cranfield, desk, serve, chat_server):
    url = serve(chat_server.Model(knows=(), usage=False))
    done = call(cranfield, url, "--max-chars", "4")
    assert "takes no JSON schema; answers were asked for as text" in done.err
    assert "guessed" in done.err
    assert "4 documents were cut, 6 characters in all" in done.err


def test_preferences_are_scored(cranfield, desk, serve, chat_server):
    url = serve(chat_server.Model(grade=len))
    done = call(cranfield, url, "--rubric", "preference", "--depth", "3", "--at-once", "4")
    assert done.code == 0, done.err
    assert "6 pairs of documents to judge by preference-en@" in done.out
    assert "12 preferences added" in done.out
    done = cranfield("judge", "preferences", "--labels", "l.sqlite", "-o", "x.prefs")
    assert done.code == 0 and "6 pairs: 6 preferred" in done.err
    assert "--qrels-format prefs" in done.err
    scored = cranfield("evaluate", "x.prefs", "s.run", "-m", "NumPrefs", "-m", "prefs_simp",
                       "--format", "json", "--qrels-format", "prefs")  # fmt: skip
    assert scored.code == 0, scored.err
    row = json.loads(scored.out)["rows"][0]
    assert (row["NumPrefs"], row["prefs_simp"]) == (6.0, 0.0)  # the longest is the last
    assert "12 answers to which" in cranfield("judge", "status", "--labels", "l.sqlite").err
    none = cranfield("judge", "preferences", "--labels", "l.sqlite", "--model", "other")
    assert none.code == 6


def test_a_judge_that_likes_the_first_place(cranfield, desk, serve, chat_server):
    first = chat_server.Model(reply=lambda body: chat_server.completion('{"better": "A"}'))
    call(cranfield, serve(first), "--rubric", "preference", "--depth", "3")
    done = cranfield("judge", "preferences", "--labels", "l.sqlite")
    assert done.code == 6 and "no preference among 6 pairs" in done.err


def test_rubrics(cranfield, desk):
    done = cranfield("judge", "rubrics")
    assert [line.split("@")[0] for line in done.out.splitlines()] == list(bundled())
    (desk / "mine.toml").write_text(cranfield("judge", "rubrics", "grades-zh").out)
    dry = ("judge", "llm", "c", "s.run", "--model", "m", "--dry-run", "--rubric")
    assert cranfield(*dry, "mine.toml").out == cranfield(*dry, "grades-zh").out
    assert cranfield("judge", "rubrics", "none").code == 2
    (desk / "mine.md").write_text(cranfield("judge", "rubrics", "grades-zh", "--format", "md").out)
    assert cranfield(*dry, "mine.md").out == cranfield(*dry, "grades-zh").out
    assert (
        cranfield("judge", "rubrics", "mine.toml", "--format", "md").out
        == (desk / "mine.md").read_text()
    )
    (desk / "mine.md").write_text("---\nname: x\n---\ntask\n## 1 good\ngood\n## bad\nbad\n")
    wrong = cranfield(*dry, "mine.md")
    assert wrong.code == 3 and "mine.md, line 7: a heading after the first grade" in wrong.err


def test_ctrl_c(desk, serve, chat_server):
    """The program in its own process: what was answered is kept, the exit code is 130."""
    import signal
    import time

    def slow(body):
        time.sleep(0.1)
        return chat_server.Model().say(body)

    model = chat_server.Model(reply=slow)
    process = subprocess.Popen(
        [sys.executable, "-m", "cranfield", "judge", "llm", "c", "s.run", "--model", "m",
         "--url", serve(model) + "/v1", "--labels", "l.sqlite", "--at-once", "2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=desk,
    )  # fmt: skip
    end = time.monotonic() + 60
    while len(model.asked) < 3 and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in err
    db = sqlite3.connect(desk / "l.sqlite")
    kept = db.execute("SELECT count(*) FROM judgments").fetchone()[0]
    db.close()
    assert 2 <= kept == len(model.asked) < 10


def test_holes_before_and_after(cranfield, desk, serve, chat_server):
    call(cranfield, serve(chat_server.Model()), "--rubric", "grades-reason")
    done = cranfield("judge", "holes", "c", "s.run", "--with", "@llm", "--labels", "l.sqlite")
    assert done.code == 0, done.err
    assert "looked at through @llm" in done.out and "10 pairs of 2 queries" in done.out
    assert "8, a share of 0.8000" in done.out and "reason: because" in done.out
    done = cranfield(
        "judge", "holes", "c", "s.run", "--labels", "l.sqlite", "--rel", "2", "-o", "x.json"
    )
    assert done.code == 0, done.err
    body = json.loads((desk / "x.json").read_text())
    assert (body["graded"], body["relevant"], body["known"]) == (10, 5, 0)
    zh = cranfield("judge", "holes", "c", "s.run", "--labels", "l.sqlite", "--lang", "zh")
    assert "未标注" in zh.out
    none = cranfield("judge", "holes", "c", "s.run", "--with", "c/qrels/test.tsv")
    assert none.code == 6


def test_after_people_in_the_browser(cranfield, desk, serve, chat_server):
    """No judgments are needed; what people have labelled in the store is not asked for."""
    shutil.rmtree(desk / "c/qrels")
    (desk / "people.csv").write_text("query,docid,anna\nq1,d1,3\nq1,d2,0\n")
    done = cranfield("judge", "import", "people.csv", "--source", "human", "--labels", "l.sqlite")
    assert done.code == 0, done.err
    url = serve(chat_server.Model())
    done = call(cranfield, url, "--depth", "3")
    assert done.code == 0, done.err
    assert "2 pairs left out: labelled in the label store" in done.err
    assert "4 grades added" in done.out
    done = call(cranfield, url, "--depth", "3", "--judged-too")
    assert "6 pairs to judge" in done.out and "2 grades added" in done.out
    (desk / "w.tsv").write_text("q1 d1\nq1 d6\n")
    listed = ("judge", "llm", "c", "--work-list", "w.tsv", "--model", "m", "--dry-run")
    assert "2 pairs to judge" in cranfield(*listed).out
    done = cranfield(*listed, "--labels", "l.sqlite")
    assert "1 pair to judge" in done.out and "1 pair left out" in done.err
    done = call(cranfield, url, "--depth", "3", "--judged-too", "--assessor", "roleB")
    assert "6 follow from answers about the same texts" in done.out and "calls: 0;" in done.out
    (desk / "w.tsv").write_text("q1 d1\n")
    assert cranfield(*listed, "--labels", "l.sqlite").code == 6
    assert cranfield(*listed, "--split", "dev").code == 2


def test_in_a_lab(cranfield, desk, serve, chat_server, monkeypatch):
    assert cranfield("init", "lab", "--collection", "c").code == 0
    url = serve(chat_server.Model()) + "/v1"
    (desk / "w.tsv").write_text("q1 d6\n")
    done = cranfield("judge", "llm", "lab", "--work-list", "w.tsv", "--model", "m", "--url", url)
    assert done.code == 0, done.err
    assert (desk / "lab/.cranfield/labels.sqlite").exists()
    monkeypatch.chdir(desk / "lab")
    done = cranfield("judge", "llm", "--work-list", "../w.tsv", "--model", "m", "--dry-run")
    assert "1 answer is there already" in done.out, done.err
    shutil.rmtree(desk / "c/qrels")
    (desk / "people.qrels").write_text("q1 0 d6 2\n")
    cranfield("judge", "import", "../people.qrels", "--source", "human")
    agreed = cranfield("agree", "@human", "@llm")
    assert agreed.code == 0, agreed.err
    done = cranfield("judge", "llm", ".", "../s.run", "--model", "m", "--dry-run", "--judged-too")
    assert "12 pairs to judge" in done.out
    monkeypatch.chdir(desk)
    assert cranfield("judge", "llm", "--work-list", "w.tsv", "--model", "m").code != 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("-p", "model=other"), "model of the request is set already"),
        (("-p", "temperature=1"), "--temperature T"),
        (("--temperature", "nan"), "temperature is 0 or more"),
        (("-p", "top_p=NaN"), "without NaN"),
        (("--field", "typo"), "no query has a field 'typo'"),
    ],
)
def test_what_is_refused(cranfield, desk, given, said):
    done = cranfield("judge", "llm", "c", "s.run", "--model", "m", "--dry-run", *given)
    assert done.code == 2 and said in done.err
