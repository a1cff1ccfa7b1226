"""Preferences: rows in both kinds of store, added and taken back."""

from __future__ import annotations

import os
import sqlite3

import pytest

from cranfield.errors import InputError, UnknownName, UsageError
from cranfield.judging.judgment import Wanted
from cranfield.judging.labels import open_labels
from cranfield.judging.preferences import (
    Preference,
    current_preferences,
    history,
    last,
    record_preferences,
    undo,
)
from cranfield.judging.sqlite import APPLICATION


def asked(a, b, better, **more):
    state = "graded" if better else "failed"
    base = {"source": "llm", "model": "m", "prompt": "p", "state": state}
    return Preference("q", a, b, better, **{**base, **more})


def test_rows_come_back(labels):
    given_rows = [asked("a", "b", "a", details={"x": 1}, seconds=0.5), asked("b", "a", "tie"),
                  asked("a", "c", None), asked("a", "b", "b", reason="死锁")]  # fmt: skip
    kept = record_preferences(labels, given_rows)
    assert [p.id for p in kept] == [1, 2, 3, 4] and all(p.at for p in kept)
    assert current_preferences(labels) == (kept[1], kept[2], kept[3])  # the first was asked again
    assert current_preferences(labels, Wanted(models=("other",))) == ()
    assert current_preferences(labels, Wanted(states=("failed",))) == (kept[2],)
    assert record_preferences(labels, []) == ()
    assert labels.current() == ()  # no judgments


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"doc_b": "a"}, "better than itself"), ({"better": None}, "goes with None"),
        ({"better": "c"}, "better is 'c'"), ({"state": "failed"}, "goes with 'a'"),
        ({"query": ""}, "an id is empty"), ({"source": "robot"}, "no source"),
        ({"model": "\0"}, "cannot be kept"), ({"better": None, "state": "undone"}, "names the row"),
        ({"undoes": 3}, "names the row"),
    ],
)  # fmt: skip
def test_what_is_no_preference(row, said):
    base = {"query": "q", "doc_a": "a", "doc_b": "b", "better": "a"}
    with pytest.raises(InputError, match=said):
        Preference(**{**base, **row})


def test_taken_back(labels, opened):
    first = Preference("q", "a", "b", "a", assessor="anna", details={"desk": "web"}, seconds=2.0)
    record_preferences(
        labels, [first, Preference("q", "a", "b", "tie", assessor="anna", reason="both")]
    )
    done = undo(labels, 2, "a slip")
    assert (done.state, done.undoes, done.better, done.reason) == ("undone", 2, None, "a slip")
    assert (done.details, done.seconds, done.assessor, done.id) == ({}, None, "anna", 3)
    there = opened()
    assert [p.better for p in current_preferences(there)] == [
        "a"
    ]  # what was said before counts again
    assert [p.state for p in history(there)] == ["graded", "graded", "undone"]
    assert history(there, after=2) == (done,) and last(there) == 3
    with pytest.raises(UsageError, match="undone that"):
        undo(there, 2)
    with pytest.raises(UsageError, match="preference 3 undoes another"):
        undo(there, 3)
    with pytest.raises(UnknownName, match="no preference number 9"):
        undo(there, 9)
    assert labels.last() == 0


def test_an_undoing_beside_what_it_undoes(labels):
    """As rows of a file are added: -n names the n-th of them."""
    rows = [
        Preference("q", "a", "b", "a", assessor="anna"),
        Preference("q", "a", "b", None, "undone", assessor="anna", undoes=-1),
    ]
    kept = record_preferences(labels, [Preference("q", "c", "b", "a")]) + record_preferences(
        labels, rows
    )
    assert kept[2].undoes == 2 and current_preferences(labels) == kept[:1]


def test_the_other_order_is_another_question(labels):
    kept = record_preferences(
        labels, [Preference("q", "a", "b", "a"), Preference("q", "b", "a", "b")]
    )
    assert current_preferences(labels) == kept


V1 = """CREATE TABLE preferences (id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL,
query TEXT NOT NULL, doc_a TEXT NOT NULL, doc_b TEXT NOT NULL, better TEXT, state TEXT NOT NULL,
source TEXT NOT NULL, assessor TEXT NOT NULL, model TEXT NOT NULL, prompt TEXT NOT NULL,
sample INTEGER NOT NULL, rubric TEXT NOT NULL, reason TEXT NOT NULL, seconds REAL,
details TEXT NOT NULL, CHECK ((better IS NOT NULL) = (state = 'graded')));
INSERT INTO preferences VALUES (1, '2026-01-01T00:00:00Z', 'q', 'a', 'b', 'a', 'graded', 'llm',
'', 'm', 'p', 0, 'r', '', NULL, '{}');"""


def test_a_store_made_before_preferences_could_be_taken_back(tmp_path):
    path = tmp_path / "old.sqlite"
    db = sqlite3.connect(path)
    db.executescript(f"{V1} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = 1;")
    db.close()
    labels = open_labels(path)
    assert [p.better for p in current_preferences(labels)] == ["a"]
    undo(labels, 1)
    assert current_preferences(labels) == ()
    labels.close()


def test_the_same_in_postgres(postgres):
    import psycopg

    schema = f"old_{os.getpid()}"
    with psycopg.connect(postgres, autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {schema}")
    address = f"{postgres}?options=-csearch_path%3D{schema}"
    labels = open_labels(address)
    record_preferences(labels, [Preference("q", "a", "b", "a")])
    labels.close()
    with psycopg.connect(postgres, autocommit=True) as db:  # as the first version made it
        db.execute(f"ALTER TABLE {schema}.cranfield_preferences DROP COLUMN undoes")
        db.execute(f"UPDATE {schema}.cranfield_version SET version = 1")
    labels = open_labels(address)
    assert [p.better for p in current_preferences(labels)] == ["a"]
    undo(labels, 1)
    with pytest.raises(UsageError, match="undone that"):
        undo(labels, 1)
    assert current_preferences(labels) == ()
    labels.close()
