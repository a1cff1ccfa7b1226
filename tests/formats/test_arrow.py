"""Parquet and Arrow: files, tables, column types, and what they must not hold."""

from __future__ import annotations

import builtins
import decimal
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import FormatError, MissingExtra
from cranfield.formats.arrow import read_arrow, rows_from_table, to_table
from cranfield.formats.inputs import Input
from cranfield.formats.rows import Rows

pa = pytest.importorskip("pyarrow", reason="pyarrow is an optional package")
SHARED = Path(os.environ.get("CRANFIELD_SHARED", Path(__file__).parents[3] / "shared"))


def _rows(rows: Rows) -> list[tuple[str, str, float]]:
    return list(zip(rows.query, rows.docs, rows.value.tolist(), strict=True))


def _table(**columns: Any) -> Any:
    return pa.table({"query": ["q", "q"], "doc": ["d1", "d\u00a0é"], "grade": [2, -1], **columns})


EXPECTED = [("q", "d1", 2.0), ("q", "d\u00a0é", -1.0)]


def test_a_parquet_file(tmp_path: Path) -> None:
    from pyarrow import parquet

    path = tmp_path / "j.bin"  # told by what it holds, not by its name
    parquet.write_table(_table(), path)
    assert _rows(read_arrow(Input(path), "qrels")) == EXPECTED


@pytest.mark.parametrize("form", ["file", "stream"])
def test_arrow_files_and_streams(tmp_path: Path, form: str) -> None:
    path = tmp_path / "j.arrow"
    table = _table()
    writer = pa.ipc.new_file if form == "file" else pa.ipc.new_stream
    with writer(str(path), table.schema) as out:
        out.write_table(table, max_chunksize=1)  # two record batches
    assert _rows(read_arrow(Input(path), "qrels")) == EXPECTED


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.binary(),
        pa.large_binary(),
        pa.dictionary(pa.int32(), pa.string()),
        pa.dictionary(pa.int8(), pa.large_string()),
    ],
    ids=str,
)
def test_text_columns_of_every_type(kind: Any) -> None:
    docs = pa.array(["d1", "d\u00a0é"]).cast(kind)
    assert _rows(rows_from_table(_table(doc=docs), "qrels", "t")) == EXPECTED


def test_slices_chunks_and_batches() -> None:
    table = pa.concat_tables([_table(), _table()])
    assert _rows(rows_from_table(table.slice(1, 2), "qrels", "t")) == [EXPECTED[1], EXPECTED[0]]
    assert _rows(rows_from_table(_table().to_batches()[0], "qrels", "t")) == EXPECTED
    assert _rows(rows_from_table(_table().slice(0, 0), "qrels", "t")) == []
    encoded = pa.chunked_array([pa.array(["a"]).dictionary_encode()] * 2)
    assert rows_from_table(_table(doc=encoded), "qrels", "t").docs.to_list() == ["a", "a"]


def test_whole_numbers_are_ids_and_many_types_are_numbers() -> None:
    table = _table(query=pa.array([1, 2], pa.uint16()))
    assert rows_from_table(table, "qrels", "t").query.to_list() == ["1", "2"]
    for numbers in (
        pa.array([2, -1], pa.int8()),
        pa.array([2, -1], pa.float32()),
        pa.array([decimal.Decimal("2.0"), decimal.Decimal("-1.0")]),
        pa.array(["2", "-1"]),
    ):
        assert _rows(rows_from_table(_table(grade=numbers), "qrels", "t")) == EXPECTED


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"doc": pa.array([1.0, 2.0])}, "the document ids are numbers with a point (type double)"),
        ({"doc": pa.array([True, False])}, "the document ids have type bool"),
        ({"query": pa.array(["q", None])}, "row 1 (the first is 0): the query id is missing"),
        ({"doc": pa.array(["d", ""])}, "row 1 (the first is 0): the document id is missing"),
        ({"doc": pa.array([b"d", b"\xff"])}, "a text column is damaged"),
        ({"grade": pa.array([1, None])}, "row 1 (the first is 0): the grade is missing (null)"),
        ({"grade": pa.array([1.0, float("nan")])}, "row 1 (the first is 0): the grade is NaN"),
        ({"grade": pa.array([float("inf"), 1])}, "row 0 (the first is 0): the grade inf is not"),
        ({"grade": pa.array(["1", "1_0"])}, "row 1 (the first is 0): the grade '1_0' is not a"),
        ({"grade": pa.array([True, False])}, "the grade has type bool"),
        ({"grade": pa.array([[1], [2]])}, "the grade has type list"),
    ],
)
def test_what_is_refused(columns: dict[str, Any], problem: str) -> None:
    with pytest.raises(FormatError) as e:
        rows_from_table(_table(**columns), "qrels", "j.parquet")
    assert str(e.value).startswith("j.parquet: ")
    assert problem in str(e.value)


