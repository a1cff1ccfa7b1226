"""Rows of judgments made into `Qrels`: what a document judged twice means."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from cranfield.data.columns import Index, encode
from cranfield.data.qrels import Qrels
from cranfield.errors import FormatError, InputError
from cranfield.formats.problems import Problems
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
    problems.add(rows.problems)
    qrels = Qrels.from_columns(rows.query, rows.docs, rows.value, name=name, **rows.extra)
    skipped = Counter(rows.skipped)
    pairs = repeats(_order_of(qrels), qrels.docs)
    if pairs and on_duplicate != "error":
        qrels = qrels.take(keep_one(pairs, on_duplicate, qrels.grade, len(qrels)))
        skipped[f"repeated judgment ({on_duplicate} kept)"] += len(pairs)
    elif pairs:
        problems.add(
            _judged_twice(qrels, rows, i, j, file) for i, j in pairs if _same_iteration(qrels, i, j)
        )
    problems.done()
    if not len(qrels):
        raise InputError(f"{file}: no judgment in it", "was the right file given?")
    return replace(qrels, notes=(*rows.notes, *notes_of(skipped)))


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


def _judged_twice(qrels: Qrels, rows: Rows, first: int, again: int, file: str) -> FormatError:
    line = None if rows.line is None else int(rows.line[again])
    before = "" if rows.line is None else f" (first on line {rows.line[first]})"
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
