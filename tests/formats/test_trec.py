"""TREC files: what a line may be, and the sentence about every kind of line that is none."""

from __future__ import annotations

import io
import sys

import pytest

from cranfield import evaluate, read_qrels, read_run
from cranfield.errors import FormatError, InputError
from cranfield.formats.problems import ManyProblems

GOOD_RUN = "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\n"
GOOD_QRELS = "q1 0 a 1\nq1 0 b 0\n"

# (line, problem, hint): of a file whose other lines are well formed.
BAD_RUN_LINES = [
    ("q1 Q0 c 3 1 my tag", "7 columns: the tag 'my tag' holds a blank", "my_tag"),
    ("q1 Q0 c x 3 1 t", "7 columns: the document id 'c x' holds a blank", "JSONL"),
    ("q1 Q0 c 3 1 2 t", "either the document id 'c 3' or the tag '2 t'", "one word each"),
    ("q1 Q0 c x y 1 t u", "8 columns where 6 are expected", "a run line is"),
    ("q1 Q0 c 3 1", "5 columns in place of 6", "a file without tags"),
    ("q1 0 c 1", "4 columns where 6 are expected", "query Q0 document rank score tag"),
    ("q1 Q0 c x", "4 columns where 6 are expected", "query Q0 document rank score tag"),
    ("q1", "1 column where 6 are expected", "query Q0 document rank score tag"),
    ("q1 Q0 c 3 nan t", "the score is NaN, which cannot be ranked", "drop it"),
    ("q1 Q0 c 3 -NaN t", "the score is NaN", "drop it"),
    ("q1 Q0 c 3 high t", "the score 'high' is not a number", "a run line is"),
    ("q1 Q0 c 3 1,5 t", "the score '1,5' is not a number", "a run line is"),
    ("q1 Q0 c 3 0x1F t", "the score '0x1F' is not a number", "a run line is"),
    ("q1 Q0 c 3 1_000 t", "the score '1_000' is not a number", "a run line is"),
    ("q1 Q0 c d 2.5 t", "column 4 is 'd' where the rank is expected", "a run line is"),
    ("topic Q0 docid rank score tag", "the score 'score' is not a number", "a run line is"),
]
BAD_QRELS_LINES = [
    ("q1 c 1", "3 columns where 4 are expected", "BEIR"),
    ("q1 0", "2 columns where 4 are expected", "query iteration document grade"),
    ("q1", "1 column where 4 are expected", "query iteration document grade"),
    ("q1 c 1 0 0.25", "these are prels", "must not be averaged"),
    ("q1 0 c d 1", "the document id 'c d' holds a blank", "JSONL"),
    ("q1 Q0 c 1 2.5 t", "6 columns where 4 are expected", "a qrels line is"),
    ("q1 0 c d e 1", "6 columns: the document id 'c d e' holds a blank", "replace the blank"),
    ("q1 0 c nan", "the grade is NaN", "such as 2 or 0.5"),
    ("q1 0 c inf", "the grade inf is not finite", "finite"),
    ("q1 0 c 1e999", "the grade 1e999 is not finite", "finite"),
    ("q1 0 c good", "the grade 'good' is not a number", "a qrels line is"),
    ("q1 0 c 2x", "the grade '2x' is not a number", "a qrels line is"),
    ("q1 0 c d e", "5 columns where 4 are expected", "a qrels line is"),
]


def check(read, path, line, problem, hint):
    with pytest.raises(FormatError) as e:
        read(path)
    assert e.value.line == 3
    assert e.value.text == line
    assert problem in e.value.problem
    assert hint in e.value.hint
    assert str(e.value).startswith(f"{path}, line 3: {e.value.problem}\n  text: {line}\n  hint: ")


@pytest.mark.parametrize(("line", "problem", "hint"), BAD_RUN_LINES)
def test_a_bad_line_of_a_run(write, line, problem, hint):
    check(read_run, write("run", f"{GOOD_RUN}{line}\nq2 Q0 c 1 1 t\n"), line, problem, hint)


@pytest.mark.parametrize(("line", "problem", "hint"), BAD_QRELS_LINES)
def test_a_bad_line_of_judgments(write, line, problem, hint):
    check(read_qrels, write("qrels", f"{GOOD_QRELS}{line}\nq2 0 c 1\n"), line, problem, hint)


def test_swapped_files_and_csv_are_told_by_their_first_line(write):
    with pytest.raises(FormatError, match="this is a qrels line") as e:
        read_run(write("run", GOOD_QRELS))
    assert (e.value.line, "swapped" in e.value.hint) == (1, True)
    with pytest.raises(FormatError, match="this is a run line") as e:
        read_qrels(write("qrels", GOOD_RUN))
    assert (e.value.line, "swapped" in e.value.hint) == (1, True)
    for read in (read_run, read_qrels):
        with pytest.raises(FormatError, match="this looks like CSV") as e:
            read(write("file", "q1,a,1\nq1,b,2\n"))
        assert "names its columns" in e.value.hint


