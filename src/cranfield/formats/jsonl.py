"""JSON and JSON lines: {query: {document: number}}, and records with named members."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from cranfield.data.columns import Index
from cranfield.errors import FormatError
from cranfield.formats.cells import Place, number_problem
from cranfield.formats.inputs import Input
from cranfield.formats.names import EXTRAS, NEEDED, Kind, passed_over, resolve, value_name
from cranfield.formats.problems import MOST
from cranfield.formats.rows import Rows
from cranfield.formats.tabular import rows_from_values
from cranfield.formats.text import read_lines, read_text

FORM = 'JSON is {"query": {"document": number}} or a list of records with query, doc and number'
# A file that holds both, as bug reports do: the member of the wanted kind is taken.
_WRAPPED: dict[Kind, tuple[str, ...]] = {"qrels": ("qrel", "qrels"), "run": ("run", "runs")}


class Pairs(list[tuple[str, Any]]):
    """A JSON object with every member, also those that bear the same name."""

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self]


class Repeated(Exception):
    """A record names a member twice."""


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
            return rows_from_records([value], kind, Place(source.name, kind))
        return rows_from_pairs(value, kind, source.name)
    if isinstance(value, list):
        return rows_from_records(value, kind, Place(source.name, kind))
    raise FormatError("neither a JSON object nor a list", FORM, file=source.name)


def read_jsonl(source: Input, kind: Kind) -> Rows:
    """One record a line: an object with query, document and number under any of their names."""
    records: list[Any] = []
    lines: list[int] = []
    problems: list[FormatError] = []
    for number, line in enumerate(read_lines(source), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line, object_pairs_hook=Pairs)
        except (RecursionError, ValueError) as e:
            why = f"{e.msg}, column {e.colno}" if isinstance(e, json.JSONDecodeError) else str(e)
            problems.append(
                FormatError(
                    f"not a JSON record ({why})",
                    "every line is one object, such as " + _example(kind),
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
    place = Place(source.name, kind, np.array(lines, np.int64))
    rows = rows_from_records(records, kind, place)
    rows.problems.extend(problems)
    rows.problems.sort(key=lambda p: p.line or 0)
    return rows


def rows_from_pairs(value: Iterable[tuple[Any, Any]], kind: Kind, file: str) -> Rows:
    """Rows of (query, ((document, number), …)) pairs, the form of {query: {document: number}}."""
    queries: list[Any] = []
    docs: list[Any] = []
    numbers: list[Any] = []
    empty: list[str] = []
    problems: list[FormatError] = []
    for query, inner in value:
        members = list(inner.items()) if isinstance(inner, dict) else inner
        if not isinstance(members, list) or not (members or isinstance(inner, (dict, Pairs))):
            what = f"query {query!r} holds {_kind_of(inner)} where documents are expected"
            problems.append(FormatError(what, FORM, file=file))
            continue
        if not members:
            empty.append(str(query))
        queries.extend([query] * len(members))
        docs.extend(doc for doc, _ in members)
        numbers.extend(number for _, number in members)
    place = _Named(file, kind, queries=queries, docs=docs)
    rows = rows_from_values(queries, docs, numbers, {}, place)
    rows.empty.extend(empty)
    rows.problems.extend(problems[:MOST])
    return rows


class _Named(Place):
    """Rows told apart by their ids, where the source has no lines."""

    def __init__(self, file: str, kind: Kind, *, queries: Sequence[Any], docs: Sequence[Any]):
        super().__init__(file, kind)
        self.queries, self.docs = queries, docs  # type: ignore[misc]

    def problem(self, row: int, problem: str, hint: str | None = None) -> FormatError:
        query, doc = self.queries[row], self.docs[row]
        return FormatError(f"query {query!r}, document {doc!r}: {problem}", hint, file=self.file)


def rows_from_records(records: Sequence[Any], kind: Kind, place: Place) -> Rows:
    """Rows of records (objects or mappings), each with its own member names."""
    columns: dict[str, list[Any]] = {role: [] for role in (*NEEDED[kind], *EXTRAS)}
    kept: list[int] = []
    skipped: Counter[str] = Counter()
    problems: list[FormatError] = []
    roles: dict[tuple[str, ...], dict[str, str]] = {}
    for row, record in enumerate(records):
        try:
            members = _members(record)
            names = tuple(members)
            if names not in roles:
                roles[names] = resolve(names, kind, file=place.file)
                skipped |= passed_over(names, kind)
        except (TypeError, Repeated) as e:
            problems.append(place.problem(row, str(e), "a record is " + _example(kind)))
            continue
        except FormatError as e:
            problems.append(place.problem(row, e.problem.replace("column", "member"), e.hint))
            continue
        role = roles[names]
        kept.append(row)
        for name, column in columns.items():
            column.append(members[role[name]] if name in role else None)
    extra = {k: columns[k] for k in EXTRAS if any(v is not None for v in columns[k])}
    query, doc, value = (columns[role] for role in NEEDED[kind])
    rows = rows_from_values(query, doc, value, extra, _Kept(place, np.array(kept, np.int64)))
    rows.skipped.update(skipped)
    rows.problems.extend(problems[:MOST])
    return rows


class _Kept(Place):
    """The place of rows after some have been left out."""

    def __init__(self, place: Place, kept: Index):
        line = None if place.line is None else place.line[kept]
        super().__init__(place.file, place.kind, line)
        self.kept = kept  # type: ignore[misc]
