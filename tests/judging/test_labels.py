"""The label store: what goes in comes out, changes are rows, and nothing else can happen to it."""

from __future__ import annotations

import dataclasses
import importlib.util
import random
import sqlite3
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError, NoSuchInput, UnknownName, UsageError
from cranfield.judging.judgment import ALL, Judge, Judgment, Wanted
from cranfield.judging.labels import Labels, as_record, open_labels, standing


def _load(name: str) -> ModuleType:
    """A file of helpers beside the rooms of the tests, which are no package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


killed = _load("killed")

FULL = Judgment(
    "查询1",
    "文档 a",
    2.5,
    source="llm",
    assessor="grader",
    model="small-1",
    prompt="f00d",
    sample=3,
    rubric="v2",
    reason="mentions the answer; 提到了答案",
    at="2026-01-31T12:00:00Z",
    seconds=1.25,
    details={"p": [0.1, 0.9], "cut": None},
)


def grades(labels: Labels, wanted: Wanted = ALL) -> dict[tuple[str, str, str], float | None]:
    return {(*j.pair, j.judge.name): j.grade for j in labels.current(wanted)}


def test_what_goes_in_comes_out(labels, opened):
    (kept,) = labels.record([FULL])
    assert kept == dataclasses.replace(FULL, id=1)
    assert opened().history() == (kept,)
    assert kept.judge == Judge("llm", "grader", "small-1", "f00d", 3)
    assert as_record(kept)["details"] == {"p": [0.1, 0.9], "cut": None}


def test_a_time_is_filled_in(labels, monkeypatch):
    monkeypatch.setenv("CRANFIELD_CLOCK", "2026-03-01T08:00:00+08:00")
    assert labels.record([Judgment("q", "d", 1)])[0].at == "2026-03-01T00:00:00Z"


def test_a_change_is_a_new_row_and_judges_do_not_overwrite_each_other(labels):
    labels.record([Judgment("q", "d", 1, assessor="anna"), Judgment("q", "d", 3, assessor="bo")])
    labels.record([Judgment("q", "d", 2, assessor="anna", rubric="v2")])
    assert grades(labels) == {("q", "d", "anna"): 2, ("q", "d", "bo"): 3}
    assert [j.grade for j in labels.history()] == [1, 3, 2]
    assert grades(labels, Wanted(rubrics=("",))) == {("q", "d", "anna"): 1, ("q", "d", "bo"): 3}
    assert grades(labels, Wanted(assessors=("anna",))) == {("q", "d", "anna"): 2}


def test_undo_brings_back_what_was_there(labels):
    first, second = labels.record([Judgment("q", "d", 1), Judgment("q", "d", 2)])
    undone = labels.undo(second.id, "slipped")
    assert (undone.state, undone.undoes, undone.reason) == ("undone", 2, "slipped")
    assert grades(labels) == {("q", "d", "human"): 1}
    labels.undo(first.id)
    assert labels.current() == ()
    assert len(labels.history()) == 4
    labels.record([Judgment("q", "d", 3)])
    assert grades(labels) == {("q", "d", "human"): 3}


def test_the_newest_is_told_by_its_time_and_not_by_its_row(labels):
    new, old = "2026-02-01T00:00:00Z", "2026-01-01T00:00:00Z"
    labels.record([Judgment("q", "d", 2, at=new), Judgment("q", "d", 1, at=old)])
    assert grades(labels) == {("q", "d", "human"): 2}
    labels.undo(1)
    assert grades(labels) == {("q", "d", "human"): 1}
    labels.record([Judgment("q", "d", 0, at=old)])
    assert grades(labels) == {("q", "d", "human"): 0}  # of one time the last
    from cranfield.judging import preferences
    from cranfield.judging.preferences import Preference

    one = Preference("q", "a", "b", "a", at=new), Preference("q", "a", "b", "b", at=old)
    preferences.record_preferences(labels, one)
    assert [p.better for p in preferences.current_preferences(labels)] == ["a"]


def test_what_is_said_now_is_the_newest_whatever_the_clock_says(labels, monkeypatch):
    monkeypatch.setenv("CRANFIELD_CLOCK", "2026-03-01T00:10:00Z")
    labels.record([Judgment("q", "d", 1), Judgment("q", "e", 1)])
    monkeypatch.setenv("CRANFIELD_CLOCK", "2026-03-01T00:00:00Z")  # another machine
    labels.record([Judgment("q", "d", 2), Judgment("q", "f", 2)])
    assert grades(labels) == {
        ("q", "d", "human"): 2, ("q", "e", "human"): 1, ("q", "f", "human"): 2,
    }  # fmt: skip
    assert [j.at[14:16] for j in labels.history()] == ["10", "10", "10", "00"]


def test_rows_of_a_file_undo_by_their_place():
    rows = [
        Judgment("q", "d", 1),
        Judgment("q", "e", 1),
        Judgment("q", "e", state="undone", undoes=-2),
        Judgment("q", "d", 3, at="2026"),
        Judgment("q", "d", state="undone", undoes=-4, at="2026"),
    ]
    assert standing(rows) == (rows[0],)


def test_what_cannot_be_undone_is_said(labels):
    with pytest.raises(UnknownName, match="no judgment number 7"):
        labels.undo(7)
    (one,) = labels.record([Judgment("q", "d", 1)])
    undo = labels.undo(one.id)
    with pytest.raises(UsageError, match="undone"):
        labels.undo(one.id)
    with pytest.raises(UsageError, match="undoes another"):
        labels.undo(undo.id)
    assert len(labels.history()) == 2


def test_unsure_and_skip_have_no_grade(labels):
    labels.record(
        [
            Judgment("q", "a", state="unsure"),
            Judgment("q", "b", state="skip"),
            Judgment("q", "c", 1),
            Judgment("q", "c", state="unsure"),
        ]
    )
    assert [(j.doc, j.state) for j in labels.current()] == [
        ("a", "unsure"), ("b", "skip"), ("c", "unsure"),
    ]  # fmt: skip
    assert labels.current(Wanted(states=("graded",))) == ()  # the grade of c is not revived


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"grade": None}, "goes with grade"),
        ({"state": "skip"}, "goes with grade"),
        ({"grade": float("nan")}, "finite"),
        ({"query": ""}, "empty"),
        ({"source": "oracle"}, "no source"),
        ({"state": "lost", "grade": None}, "no state"),
        ({"doc": "a\0b"}, "cannot be kept"),
        ({"reason": "\ud800"}, "cannot be kept"),
        ({"undoes": 1}, "only a row that is undone"),
    ],
)
def test_a_judgment_that_makes_no_sense_is_refused(values, said):
    with pytest.raises(InputError, match=said):
        Judgment(**{"query": "q", "doc": "d", "grade": 1, **values})


def test_all_or_none(labels):
    bad = Judgment("q", "d2", 1, details={"x": object()})
    with pytest.raises(InputError, match="details"):
        labels.record([Judgment("q", "d", 1), bad])
    assert labels.history() == () and labels.last() == 0
    (one,) = labels.record([Judgment("q", "d", 1)])
    twice = Judgment("q", "d", state="undone", undoes=one.id)
    with pytest.raises(UsageError):
        labels.record([Judgment("q", "e", 1), twice, twice])
    assert len(labels.history()) == 1


def test_rows_after_a_number(labels):
    labels.record([Judgment("q", f"d{i}", 1) for i in range(5)])
    last = labels.last()
    labels.record([Judgment("q", "new", 0), Judgment("r", "new", 0)])
    assert [j.doc for j in labels.history(after=last)] == ["new", "new"]
    assert [j.query for j in labels.history(Wanted(queries=("r",)))] == ["r"]
    many = tuple(f"q{i}" for i in range(40_000))  # more than a statement takes parameters
    assert len(labels.history(Wanted(queries=("q", *many)))) == 6


def test_what_was_written_cannot_be_changed(tmp_path):
    labels = open_labels(tmp_path / "l.sqlite")
    labels.record([FULL])
    labels.close()
    db = sqlite3.connect(tmp_path / "l.sqlite")
    for call in ("DELETE FROM judgments", "UPDATE judgments SET grade = 0"):
        with pytest.raises(sqlite3.IntegrityError, match="only added to"):
            db.execute(call)
    db.close()


def test_what_was_written_to_postgres_cannot_be_changed(postgres):
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as db:
        db.execute("CREATE SCHEMA kept")
    labels = open_labels(f"{postgres}?options=-csearch_path%3Dkept")
    labels.record([FULL])
    labels.close()
    with psycopg.connect(postgres, autocommit=True) as db:
        for call in ("DELETE FROM", "TRUNCATE", "UPDATE"):
            with pytest.raises(psycopg.errors.RaiseException, match="only added to"):
                db.execute(
                    f"{call} kept.cranfield_judgments" + " SET grade = 0" * (call == "UPDATE")
                )


def test_a_password_is_never_shown(postgres):
    password = postgres.split(":")[2].split("@")[0]
    labels = open_labels(postgres)
    assert password not in repr(labels) + labels.name
    labels.close()
    wrong = open_labels(postgres.replace(password, "secret-word"))
    with pytest.raises(NoSuchInput, match="cannot be used") as raised:
        wrong.last()
    assert "secret-word" not in str(raised.value)
    wrong.close()


def test_a_server_that_is_not_there_is_said():
    pytest.importorskip("psycopg")
    labels = open_labels("postgresql://nobody@127.0.0.1:1/x")
    with pytest.raises(NoSuchInput, match=r"127\.0\.0\.1"):
        labels.history()
    labels.close()


def test_an_address_of_something_else_is_refused():
    with pytest.raises(UsageError, match="mysql"):
        open_labels("mysql://x/y")
    pytest.importorskip("psycopg")
    with pytest.raises(UsageError, match="cannot be read"):
        open_labels("postgresql://user@host:port:again/x")


def test_opening_a_file_loads_no_sqlalchemy(tmp_path):
    program = (
        "import sys; from cranfield.judging.labels import open_labels; "
        f"open_labels({str(tmp_path / 'l')!r}).history(); "
        "print([m for m in ('sqlalchemy', 'numpy', 'scipy') if m in sys.modules])"
    )
    import subprocess

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


events = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2"]),
        st.sampled_from(["a", "b"]),
        st.sampled_from(["anna", "bo"]),
        st.one_of(st.none(), st.integers(0, 3)),
        st.booleans(),
    ),
    max_size=12,
)


@given(events)
def test_what_stands_is_the_last_word_that_was_not_taken_back(found):
    """Against a book kept by hand: a stack of words a judge and pair."""
    rows: list[Judgment] = []
    book: dict[tuple[str, str, str], list[Judgment]] = {}
    for query, doc, who, grade, undo in found:
        stack = book.setdefault((query, doc, who), [])
        number = len(rows) + 1
        if undo and stack:
            old = stack.pop()
            rows.append(
                Judgment(query, doc, state="undone", assessor=who, undoes=old.id, id=number)
            )
            continue
        state = "graded" if grade is not None else "unsure"
        row = Judgment(query, doc, grade, state=state, assessor=who, id=number)
        rows.append(row)
        stack.append(row)
    expected = {stack[-1] for stack in book.values() if stack}
    assert set(standing(rows)) == expected


# Judges until it is killed, three documents at a time; every fourth time it takes one back.
WORKER = """
import sys
import time
from cranfield.judging.judgment import Judgment
from cranfield.judging.labels import open_labels
labels = open_labels(sys.argv[1])
n = 0
end = time.monotonic() + 120  # should nobody come to kill it
while time.monotonic() < end:
    who = sys.argv[2]
    kept = labels.record([Judgment(f"q{n}", f"d{i}", i, assessor=who) for i in range(3)])
    if n % 4 == 3:
        labels.undo(kept[1].id)
    print(n, flush=True)
    n += 1
