"""Grids in every output format."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import UnknownName
from cranfield.report.grid import Grid
from cranfield.report.render import FORMATS, render

GRID = Grid(
    ("run", "P@1", "n"),
    ("text", "score", "count"),
    (("a|b_c", 1 / 3, 2), ("查询", None, 3.0), ("100% & $x\\", 0.1 + 0.2, None)),
)


def test_programs_get_the_exact_number_and_people_four_decimals():
    assert repr(1 / 3) in render(GRID, "tsv").decode()
    assert repr(0.1 + 0.2) in render(GRID, "csv").decode()
    assert json.loads(render(GRID, "jsonl").splitlines()[2])["P@1"] == 0.1 + 0.2
    for form in ("table", "md", "latex"):
        text = render(GRID, form).decode()
        assert "0.3333" in text
        assert "0.33333" not in text


def test_undefined_is_empty_never_nan():
    assert render(GRID, "tsv").decode().splitlines()[2] == "查询\t\t3"
    assert json.loads(render(GRID, "jsonl").splitlines()[1])["P@1"] is None
    for form in FORMATS:
        assert b"nan" not in render(GRID, form).lower() or form == "parquet"


def test_signs_with_a_meaning_are_escaped():
    assert "a\\|b_c" in render(GRID, "md").decode()
    assert r"100\% \& \$x\textbackslash{}" in render(GRID, "latex").decode()
    assert r"a\textbar{}b\_c" in render(GRID, "latex").decode()


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("#1 {x} ~ ^", r"\#1 \{x\} \textasciitilde{} \textasciicircum{} & 1"),
        ("<a> `b`", r"\textless{}a\textgreater{} \textasciigrave{}b\textasciigrave{} & 1"),
        ("a--b---c", "a-{}-b-{}-{}-c & 1"),
        ("''", "'{}' & 1"),
        ("*", "{*} & 1"),
        ("[2pt]x", "{[}2pt]x & 1"),
        ("a[1]*", "a[1]* & 1"),
    ],
)
def test_latex_prints_a_name_sign_by_sign(name, row):
    text = render(Grid(("run", "n"), ("text", "count"), ((name, 1),)), "latex").decode()
    assert text.splitlines()[4] == row + r" \\"


def test_an_unknown_format_lists_those_there_are():
    with pytest.raises(UnknownName, match="latex"):
        render(GRID, "xml")


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\t\x00"), min_size=1)


@given(st.lists(st.tuples(NAMES, st.none() | st.floats(0, 1), st.integers(0, 99)), min_size=1))
def test_csv_tsv_and_json_lines_read_back(rows):
    grid = Grid(GRID.columns, GRID.kinds, tuple(rows))
    read = list(csv.reader(io.StringIO(render(grid, "csv").decode(), newline="")))
    assert [(r[0], float(r[1]) if r[1] else None, int(r[2])) for r in read[1:]] == rows
    lines = render(grid, "tsv").decode().split("\n")[1:-1]
    assert [line.split("\t")[0] for line in lines] == [r[0] for r in rows]
    records = render(grid, "jsonl").decode().split("\n")[:-1]
    assert [tuple(json.loads(r).values()) for r in records] == rows
