"""Score matrices in every layout, and what is said of broken ones."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.data.matrix import ScoreMatrix
from cranfield.errors import FormatError, InputError
from cranfield.formats.inputs import Input
from cranfield.formats.matrix import is_matrix, read_matrix

RUNS, QUERIES, MEASURES = ("bm25", "稠密检索", "a,b"), ("401", "402"), ("AP", "nDCG@10")
VALUES = np.arange(12.0).reshape(3, 2, 2) / 16
MATRIX = ScoreMatrix(RUNS, QUERIES, MEASURES, VALUES, "m")


def text_of(rows, delimiter=",") -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue().encode()


def long_rows(m: ScoreMatrix):
    yield ("run", "query", "measure", "value")
    for i, j, k in np.ndindex(m.values.shape):
        yield m.runs[i], m.queries[j], m.measures[k], repr(float(m.values[i, j, k]))


def wide_rows(m: ScoreMatrix):
    yield ("system", "topic", *m.measures)
    for i, j in np.ndindex(m.values.shape[:2]):
        yield m.runs[i], m.queries[j], *map(repr, m.values[i, j].tolist())


def grid_rows(m: ScoreMatrix, k: int, corner: str, *, turned: bool = False):
    values = m.values[:, :, k].T if turned else m.values[:, :, k]
    down, across = (m.queries, m.runs) if turned else (m.runs, m.queries)
    yield (corner, *across)
    for name, row in zip(down, values.tolist(), strict=True):
        yield (name, *map(repr, row))


def write(folder, name, rows, delimiter=","):
    path = folder / name
    path.write_bytes(text_of(rows, delimiter))
    return path


def same(found: ScoreMatrix, wanted: ScoreMatrix) -> bool:
    found = found.select(wanted.runs, wanted.queries, wanted.measures)
    return np.array_equal(found.values, wanted.values)


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
@pytest.mark.parametrize("layout", [long_rows, wide_rows])
def test_long_and_wide_hold_every_measure(tmp_path, layout, delimiter):
    found, notes = read_matrix(write(tmp_path, "m.csv", layout(MATRIX), delimiter))
    assert same(found, MATRIX)
    assert found.name == "m" and len(notes) == 1


def test_rows_in_any_order_are_the_same_matrix(tmp_path):
    head, *rows = long_rows(MATRIX)
    found, _ = read_matrix(write(tmp_path, "m.csv", [head, *rows[::-1]]))
    assert same(found, MATRIX)


@pytest.mark.parametrize(
    ("corner", "turned"),
    [("run", False), ("systems", False), ("Run\\Topic", False), ("topic", True), ("qid/run", True)],
)
def test_a_corner_tells_what_the_rows_are(tmp_path, corner, turned):
    paths = [
        write(tmp_path, f"{m}.csv", grid_rows(MATRIX, k, corner, turned=turned))
        for k, m in enumerate(("AP", "nDCG@10"))
    ]
    found, notes = read_matrix(*paths)
    assert same(found, MATRIX)
    assert len(notes) == 2 and not any("--rows" in note for note in notes)


def test_numbered_topics_tell_it_too_and_the_corner_names_the_measure(tmp_path):
    for turned in (False, True):
        path = write(tmp_path, f"scores{turned}.csv", grid_rows(MATRIX, 0, "AP", turned=turned))
        found, notes = read_matrix(path)
        assert same(found, MATRIX.select(measures=["AP"]))
        assert "--rows" not in notes[0]


def test_what_cannot_be_told_is_said_and_can_be_turned_around(tmp_path):
    matrix = ScoreMatrix(("1", "2", "3"), QUERIES, ("AP",), VALUES[:, :, :1], "m")
    path = write(tmp_path, "m.csv", grid_rows(matrix, 0, "AP"))
    found, (note,) = read_matrix(path)
    assert same(found, matrix) and "--rows queries" in note
    turned, (note,) = read_matrix(path, rows="queries")
    assert turned.runs == QUERIES and "--rows" not in note
    assert np.array_equal(turned.values[:, :, 0], matrix.values[:, :, 0].T)


def test_parquet_long_and_wide(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    head, *rows = long_rows(MATRIX)
    columns = dict(zip(head, zip(*rows, strict=True), strict=True))
    columns["value"] = [float(v) for v in columns["value"]]
    columns["query"] = [int(q) for q in columns["query"]]  # whole numbers are ids too
    parquet.write_table(pa.table(columns), tmp_path / "long.parquet")
    assert is_matrix(Input(tmp_path / "long.parquet"))
    assert same(read_matrix(tmp_path / "long.parquet")[0], MATRIX)
    head, *rows = wide_rows(MATRIX)
    names = dict(zip(head, zip(*rows, strict=True), strict=True))
    wide = {n: [float(v) for v in c] if n in MEASURES else c for n, c in names.items()}
    parquet.write_table(pa.table(wide), tmp_path / "wide.parquet")
    assert same(read_matrix(tmp_path / "wide.parquet")[0], MATRIX)


name = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(name, min_size=1, max_size=4, unique=True),
    st.lists(name, min_size=1, max_size=4, unique=True),
    st.data(),
)
def test_whatever_is_written_is_read(tmp_path_factory, runs, queries, data):
    numbers = st.floats(-10, 10, allow_nan=False)
    values = [[[data.draw(numbers)] for _ in queries] for _ in runs]
    matrix = ScoreMatrix(tuple(runs), tuple(queries), ("AP",), np.array(values), "m")
    folder = tmp_path_factory.mktemp("m")
    for layout in (long_rows, wide_rows):
        assert same(read_matrix(write(folder, "m.csv", layout(matrix), "\t"))[0], matrix)


def test_a_column_without_numbers_is_passed_over_and_named(tmp_path):
    rows = [("run", "query", "type", "AP"), ("a", "1", "exact", "0.5")]
    found, notes = read_matrix(write(tmp_path, "m.csv", rows))
    assert found.measures == ("AP",) and notes[1] == "m: column 'type' ignored"


def wrong(tmp_path, text: str, **options) -> str:
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_matrix(path, **options)
    assert caught.value.file == str(path)
    return str(caught.value).replace(str(path), "FILE")


def test_each_mistake_is_named_with_its_line(tmp_path):
    head = "run,query,measure,value\n"
    cases = {
        head + "a,1,AP\n": "FILE, line 2: 3 fields where the header names 4",
        head + "a,1,AP,0.5\na,1,AP,0.6\n": "FILE, line 3: a second value for run 'a', query '1', "
        "measure 'AP' (first on line 2)",
        head + "a,1,AP,high\n": "FILE, line 2: 'high' in the column 'value' is not a finite number",
        head + "a,1,AP,inf\n": "FILE, line 2: 'inf' in the column 'value' is not a finite number",
        head + ",1,AP,0.5\n": "FILE, line 2: the run id is missing",
        head + "a,1,AP,0.5\na,2,AP,\n": "FILE, line 3: no value for run 'a', query '2', "
        "measure 'AP'",
        head + "a,1,AP,0.5\nb,2,AP,1\n": "FILE: no value for run 'a', query '2', measure 'AP' "
        "(and 1 more of 4 cells)",
        "run,measure,value\na,AP,0.5\n": "FILE, line 1: no column for the query",
        "run,query,measure,a,b\nr,1,AP,0,0\n": "FILE, line 1: no column for the value",
        "run,system,query,AP\na,b,1,0\n": "FILE, line 1: the columns 'run' and 'system' both look "
        "like the run",
        "run,1,1\na,0,0\n": "FILE, line 1: the column '1' stands twice in the header",
        "run,1,2\na,0,0\na,1,1\n": "FILE, line 3: a second value for run 'a', query '1'",
        "run,1,2\n": "FILE: no rows below the header",
        "run,query,type\na,1,x\n": "FILE: no column of numbers",
        "run,1,\na,0,0\n": "FILE, line 1: column 3 of the header has no name",
    }
    for text, said in cases.items():
        assert wrong(tmp_path, text).startswith(said), text


def test_a_missing_cell_counts_as_zero_only_when_asked(tmp_path):
    text = "run,1,2\na,0.5,\nb,NA,0.25\n"
    assert "--missing zero" in wrong(tmp_path, text)
    found, notes = read_matrix(tmp_path / "bad.csv", missing="zero")
    assert found.values[:, :, 0].tolist() == [[0.5, 0.0], [0.0, 0.25]]
    assert found.missing == (1, 1)
    assert "2 of 4 cells have no value and count as 0 (the first: run 'a', query '2'" in notes[-1]


def test_two_files_must_not_give_the_same_cell(tmp_path):
    paths = [write(tmp_path, f"{i}.csv", grid_rows(MATRIX, 0, "AP")) for i in range(2)]
    with pytest.raises(FormatError, match=r"1\.csv, line 2: a second value .*first in .*0\.csv"):
        read_matrix(*paths)


def test_one_column_is_no_matrix(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text("run\na\n")
    with pytest.raises(InputError, match="one column is no score matrix"):
        read_matrix(path)


def test_judgments_and_runs_are_not_taken_for_a_matrix(tmp_path):
    texts = {
        "qrels.txt": ("1 0 d1 1\n1 0 d2 0\n", False),
        "run.txt": ("1 Q0 d1 1 0.5 x\n", False),
        "qrels.csv": ("query,doc,grade\n1,d1,1\n", False),
        "run.csv": ("query,doc,score\n1,d1,1\n", False),
        "beir.tsv": ("query-id\tcorpus-id\tscore\n1\td\t1\n", False),
        "run-named.csv": ("run,query,doc,score\nx,1,d1,1\n", False),
        "qrels.tsv": ("1\t0\t17\t1\n1\t0\t18\t0\n", False),
        "run.tsv": ("1\tQ0\t17\t1\t0.5\tx\n1\tQ0\t18\t2\t0.4\tx\n", False),
        "four.tsv": ("AP\t1\t2\t3\na\t0.5\t0.25\t1\n", True),
        "run.json": ('{"1": {"d": 1}, "2": {}}\n', False),
        "long.csv": (text_of(long_rows(MATRIX)).decode(), True),
        "wide.csv": (text_of(wide_rows(MATRIX)).decode(), True),
        "grid.csv": (text_of(grid_rows(MATRIX, 0, "AP")).decode(), True),
        "grid.tsv": (text_of(grid_rows(MATRIX, 0, "AP"), "\t").decode(), True),
    }
    for file, (text, wanted) in texts.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
        assert is_matrix(Input(tmp_path / file)) == wanted, file


def test_shared_matrices(shared):
    folder = shared / "score-matrices"
    found, _ = read_matrix(folder / "robust2004-ap-110x249.csv")
    assert found.values.shape == (110, 249, 1) and found.measures == ("AP",)
    assert found.queries[0] == "301" and "672" not in found.queries
    found, (note,) = read_matrix(folder / "trec8-adhoc-ap-129x50.csv")
    assert found.values.shape == (129, 50, 1) and found.queries[0] == "401"
    assert "a row a run" in note
