"""Labels in tables: Quepid's CSV files, and whatever the readers of qrels know."""

from __future__ import annotations

import csv
import io
from collections import Counter

import numpy as np

from cranfield.errors import FormatError
from cranfield.formats.inputs import Input
from cranfield.formats.names import (
    DOC,
    GRADE,
    LABELS,
    QUERY,
    delimiter_of,
    of_a_label,
    split_header,
)
from cranfield.formats.readers import judgment_rows
from cranfield.formats.sources import notes_of
from cranfield.formats.text import read_text
from cranfield.judging.interchange.origin import Rows
from cranfield.kit.fingerprint import of_parts

_JUDGE = ("judge", "assessor", "rater", "user", "judge_name")
_UNRATEABLE = "unrateable"
_QUERY_TEXT, _DOC_ID = "query text", "doc id"  # of its detailed exports
_RATING = ("rating", "doc rating")
PROMPT = 64  # letters; what is longer, or has blanks, is a prompt in full
_FORM = (
    "query,docid,rating; query,docid and a column a judge; or query,docid,judge,rating,unrateable"
)


def is_quepid(first_line: str) -> bool:
    """Whether a header is one of Quepid's that the readers of qrels do not know: a column a
    judge, or `unrateable`; or exactly its export of a case."""
    names = [_plain(n) for n in split_header(first_line, delimiter_of(first_line))]
    if _QUERY_TEXT in names:
        return True
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
    if _QUERY_TEXT in names:
        return _detailed(table, names, source, into)
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


def _detailed(
    table: list[tuple[int, list[str]]], names: list[str], source: Input, into: Rows
) -> tuple[str, ...]:
    """A row a result, with columns of the team and the case; a result without a rating is none."""
    rating = next((n for n in _RATING if n in names), None)
    if rating is None or _DOC_ID not in names:
        raise FormatError(
            "an export of Quepid without documents and their ratings",
            "export the case with details: columns Query Text, Doc ID and Rating",
            file=source.name,
            line=1,
        )
    query, doc, grades = (names.index(n) for n in (_QUERY_TEXT, _DOC_ID, rating))
    alone = 0
    for line, row in table[1:]:
        _wide_enough(row, names, source, line)
        grade = _grade(row[grades], source, line)
        alone += grade is None
        if grade is not None:
            into.add(row[query], row[doc], grade, line, by_text=True)
    return (f"{alone} result{'s' * (alone != 1)} without a rating passed over",) if alone else ()


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
    """Whatever `read_qrels` reads; the columns source, assessor, note, model,
    prompt, rubric and at are taken over. A pair
    may have several rows, of different assessors."""
    rows = judgment_rows(source, form)
    if rows.problems:
        raise rows.problems[0]
    blank = [""] * len(rows.docs)
    more = {
        name: rows.extra[name].to_list() if name in rows.extra else blank
        for name in ("source", "assessor", "note", *LABELS)
    }
    full = sum(len(p) > PROMPT or " " in p for p in more["prompt"])
    more["prompt"] = [_fingerprint(p) for p in more["prompt"]]
    lines = [None] * len(blank) if rows.line is None else np.asarray(rows.line).tolist()
    columns = (rows.query.to_list(), rows.docs.to_list(), rows.value.tolist(), lines)
    for (query, doc, grade, line), said, who, why, *told in zip(
        zip(*columns, strict=True), *more.values(), strict=True
    ):
        by = dict(zip(LABELS, told, strict=True))
        into.add(query, doc, grade, line, source=said, assessor=who, reason=why, **by)
    left = Counter({what: n for what, n in rows.skipped.items() if not of_a_label(what)})
    notes = (*rows.notes, *notes_of(left))
    return (*notes, f"prompts kept by their fingerprints alone: {full}") if full else notes


def _fingerprint(prompt: str) -> str:
    return of_parts([prompt])[:12] if len(prompt) > PROMPT or " " in prompt else prompt