def test_infinite_scores_are_scores() -> None:
    table = pa.table({"query": ["q"], "doc": ["d"], "score": [float("-inf")]})
    assert rows_from_table(table, "run", "t").value.tolist() == [-np.inf]


def test_labels_and_unknown_columns() -> None:
    table = _table(iteration=[None, 3], note=["why", None], url=["u", "v"])
    rows = rows_from_table(table, "qrels", "t")
    assert rows.extra["iteration"].to_list() == ["0", "3"]
    assert rows.extra["note"].to_list() == ["why", ""]
    assert dict(rows.skipped) == {"column 'url'": 1}


def test_a_name_twice_is_refused() -> None:
    table = pa.table([pa.array(["q"])] * 2 + [pa.array([1])], ["query", "query", "grade"])
    with pytest.raises(FormatError, match="'query' and 'query' both look like the query"):
        rows_from_table(table, "qrels", "t")


@pytest.mark.parametrize("head", [b"PAR1", b"ARROW1\0\0", b"\xff\xff\xff\xff"])
def test_a_cut_file_is_said(tmp_path: Path, head: bytes) -> None:
    path = tmp_path / "cut.parquet"
    path.write_bytes(head + b"\x10\0\0\0 something else")
    with pytest.raises(FormatError, match="not a whole Parquet or Arrow file") as e:
        read_arrow(Input(path), "run")
    assert e.value.file == str(path)


def test_without_pyarrow_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.parquet"
    path.write_bytes(b"PAR1")
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=r"cranfield\[arrow\]"):
        read_arrow(Input(path), "run")


_IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(st.lists(st.tuples(_IDS, _IDS, st.floats(allow_nan=False))), st.integers(0, 3))
def test_every_id_comes_back(table: list[tuple[str, str, float]], skip: int) -> None:
    columns = {
        "query": pa.array([r[0] for r in table], pa.string()),
        "doc": pa.array([r[1] for r in table], pa.string()),
        "score": pa.array([r[2] for r in table], pa.float64()),
    }
    rows = rows_from_table(pa.table(columns).slice(skip), "run", "t")
    assert _rows(rows) == table[skip:]
    again = rows_from_table(
        to_table({"query": rows.query, "doc": rows.docs, "score": rows.value}), "run", "t"
    )
    assert _rows(again) == table[skip:]


def test_a_run_as_parquet_equals_the_text_it_came_from(tmp_path: Path) -> None:
    runs = SHARED / "runs" / "trec-covid-r1" / "runs"
    if not runs.exists():
        pytest.skip("the shared data are not here; CRANFIELD_SHARED may say where they are")
    from pyarrow import parquet

    with Input(sorted(runs.iterdir())[0]).open() as stream:
        lines = [line.split() for line in stream.read().decode().splitlines()]
    columns = {"qid": [c[0] for c in lines], "docno": [c[2] for c in lines]}
    parquet.write_table(pa.table({**columns, "score": [c[4] for c in lines]}), tmp_path / "r")
    rows = read_arrow(Input(tmp_path / "r"), "run")
    assert rows.docs.to_list() == columns["docno"]
    assert rows.value.tolist() == [float(c[4]) for c in lines]
