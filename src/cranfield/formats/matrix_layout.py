"""The layouts of a score matrix in a file, told apart by the header: `long` has the columns run,
query, measure and value; `wide` has run, query and a column a measure; a `grid` holds one measure,
a row a run and a column a query, or the other way about, and its corner may name the measure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Floats, Index
from cranfield.errors import FormatError, InputError
from cranfield.formats.names import QUERY
from cranfield.formats.sheet import Sheet

Rows = Literal["runs", "queries"]
RUN = "run run_id run-id runid run_name system system_id system-id sys tag method".split()
MEASURE = "measure metric".split()
VALUE = "value score".split()
_RUNS = frozenset((*RUN, "runs", "systems"))
_QUERIES = frozenset((*QUERY, "queries", "topics", "qids"))
_CORNER = re.compile(r"\s*([^\W\d][\w-]*)\s*[\\/|]\s*([^\W\d][\w-]*)\s*")
_WHOLE = re.compile(r"\d+")


@dataclass(frozen=True)
class Cells:
    """Cells of a file.

    Parameters
    ----------
    runs, queries, measures : names.
    run, query, measure : of each cell, which of these names.
    value, missing : of each cell; the value is 0 where it is missing.
    row : of the sheet, for each cell.
    notes : what was found out about the file, in words.
    """

    sheet: Sheet
    runs: list[str]
    queries: list[str]
    measures: list[str]
    run: Index
    query: Index
    measure: Index
    value: Floats
    missing: NDArray[np.bool_]
    row: Index
    notes: list[str]


def cells_of(sheet: Sheet, rows: Rows | None) -> Cells:
    """The cells of a file in whichever layout it has."""
    run, query = _role(sheet, RUN, "run"), _role(sheet, QUERY, "query")
    measure, value = _role(sheet, MEASURE, "measure"), _role(sheet, VALUE, "value", check=False)
    if run is not None and query is not None:
        if measure is not None:
            return _long(sheet, run, query, measure, value)
        return _wide(sheet, run, query)
    if measure is not None and value is not None:
        lacking, names = ("run", RUN) if run is None else ("query", QUERY)
        raise FormatError(
            f"no column for the {lacking}; columns found: {', '.join(map(repr, sheet.header))}",
            f"name it one of: {', '.join(names)}",
            file=sheet.file,
            line=None if sheet.line is None else 1,
        )
    return _grid(sheet, rows)


def _role(sheet: Sheet, names: Sequence[str], what: str, *, check: bool = True) -> int | None:
    found = [i for i, n in enumerate(sheet.header) if n.casefold() in names]
    if len(found) > 1 and check:
        shown = " and ".join(repr(sheet.header[i]) for i in found)
        raise FormatError(
            f"the columns {shown} both look like the {what}",
            f"rename or drop one; the {what} is best called {what!r}",
            file=sheet.file,
            line=None if sheet.line is None else 1,
        )
    return found[0] if len(found) == 1 else None


def _coded(names: list[str]) -> tuple[list[str], Index]:
    table = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return list(table), np.array([table[name] for name in names], np.int64)


def _long(sheet: Sheet, run: int, query: int, measure: int, value: int | None) -> Cells:
    rest = [i for i in range(len(sheet.header)) if i not in (run, query, measure)]
    if value is None and len(rest) == 1:
        value = rest[0]
    if value is None:
        raise FormatError(
            f"no column for the value; columns found: {', '.join(map(repr, sheet.header))}",
            f"name it one of: {', '.join(VALUE)}",
            file=sheet.file,
            line=None if sheet.line is None else 1,
        )
    runs, r = _coded(sheet.names(run, "run"))
    queries, q = _coded(sheet.names(query, "query"))
    measures, m = _coded(sheet.names(measure, "measure"))
    values, gone = sheet.numbers(value)
    notes = [f"{sheet.stem}: one row a value ({len(values):,} of them)"]
    notes += [_ignored(sheet, i) for i in rest if i != value]
    row = np.arange(len(values))
    return Cells(sheet, runs, queries, measures, r, q, m, values, gone, row, notes)


def _wide(sheet: Sheet, run: int, query: int) -> Cells:
    rest = [i for i in range(len(sheet.header)) if i not in (run, query)]
    used = [i for i in rest if sheet.holds_numbers(i)]
    if not used:
        raise FormatError(
            "no column of numbers beside the run and the query",
            "each further column is a measure and holds its values",
            file=sheet.file,
        )
    runs, r = _coded(sheet.names(run, "run"))
    queries, q = _coded(sheet.names(query, "query"))
    measures = [sheet.header[i] for i in used]
    if len(used) == 1 and measures[0].casefold() in VALUE:
        measures = [sheet.stem]
    n, s = len(sheet), len(used)
    row, m = np.repeat(np.arange(n), s), np.tile(np.arange(s), n)
    values, gone = _flat(sheet, used)
    notes = [f"{sheet.stem}: one row a run and query, a column a measure ({', '.join(measures)})"]
    notes += [_ignored(sheet, i) for i in rest if i not in used]
    return Cells(sheet, runs, queries, measures, r[row], q[row], m, values, gone, row, notes)


def _flat(sheet: Sheet, columns: Iterable[int]) -> tuple[Floats, NDArray[np.bool_]]:
    """(values, missing) of some columns, row by row."""
    found = [sheet.numbers(i) for i in columns]
    values: Floats = np.stack([value for value, _ in found], axis=1).reshape(-1)
    gone: NDArray[np.bool_] = np.stack([none for _, none in found], axis=1).reshape(-1)
    return values, gone


def _ignored(sheet: Sheet, column: int) -> str:
    return f"{sheet.stem}: column {sheet.header[column]!r} ignored"


def _grid(sheet: Sheet, rows: Rows | None) -> Cells:
    corner, *across = sheet.header
    if not across:
        raise InputError(
            f"{sheet.file}: one column is no score matrix",
            "a matrix has the columns run, query, measure, value; or run, query and a column a "
            "measure; or a row a run and a column a query",
        )
    empty = next((i for i, n in enumerate(across, 1) if not n), None)
    if empty is not None:
        raise FormatError(f"column {empty + 1} of the header has no name", file=sheet.file, line=1)
    down = sheet.names(0, "row's")
    told, measure = _corner(corner, across, down)
    way = rows or told or "runs"
    n, w = len(sheet), len(across)
    row, column = np.repeat(np.arange(n), w), np.tile(np.arange(w), n)
    values, gone = _flat(sheet, range(1, len(sheet.header)))
    measure = measure or sheet.stem
    n_runs, n_queries = (n, w) if way == "runs" else (w, n)
    note = f"{sheet.stem}: one measure ({measure}), a row a {'run' if way == 'runs' else 'query'}"
    note += f", {n_runs} runs and {n_queries} queries"
    if rows is None and told is None:
        note += "; the names do not tell which are the runs: --rows queries turns it around"
    names, code = _coded(down)
    zero = np.zeros(len(values), np.int64)
    sides = ((names, code[row]), (across, column))
    (runs, r), (queries, q) = sides if way == "runs" else sides[::-1]
    return Cells(sheet, runs, queries, [measure], r, q, zero, values, gone, row, [note])


def _corner(corner: str, across: list[str], down: list[str]) -> tuple[Rows | None, str]:
    """What the rows are, as far as the corner or the names tell, and the measure it names."""
    plain, parts = corner.casefold(), _CORNER.fullmatch(corner.casefold())
    first = parts[1] if parts else plain
    if first in _RUNS:
        return "runs", ""
    if first in _QUERIES:
        return "queries", ""
    measure = "" if plain.startswith("unnamed") or plain == "index" else corner
    # topics are numbers more often than runs are
    numbered = [all(map(_WHOLE.fullmatch, names)) for names in (across, down)]
    if numbered == [True, False]:
        return "runs", measure
    if numbered == [False, True]:
        return "queries", measure
    return None, measure
