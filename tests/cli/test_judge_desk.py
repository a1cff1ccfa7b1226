"""`cranfield judge terminal` and `judge serve`, as far as it does not serve."""

from __future__ import annotations

import http.client
import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from cranfield.judging import preferences
from cranfield.judging.labels import open_labels

DOCS = [
    ("d1", "Blue shoes", "A shoe \x1b[31mthat is blue"),
    ("d2", "", "x" * 30),
    ("d3", "鞋", "红"),
]


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("CRANFIELD_LABELS", "CRANFIELD_ASSESSOR", "CRANFIELD_JUDGE_SECRET"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "small"
    folder.mkdir()
    lines = [json.dumps({"_id": i, "title": t, "text": x}) for i, t, x in DOCS]
    (folder / "corpus.jsonl").write_text("\n".join(lines))
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "blue shoes"}\n')
    return tmp_path


@pytest.fixture
def typed(monkeypatch):
    def typed_(keys: str) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{k}\n" for k in keys)))

    return typed_


def rows(path="labels.sqlite"):
    labels = open_labels(path)
    found = [(j.doc, j.grade, j.state) for j in labels.history()]
    labels.close()
    return found


TERMINAL = ("judge", "terminal", "small", "--labels", "labels.sqlite", "--assessor", "anna")


def test_a_sitting(cranfield, place, typed):
    typed("x?2sz1us3")
    done = cranfield(*TERMINAL)
    assert done.code == 0, done.err
    assert [r[1:] for r in rows()] == [
        (2, "graded"), (None, "skip"), (None, "undone"), (1, "graded"), (None, "unsure"),
    ]  # fmt: skip
    assert "All of your pairs have been judged." in done.out and "5 rows added" in done.out
    assert "note: 3 pairs, by grades-en@" in done.err and "seed 0" in done.err
    assert "\x1b" not in done.out and "⟨U+001B⟩[31mthat" in done.out
    assert done.out.count("perfect match") == 2  # the rubric, at the start and when asked for


def test_it_goes_on_and_comes_back_to_the_skipped(cranfield, place, typed):
    typed("s")
    assert cranfield(*TERMINAL).code == 0
    ((first, _, _),) = rows()
    typed("12" + "0")
    done = cranfield(*TERMINAL)
    assert "All of your pairs" in done.out
    assert rows()[-1] == (first, 0, "graded")


def test_a_long_document(cranfield, place, typed):
    typed("mq")
    done = cranfield(*TERMINAL, "--max-chars", 10, "--work-list", _list(place, "q1 d2\n"))
    assert "x" * 10 + "\n" in done.out and "The first 10 of 30 characters." in done.out
    assert "x" * 30 in done.out
    typed("q")
    zh = cranfield(*TERMINAL, "--lang", "zh")
    assert "完美匹配" in zh.out and "grades-zh@" in zh.err and "已标注 0 / 3" in zh.out


def _list(place, text):
    (place / "list.tsv").write_text(text)
    return "list.tsv"


def test_the_scale_is_that_of_the_judgments(cranfield, place, typed):
    (place / "small" / "qrels").mkdir()
    qrels = place / "small" / "qrels" / "test.tsv"
    for highest, rubric in ((1, "binary-en@"), (3, "grades-en@")):
        qrels.write_text(f"query-id\tcorpus-id\tscore\nq1\td1\t{highest}\n")
        typed("q")
        assert rubric in cranfield(*TERMINAL).err
    qrels.write_text("query-id\tcorpus-id\tscore\nq1\td1\t4\n")
    done = cranfield(*TERMINAL)
    assert done.code == 2 and "go up to 4" in done.err and "--rubric FILE" in done.err
    typed("q")
    assert cranfield(*TERMINAL, "--rubric", "binary").code == 0
    qrels.write_text("query-id\tcorpus-id\tscore\nq1\td1\tx\n")
    assert cranfield(*TERMINAL).code == 3


