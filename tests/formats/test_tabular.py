"""CSV files and named columns: what an id and a number may be."""

from __future__ import annotations

import csv
import io
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import FormatError
from cranfield.formats.inputs import Input
from cranfield.formats.rows import Rows
from cranfield.formats.tabular import read_csv, rows_from_columns

SHARED = Path(os.environ.get("CRANFIELD_SHARED", Path(__file__).parents[3] / "shared"))


def _read(folder: Path, content: str | bytes, kind: Any = "qrels") -> Rows:
    path = folder / "in.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_csv(Input(path), kind)


def _rows(rows: Rows) -> list[tuple[str, str, float]]:
    return list(zip(rows.query, rows.docs, rows.value.tolist(), strict=True))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_every_delimiter_and_line_end(tmp_path: Path, delimiter: str, end: str) -> None:
    lines = [["query", "doc", "grade"], ["q1", "d1", "2"], ["q2", "d2", "0.5"]]
    text = end.join(delimiter.join(line) for line in lines)
    rows = _read(tmp_path, "\ufeff" + text)
    assert _rows(rows) == [("q1", "d1", 2.0), ("q2", "d2", 0.5)]
    assert rows.line is not None
    assert rows.line.tolist() == [2, 3]


def test_lines_are_counted_through_quotes_and_blank_lines(tmp_path: Path) -> None:
    rows = _read(tmp_path, 'query,doc,grade,note\n\nq1,"a ""b"", c\nd",1,x\n\nq2,e,2,\n')
    assert _rows(rows) == [("q1", 'a "b", c\nd', 1.0), ("q2", "e", 2.0)]
    assert rows.line is not None
    assert rows.line.tolist() == [3, 6]
    assert rows.extra["note"].to_list() == ["x", ""]


def test_ids_are_taken_as_they_are(tmp_path: Path) -> None:
    rows = _read(tmp_path, "query,doc,grade\n 001,#d\u00a0é , 1\n")
    assert _rows(rows) == [(" 001", "#d\u00a0é ", 1.0)]


def test_a_blank_after_every_delimiter_belongs_to_no_id(tmp_path: Path) -> None:
    assert _rows(_read(tmp_path, "query, doc, grade\nq1, d1, 2\n")) == [("q1", "d1", 2.0)]


def test_unknown_columns_are_said(tmp_path: Path) -> None:
    rows = _read(tmp_path, "query,doc,grade,url,rank\nq,d,1,u,1\n")
    assert dict(rows.skipped) == {"column 'url'": 1}


def test_wrong_widths_and_values_are_problems_with_their_lines(tmp_path: Path) -> None:
    rows = _read(tmp_path, "query,doc,grade\nq1,d1\nq1,d2,1_0\nq1,d3,1\nq1,,1\nq1,d4,inf\n")
    assert _rows(rows) == [("q1", "d3", 1.0)]
    said = [str(p) for p in rows.problems]
    assert [p.line for p in rows.problems] == [2, 3, 5, 6]
    assert "2 fields where the header names 3" in said[0]
    assert "in.csv, line 3: the grade '1_0' is not a number" in said[1]
    assert "hint: a grade is an integer or a fraction" in said[1]
    assert "the document id is missing" in said[2]
    assert "the grade inf is not finite" in said[3]


@pytest.mark.parametrize("text", ["nan", "NaN", "0x10", "1_0", "--1", "1e", "", "one", "１"])
def test_what_is_no_score(tmp_path: Path, text: str) -> None:
    rows = _read(tmp_path, f"query,doc,score\nq,d,{text}\n", "run")
    assert len(rows.problems) == 1
    assert rows.problems[0].line == 2


@pytest.mark.parametrize(
    ("text", "value"), [("inf", np.inf), ("-Infinity", -np.inf), ("+1.5e-3", 0.0015), (".5", 0.5)]
)
def test_what_is_a_score(tmp_path: Path, text: str, value: float) -> None:
    assert _read(tmp_path, f"query,doc,score\nq,d,{text}\n", "run").value.tolist() == [value]


def test_an_open_quote_is_said(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="not well-formed CSV") as e:
        _read(tmp_path, 'query,doc,grade\nq,"d,1\n')
    assert e.value.line == 2
    assert "double quote" in (e.value.hint or "")


