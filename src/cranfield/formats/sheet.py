"""A table with a header line whose columns may mean anything: CSV, TSV, semicolons, Parquet or
Arrow. What its columns are is the business of who asked for it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Floats, Ids, Index
from cranfield.errors import FormatError
from cranfield.formats.arrow import decoded_column, is_arrow, read_table
from cranfield.formats.cells import Place, as_list, ids_of
from cranfield.formats.inputs import Input
from cranfield.formats.names import delimiter_of
from cranfield.formats.problems import Problems
from cranfield.formats.tabular import records
from cranfield.formats.text import read_text
from cranfield.scan.numbers import parse_numbers

# What stands in a cell for which there is no value, in any case.
NOTHING = frozenset(("", "na", "n/a", "nan", "null", "none", "-", "<na>"))


@dataclass(frozen=True)
class Sheet:
    """A table read.

    Parameters
    ----------
    file, stem : the input's name for messages, and a short one.
    header : names of the columns, without blanks around them.
    columns : as many sequences of values, texts where the file is text.
    line : the line each row begins on; None where there are no lines.
    """

    file: str
    stem: str
    header: tuple[str, ...]
    columns: tuple[Sequence[Any], ...]
    line: Index | None

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def where(self, row: int) -> str:
        """A row in words, for a message about another one."""
        return f"row {row}" if self.line is None else f"line {self.line[row]}"

    def problem(self, row: int, problem: str, hint: str | None = None) -> FormatError:
        """What is wrong with a row, with its line where there are lines."""
        if self.line is None:
            return Place(self.file, "run").problem(row, problem, hint)
        line = int(self.line[row])
        text = ",".join(str(column[row]) for column in self.columns[:12])
        text += ",…" if len(self.columns) > 12 else ""
        return FormatError(problem, hint, file=self.file, line=line, text=text)

    def names(self, column: int, what: str) -> list[str]:
        """The ids of a column.

        Raises
        ------
        FormatError
            One is missing or neither text nor a whole number.
        """
        given = as_list(self.columns[column])
        stripped = [v.strip() if isinstance(v, str) else v for v in given]
        found, bad = ids_of(stripped, what, Place(self.file, "run", self.line))
        for row in sorted(bad):
            raise bad[row]
        return found.to_list()

    def numbers(self, column: int) -> tuple[Floats, NDArray[np.bool_]]:
        """(values, missing) of a column; a missing value is 0.

        Raises
        ------
        FormatError
            A cell holds neither a finite number nor nothing.
        """
        given = as_list(self.columns[column])
        texts = [_text(value) for value in given]
        missing = np.array([text.casefold() in NOTHING for text in texts], bool)
        plain = ["0" if gone else text for text, gone in zip(texts, missing.tolist(), strict=True)]
        values, _ = parse_numbers(Ids.of(t.encode("utf-8", "backslashreplace") for t in plain))
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            row = int(bad[0])
            name = self.header[column]
            raise self.problem(
                row,
                f"{texts[row]!r} in the column {name!r} is not a finite number",
                "a score is a number such as 0.25; an empty cell means that there is none",
            )
        return values, missing

    def holds_numbers(self, column: int) -> bool:
        """Whether any cell of a column is a number."""
        given = [_text(value) for value in as_list(self.columns[column])]
        values, _ = parse_numbers(Ids.of(t.encode("utf-8", "backslashreplace") for t in given))
        return bool(np.isfinite(values).any())


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value.strip() if isinstance(value, str) else repr(value)


def read_sheet(source: Input, *, all_errors: bool = False) -> Sheet:
    """A table from a CSV, TSV, Parquet or Arrow file.

    Raises
    ------
    FormatError
        It has no header, no rows, two columns of one name, or a row of another width.
    """
    if is_arrow(source.head):
        table = read_table(source)
        header = tuple(name.strip() for name in table.schema.names)
        columns = tuple(decoded_column(c).to_pylist() for c in table.columns)
        sheet = Sheet(source.name, source.stem, header, columns, None)
    else:
        sheet = _from_text(source, all_errors)
    again = next((name for name in sheet.header if sheet.header.count(name) > 1), None)
    if again is not None:
        raise FormatError(
            f"the column {again!r} stands twice in the header",
            "rename or drop one",
            file=source.name,
            line=None if sheet.line is None else 1,
        )
    if not len(sheet):
        raise FormatError("no rows below the header", "was it cut short?", file=source.name)
    return sheet


def _from_text(source: Input, all_errors: bool) -> Sheet:
    text = read_text(source)
    first = next((x for x in io.StringIO(text, newline="") if x.strip()), "").rstrip("\r\n")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(first), strict=True)
    table, lines, wrong = records(reader, source.name)
    if not table:
        raise FormatError("the file is empty", "was the right file given?", file=source.name)
    problems = Problems(all_errors)
    problems.add(wrong)
    problems.done()
    header = tuple(name.strip() for name in table[0])
    columns = tuple(zip(*table[1:], strict=True))
    return Sheet(source.name, source.stem, header, columns, np.array(lines[1:], np.int64))