"""


def whole(labels: Labels, who: str) -> int:
    """How many times three there are, once each is known to be whole."""
    rows = [j for j in labels.history(Wanted(assessors=(who,))) if j.state == "graded"]
    assert [(j.query, j.doc) for j in rows] == [
        (f"q{i // 3}", f"d{i % 3}") for i in range(len(rows))
    ]
    assert len(rows) % 3 == 0
    return len(rows) // 3


def test_a_kill_at_any_moment_loses_no_label(address, opened, tmp_path):
    rng = random.Random(1)
    for attempt in range(4):
        worker = killed.Worker(WORKER, address, f"w{attempt}", said=tmp_path / "said")
        worker.wait_for(1)
        time.sleep(rng.uniform(0, 0.25))
        done = worker.kill()
        assert whole(opened(), f"w{attempt}") in (done, done + 1)


def test_two_who_judge_at_once_lose_nothing(address, opened, tmp_path):
    workers = {
        name: killed.Worker(WORKER, address, name, said=tmp_path / name) for name in ("anna", "bo")
    }
    for worker in workers.values():
        worker.wait_for(10)
    for name, done in {name: w.kill() for name, w in workers.items()}.items():
        assert whole(opened(), name) in (done, done + 1)
    rows = opened().history()
    assert [j.id for j in rows] == sorted({j.id for j in rows})
    assert {j.undoes for j in rows if j.undoes} <= {j.id for j in rows}
