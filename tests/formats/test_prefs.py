"""Files of preferences and judgments by group: read, told from others, refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import FormatError, InputError, UnknownName
from cranfield.formats.detect import PREFS, format_of
from cranfield.formats.inputs import Input
from cranfield.formats.prefs import looks_like_prefs
from cranfield.formats.problems import ManyProblems
from cranfield.formats.readers import open_run, read_qrels
from cranfield.formats.write import write_qrels

TEXT = """\
q1 ann p1 d1 2
q1 ann p1 d2 1
q1 ann p2 d2 3
q1 ann p2 d3 0
q1 bob 0 d1 0
q1 bob 0 d3 1.5
"""
HEADER = "query,ujg,ujsg,doc,grade\n"


def rows(qrels) -> list[tuple]:
    names = qrels.queries.to_list()
    columns = (qrels.group, qrels.part, qrels.docs)
    texts = (c.to_list() if c is not None else [None] * len(qrels) for c in columns)
    return list(
        zip((names[i] for i in qrels.query.tolist()), *texts, qrels.grade.tolist(), strict=True)
    )


def test_a_file_of_preferences_is_recognised(write) -> None:
    qrels = read_qrels(write("prefs", "# who\n\n" + TEXT.replace(" ", " \t ")))
    assert rows(qrels)[0] == ("q1", "ann", "p1", "d1", 2.0)
    assert rows(qrels)[-1] == ("q1", "bob", "0", "d3", 1.5)
    assert len(qrels) == 6
    assert "read as preferences" in qrels.notes[0]
    assert qrels.notes[1] == "1 comment line skipped"
    declared = read_qrels(write("prefs", TEXT), format="prefs")
    assert rows(declared) == rows(qrels)
    assert not declared.notes


def test_a_table_may_name_group_and_part(write) -> None:
    table = HEADER + TEXT.replace(" ", ",")
    qrels = read_qrels(write("prefs.csv", table))
    assert rows(qrels) == rows(read_qrels(write("prefs", TEXT)))
    notes = write_qrels(qrels, write("again.jsonl", ""))
    assert not notes
    assert rows(read_qrels(write("x", "").parent / "again.jsonl")) == rows(qrels)
    for name in ("again.txt", "again.tsv", "again.json"):
        with pytest.raises(InputError, match="cannot"):
            write_qrels(qrels, write(name, ""))


@pytest.mark.parametrize("name", ["qrels_prefs", "qrels_jg"])
def test_column_2_is_the_group_when_that_is_said(write, name) -> None:
    text = "q1 ann d1 2\nq1 bob d1 0\nq1 bob d2 -1\n"
    qrels = read_qrels(write("qrels", text), format=name)
    assert rows(qrels)[1] == ("q1", "bob", None, "d1", 0.0)
    assert qrels.iteration is None
    with pytest.raises(FormatError, match=r"line 4: .* judged twice for group 'bob' of query 'q1'"):
        read_qrels(write("qrels", text + "q1 bob d1 1\n"), format=name)


def test_a_repeat_in_one_part_may_be_settled(write) -> None:
    path = write("prefs", TEXT + "q1 ann p1 d1 5\n")
    with pytest.raises(FormatError, match="two levels for part 'p1', group 'ann' of query 'q1'"):
        read_qrels(path, format="prefs")
    kept = read_qrels(path, format="prefs", on_duplicate="max")
    assert sorted(kept.grade[kept.docs.to_list().index("d1") :].tolist()).count(5.0) == 1
    assert len(kept) == 6


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("q1 ann p1 d9", "this is no line of preferences"),
        ("q1 ann p1 d9 1 1", "this is no line of preferences"),
        ("q1 ann p1 d9 -1", "the level a number of 0 or more"),
        ("q1 ann p1 d9 inf", "the level a number of 0 or more"),
        ("q1 ann p1 d9 nan", "the level a number of 0 or more"),
        ("q1 ann p1 d9 good", "the level a number of 0 or more"),
    ],
)
def test_lines_that_are_none_are_named(write, line, said) -> None:
    with pytest.raises(FormatError) as e:
        read_qrels(write("prefs", TEXT + line + "\n"), format="prefs")
    assert e.value.line == 7
    assert e.value.text == line
    assert said in f"{e.value.message} {e.value.hint}"


def test_all_problems_at_once_and_nothing_at_all(write) -> None:
    path = write("prefs", TEXT + "q1 a b\nq1 a b c -2\n")
    with pytest.raises(ManyProblems) as e:
        read_qrels(path, format="prefs", all_errors=True)
    assert [p.line for p in e.value.problems] == [7, 8]
    with pytest.raises(InputError, match="no preference in it"):
        read_qrels(write("none", "# nothing\n"), format="prefs")


@pytest.mark.parametrize(
    "text",
    [
        "q1 0 d1 1\nq1 0 d2 0\n",
        "q1 0 New York 1\nq1 0 New Delhi 0\n",  # ids with a blank
        "q1 0 doc 12 1\nq1 0 doc 13 0\n",
        "q1 d1 1 1 0.5\nq1 d2 1 1 0.5\nq1 d3 0 1 0.5\n",  # a sample of judgments
        "q1 a p1 d1 1\nq1 a p2 d2 0\nq1 b p1 d1 1\n",  # no part has two documents
        "q1 a p1 d1 1\nq1 b p1 d1 high\n",
        "q1 a p d1 1\nq1 a p d1 0\nq1 b p d1 1\nq1 b p d2 1\n",  # a repeat
        TEXT + "q1 ann p1 d9\n",
    ],
)
def test_what_could_be_something_else_is_not_taken_for_preferences(write, text) -> None:
    assert not looks_like_prefs(text.encode())
    assert format_of(Input(write("qrels", text)), "qrels") == "trec"


def test_the_hint_names_the_format(write) -> None:
    for text in ("q1 0 New York 1\n", "q1 d1 1 1 0.5\n"):
        with pytest.raises(FormatError) as e:
            read_qrels(write("qrels", text))
        assert "--qrels-format prefs" in str(e.value.hint)


def test_runs_are_never_preferences(write) -> None:
    with pytest.raises(UnknownName, match="no format 'prefs'"):
        open_run(write("run", TEXT), format="prefs")
    assert format_of(Input(write("run", TEXT)), "run") == "trec"


def test_a_long_file_is_told_from_its_beginning(write) -> None:
    text = "".join(f"q{i} u{i % 3} 0 doc-{i}-{j} {j}\n" for i in range(2000) for j in range(4))
    assert len(text) > 1 << 16
    path = write("prefs", text)
    assert format_of(Input(path), "qrels") == PREFS
    assert len(read_qrels(path)) == 8000


@given(st.binary(max_size=200))
def test_no_bytes_break_the_guess(head) -> None:
    looks_like_prefs(head)
