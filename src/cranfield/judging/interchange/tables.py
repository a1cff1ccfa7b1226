"""Labels in tables: Quepid's CSV files, and whatever the readers of qrels know."""

from __future__ import annotations

import csv
import io

import numpy as np

from cranfield.errors import FormatError
from cranfield.formats.inputs import Input
from cranfield.formats.names import DOC, GRADE, QUERY, delimiter_of, split_header
from cranfield.formats.readers import judgment_rows
from cranfield.formats.sources import notes_of
from cranfield.formats.text import read_text
from cranfield.judging.interchange.origin import Rows

_JUDGE = ("judge", "assessor", "rater", "user", "judge_name")
_UNRATEABLE = "unrateable"
_POSITION = ("position", "rank")
_FORM = (
    "query,docid,rating; query,docid and a column a judge; or query,docid,judge,rating,unrateable"
)


def is_quepid(first_line: str) -> bool:
    """Whether a header is one of Quepid's that the readers of qrels do not know: a column a
    judge, or `unrateable`; or exactly its export of a case."""
    names = [_plain(n) for n in split_header(first_line, delimiter_of(first_line))]
    if names == ["query", "docid", "rating"] or _UNRATEABLE in names:
        return True
    rated = any(n in GRADE or n == "score" for n in names)
    return len(names) > 2 and names[0] == "query" and names[1] in ("docid", "doc_id") and not rated


def read_quepid(source: Input, into: Rows) -> tuple[str, ...]:
    """Quepid's exports. Queries are texts. A case: `query,docid,rating`, where a query without a
    rating stands alone on its line; a book: a column a judge, empty where they gave nothing; a
    list: `judge`, `rating` and `unrateable`, which becomes `unsure`."""
    text = read_text(source)
    first = text.lstrip("\n").split("\n", 1)[0].rstrip("\r")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(first), strict=True)
    try:
        table = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as e:
        raise FormatError(
            f"not well-formed CSV ({e})", file=source.name, line=reader.line_num
        ) from None
    names = [_plain(n) for n in table[0][1]]
    query, doc = _column(names, QUERY, source), _column(names, DOC, source)
    if _UNRATEABLE in names or any(n in GRADE for n in names):
        alone = _listed(table, names, query, doc, source, into)
    else:
        alone = _by_judge(table, query, doc, source, into)
    if not alone:
        return ()
    return (f"{alone} quer{'y' if alone == 1 else 'ies'} without a rating passed over",)


def _listed(
    table: list[tuple[int, list[str]]],
    names: list[str],
    query: int,
    doc: int,
    source: Input,
    into: Rows,
) -> int:
    rating = _column(names, GRADE, source)
    judge = next((i for i, n in enumerate(names) if n in _JUDGE), None)
    refused = names.index(_UNRATEABLE) if _UNRATEABLE in names else None
    alone = 0
    for line, row in table[1:]:
        if len(row) == 1 and len(names) > 1:
            alone += 1
            continue
        _wide_enough(row, names, source, line)
        who = row[judge].strip() if judge is not None else ""
        if refused is not None and row[refused].strip().casefold() in ("true", "1", "yes", "t"):
            into.add(row[query], row[doc], None, line, state="unsure", assessor=who, by_text=True)
            continue
        grade = _grade(row[rating], source, line)
        if grade is None:
            raise FormatError("the rating is missing", _FORM, file=source.name, line=line)
        into.add(row[query], row[doc], grade, line, assessor=who, by_text=True)
    return alone


def _by_judge(
    table: list[tuple[int, list[str]]], query: int, doc: int, source: Input, into: Rows
) -> int:
    header = table[0][1]
    judges = [i for i in range(len(header)) if i not in (query, doc)]
    alone = 0
    for line, row in table[1:]:
        if len(row) == 1:
            alone += 1
            continue
        _wide_enough(row, header, source, line)
        for i in judges:
            grade = _grade(row[i], source, line)
            if grade is not None:
                who = header[i].strip()
                into.add(row[query], row[doc], grade, line, assessor=who, by_text=True)
    return alone


def _column(names: list[str], known: list[str], source: Input) -> int:
    found = [i for i, n in enumerate(names) if n in known]
    if len(found) != 1:
        raise FormatError(f"no single column of {known[0]}", _FORM, file=source.name, line=1)
    return found[0]


def _wide_enough(row: list[str], names: list[str], source: Input, line: int) -> None:
    if len(row) != len(names):
        raise FormatError(
            f"{len(row)} fields where the header names {len(names)}", file=source.name, line=line
        )


def _grade(cell: str, source: Input, line: int) -> float | None:
    text = cell.strip()
    if text in ("", "None", "null", "NA"):
        return None
    try:
        return float(text)
    except ValueError:
        raise FormatError(
            f"the rating {text!r} is not a number", file=source.name, line=line
        ) from None


def _plain(name: str) -> str:
    return name.strip().casefold()


def read_plain(source: Input, form: str, into: Rows) -> tuple[str, ...]:
    """Whatever `read_qrels` reads; the columns source, assessor and note are taken over. A pair
    may have several rows, of different assessors."""
    rows = judgment_rows(source, form)
    if rows.problems:
        raise rows.problems[0]
    blank = [""] * len(rows.docs)
    more = {
        name: rows.extra[name].to_list() if name in rows.extra else blank
        for name in ("source", "assessor", "note")
    }
    lines = [None] * len(blank) if rows.line is None else np.asarray(rows.line).tolist()
    columns = (rows.query.to_list(), rows.docs.to_list(), rows.value.tolist(), lines)
    for (query, doc, grade, line), said, who, why in zip(
        zip(*columns, strict=True), *more.values(), strict=True
    ):
        into.add(query, doc, grade, line, source=said, assessor=who, reason=why)
    return (*rows.notes, *notes_of(rows.skipped))