def test_in_a_lab(cranfield, place, typed, monkeypatch):
    assert cranfield("init", "lab", "--collection", "small").code == 0
    typed("1")
    done = cranfield("judge", "terminal", "lab", "--assessor", "anna")
    assert done.code == 0, done.err
    assert len(rows("lab/.cranfield/labels.sqlite")) == 1
    monkeypatch.chdir(place / "lab")
    monkeypatch.setenv("CRANFIELD_ASSESSOR", "bo")
    typed("1")
    assert cranfield("judge", "terminal").code == 0
    labels = open_labels(".cranfield/labels.sqlite")
    assert [j.assessor for j in labels.history()] == ["anna", "bo"]
    labels.close()


def test_suspects_and_holes_are_work_lists(cranfield, place, typed):
    holes = "query\tdocument\trank\truns\tweight\tcertainty\nq1\td3\t\t2\t0.5\t\n"
    typed("0")
    assert cranfield(*TERMINAL, "--work-list", _list(place, holes)).code == 0
    assert rows() == [("d3", 0, "graded")]


def both_ways(place):
    """Two runs over the small collection."""
    for name, order in (("x", "123"), ("y", "321")):
        lines = [f"q1 Q0 d{d} {n} {9 - n} s\n" for n, d in enumerate(order, 1)]
        (place / f"{name}.run").write_text("".join(lines))
    return "--run", "x.run", "--run", "y.run"


TWO = ("--rubric", "preference")


def test_which_of_two(cranfield, place, typed):
    typed("xab" + "zt" + "s" + "1")
    done = cranfield(*TERMINAL, *TWO, *both_ways(place))
    assert done.code == 0, done.err
    labels = open_labels("labels.sqlite")
    found = preferences.history(labels)
    labels.close()
    assert [(p.better, p.state) for p in found] == [
        ("a", "graded"), ("b", "graded"), (None, "undone"), ("tie", "graded"), (None, "skip"),
        ("a", "graded"),
    ]  # fmt: skip
    assert found[1].pair == found[3].pair and found[4].pair == found[5].pair
    assert len({p.pair for p in found}) == 3 and rows() == []
    assert "note: 3 pairs of documents, by preference-en@" in done.err
    assert "A  Document d" in done.out and "B  Document d" in done.out
    assert "taken back: query q1, documents d" in done.out and "6 rows added" in done.out
    assert "All of your pairs have been judged." in done.out and "\x1b" not in done.out
    again = cranfield(*TERMINAL, *TWO, *both_ways(place), "--seed", "9")
    assert "All of your pairs have been judged." in again.out and "0 rows added" in again.out


def test_which_of_two_as_a_file_of_preferences(cranfield, place, typed):
    (place / "two.tsv").write_text("query\tdoc_a\tdoc_b\nq1\td3\td1\nq1\td2\td1\n")
    given = (*TWO, "--work-list", "two.tsv", "--both-orders", "--lang", "zh")
    typed("q")
    shown = cranfield(*TERMINAL, *given)
    assert "A  文档 d" in shown.out and "每组按两种顺序各问一次" in shown.err
    keys = {}
    for _ in range(4):  # whoever is asked, d1 is better
        typed("q")
        at = re.findall(r"([AB])  文档 (d\d)", cranfield(*TERMINAL, *given).out)
        keys[at[0][1], at[1][1]] = key = next(side.lower() for side, doc in at if doc == "d1")
        typed(key)
        assert cranfield(*TERMINAL, *given).code == 0
    assert set(keys) == {("d1", "d3"), ("d3", "d1"), ("d1", "d2"), ("d2", "d1")}
    done = cranfield("judge", "preferences", "--labels", "labels.sqlite", "-o", "x.prefs")
    assert done.code == 0 and "2 pairs: 2 preferred" in done.err
    both_ways(place)
    scored = cranfield("evaluate", "x.prefs", "x.run", "y.run", "-m", "prefs_simp",
                       "--qrels-format", "prefs", "--format", "json")  # fmt: skip
    assert [r["prefs_simp"] for r in json.loads(scored.out)["rows"]] == [1.0, 0.0]


