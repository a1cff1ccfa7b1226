"""Parquet and Arrow files and Arrow tables: id columns are taken over by their buffers, without a
Python string for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Floats, Ids
from cranfield.errors import FormatError, MissingExtra, clip
from cranfield.formats.cells import NUMBER_HINT, are_fine, number_problem
from cranfield.formats.inputs import Input
from cranfield.formats.names import EXTRAS, LABELS, Kind, passed_over, resolve, value_name
from cranfield.formats.rows import Rows
from cranfield.scan.numbers import parse_numbers

_PARQUET = b"PAR1"
_ARROW_FILE = b"ARROW1"
_ARROW_STREAM = b"\xff\xff\xff\xff"


def read_arrow(source: Input, kind: Kind) -> Rows:
    """A Parquet file, or an Arrow IPC file or stream (Feather), told apart by its first bytes."""
    return rows_from_table(read_table(source), kind, source.name)


def is_arrow(head: bytes) -> bool:
    """Whether a file that begins so is Parquet or Arrow."""
    return head.startswith((_PARQUET, _ARROW_FILE, _ARROW_STREAM))


def read_table(source: Input) -> Any:
    """The pyarrow Table of a Parquet or Arrow file.

    Raises
    ------
    FormatError
        The file is damaged.
    """
    pa = need_pyarrow(source.name)
    with source.open() as stream:
        data = stream.read()
    try:
        table = _table(pa, data)
        table.validate(full=True)  # offsets of a damaged file would lead anywhere
        list(table.schema.names)  # and a name may be no UTF-8
    except (pa.ArrowException, OSError, UnicodeDecodeError) as e:
        raise FormatError(
            f"not a whole Parquet or Arrow file ({clip(str(e).split(chr(10))[0])})",
            "was it cut short on the way?",
            file=source.name,
        ) from None
    return table


def _table(pa: Any, data: bytes) -> Any:
    buffer = pa.BufferReader(data)
    if data.startswith(_PARQUET):
        from pyarrow import parquet

        return parquet.ParquetFile(buffer).read()
    opened = pa.ipc.open_file if data.startswith(_ARROW_FILE) else pa.ipc.open_stream
    with opened(buffer) as reader:
        return reader.read_all()


def rows_from_table(table: Any, kind: Kind, file: str) -> Rows:
    """Rows of a pyarrow Table or RecordBatch; it is not changed.

    Raises
    ------
    FormatError
        A column is missing or of a type that holds no ids or numbers, or a value is null.
    """
    names = list(table.schema.names)
    role = resolve(names, kind, file=file)
    query = _ids(table.column(role["query"]), "query", file)
    docs = _ids(table.column(role["doc"]), "document", file)
    value = _numbers(table.column(role[value_name(kind)]), kind, file)
    extra = {
        name: _labels(table.column(role[name]), name, file)
        for name in (*EXTRAS, *LABELS)
        if name in role
    }
    return Rows(query, docs, value, None, extra, skipped=passed_over(names, kind))


def to_table(columns: Mapping[str, Ids | NDArray[Any]]) -> Any:
    """A pyarrow Table; id columns are handed over as bytes."""
    pa = need_pyarrow("an Arrow table")
    arrays = {}
    for name, column in columns.items():
        if not isinstance(column, Ids):
            arrays[name] = pa.array(column)
            continue
        ends = np.concatenate([[0], np.cumsum(column.length)]).astype(np.int64)
        buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(column.to_bytes()))]
        text = pa.Array.from_buffers(pa.large_string(), len(column), buffers)
        # the plain string type is the one every reader knows; it ends at 2 GiB
        arrays[name] = text.cast(pa.string()) if ends[-1] < 1 << 31 else text
    return pa.table(arrays)


def write_table(table: Any, stream: BinaryIO, form: str) -> None:
    """A table as `parquet` or `arrow` (the IPC file format, which is Feather's)."""
    pa = need_pyarrow("a Parquet or Arrow file")
    if form == "parquet":
        from pyarrow import parquet

        parquet.write_table(table, pa.PythonFile(stream, mode="w"))
    else:
        with pa.ipc.new_file(pa.PythonFile(stream, mode="w"), table.schema) as writer:
            writer.write_table(table)


def _ids(column: Any, what: str, file: str) -> Ids:
    plain = decoded_column(column)
    types = need_pyarrow("an Arrow table").types
    if types.is_floating(plain.type) or types.is_decimal(plain.type):
        raise FormatError(
            f"the {what} ids are numbers with a point (type {plain.type})",
            "ids are text: store the column as string or as whole numbers",
            file=file,
        )
    if not _is_text(types, plain.type) and not types.is_integer(plain.type):
        raise FormatError(f"the {what} ids have type {plain.type}", "ids are text", file=file)
    _no_nulls(plain, f"the {what} id", file)
    ids = _text(plain, file)
    missing = np.flatnonzero(ids.length == 0)
    if len(missing):
        raise FormatError(
            f"row {missing[0]} (the first is 0): the {what} id is missing",
            "every row needs a query id and a document id",
            file=file,
        )
    return ids


def _numbers(column: Any, kind: Kind, file: str) -> Floats:
    pa = need_pyarrow("an Arrow table")
    plain = decoded_column(column)
    what = value_name(kind)
    _no_nulls(plain, f"the {what}", file)
    if _is_text(pa.types, plain.type):
        values, _ = parse_numbers(_text(plain, file))
    elif pa.types.is_boolean(plain.type) or pa.types.is_temporal(plain.type):
        raise FormatError(f"the {what} has type {plain.type}", NUMBER_HINT[kind], file=file)
    else:
        try:
            # not "safe": a whole number beyond 2^53 becomes the nearest double, as in a text file
            values = plain.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        except pa.ArrowException:
            problem = f"the {what} has type {plain.type}"
            raise FormatError(problem, NUMBER_HINT[kind], file=file) from None
    bad = np.flatnonzero(~are_fine(values, kind))
    if len(bad):
        row = int(bad[0])
        raise FormatError(
            f"row {row} (the first is 0): {number_problem(plain[row].as_py(), kind)}",
            NUMBER_HINT[kind],
            file=file,
        )
    return np.array(values, np.float64)


def _labels(column: Any, name: str, file: str) -> Ids:
    """An optional column; a missing label is an empty text, a missing iteration `0`."""
    pa = need_pyarrow("an Arrow table")
    plain = decoded_column(column)
    try:
        text = plain.cast(pa.large_string())
    except pa.ArrowException:
        raise FormatError(
            f"the column {name!r} has type {plain.type}", "labels are text", file=file
        ) from None
    empty = "0" if name == "iteration" else ""
    text = text.fill_null(empty)
    if empty:
        text = pa.array([value or empty for value in text.to_pylist()], pa.large_string())
    return _text(text, file)


def decoded_column(column: Any) -> Any:
    """A column as one array, a dictionary replaced by its values."""
    pa = need_pyarrow("an Arrow table")
    if isinstance(column, pa.ChunkedArray):
        column = column.cast(column.type.value_type) if _is_dictionary(column) else column
        chunks = column.chunks
        return pa.concat_arrays(chunks) if chunks else pa.array([], column.type)
    return column.dictionary_decode() if _is_dictionary(column) else column


def _is_dictionary(column: Any) -> bool:
    return bool(need_pyarrow("an Arrow table").types.is_dictionary(column.type))


def _is_text(types: Any, kind: Any) -> bool:
    return any(
        check(kind)
        for check in (
            types.is_string,
            types.is_large_string,
            types.is_string_view,
            types.is_binary,
            types.is_large_binary,
        )
    )


def _no_nulls(plain: Any, what: str, file: str) -> None:
    if plain.null_count:
        row = plain.is_null().to_pylist().index(True)
        raise FormatError(
            f"row {row} (the first is 0): {what} is missing (null)",
            "every row needs a query id, a document id and a number",
            file=file,
        )


def _text(plain: Any, file: str) -> Ids:
    """Ids over the bytes of a text column, or of the decimal digits of whole numbers."""
    pa = need_pyarrow("an Arrow table")
    try:
        text = plain.cast(pa.large_string())
        text.validate(full=True)  # offsets in range, bytes UTF-8: a file may claim what it is not
    except pa.ArrowException as e:
        problem = f"a text column is damaged ({clip(str(e).split(chr(10))[0])})"
        raise FormatError(problem, "ids are UTF-8 text", file=file) from None
    _, offsets, data = text.buffers()
    ends = np.frombuffer(offsets, np.int64)[text.offset : text.offset + len(text) + 1]
    if data is None or not len(text):
        return Ids.from_lengths(b"", np.zeros(len(text), np.int64))
    return Ids.from_lengths(data.to_pybytes()[ends[0] : ends[-1]], np.diff(ends))


def need_pyarrow(what: str) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra(what, "arrow") from None
    return pyarrow