def test_line_numbers_count_blank_lines_comments_and_all_line_ends(write):
    text = "# a comment\r\n\r\nq1 0 a 1\rq1 0 b 0\n\n\nq1 0 c bad\n"
    with pytest.raises(FormatError) as e:
        read_qrels(write("qrels", text))
    assert e.value.line == 7


# ---- what is passed over is counted


def test_comments_and_blank_lines_are_passed_over_and_comments_are_counted(write):
    text = f"# one\n\n{GOOD_QRELS}  \n#two words here\n\t\n#\n"
    assert read_qrels(write("qrels", text)).notes == ("3 comment lines skipped",)
    assert read_qrels(write("qrels", f"# one\n{GOOD_QRELS}")).notes == ("1 comment line skipped",)
    assert read_run(write("run", f"{GOOD_RUN}# end\n")).notes == ("1 comment line skipped",)


def test_a_line_of_the_right_width_that_begins_with_a_hash_is_data(write):
    run = read_run(write("run", "#1 Q0 a 1 3 t\n"))
    assert run.to_dict() == {"#1": {"a": 3.0}}
    assert read_qrels(write("qrels", "#1 0 a 3\n")).to_dict() == {"#1": {"a": 3}}


def test_a_comment_of_the_right_width_is_told_by_its_number(write):
    assert read_run(write("run", f"# made by us on Monday\n{GOOD_RUN}")).notes
    assert read_qrels(write("qrels", f"# 0 a b\n{GOOD_QRELS}")).notes == ("1 comment line skipped",)


@pytest.mark.parametrize(
    ("header", "read", "good"),
    [
        ("topic Q0 docid rank score tag", read_run, GOOD_RUN),
        ("qid iter docno rank sim run_id", read_run, GOOD_RUN),
        ("query_id iteration doc_id relevance", read_qrels, GOOD_QRELS),
        ("topic iter docno rel", read_qrels, GOOD_QRELS),
    ],
)
def test_a_header_in_front_is_passed_over_and_said(write, header, read, good):
    found = read(write("file", f"{header}\n{good}"))
    assert len(found) == 2
    assert found.notes == (f"the first line is a header {header!r}, skipped",)


def test_a_header_after_a_blank_line_and_a_comment_is_one_too(write):
    qrels = read_qrels(write("qrels", f"\n# hello\ntopic iter docno rel\n{GOOD_QRELS}"))
    assert len(qrels) == 2
    assert len(qrels.notes) == 2


def test_a_header_behind_data_is_a_bad_line(write):
    with pytest.raises(FormatError) as e:
        read_qrels(write("qrels", f"{GOOD_QRELS}topic iter docno rel\n"))
    assert e.value.line == 3


# ---- columns


def test_a_file_of_five_columns_is_a_run_without_tags(write):
    run = read_run(write("run", "q1 Q0 a 1 3.5\nq1 Q0 b 2 2\n"))
    assert run.to_dict() == {"q1": {"a": 3.5, "b": 2.0}}


def test_five_columns_mean_that_only_with_q0_a_rank_and_a_number(write):
    for line in ("q1 x a 1 3.5", "q1 Q0 a 1.5 3.5", "q1 Q0 a 1 t", "q1 Q0 1 3.5 t"):
        with pytest.raises(FormatError, match="5 columns in place of 6"):
            read_run(write("run", f"{line}\n"))


def test_a_tag_in_a_file_without_tags_is_a_bad_line(write):
    with pytest.raises(FormatError, match="6 columns in a file that began with 5") as e:
        read_run(write("run", "q1 Q0 a 1 3.5\nq1 Q0 b 2 2 t\n"))
    assert e.value.line == 2


@pytest.mark.parametrize("chunk", [1, 10])
def test_the_width_is_that_of_the_first_line_for_every_chunk(write, chunk):
    from cranfield.formats.inputs import Input
    from cranfield.formats.sources import RunFile

    path = write("run", "q1 Q0 a 1 3.5\nq2 Q0 b 1 2\nq3 Q0 a 1 1\n")
    pieces = [call() for call in RunFile(Input(path), chunk_size=chunk).pieces()]
    assert sum(len(p.lines) for p in pieces) == 3
    assert not any(p.problems for p in pieces)


