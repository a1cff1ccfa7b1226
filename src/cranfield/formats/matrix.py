"""A score matrix from files: the value of each run for each query under each measure. Several
files, of a measure each or of whatever they hold, are put together."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Index
from cranfield.data.matrix import ScoreMatrix
from cranfield.errors import FormatError
from cranfield.formats.complaints import is_number
from cranfield.formats.detect import looks_like
from cranfield.formats.inputs import Input
from cranfield.formats.matrix_layout import RUN, Cells, Rows, cells_of
from cranfield.formats.names import DOC, QUERY, delimiter_of, split_header
from cranfield.formats.sheet import NOTHING, read_sheet

HOW_MISSING = "give every run a value for every query, or count what is missing as 0: " + (
    "--missing zero (missing='zero' in Python)"
)


def read_matrix(
    *paths: str | os.PathLike[str],
    rows: Rows | None = None,
    missing: Literal["refuse", "zero"] = "refuse",
    name: str | None = None,
    all_errors: bool = False,
) -> tuple[ScoreMatrix, tuple[str, ...]]:
    """A score matrix from one or several CSV, TSV, Parquet or Arrow files.

    Parameters
    ----------
    rows : of a grid, what its rows are; by default told from its names
    missing : a cell without a value is refused, or counted as 0 and said
    name : of the matrix; by default the names of the files
    all_errors : list up to twenty lines of another width, not only the first

    Returns
    -------
    (the matrix, what was found out about the files, in words)

    Raises
    ------
    FormatError
        A line is wrong, a cell is given twice or is no number, or one is missing.
    NoSuchInput, InputError
    """
    parts = [cells_of(read_sheet(Input(path), all_errors=all_errors), rows) for path in paths]
    runs = _union(part.runs for part in parts)
    queries = _union(part.queries for part in parts)
    measures = _union(part.measures for part in parts)
    shape = (len(runs), len(queries), len(measures))
    owner = np.full(int(np.prod(shape)), -1, np.int64)  # which part gave a cell
    line = np.zeros(len(owner), np.int64)
    values = np.zeros(len(owner))
    gone = np.ones(len(owner), bool)
    for number, part in enumerate(parts):
        places = [
            np.array([table[n] for n in names], np.int64)[code]
            for table, names, code in (
                (runs, part.runs, part.run),
                (queries, part.queries, part.query),
                (measures, part.measures, part.measure),
            )
        ]
        at = np.ravel_multi_index((places[0], places[1], places[2]), shape)
        _once(parts, number, at, owner, line)
        owner[at], line[at] = number, part.row
        values[at], gone[at] = part.value, part.missing
    notes = [note for part in parts for note in part.notes]
    names = tuple(runs), tuple(queries), tuple(measures)
    if gone.any():
        notes.append(_missing(parts, names, gone, owner, line, missing))
    unanswered = gone.reshape(shape).any(axis=2).sum(axis=1)
    matrix = ScoreMatrix(
        *names,
        values.reshape(shape),
        name or _name(parts),
        tuple(unanswered.tolist()) if gone.any() else (),
    )
    return matrix, tuple(notes)


def _name(parts: Sequence[Cells]) -> str:
    """The names of up to three files."""
    stems = [part.sheet.stem for part in parts]
    return ", ".join(stems[:3]) + (", …" if len(stems) > 3 else "")


def is_matrix(source: Input) -> bool:
    """Whether a file looks like a score matrix and not like judgments or a run."""
    from cranfield.formats.arrow import is_arrow, read_table

    if is_arrow(source.head):
        return _has_roles([n.strip() for n in read_table(source).schema.names]) is True
    text = source.head.decode("utf-8", "replace").lstrip()
    if text.startswith(("{", "[")):
        return False
    first, *rest = [line for line in text.splitlines() if line.strip()][:2] or [""]
    delimiter = delimiter_of(first)
    header = [n.strip() for n in split_header(first, delimiter)]
    fields = [f.strip() for f in split_header(rest[0], delimiter)] if rest else []
    told = _has_roles(header)
    if told is not None:
        return told
    numbers = len(fields) == len(header) > 1 and all(
        is_number(f) or f.casefold() in NOTHING for f in fields[1:]
    )
    # four, five or six columns between tabs may be judgments or a run, whose numbers are whole
    return numbers and (looks_like(source) is None or any("." in f for f in fields[1:]))


def _has_roles(header: Sequence[str]) -> bool | None:
    """Whether a header is that of a matrix; None where it names neither documents nor runs."""
    plain = [n.casefold() for n in header]
    if any(n in DOC for n in plain):
        return False
    return (any(n in RUN for n in plain) and any(n in QUERY for n in plain)) or None


def _union(names: Iterable[list[str]]) -> dict[str, int]:
    """{name: its place}, in the order in which names first come."""
    found: dict[str, int] = {}
    for some in names:
        for name in some:
            found.setdefault(name, len(found))
    return found


def _once(parts: Sequence[Cells], number: int, at: Index, owner: Index, line: Index) -> None:
    """Refuse a cell that is given twice, in one file or in two."""
    part = parts[number]
    order = np.argsort(at, kind="stable")
    twice = np.flatnonzero(np.diff(at[order]) == 0)
    before = np.flatnonzero(owner[at] >= 0)
    if not len(twice) and not len(before):
        return
    if len(twice):
        i, first = int(order[twice[0] + 1]), int(order[twice[0]])
        where = f"first on {part.sheet.where(int(part.row[first]))}"
    else:
        i = int(before[0])
        other = parts[int(owner[at[i]])].sheet
        where = f"first in {other.file}, {other.where(int(line[at[i]]))}"
    raise part.sheet.problem(
        int(part.row[i]),
        f"a second value for {_named(part, i)} ({where})",
        "each run has one value for each query and measure",
    )


def _named(part: Cells, i: int) -> str:
    return (
        f"run {part.runs[part.run[i]]!r}, query {part.queries[part.query[i]]!r}, "
        f"measure {part.measures[part.measure[i]]!r}"
    )


def _missing(
    parts: Sequence[Cells],
    names: tuple[tuple[str, ...], ...],
    gone: NDArray[np.bool_],
    owner: Index,
    line: Index,
    missing: str,
) -> str:
    """How many cells have no value, in words; an error where that is refused."""
    places = np.flatnonzero(gone)
    n, first = len(places), int(places[0])
    r, q, m = np.unravel_index(first, tuple(map(len, names)))
    cell = f"run {names[0][r]!r}, query {names[1][q]!r}, measure {names[2][m]!r}"
    of = f"{n:,} of {len(gone):,} cells"
    if missing == "zero":
        return f"{of} have no value and count as 0 (the first: {cell})"
    more = "" if n == 1 else f" (and {n - 1:,} more of {len(gone):,} cells)"
    problem = f"no value for {cell}{more}"
    if owner[first] >= 0:
        raise parts[int(owner[first])].sheet.problem(int(line[first]), problem, HOW_MISSING)
    raise FormatError(
        problem, HOW_MISSING, file=", ".join(dict.fromkeys(p.sheet.file for p in parts))
    )