def test_first_documents_of_runs_that_have_no_label(cranfield, place, typed):
    (place / "small" / "qrels").mkdir()
    (place / "small/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    typed("10")
    done = cranfield(*TERMINAL, *both_ways(place), "--depth", "2", "--rubric", "grades")
    assert "2 pairs, by" in done.err and "1 pair left out" in done.err
    assert {r[0] for r in rows()} == {"d2", "d3"}


SERVE = ("judge", "serve", "small", "--labels", "l")
WRONG = [
    ((*TERMINAL, "--assessor", "bo"), 2, "one person sits at a terminal"),
    ((*TERMINAL, "--order", "list"), 2, "--order list is of a work-list"),
    ((*TERMINAL, "--query", "q7"), 3, "'q7' is not among"),
    ((*TERMINAL, "--rubric", "preference"), 2, "which two documents?"),
    ((*TERMINAL, "--both-orders"), 2, "--rubric preference"),
    ((*TERMINAL, "--sample", "2"), 2, "--run RUN"),
    ((*TERMINAL, "--run", "x", "--work-list", "y"), 2, "one of the two"),
    ((*TERMINAL, "--run", "nothing.run"), 4, "nothing.run"),
    ((*TERMINAL, "--rubric", "nothing"), 2, "no rubric 'nothing'"),
    ((*TERMINAL, "--work-list", "nothing.tsv"), 4, "nothing.tsv"),
    (("judge", "terminal", "small"), 2, "no label store"),
    (("judge", "terminal"), 4, "no cranfield.toml"),
    (("judge", "serve", "nothing", "--labels", "l"), 4, "nothing: no such folder"),
    ((*SERVE, "--host", "nowhere.invalid"), 4, "be served at"),
    ((*SERVE, "--assessor", "a", "--assessor", "a"), 2, "one name"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "code", "said"), WRONG)
def test_wrong_calls(cranfield, place, typed, call, code, said):
    typed("")
    done = cranfield(*call)
    assert done.code == code and said in done.err, done.err


def test_a_port_that_is_taken(cranfield, place):
    from cranfield.web.serve import bound

    with bound("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        done = cranfield("judge", "serve", "small", "--labels", "l", "--port", port)
    assert done.code == 2 and f"port {port} is taken" in done.err and "--port 0" in done.err


def test_a_secret_that_is_none(cranfield, place, monkeypatch):
    monkeypatch.setenv("CRANFIELD_JUDGE_SECRET", "short")
    done = cranfield("judge", "serve", "small", "--labels", "l", "--host", "0.0.0.0")
    assert done.code == 2 and "shorter than 16" in done.err


def test_without_the_extra(cranfield, place, monkeypatch):
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "uvicorn" else object()
    )
    done = cranfield("judge", "serve", "small", "--labels", "l")
    assert done.code == 5
    assert "pip install 'cranfield[web]'" in done.err


def test_opened_wider_it_wants_a_token(place):
    call = [sys.executable, "-m", "cranfield", "judge", "serve", "small", "--labels", "l"]
    call += ["--host", "0.0.0.0", "--port", "0", "--assessor", "anna", "--assessor", "bo"]
    server = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = [server.stdout.readline() for _ in range(2)]
    port = int(re.search(r":(\d+)/", lines[0])[1])
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    line.request("GET", "/")
    assert line.getresponse().status == 403  # and it has begun to serve
    line.close()
    server.send_signal(signal.SIGINT)
    out, err = server.communicate(timeout=60)
    assert all("/?token=" in line for line in lines) and lines[0][-40:] != lines[1][-40:]
    assert server.returncode == 0 and "0 rows added to l" in out and "Traceback" not in err


def at_a_terminal(place, args, keys, prompt):
    """Press keys, each when it is waited for; what was shown."""
    parent, child = pty.openpty()
    call = [sys.executable, "-m", "cranfield", *map(str, args)]
    env = {**os.environ, "TERM": "xterm"}
    program = subprocess.Popen(
        call, stdin=child, stdout=child, stderr=child, cwd=place, env=env, start_new_session=True
    )
    os.close(child)
    seen = b""

    def read_until(text: bytes, times: int) -> None:
        nonlocal seen
        end = time.monotonic() + 30
        while seen.count(text) < times:
            assert time.monotonic() < end, seen.decode(errors="replace")
            if select.select([parent], [], [], 0.2)[0]:
                seen += os.read(parent, 4096)

    for n, key in enumerate(keys, 1):
        read_until(prompt, n)
        time.sleep(0.3)  # a terminal forgets what was typed before a key is waited for
        os.write(parent, key)
    read_until(b"rows added", 1)
    assert program.wait(60) == 0
    os.close(parent)
    return seen


def test_keys_on_a_real_terminal(place):
    """Without Enter, and with the terms marked."""
    seen = at_a_terminal(place, TERMINAL, [b"2", b"z", b"3", b"0", b"q"], b"[q]uit")
    assert [r[1] for r in rows()] == [2, None, 3, 0]
    assert b"\x1b[7m" in seen and b"\x1b[31m" not in seen
    labels = open_labels("labels.sqlite")
    assert all(j.seconds is not None for j in labels.current())
    labels.close()


def test_arrows_on_a_real_terminal(place):
    """Which of two: left and right arrow, an arrow that means nothing, and a letter."""
    args = (*TERMINAL, *TWO, *both_ways(place))
    seen = at_a_terminal(place, args, [b"\x1b[D", b"\x1b[A", b"\x1b[C", b"t"], b"[q]uit")
    labels = open_labels("labels.sqlite")
    found = preferences.current_preferences(labels)
    labels.close()
    assert [p.better for p in found] == ["a", "b", "tie"]
    assert all(p.seconds is not None for p in found)
    assert b"\x1b[a" not in seen.lower()


def test_help_loads_no_web_server():
    code = (
        "import sys; from cranfield.cli.judge import command; import click; "
        "command.commands['serve'].get_help(click.Context(command.commands['serve'])); "
        "print([m for m in ('starlette','uvicorn','jinja2','numpy','anyio') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_known_document_is_shown_beside(cranfield, place, typed):
    (place / "small" / "qrels").mkdir()
    (place / "small" / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\n")
    typed("10")
    done = cranfield(*TERMINAL, "--rubric", "reference")
    assert done.code == 0, done.err
    known = "A document that is known to be relevant: Document d1"
    assert done.out.count(known) == 2 and "1 pair left out: no other document" in done.err
    assert [r[0] for r in rows()] in (["d2", "d3"], ["d3", "d2"])


def test_what_judge_pool_writes_is_a_work_list(cranfield, place, typed):
    both_ways(place)
    made = ("judge", "pool", "x.run", "--depth", 3, "--rate", 0.4, "--seed", 1, "-o", "pool.tsv")
    assert cranfield(*made).code == 0
    typed("123")
    done = cranfield(*TERMINAL, "--work-list", "pool.tsv")
    assert done.code == 0, done.err
    sampled = [line.split("\t") for line in (place / "pool.tsv").read_text().splitlines()[2:]]
    wanted = [cells[1] for cells in sampled if cells[3] == "1"]
    assert sorted(r[0] for r in rows()) == sorted(wanted) and len(wanted) == 2
    assert "1 line of the list left out: not drawn into its sample" in done.err


def test_a_field_that_no_document_has(cranfield, place):
    done = cranfield("judge", "serve", "small", "--labels", "l.sqlite", "--field", "typo")
    assert done.code == 2 and "no document has a field 'typo'" in done.err