@pytest.mark.parametrize("comment", ["# run", "# made by our system", "# made by us on Monday"])
def test_a_comment_of_any_width_does_not_decide_how_wide_the_file_is(write, comment):
    run = read_run(write("run", f"{comment}\nq1 Q0 a 1 3.5\nq2 Q0 b 1 2\n"))
    assert run.to_dict() == {"q1": {"a": 3.5}, "q2": {"b": 2.0}}
    assert run.notes == ("1 comment line skipped",)


@pytest.mark.parametrize("rank", ["1", "0", "-1", "1.0", "1e3", "+7", "99999999999999999999", ".5"])
def test_any_number_may_be_a_rank_and_none_is_read(write, rank):
    run = read_run(write("run", f"q1 Q0 a {rank} 3 t\nq1 Q0 b {rank} 4 t\n"))
    assert run.ranks().tolist() == [2, 1]


@pytest.mark.parametrize("second", ["Q0", "0", "q0", "ITER", "1", "é"])
def test_column_2_of_a_run_may_be_anything(write, second):
    assert len(read_run(write("run", f"q1 {second} a 1 3 t\n"))) == 1


def test_the_iteration_of_judgments_is_kept(write):
    assert read_qrels(write("qrels", "q1 s1 a 1\nq1 s2 a 0\n")).iteration.to_list() == ["s1", "s2"]


# ---- all errors, repeats, standard input


def test_all_errors_are_listed_up_to_twenty(write):
    three = write("three", f"{GOOD_RUN}bad\nq1 Q0 c 3 x t\nq1 Q0 a 4 1 t\n")
    with pytest.raises(ManyProblems) as e:
        read_run(three, all_errors=True)
    assert [p.line for p in e.value.problems] == [3, 4, 5]
    assert str(e.value).count("  hint: ") == 3
    many = write("many", "bad\n" * 50)
    with pytest.raises(ManyProblems, match="20 problems listed; there may be more") as e:
        read_qrels(many, all_errors=True)
    assert [p.line for p in e.value.problems] == list(range(1, 21))
    with pytest.raises(FormatError) as one:
        read_run(write("one", f"{GOOD_RUN}bad\n"), all_errors=True)
    assert one.value.line == 3


def test_a_repeated_row_names_both_lines(write):
    with pytest.raises(
        FormatError, match=r"'a' is returned twice for query 'q1' \(first on line 1\)"
    ):
        read_run(write("run", f"{GOOD_RUN}q1 Q0 a 3 1 t\n"))
    with pytest.raises(FormatError, match=r"\(first on line 1\): grades 1 and 0.5") as e:
        read_qrels(write("qrels", f"{GOOD_QRELS}q1 0 a 0.5\n"))
    assert e.value.line == 3


def test_standard_input_is_a_file_like_others(monkeypatch, write):
    with open(write("run", GOOD_RUN), "rb") as raw:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))
        scores = evaluate({"q1": {"b": 1}}, "-", "RR")
    assert scores.mean() == 0.5
    assert scores.runs == ("stdin",)


def test_an_error_on_standard_input_is_called_that(monkeypatch, write):
    with open(write("run", f"{GOOD_RUN}bad\n"), "rb") as raw:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw))
        with pytest.raises(FormatError, match="standard input, line 3"):
            read_run("-")


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n", "\ufeff", "\ufeff\n", "\r\r"])
def test_a_file_of_nothing_is_empty(write, text):
    for read in (read_run, read_qrels):
        with pytest.raises(InputError, match="is empty") as e:
            read(write("file", text))
        assert e.value.hint == "was the right file given?"


def test_judgments_of_comments_only_are_no_judgments(write):
    with pytest.raises(InputError, match="no judgment in it"):
        read_qrels(write("qrels", "# nothing here\n"))


def test_a_first_line_of_the_other_kind_asks_whether_the_files_are_swapped(write):
    with pytest.raises(FormatError, match="this is a qrels line") as e:
        read_run(write("run", GOOD_QRELS))
    assert "swapped" in e.value.hint
    with pytest.raises(FormatError, match="this is a run line") as e:
        read_qrels(write("qrels", GOOD_RUN))
    assert "swapped" in e.value.hint


@pytest.mark.parametrize("read", [read_run, read_qrels])
def test_csv_without_a_header_is_told_so(write, read):
    with pytest.raises(FormatError, match="looks like CSV") as e:
        read(write("x.csv", "q1,a,1.5\nq1,b,1\n"))
    assert "first line that names its columns" in e.value.hint


def test_a_blank_that_may_stand_in_either_name_is_left_open(write):
    with pytest.raises(FormatError, match="either the document id 'd 1' or the tag '2 x'"):
        read_run(write("run", "q1 Q0 d 1 1 2 x\n"))
