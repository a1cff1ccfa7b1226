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
    cranfield.import_labels([rows, rows], labels)
    assert [j.undoes for j in labels.history()] == [None, None, 2, None, None, 5]
    cranfield.import_labels([two, two], labels)
    assert [p.undoes for p in history(labels)] == [None, None, 1, None, None, 4]
    with pytest.raises(UsageError, match="import them apart"):
        cranfield.import_labels([rows, two], labels)
    assert labels.last() == 6


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
