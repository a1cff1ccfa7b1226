"""`cranfield judge`."""

from __future__ import annotations

import json

import pytest

CSV = "query,doc,grade,source,assessor\nq1,a,2,human,ann\nq1,a,1,human,bo\nq1,b,0,llm,m\n"


@pytest.fixture
def store(cranfield, tmp_path, monkeypatch):
    """A folder with a lab and some labels in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CRANFIELD_LABELS", raising=False)
    monkeypatch.setenv("CRANFIELD_CLOCK", "2026-01-31T12:00:00Z")
    assert cranfield("init", ".").code == 0
    (tmp_path / "l.csv").write_text(CSV)
    done = cranfield("judge", "import", "l.csv")
    assert done.code == 0, done.err
    assert "l.csv: 3 judgments of 1 query (csv)" in done.out
    return tmp_path


def test_labels_are_kept_in_the_lab(cranfield, store):
    assert (store / ".cranfield" / "labels.sqlite").exists()
    status = json.loads(cranfield("judge", "status", "--format", "json").out)
    assert [(r["source"], r["judge"], r["graded"], r["shared"]) for r in status["rows"]] == [
        ("human", "ann", 1, 1), ("human", "bo", 1, 1), ("llm", "m", 1, 0),
    ]  # fmt: skip
    (store / "hole.qrels").write_text("q1 0 z -1\nq1 0 b -1\n")
    assert cranfield("judge", "import", "hole.qrels", "--assessor", "cy").code == 0
    status = cranfield("judge", "status", "--format", "json")
    assert [(r["pooled"], r["mean grade"]) for r in json.loads(status.out)["rows"]][-1] == (2, None)
    assert "2 pairs with a grade, 1 graded by two judges or more" in status.err
    assert "1 pair has only a grade below 0 (pooled, not judged)" in status.err


def test_export_names_its_policy(cranfield, store):
    done = cranfield("judge", "export", "--policy", "human-over-llm", "-o", "out.qrels")
    assert done.code == 0, done.err
    assert (store / "out.qrels").read_text() == "q1 0 a 1\nq1 0 b 0\n"
    assert "1 pair in conflict, settled by majority" in done.err
    assert "1 of them tied, settled by the lower grade" in done.err
    assert "pairs decided by each tier: 1 human, 1 llm" in done.err
    card = json.loads((store / "out.qrels.card.json").read_text())["config"]["judgments"]
    assert card["policy"]["name"] == "human-over-llm" and card["policy"]["ties"] == "lower"
    assert card["at"] == "2026-01-31T12:00:00Z" and card["rows_of_store"] == 3


def test_undo_and_log(cranfield, store):
    assert "undoes row 1" in cranfield("judge", "undo", "1", "--reason", "slip").out
    rows = json.loads(cranfield("judge", "log", "--format", "json").out)["rows"]
    assert [(r["row"], r["state"], r["counts"]) for r in rows] == [
        (1, "graded", ""), (2, "graded", "yes"), (3, "graded", "yes"), (4, "undoes (1)", ""),
    ]  # fmt: skip
    assert cranfield("judge", "undo", "1").code == 2
    assert cranfield("judge", "undo", "99").code == 2
    assert "标注者" in cranfield("judge", "log", "--lang", "zh").out
    some = cranfield("judge", "log", "--source", "llm", "-n", "1")
    assert "q1" in some.out and "ann" not in some.out


def test_a_log_is_imported_again(cranfield, store):
    cranfield("judge", "undo", "2")
    cranfield("judge", "log", "--format", "jsonl", "-o", "rows.jsonl")
    done = cranfield(
        "judge", "import", "rows.jsonl", "l.csv", "rows.jsonl", "--labels", "new.sqlite"
    )
    assert done.code == 0, done.err
    assert "5 rows added to new.sqlite" in done.out  # of bo, whose row was taken back, one again
    assert "l.csv: 2 rows are in the store already" in done.err
    assert "rows.jsonl: 4 rows are in the store already" in done.err
    again = cranfield("judge", "log", "--format", "jsonl", "--labels", "new.sqlite").out
    undone = [json.loads(line).get("undoes") for line in again.splitlines()]
    assert undone == [None] * 3 + [2, None]
    (store / "other.csv").write_text(CSV.replace("ann", "anne").replace("2,", "3,"))
    done = cranfield("judge", "import", "other.csv", "--labels", "new.sqlite")
    assert "changed" not in done.err and "1 row added" in done.out
    (store / "other.csv").write_text(CSV.replace(",2,", ",3,"))
    done = cranfield("judge", "import", "other.csv", "--labels", "new.sqlite")
    assert "1 earlier judgment changed" in done.err and "1 row added" in done.out


def test_all_files_or_none(cranfield, store):
    (store / "bad.csv").write_text("query,doc,grade\nq,d,good\n")
    done = cranfield("judge", "import", "l.csv", "bad.csv")
    assert done.code == 3 and "bad.csv, line 2" in done.err
    assert len(cranfield("judge", "log", "--format", "jsonl").out.splitlines()) == 3


def test_where_no_labels_are(cranfield, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CRANFIELD_LABELS", raising=False)
    done = cranfield("judge", "status")
    assert done.code == 2 and "--labels" in done.err
    assert cranfield("judge", "status", "--labels", "none.sqlite").code == 4
    (tmp_path / "q.txt").write_text("q 0 d 1\n")
    monkeypatch.setenv("CRANFIELD_LABELS", str(tmp_path / "from-env.sqlite"))
    assert cranfield("judge", "import", "q.txt", "--at", "2025-05-05").code == 0
    assert "2025-05-05T00:00:00Z" in cranfield("judge", "log").out
    assert cranfield("judge", "import", "q.txt", "--at", "then").code == 2


def test_a_store_named_in_the_lab(cranfield, store):
    toml = store / "cranfield.toml"
    toml.write_text('labels = "team.sqlite"\n' + toml.read_text())
    (store / "q.txt").write_text("q 0 d 1\n")
    assert cranfield("judge", "import", "q.txt").code == 0
    assert (store / "team.sqlite").exists()


def test_an_export_does_not_write_over_the_store(cranfield, store):
    done = cranfield("judge", "export", "--labels", ".cranfield/labels.sqlite", "-o",
                ".cranfield/labels.sqlite")  # fmt: skip
    assert done.code == 2 and "would be overwritten" in done.err


def test_a_store_is_moved_whole(cranfield, store):
    from cranfield.judging.labels import open_labels
    from cranfield.judging.parts import draw_parts, known_parts

    labels = open_labels(store / ".cranfield" / "labels.sqlite")
    drawn = draw_parts(labels, ["q1", "q2", "q3"], seed=7)
    labels.close()
    done = cranfield("judge", "copy", ".cranfield/labels.sqlite", "b.sqlite")
    assert done.code == 0 and "judgments 3, draws of the parts 1" in done.out
    moved = open_labels(store / "b.sqlite")
    assert known_parts(moved) == drawn
    moved.close()
    assert cranfield("judge", "copy", ".cranfield/labels.sqlite", "b.sqlite").code == 2
    assert cranfield("judge", "copy", "nothing.sqlite", "c.sqlite").code != 0
    log = cranfield("judge", "log", "--format", "jsonl")
    assert "not in such a file: draws of the parts 1" in log.err
    assert "not in such a file" not in cranfield("judge", "log").err


def test_a_place_that_can_be_no_store(cranfield, store):
    for call in (("log",), ("import", "l.csv"), ("status",)):
        done = cranfield("judge", *call, "--labels", ".")
        assert done.code == 2 and ". is a folder" in done.err
    done = cranfield("judge", "import", "l.csv", "--labels", "new/dir/x")
    assert done.code != 0 and "no folder new/dir" in done.err
    assert not (store / "new").exists()