@pytest.mark.parametrize(
    ("content", "problem", "line"),
    [
        (b"query,doc,grade\r\nq,caf\xe9,1\r\n", "byte 0xe9 is not UTF-8", 2),
        (b"query,doc,grade\n\nq,d\0,1\n", "NUL", 3),
        (b"query,doc,stars\nq,d,1\n", "no column for the grade", 1),
        (b"\n\n", "no header line", None),
    ],
)
def test_files_that_are_no_csv(
    tmp_path: Path, content: bytes, problem: str, line: int | None
) -> None:
    with pytest.raises(FormatError, match=problem) as e:
        _read(tmp_path, content)
    assert e.value.line == line
    assert e.value.file.endswith("in.csv")


def test_whole_numbers_are_ids_and_their_text_is_decimal() -> None:
    columns = {"query": [1, "1"], "doc": np.array([7, 8]), "grade": [True + 1, Decimal("0.5")]}
    assert _rows(rows_from_columns(columns, "qrels", "x")) == [("1", "7", 2.0), ("1", "8", 0.5)]


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (1.0, "number with a point"),
        (True, "neither text nor a whole number"),
        (None, "missing"),
        ("", "missing"),
        (float("nan"), "missing"),
        (b"d", "neither text"),
        ("\ud800", "not a Unicode text"),
    ],
)
def test_what_is_no_id(bad: Any, problem: str) -> None:
    rows = rows_from_columns({"qid": ["q", "q"], "docid": ["d", bad], "rel": [1, 1]}, "qrels", "x")
    assert _rows(rows) == [("q", "d", 1.0)]
    assert "x: row 1 (the first is 0): the document id" in str(rows.problems[0])
    assert problem in str(rows.problems[0])


def test_a_float_id_gets_the_way_out() -> None:
    columns = {"query": ["q"], "doc": np.array([12.0]), "score": [1.5]}
    (problem,) = rows_from_columns(columns, "run", "x").problems
    assert "dtype=str" in (problem.hint or "")


@pytest.mark.parametrize("bad", [True, None, "", "x", b"1", [1], float("nan"), 1j])
def test_what_is_no_number(bad: Any) -> None:
    rows = rows_from_columns({"query": ["q"], "doc": ["d"], "score": [bad]}, "run", "x")
    assert not len(rows.value)
    assert "the score" in str(rows.problems[0])


def test_no_more_than_twenty_problems_are_listed() -> None:
    columns = {"query": [""] * 99, "doc": ["d"] * 99, "score": ["x"] * 99}
    assert len(rows_from_columns(columns, "run", "x").problems) == 20


def test_nothing_is_changed() -> None:
    columns: dict[str, Any] = {"query": ["q"], "doc": [1], "score": np.array([1.5], np.float32)}
    rows = rows_from_columns(columns, "run", "x")
    rows.value[0] = 9
    assert columns["query"] == ["q"]
    assert columns["doc"] == [1]
    assert columns["score"].tolist() == [1.5]


_IDS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)


@given(st.lists(st.tuples(_IDS, _IDS, st.floats(allow_nan=False)), min_size=1))
def test_what_the_csv_module_writes_reads_back(
    tmp_path_factory: pytest.TempPathFactory, table: list[tuple[str, str, float]]
) -> None:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
    writer.writerow(["query", "doc", "score"])
    writer.writerows([q, d, repr(s)] for q, d, s in table)
    rows = _read(tmp_path_factory.mktemp("csv"), stream.getvalue(), "run")
    assert not rows.problems
    assert _rows(rows) == table


def test_several_judges_of_the_haystack_collection() -> None:
    path = SHARED / "collections" / "quepid-haystack" / "judgements.tsv"
    if not path.exists():
        pytest.skip("the shared data are not here; CRANFIELD_SHARED may say where they are")
    rows = read_csv(Input(path), "qrels")
    assert len(set(rows.extra["assessor"].to_list())) > 1
    assert dict(rows.skipped) == {"column 'unrateable'": 1}
    # 22 pairs could not be rated; the first twenty are named and none is among the rows
    assert {p.problem for p in rows.problems} == {"the grade 'None' is not a number"}
    assert len(rows.value) == 1942 - 22
    assert set(rows.value.tolist()) <= {0.0, 1.0, 2.0, 3.0}
