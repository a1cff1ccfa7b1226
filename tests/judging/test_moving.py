"""A whole store in another place, of either kind."""

from __future__ import annotations

import sqlite3

import pytest

from cranfield.errors import NoSuchInput, UsageError
from cranfield.judging.judgment import Judgment
from cranfield.judging.labels import open_labels
from cranfield.judging.moving import beside, copy_labels
from cranfield.judging.parts import count_look, draw_parts, known_parts, looks_of
from cranfield.judging.preferences import Preference, current_preferences, record_preferences
from cranfield.judging.sqlite import APPLICATION, _statements
from cranfield.judging.tables import TABLES

NAMES = [f"q{i}" for i in range(12)]


@pytest.fixture
def full(tmp_path):
    """Something in every table, and a gap in the numbers, as a transaction that failed leaves."""
    labels = open_labels(tmp_path / "full.sqlite")
    labels.database.add("askings", [{"at": "t", "prompt": "f00", "content": "{}"}] * 2)
    labels.record([Judgment(q, "d", 1, details={"asking": 2}) for q in NAMES])
    labels.undo(3, "slip")
    record_preferences(labels, [Preference("q", "a", "b", "tie", reason="文")])
    parts = draw_parts(labels, NAMES, share=0.3, seed=7)
    count_look(labels, parts, "agree", {"a": "1"})
    yield labels
    labels.close()


def everything(labels):
    return {table: [dict(r) for r in labels.database.rows(table, {})] for table in TABLES}


def test_everything_comes_along(full, labels, opened, tmp_path):
    counts = copy_labels(full, labels)
    assert counts == {
        "judgments": 13, "preferences": 1, "askings": 2, "parts": 1, "looks": 1,
    }  # fmt: skip
    assert everything(opened()) == everything(full)
    assert known_parts(labels) == known_parts(full)
    assert looks_of(labels, known_parts(labels)).count == 1
    (new,) = labels.record([Judgment("q9", "later", 2)])  # numbers go on behind the last
    assert new.id == 14 and labels.undo(14).id == 15
    assert draw_parts(labels, NAMES, seed=7) == known_parts(full)
    copy_labels(labels, tmp_path / "back.sqlite")  # and out of it
    back = open_labels(tmp_path / "back.sqlite")
    assert everything(back) == everything(labels)
    back.close()


def test_only_into_what_is_empty_and_all_or_none(full, labels, tmp_path):
    labels.database.add("looks", [{"at": "t", "command": "c", "part": "p", "labels": "{}"}])
    before = everything(labels)
    with pytest.raises(UsageError, match="has rows already"):
        copy_labels(full, labels)
    assert everything(labels) == before
    with pytest.raises(NoSuchInput, match="no labels yet"):
        copy_labels(tmp_path / "nothing.sqlite", tmp_path / "new.sqlite")
    assert not (tmp_path / "new.sqlite").exists()


def test_numbers_with_gaps_stay_as_they_are(full, labels):
    tables = everything(full)
    tables["judgments"] = [r for r in tables["judgments"] if r["id"] not in (5, 6)]
    labels.database.fill(tables)
    assert [j.id for j in labels.history()] == [1, 2, 3, 4, *range(7, 14)]
    assert [j.undoes for j in labels.history()][-1] == 3


def test_what_a_log_leaves_out_is_counted(full, tmp_path):
    assert beside(full) == {"parts": 1, "looks": 1, "askings": 2}
    plain = open_labels(tmp_path / "plain.sqlite")
    plain.record([Judgment("q", "d", 1)])
    assert beside(plain) == {}
    plain.close()


def test_out_of_a_store_of_the_first_version_that_cannot_be_written(labels, tmp_path):
    """As on a read-only mount: it is read as it is, without the columns that came later."""
    path = tmp_path / "old.sqlite"
    db = sqlite3.connect(path)
    for statement in _statements():
        db.execute(statement)
    told = {"at": "t", "query": "q", "source": "human", "assessor": "ann", "model": "",
            "prompt": "", "sample": 0, "rubric": "", "reason": "", "details": "{}"}  # fmt: skip
    for table, more in (
        ("judgments", {"doc": "d", "grade": 1, "state": "graded"}),
        ("preferences", {"doc_a": "a", "doc_b": "b", "better": "a", "state": "graded"}),
    ):
        row = told | more
        db.execute(
            f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
            list(row.values()),
        )
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute("PRAGMA user_version = 1")
    db.commit()
    db.close()
    old = open_labels(path)
    old.database.store._open = old.database.store._read_only()  # root writes where nobody may
    assert "undoes" not in old.database.rows("preferences", {})[0]
    counts = copy_labels(old, labels)
    assert counts["judgments"] == counts["preferences"] == 1
    assert [p.better for p in current_preferences(labels)] == ["a"]
    assert labels.undo(1).id == 2
    old.close()
