"""Objects in memory that hold judgments or a run: dictionaries, lists, frames, Arrow tables.

A frame is known by the module its type comes from, so that no optional package is imported to
look at an object of another. Nothing that is passed in is changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.errors import FormatError
from cranfield.formats.cells import Place
from cranfield.formats.jsonl import rows_from_pairs, rows_from_records
from cranfield.formats.names import Kind, resolve, value_name
from cranfield.formats.rows import Rows
from cranfield.formats.tabular import rows_from_columns, rows_from_values


def rows_from_object(obj: Any, kind: Kind) -> Rows | None:
    """The rows of {query: {document: number}}, {column: values}, a list of (query, document,
    number) or of records, a pandas or Polars frame, an Arrow table; None for anything else."""
    where = "the dictionary" if isinstance(obj, Mapping) else f"the {type(obj).__name__}"
    if isinstance(obj, Mapping):
        if obj and all(isinstance(column, (list, tuple)) for column in obj.values()):
            return _from_lists(obj, kind, where)
        return rows_from_pairs(obj.items(), kind, where)
    if isinstance(obj, (list, tuple)):
        return _from_list(obj, kind, where)
    package = type(obj).__module__.partition(".")[0]
    name = type(obj).__name__
    if package == "pandas" and name == "DataFrame":
        return _from_pandas(obj, kind, where)
    if package == "polars" and name in ("DataFrame", "LazyFrame"):
        frame = obj.collect() if name == "LazyFrame" else obj
        return rows_from_columns({c: frame[c] for c in frame.columns}, kind, where)
    if package == "pyarrow" and name in ("Table", "RecordBatch"):
        from cranfield.formats.arrow import rows_from_table

        return rows_from_table(obj, kind, where)
    return None


def _from_pandas(frame: Any, kind: Kind, where: str) -> Rows:
    names = [str(label) for label in frame.columns]
    try:
        resolve(names, kind, file=where)  # labels may repeat, which a dictionary would hide
        columns = {name: frame.iloc[:, i] for i, name in enumerate(names)}
        return rows_from_columns(columns, kind, where)
    except FormatError as e:
        in_index = [n for n in frame.index.names if isinstance(n, str)]
        if not in_index:
            raise
        hint = f"{', '.join(in_index)} in the index? then pass frame.reset_index()"
        raise FormatError(e.problem, hint, file=where) from None


def _from_lists(obj: Mapping[Any, Any], kind: Kind, where: str) -> Rows:
    lengths = {len(column) for column in obj.values()}
    if len(lengths) > 1:
        shown = ", ".join(f"{name!r} {len(column)}" for name, column in obj.items())
        raise FormatError("columns of different lengths: " + shown, file=where)
    return rows_from_columns({str(k): v for k, v in obj.items()}, kind, where)


def _from_list(obj: Any, kind: Kind, where: str) -> Rows:
    rows = list(obj)
    if all(isinstance(row, Mapping) for row in rows) and rows:
        return rows_from_records(rows, kind, where)
    if rows and all(isinstance(row, tuple) and hasattr(row, "_fields") for row in rows):
        return rows_from_records([row._asdict() for row in rows], kind, where)
    for i, row in enumerate(rows):
        if not isinstance(row, (list, tuple)) or len(row) != 3:
            raise FormatError(
                f"item {i} (the first is 0) is {row!r}",
                f"every item is (query, document, {value_name(kind)})",
                file=where,
            )
    query, docs, value = ([row[c] for row in rows] for c in range(3))
    return rows_from_values(query, docs, value, {}, Place(where, kind))
