"""Rows from named columns of Python values, and CSV files."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.data.columns import Index
from cranfield.errors import FormatError
from cranfield.formats.cells import Place, are_fine, beyond_float, ids_of, labels_of, numbers_of
from cranfield.formats.inputs import Input
from cranfield.formats.names import (
    EXTRAS,
    LABELS,
    Kind,
    delimiter_of,
    passed_over,
    resolve,
    value_name,
)
from cranfield.formats.problems import MOST
from cranfield.formats.rows import BEYOND, Rows
from cranfield.formats.text import read_text


def rows_from_columns(
    columns: Mapping[str, Any], kind: Kind, file: str, line: Index | None = None
) -> Rows:
    """Rows from named columns (lists, arrays, pandas or Polars series).

    `line` holds the line each row stands on, where there are lines. Rows with a missing or
    unusable id or number become problems (no more than twenty are looked at).
    """
    names = list(columns)
    role = resolve(names, kind, file=file)
    extra = {k: columns[role[k]] for k in (*EXTRAS, *LABELS) if k in role}
    rows = rows_from_values(
        columns[role["query"]],
        columns[role["doc"]],
        columns[role[value_name(kind)]],
        extra,
        Place(file, kind, line),
    )
    rows.skipped.update(passed_over(names, kind))
    return rows


def rows_from_values(
    query: Any, doc: Any, value: Any, extra: Mapping[str, Any], place: Place
) -> Rows:
    """Rows from one sequence a role; `extra` those of iteration, source, assessor, note."""
    queries, bad_queries = ids_of(query, "query", place)
    docs, bad_docs = ids_of(doc, "document", place)
    values, bad_values = numbers_of(value, place)
    more = {name: labels_of(column, name) for name, column in extra.items()}
    problems = {**bad_values, **bad_docs, **bad_queries}
    keep: Any = slice(None)
    if problems:
        # not only the rows named: of many bad rows the first twenty are
        good = (queries.length > 0) & (docs.length > 0) & are_fine(values, place.kind)
        keep = np.flatnonzero(good)
    beyond = beyond_float(value, values) if place.kind == "run" else 0
    return Rows(
        queries.take(keep),
        docs.take(keep),
        values[keep],
        None if place.line is None else place.line[keep],
        {name: column.take(keep) for name, column in more.items()},
        skipped=Counter({BEYOND: beyond} if beyond else {}),
        problems=[problems[row] for row in sorted(problems)[:MOST]],
    )


def read_csv(source: Input, kind: Kind) -> Rows:
    """A CSV file with a header line; comma, tab or semicolon, told from the header.

    Numbers may have blanks around them; ids are taken as they are.
    """
    text = read_text(source)
    delimiter, loose = _dialect(text)
    stream = io.StringIO(text, newline="")
    reader = csv.reader(stream, delimiter=delimiter, skipinitialspace=loose, strict=True)
    table, lines, problems = records(reader, source.name)
    if not table:
        raise FormatError("no header line", "the first line names the columns", file=source.name)
    header = [name.strip() for name in table[0]]
    resolve(header, kind, file=source.name, line=lines[0])
    columns = list(zip(*table[1:], strict=True)) or [()] * len(header)
    named = dict(zip(header, columns, strict=True))
    rows = rows_from_columns(named, kind, source.name, np.array(lines[1:], np.int64))
    rows.problems.extend(problems)
    rows.problems.sort(key=lambda p: p.line or 0)
    return rows


def _dialect(text: str) -> tuple[str, bool]:
    """The delimiter, and whether a blank follows each (and belongs to no field)."""
    lines = (line for line in io.StringIO(text, newline="") if line.strip())
    header = next(lines, "")
    delimiter = delimiter_of(header.rstrip("\r\n"))
    rest = header.split(delimiter)[1:]
    return delimiter, bool(rest) and all(field.startswith(" ") for field in rest)


def records(reader: Any, file: str) -> tuple[list[list[str]], list[int], list[FormatError]]:
    """The records as wide as the first, the line each begins on, and the others as problems."""
    table: list[list[str]] = []
    lines: list[int] = []
    problems: list[FormatError] = []
    begin = 1
    try:
        for record in reader:
            line, begin = begin, reader.line_num + 1
            if not record or (len(record) == 1 and not record[0].strip()):
                continue
            if not table or len(record) == len(table[0]):
                table.append(record)
                lines.append(line)
            elif len(problems) < MOST:
                problems.append(
                    _wrong_width(record, len(table[0]), reader.dialect.delimiter, file, line)
                )
    except csv.Error as e:
        raise FormatError(
            f"not well-formed CSV ({e})",
            "is there a double quote that is not closed or not doubled?",
            file=file,
            line=begin,
        ) from None
    return table, lines, problems


def _wrong_width(
    record: list[str], width: int, delimiter: str, file: str, line: int
) -> FormatError:
    n = len(record)
    return FormatError(
        f"{n} field{'s' if n != 1 else ''} where the header names {width}",
        'a field that holds the delimiter must stand in double quotes: "a,b"',
        file=file,
        line=line,
        text=delimiter.join(record),
    )
