"""Labels in and out, as they are called from Python."""

from __future__ import annotations

import json

import pytest

import cranfield
from cranfield.errors import FormatError, NothingToEvaluate, UnknownName, UsageError
from cranfield.judging.interchange.rows import to_lines
from cranfield.judging.preferences import undo

CSV = "query,doc,grade,assessor\nq1,a,2,ann\nq1,a,1,bo\nq1,b,0,ann\n"


def test_several_files_or_none(labels, write):
    one, two = write("l.csv", CSV), write("m.qrels", "q2 0 a 1\n")
    found = cranfield.import_labels([one, two], labels, source="human", at="2026-01-01T00:00:00Z")
    assert [(p.form, len(p.judgments)) for p in found] == [("csv", 3), ("trec", 1)]
    assert {(j.source, j.at) for j in labels.current()} == {("human", "2026-01-01T00:00:00Z")}
    bad = write("bad.csv", "query,doc,grade\nq,d,good\n")
    with pytest.raises(FormatError, match=r"bad\.csv, line 2"):
        cranfield.import_labels([two, bad], labels)
    assert labels.last() == 4


def test_undoings_find_their_row_behind_other_files(labels, write, tmp_path):
    source = cranfield.open_labels(tmp_path / "other.sqlite")
    source.record([cranfield.Judgment("q", "d", 1), cranfield.Judgment("q", "e", 1)])
    source.undo(2)
    cranfield.record_preferences(source, [cranfield.Preference("q", "d", "e", "a")] * 2)
    undo(source, 1)
    rows = write("rows.jsonl", to_lines(source.history()))
    from cranfield.judging.preferences import history

    two = write("two.jsonl", to_lines(history(source)))
    source.close()
    other = write("o.jsonl", rows.read_text().replace('"q"', '"r"'))
    two_other = write("two_o.jsonl", two.read_text().replace('"q"', '"r"'))
    cranfield.import_labels([rows, other], labels)
    assert [j.undoes for j in labels.history()] == [None, None, 2, None, None, 5]
    cranfield.import_labels([two, two_other], labels)
    assert [p.undoes for p in history(labels)] == [None, None, 1, None, None, 4]
    again = cranfield.import_labels([other, rows], labels)
    assert [(p.brought.new, p.brought.there, p.brought.changed) for p in again] == [(0, 3, 0)] * 2
    again = cranfield.import_labels([two_other, two], labels)
    assert [(p.brought.new, p.brought.there, p.brought.changed) for p in again] == [(0, 3, 0)] * 2
    assert (labels.last(), len(history(labels))) == (6, 6)
    with pytest.raises(UsageError, match="import them apart"):
        cranfield.import_labels([rows, two], labels)
    assert labels.last() == 6


def brought(found):
    return [(p.brought.new, p.brought.there, p.brought.changed) for p in found]


def test_an_older_log_changes_nothing_that_is_newer(labels, write, monkeypatch, tmp_path):
    """Imported, logged, put right, and the log imported again: what was put right stays."""
    old, new = write("old.qrels", "q1 0 d1 1\n"), write("new.qrels", "q1 0 d1 2\n")
    who = {"source": "human", "assessor": "anna"}
    other = cranfield.open_labels(tmp_path / "other.sqlite")
    for store in (labels, other):
        monkeypatch.setenv("CRANFIELD_CLOCK", "2026-01-01T00:00:00Z")
        cranfield.import_labels(old, store, **who)
        log = write("log.jsonl", to_lines(store.history()))
        monkeypatch.setenv("CRANFIELD_CLOCK", "2026-01-02T00:00:00Z")
        assert brought(cranfield.import_labels(new, store, **who)) == [(1, 0, 1)]
        assert brought(cranfield.import_labels(log, store)) == [(0, 1, 0)]
        assert [j.grade for j in store.current()] == [2]
    other.close()
    third = cranfield.open_labels(tmp_path / "third.sqlite")
    cranfield.import_labels(new, third, **who)
    assert brought(cranfield.import_labels(log, third)) == [(1, 0, 0)]  # a row, and it is older
    assert [j.grade for j in third.current()] == [2]
    third.close()


