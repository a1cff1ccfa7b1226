"""`cranfield qrels` on small files of several formats."""

from __future__ import annotations

import json

import pytest

from cranfield.formats.readers import read_qrels


@pytest.fixture
def folder(files, tmp_path):
    files("a.qrels", "q1 0 d1 1\nq1 0 d2 0\nq2 0 d3 1\n")
    files("b.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t2\nq2\t文档\t1\n")
    files("one.run", "q1 Q0 d1 1 2 one\nq1 Q0 d2 2 1 one\nq2 Q0 d3 1 1 one\n")
    files("two.run", "q1 Q0 d2 1 2 two\nq1 Q0 d1 2 1 two\nq2 Q0 文档 1 1 two\n")
    return tmp_path


def test_diff_in_words_and_numbers(cranfield, folder):
    runs = [folder / "one.run", folder / "two.run"]
    done = cranfield("qrels", "diff", folder / "a.qrels", folder / "b.tsv", *runs, "-m", "nDCG@10")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "===== Judgments: from a to b ====="
    assert lines[1].split() == ["rows", "3", "→", "3"]
    facts = {line.rsplit(None, 1)[0]: line.split()[-1] for line in lines[3:8]}
    assert facts == {
        "with the same grade": "1",
        "added": "1",
        "removed": "1",
        "raised": "1",
        "lowered": "0",
    }
    assert "one  two    order swapped" in done.out
    zh = cranfield("qrels", "diff", folder / "a.qrels", folder / "b.tsv", "--lang", "zh")
    assert "标注对比" in zh.out and "新增" in zh.out and "文档" in zh.out


def test_diff_for_programs(cranfield, folder):
    both = [folder / "a.qrels", folder / "b.tsv"]
    runs = [folder / "one.run", folder / "two.run"]
    done = cranfield("qrels", "diff", *both, *runs, "-m", "P@1", "--format", "json")
    data = json.loads(done.out)
    assert data["schema"] == "cranfield.qrels-diff/1" and data["added"] == 1
    assert {"before": None, "after": 1.0, "rows": 1} in data["confusion"]
    (effect,) = data["effects"]
    assert effect["measure"] == "P@1" and effect["scores"][1]["after"] == 1.0
    assert effect["swapped"] == [["one", "two"]] and effect["tau_b"] == -1.0
    csv = cranfield("qrels", "diff", *both, "--format", "csv").out
    assert csv.splitlines()[:2] == ["query,document,before,after,change", "q1,d2,0,2,raised"]
    for table, head in (
        ("queries", "query\tadded\tremoved\traised\tlowered"),
        ("confusion", "a\t–\t1\t2"),
        ("scores", "measure\trun\tbefore\tn before\tafter\tn after\tdifference\trank\trank after"),
        ("pairs", "measure\trun\tother\tchange"),
    ):
        done = cranfield("qrels", "diff", *both, *runs, "--table", table, "--format", "tsv")
        assert done.out.splitlines()[0] == head
    out = folder / "out.html"
    assert cranfield("qrels", "diff", *both, *runs, "-o", out).code == 0
    assert out.read_text().startswith("<!doctype html>")


def test_the_same_judgments_in_two_formats_do_not_differ(cranfield, folder, files):
    files("a.csv", "query,doc,grade\nq2,d3,1\nq1,d2,0\nq1,d1,1\n")
    done = cranfield("qrels", "diff", folder / "a.qrels", folder / "a.csv")
    assert "The judgments are the same." in done.out


def test_runs_on_standard_input_are_refused(cranfield, folder):
    done = cranfield("qrels", "diff", folder / "a.qrels", folder / "b.tsv", "-")
    assert done.code == 2 and "read twice" in done.err


