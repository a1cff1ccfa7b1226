"""TREC run and qrels files, read as bytes by whole chunks; every line is data, a comment, blank,
a header, or a named problem."""

from __future__ import annotations

from collections import Counter

import numpy as np

from cranfield.data.columns import Floats, Ids, Index, distinct
from cranfield.errors import FormatError
from cranfield.formats import complaints
from cranfield.formats.rows import BEYOND, Rows
from cranfield.formats.text import decoded
from cranfield.scan.chunks import Chunk
from cranfield.scan.fields import Fields, split_fields
from cranfield.scan.numbers import beyond_range, parse_numbers

RUN, RUN_UNTAGGED, QRELS = 6, 5, 4  # columns


def run_width(chunk: Chunk) -> int:
    """6, or 5 where the first data line is unambiguously a run line without a tag."""
    for line in chunk.text[: 1 << 16].split(b"\n"):
        c = complaints.columns_of(line.decode("utf-8", "replace"))
        numbers = len(c) in (RUN_UNTAGGED, RUN) and all(map(complaints.is_number, c[3:5]))
        if not c or (c[0].startswith("#") and not numbers) or complaints.is_header(c):
            continue
        untagged = (
            len(c) == RUN_UNTAGGED
            and c[1].upper() in ("Q0", "0")
            and c[3].isascii()
            and c[3].isdigit()
            and complaints.is_number(c[4])
        )
        return RUN_UNTAGGED if untagged else RUN
    return RUN


def run_rows(chunk: Chunk, width: int, file: str) -> Rows:
    """The rows of a run chunk; the rank column is looked at only to notice shifted fields."""
    if problem := _not_text(chunk, file):
        return Rows.none([problem])
    fields = split_fields(chunk.buffer, chunk.lo, chunk.hi, width, (0, 2, 3, 4, 1))
    query, docs, rank, score, second = fields.columns
    value, bad = parse_numbers(score)
    strange = _not_ranks(rank)
    suspect = distinct(np.concatenate((bad, strange))) if len(bad) or len(strange) else bad
    rows = _rows(chunk, file, fields, (query, docs, value, second), suspect, width)
    if beyond := beyond_range(score, value):
        rows.skipped[BEYOND] += beyond
    return rows


def qrels_rows(chunk: Chunk, file: str) -> Rows:
    """The rows of a qrels chunk; grades are exact and finite."""
    if problem := _not_text(chunk, file):
        return Rows.none([problem])
    fields = split_fields(chunk.buffer, chunk.lo, chunk.hi, QRELS, (0, 2, 3, 1))
    query, docs, grade, second = fields.columns
    value, bad = parse_numbers(grade)
    suspect = distinct(np.concatenate((bad, np.flatnonzero(np.isinf(value)))))
    return _rows(chunk, file, fields, (query, docs, value, second), suspect, QRELS)


def _rows(
    chunk: Chunk,
    file: str,
    fields: Fields,
    columns: tuple[Ids, Ids, Floats, Ids],
    suspect: Index,
    width: int,
) -> Rows:
    """Sort the odd lines and suspect rows into comments, a header and problems; keep the rest."""
    query, docs, value, second = columns
    skipped: Counter[str] = Counter()
    problems: list[FormatError] = []
    drop = np.zeros(len(query), bool)
    strange = [(n, -1) for n in fields.odd.tolist()]
    strange += list(zip(fields.line[suspect].tolist(), suspect.tolist(), strict=True))
    texts = chunk.text.split(b"\n") if strange else []
    plain = np.delete(fields.line, suspect) if len(suspect) else fields.line
    before_data = int(plain[0]) if len(plain) else len(texts)
    for number, row in sorted(strange):
        text = texts[number].decode()
        columns_here = complaints.columns_of(text)
        comment = columns_here[0].startswith("#")
        if row >= 0 and not comment and _is_row(columns_here, width):
            continue
        if row >= 0:
            drop[row] = True
        line = chunk.first_line + number
        if comment:
            skipped["comment"] += 1
        elif line == number + 1 and number < before_data and complaints.is_header(columns_here):
            skipped[f"header {text.strip()!r}"] += 1
        elif width == QRELS:
            problems.append(complaints.qrels_complaint(text, file, line))
        else:
            problems.append(complaints.run_complaint(text, width, file, line))
    keep = np.flatnonzero(~drop) if drop.any() else slice(None)
    return Rows(
        query.take(keep),
        docs.take(keep),
        value[keep],
        fields.line[keep] + chunk.first_line,
        {"iteration": second.take(keep)} if width == QRELS else {},
        skipped=skipped,
        problems=problems,
    )


def _is_row(columns: list[str], width: int) -> bool:
    """A suspect row that is right after all: its rank is a number of an unusual form."""
    return width != QRELS and complaints.is_number(columns[3]) and complaints.is_number(columns[4])


def _not_ranks(rank: Ids) -> Index:
    """Rows whose rank does not begin and end with a digit."""
    head, tail = rank.buffer.take(rank.start), rank.buffer.take(rank.end - 1)
    head -= np.uint8(48)
    tail -= np.uint8(48)
    strange = np.maximum(head, tail) > 9
    return np.flatnonzero(strange) if strange.any() else np.empty(0, np.int64)


def _not_text(chunk: Chunk, file: str) -> FormatError | None:
    """A chunk that is not UTF-8, or holds NUL bytes."""
    text = chunk.buffer[chunk.lo : chunk.hi]
    if not len(text) or (int(text.max()) < 128 and int(text.min()) > 0):
        return None
    try:
        decoded(text.tobytes(), file, chunk.first_line)
    except FormatError as problem:
        return problem
    return None