def test_what_stands_is_not_added_again(labels, write):
    one, two = write("a.qrels", "q1 0 d1 1\nq1 0 d2 0\n"), write("b.qrels", "q1 0 d1 2\n")
    assert brought(cranfield.import_labels(one, labels)) == [(2, 0, 0)]
    assert brought(cranfield.import_labels(one, labels)) == [(0, 2, 0)]
    assert brought(cranfield.import_labels([two, one], labels)) == [(1, 0, 1), (1, 1, 1)]
    assert brought(cranfield.import_labels(one, labels, rubric="v2")) == [(2, 0, 0)]
    assert brought(cranfield.import_labels(one, labels, assessor="bo")) == [(2, 0, 0)]
    assert labels.last() == 8


def test_rows_that_say_the_same_twice_stay_two(labels, write):
    row = '{"query": "q", "doc": "d", "state": "graded", "grade": 1, "at": "2026-01-01T00:00:00Z"}'
    log = write("rows.jsonl", f"{row}\n{row}\n")
    assert brought(cranfield.import_labels(log, labels)) == [(2, 0, 0)]
    assert brought(cranfield.import_labels(log, labels)) == [(0, 2, 0)]
    more = write("more.jsonl", f"{row}\n{row}\n{row}\n")
    assert brought(cranfield.import_labels(more, labels)) == [(1, 2, 0)]


def test_an_undoing_of_a_row_that_is_there_finds_it(labels, write, tmp_path):
    other = cranfield.open_labels(tmp_path / "other.sqlite")
    other.record([cranfield.Judgment("q", d, 1) for d in "abc"])
    before = write("before.jsonl", to_lines(other.history()))
    other.undo(2, "slip")
    after = write("after.jsonl", to_lines(other.history()))
    other.close()
    labels.record([cranfield.Judgment("r", "x", 1)])
    cranfield.import_labels(before, labels)
    assert brought(cranfield.import_labels(after, labels)) == [(1, 3, 1)]
    assert [j.doc for j in labels.current()] == ["x", "a", "c"]
    labels.undo(2)
    assert brought(cranfield.import_labels(after, labels)) == [(0, 4, 0)]


def test_the_number_of_an_asking_of_another_store_is_not_taken_for_one_of_this(labels, write):
    row = {"query": "q", "doc": "d", "state": "graded", "grade": 1, "source": "llm", "model": "m",
           "at": "2026-01-01T00:00:00Z", "details": {"asking": 1, "asked": "f00"}}  # fmt: skip
    log = write("rows.jsonl", json.dumps(row) + "\n")
    cranfield.import_labels(log, labels)
    assert labels.current()[0].details == {"asking_there": 1, "asked": "f00"}
    assert brought(cranfield.import_labels(log, labels)) == [(0, 1, 0)]


def test_out_by_a_policy(labels, write, tmp_path):
    cranfield.import_labels(write("l.csv", CSV), labels, source="human")
    path = tmp_path / "out.qrels"
    made = cranfield.export_labels(labels, "human", path, ties="higher")
    assert path.read_text() == "q1 0 a 2\nq1 0 b 0\n"
    assert (made.export.conflicts, made.export.qrels.name) == (1, "out")
    card = json.loads((tmp_path / "out.qrels.card.json").read_text())["config"]["judgments"]
    assert card["policy"]["ties"] == "higher" and card["rows_of_store"] == 3
    only = cranfield.export_labels(labels, "latest", wanted=cranfield.Wanted(assessors=("bo",)))
    assert only.export.qrels.to_dict() == {"q1": {"a": 1}} and only.notes == ()
    with pytest.raises(NothingToEvaluate):
        cranfield.export_labels(labels, "human", wanted=cranfield.Wanted(queries=("q9",)))
    with pytest.raises(UnknownName, match="no policy"):
        cranfield.export_labels(labels, "best")


def test_an_expert_who_judged_nothing_is_refused(labels, write):
    cranfield.import_labels(write("l.csv", CSV), labels, source="human")
    with pytest.raises(UnknownName, match="typo") as said:
        cranfield.export_labels(labels, "expert-over-crowd", experts=("ann", "typo"))
    assert "ann, bo" in said.value.hint
    only = cranfield.Wanted(queries=("q1",))
    made = cranfield.export_labels(labels, "expert-over-crowd", experts=("bo",), wanted=only)
    assert made.export.qrels.to_dict() == {"q1": {"a": 1, "b": 0}}


def test_a_store_by_its_place(write, tmp_path):
    place = tmp_path / "l.sqlite"
    cranfield.import_labels(str(write("l.csv", CSV)), place)
    assert len(cranfield.export_labels(str(place), "max").export.qrels) == 2