def test_merge_stops_at_a_conflict_and_writes_nothing_but_the_conflicts(cranfield, folder):
    out, conflicts = folder / "m.qrels", folder / "c.tsv"
    both = [folder / "a.qrels", folder / "b.tsv"]
    done = cranfield("qrels", "merge", *both, "-o", out, "--conflicts", conflicts)
    assert done.code == 3 and "1 document is judged differently" in done.err
    assert "--policy" in done.err and not out.exists()
    assert conflicts.read_text() == "query\tdocument\tkept\ta\tb\nq1\td2\t\t0\t2\n"


def test_merge_with_a_policy_and_its_card(cranfield, folder):
    out = folder / "m.qrels"
    both = [folder / "a.qrels", folder / "b.tsv"]
    done = cranfield("qrels", "merge", *both, "-o", out, "--policy", "max")
    assert done.code == 0
    assert done.out.startswith("2 sets merged: 4 rows, 2 queries; 1 conflict (policy: max)\n")
    assert out.read_text() == "q1 0 d1 1\nq1 0 d2 2\nq2 0 d3 1\nq2 0 文档 1\n"
    card = json.loads((folder / "m.qrels.card.json").read_text())
    assert card["schema"] == "cranfield.qrels-card/1" and card["policy"] == "max"
    assert [(s["name"], s["rows"], s["overruled"]) for s in card["sets"]] == [
        ("a", 3, 1),
        ("b", 3, 0),
    ]
    assert card["given_by"] == [
        {"sets": ["a", "b"], "rows": "1"},
        {"sets": ["b"], "rows": "2,4"},
        {"sets": ["a"], "rows": "3"},
    ]
    again = folder / "again.qrels"
    cranfield("qrels", "merge", *both, "-o", again, "--policy", "max")
    assert again.read_bytes() == out.read_bytes()  # same input, same bytes


def test_a_format_with_a_source_says_it_in_the_row(cranfield, folder):
    out = folder / "m.jsonl"
    done = cranfield(
        "qrels", "merge", folder / "a.qrels", folder / "b.tsv", "-o", out, "--policy", "first"
    )
    assert (done.code, done.err) == (0, "")
    assert read_qrels(out).source.to_list() == ["a + b", "a", "a", "b"]
    data = cranfield(
        *["qrels", "merge", folder / "a.qrels", folder / "b.tsv", "-o", out],
        *["--policy", "majority", "--on-tie", "min", "--format", "json"],
    )
    assert json.loads(data.out)["conflicts"] == [
        {"query": "q1", "document": "d2", "kept": 0.0, "grades": {"a": 0.0, "b": 2.0}}
    ]


def test_an_input_is_not_written_over(cranfield, folder):
    both = [folder / "a.qrels", folder / "b.tsv"]
    assert cranfield("qrels", "merge", *both, "-o", folder / "a.qrels").code == 2
    assert cranfield("qrels", "merge", folder / "a.qrels", "-o", folder / "m.qrels").code == 2


def test_stats(cranfield, folder):
    done = cranfield("qrels", "stats", folder / "a.qrels")
    assert done.code == 0 and "queries without a negative" in done.out and "1: q2" in done.out
    data = json.loads(cranfield("qrels", "stats", folder / "a.qrels", "--format", "json").out)
    assert data["schema"] == "cranfield.qrels-stats/1" and data["rows"] == 3
    assert data["grades"] == [
        {"grade": 0.0, "rows": 1, "queries": 1},
        {"grade": 1.0, "rows": 2, "queries": 2},
    ]
    assert data["judged"]["quantiles"]["0.5"] == 1.5
    csv = cranfield("qrels", "stats", folder / "a.qrels", "--format", "csv").out
    assert csv.splitlines()[1].startswith("0,1,0.333")
    assert "有标注的查询" in cranfield("qrels", "stats", folder / "a.qrels", "--lang", "zh").out


def test_a_missing_file_and_a_wrong_line(cranfield, folder, files):
    assert cranfield("qrels", "stats", folder / "none.qrels").code == 4
    files("bad.qrels", "q1 0 d1 one\n")
    done = cranfield("qrels", "diff", folder / "a.qrels", folder / "bad.qrels")
    assert done.code == 3 and "line 1" in done.err
