"""JSON and JSON lines: {query: {document: number}}, and records with named members."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from cranfield.data.columns import Index
from cranfield.errors import FormatError, clip
from cranfield.formats.cells import Place, ids_of
from cranfield.formats.inputs import Input
from cranfield.formats.names import EXTRAS, LABELS, NEEDED, Kind, passed_over, resolve, value_name
from cranfield.formats.problems import MOST
from cranfield.formats.rows import BEYOND, Rows
from cranfield.formats.tabular import rows_from_values
from cranfield.formats.text import read_lines, read_text

FORM = 'JSON is {"query": {"document": number}} or a list of records with query, doc and number'
# A file that holds both, as bug reports do: the member of the wanted kind is taken.
_WRAPPED: dict[Kind, tuple[str, ...]] = {"qrels": ("qrel", "qrels"), "run": ("run", "runs")}


class Pairs(list[tuple[str, Any]]):
    """A JSON object with every member, also those that bear the same name."""


def read_json(source: Input, kind: Kind) -> Rows:
    """One JSON document: {query: {document: number}}, a list of records, or {"qrel": …,
    "run": …}. A repeated document becomes repeated rows; a query with an empty object is kept in
    `Rows.empty`."""
    text = read_text(source)
    try:
        value = json.loads(text, object_pairs_hook=Pairs)
    except json.JSONDecodeError as e:
        if e.msg == "Extra data" and text[: e.pos].lstrip().startswith("{"):
            return read_jsonl(source, kind)
        raise FormatError(
            f"not well-formed JSON ({e.msg}, column {e.colno})",
            FORM,
            file=source.name,
            line=e.lineno,
            text=text.split("\n")[e.lineno - 1],
        ) from None
    except (RecursionError, ValueError) as e:
        raise FormatError(f"JSON that cannot be read ({e})", FORM, file=source.name) from None
    if isinstance(value, Pairs):
        value = _unwrapped(value, kind, source.name)
        if value and not any(isinstance(inner, Pairs) for _, inner in value):
            return _told(rows_from_records([value], kind, source.name), kind, [text])
        return _told(rows_from_pairs(value, kind, source.name), kind, [text])
    if isinstance(value, list):
        return _told(rows_from_records(value, kind, source.name), kind, [text])
    raise FormatError("neither a JSON object nor a list", FORM, file=source.name)


def read_jsonl(source: Input, kind: Kind) -> Rows:
    """One record a line: an object with query, document and number under any of their names."""
    records: list[Any] = []
    lines: list[int] = []
    problems: list[FormatError] = []
    decode = json.JSONDecoder(object_pairs_hook=Pairs).decode  # made once, not once a line
    texts = read_lines(source)
    for number, line in enumerate(texts, 1):
        if not line.strip():
            continue
        try:
            record = decode(line)
        except (RecursionError, ValueError) as e:
            why = f"{e.msg}, column {e.colno}" if isinstance(e, json.JSONDecodeError) else str(e)
            problems.append(
                FormatError(
                    f"not a JSON record ({why})",
                    f'every line is one object: {{"query": …, "doc": …, "{value_name(kind)}": …}}',
                    file=source.name,
                    line=number,
                    text=line,
                )
            )
            if len(problems) >= MOST:
                break
            continue
        records.append(record)
        lines.append(number)
    rows = rows_from_records(records, kind, source.name, np.array(lines, np.int64))
    rows.problems.extend(problems)
    rows.problems.sort(key=lambda p: p.line or 0)
    return _told(rows, kind, texts)


def _told(rows: Rows, kind: Kind, texts: Iterable[str]) -> Rows:
    """With a note of numbers in the texts that are too large for float64: JSON makes them infinite
    without a word."""
    if kind == "qrels" or not np.isinf(rows.value).any():
        return rows
    found = 0

    def read(text: str) -> float:
        nonlocal found
        found += np.isinf(float(text))
        return 0.0

    decode = json.JSONDecoder(parse_float=read).decode
    for text in filter(str.strip, texts):
        with contextlib.suppress(ValueError, RecursionError):  # a line that is a problem already
            decode(text)
    if found:
        rows.skipped[BEYOND] += found
    return rows


def rows_from_pairs(value: Iterable[tuple[Any, Any]], kind: Kind, file: str) -> Rows:
    """Rows of (query, {document: number}) pairs; the inner objects are mappings or `Pairs`."""
    queries: list[Any] = []
    docs: list[Any] = []
    numbers: list[Any] = []
    empty: list[Any] = []
    problems: list[FormatError] = []
    for query, inner in value:
        if not isinstance(inner, (Mapping, Pairs)):
            what = f"query {query!r} holds {inner!r} where documents are expected"
            problems.append(FormatError(clip(what), FORM, file=file))
            continue
        if not inner:
            empty.append(query)
        if isinstance(inner, Mapping):
            queries.extend(repeat(query, len(inner)))
            docs.extend(inner)
            numbers.extend(inner.values())
            continue
        for doc, number in inner:
            queries.append(query)
            docs.append(doc)
            numbers.append(number)
    place = Place(file, kind, name=lambda i: f"query {queries[i]!r}, document {docs[i]!r}")
    rows = rows_from_values(queries, docs, numbers, {}, place)
    names, bad = ids_of(empty, "query", Place(file, kind, name="empty query {}".format))
    rows.empty.extend(names)
    rows.problems.extend([*problems, *bad.values()][:MOST])
    return rows


def rows_from_records(
    records: Sequence[Any], kind: Kind, file: str, line: Index | None = None
) -> Rows:
    """Rows of records (`Pairs` or mappings), each with its own member names."""
    place = Place(file, kind, line, "record {} (the first is 0)".format)
    wanted = (*NEEDED[kind], *((*EXTRAS, *LABELS) if kind == "qrels" else ()))
    columns: dict[str, list[Any]] = {role: [] for role in wanted}
    kept: list[int] = []
    skipped: Counter[str] = Counter()
    problems: list[FormatError] = []
    plans: dict[tuple[str, ...], list[tuple[list[Any], str | None]]] = {}
    for row, record in enumerate(records):
        try:
            members = _members(record)
            names = tuple(members)
            if names not in plans:
                role = resolve(names, kind, file=file)
                plans[names] = [(column, role.get(name)) for name, column in columns.items()]
                skipped |= passed_over(names, kind)
        except FormatError as e:
            problems.append(place.problem(row, e.problem, e.hint))
            continue
        kept.append(row)
        for column, member in plans[names]:
            column.append(None if member is None else members[member])
    kept_rows = np.array(kept, np.int64)
    extra = {k: columns[k] for k in wanted[3:] if any(v is not None for v in columns[k])}
    query, doc, value = (columns[role] for role in NEEDED[kind])
    left = Place(
        file, kind, None if line is None else line[kept_rows], lambda i: place.name(kept[i])
    )
    rows = rows_from_values(query, doc, value, extra, left)
    rows.skipped.update(skipped)
    rows.problems.extend(problems[:MOST])
    return rows


def _members(record: Any) -> dict[str, Any]:
    """The members of a record; it must be a record and name each once."""
    if not isinstance(record, (Mapping, Pairs)):
        raise FormatError(f"{clip(repr(record))} is not a record", FORM, file="")
    pairs = list(record.items()) if isinstance(record, Mapping) else record
    members = {str(name): value for name, value in pairs}
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(n for n in names if names.count(n) > 1)
        raise FormatError(f"the record has two members {twice!r}", "name each once", file="")
    return members


def _unwrapped(value: Pairs, kind: Kind, file: str) -> Pairs:
    """The member of the wanted kind of {"qrel": {…}, "run": {…}}; any other object as it is."""
    known = {name for names in _WRAPPED.values() for name in names}
    members = dict(value)
    wrapped = (
        len(members) == len(value)
        and members.keys() <= known
        and all(isinstance(v, Pairs) for v in members.values())
        and any(isinstance(x, Pairs) for v in members.values() for _, x in v)
    )
    if not wrapped:
        return value
    for name in _WRAPPED[kind]:
        if name in members:
            found: Pairs = members[name]
            return found
    have = " and ".join(map(repr, members))
    what = "judgments" if kind == "qrels" else "run"
    raise FormatError(f"no {what} in it, only {have}", FORM, file=file)
