"""Rows of judgments made into `Qrels`: what a document judged twice means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cranfield.data.columns import Index, encode
from cranfield.data.qrels import Qrels
from cranfield.errors import FormatError, InputError
from cranfield.formats.names import of_qrels
from cranfield.formats.problems import Problems
from cranfield.formats.qrelsfile import Found
from cranfield.formats.rows import Rows
from cranfield.formats.sources import HOW_DUPLICATE, OnDuplicate, notes_of
from cranfield.scan.lines import keep_one, repeats


def qrels_from_rows(
    rows: Rows, file: str, name: str, on_duplicate: OnDuplicate, problems: Problems
) -> Qrels:
    """The judgments that a reader found; `file` is where, for messages.

    Raises
    ------
    FormatError
        The first problem, or a document judged twice, unless `on_duplicate` says which to keep.
    InputError
        There is no judgment.
    """
    qrels = Qrels.from_columns(rows.query, rows.docs, rows.value, name=name, **of_qrels(rows.extra))
    pairs = repeats(_order_of(qrels), qrels.docs)
    lines = [] if rows.line is None else [rows.line]
    found = Found(qrels, lines, pairs, rows.skipped, rows.problems)
    return settled(found, file, on_duplicate, problems, rows.notes)


def settled(
    found: Found,
    file: str,
    on_duplicate: OnDuplicate,
    problems: Problems,
    notes: Sequence[str] = (),
) -> Qrels:
    """What is to be said about repeated judgments is said, or all but one of them dropped."""
    problems.add(found.problems)
    qrels, pairs = found.qrels, found.pairs
    skipped = Counter(found.skipped)
    if pairs and on_duplicate != "error":
        qrels = qrels.take(keep_one(pairs, on_duplicate, qrels.grade, len(qrels)))
        skipped[f"repeated judgment ({on_duplicate} kept)"] += len(pairs)
    elif pairs:
        line = np.concatenate(found.lines) if found.lines else None
        problems.add(
            _judged_twice(qrels, line, i, j, file) for i, j in pairs if _same_iteration(qrels, i, j)
        )
    problems.done()
    if not len(qrels):
        raise InputError(f"{file}: no judgment in it", "was the right file given?")
    return replace(qrels, notes=(*notes, *notes_of(skipped)))


def _order_of(qrels: Qrels) -> Index:
    """A number for each query; for each query, group and part where rows belong to such."""
    code = qrels.query
    for column in (qrels.group, qrels.part):
        if column is not None:
            names, own = encode(column)
            code = code * len(names) + own
    return code


def _same_iteration(qrels: Qrels, i: int, j: int) -> bool:
    """Repeats that column 2 tells apart are subtopic judgments, not mistakes."""
    column = qrels.iteration
    return column is None or column.bytes_at(i) == column.bytes_at(j)


def _judged_twice(
    qrels: Qrels, lines: Index | None, first: int, again: int, file: str
) -> FormatError:
    line = None if lines is None else int(lines[again])
    before = "" if lines is None else f" (first on line {lines[first]})"
    grades = qrels.to_grade_texts(np.array([first, again]))
    query = f"query {qrels.queries[int(qrels.query[again])]!r}"
    where, what = query, "is judged twice"
    if qrels.group is not None:
        where = f"group {qrels.group[again]!r} of {query}"
    if qrels.part is not None:
        where, what = f"part {qrels.part[again]!r}, {where}", "has two levels"
    return FormatError(
        f"document {qrels.docs[again]!r} {what} for {where}{before}: grades {' and '.join(grades)}",
        HOW_DUPLICATE,
        file=file,
        line=line,
    )
