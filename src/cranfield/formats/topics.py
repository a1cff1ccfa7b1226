"""Queries in their usual forms: JSON lines, `id<TAB>text`, TREC topics with or without XML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from cranfield.data.collection import Query
from cranfield.errors import FormatError
from cranfield.formats.cells import Place, ids_of
from cranfield.formats.inputs import Input
from cranfield.formats.names import QUERY
from cranfield.formats.text import read_lines, read_text

_ID_MEMBERS = ("_id", "id", "query_id", "query-id", "qid")
_TEXT_MEMBERS = ("text", "query", "question", "title")
_FORM = 'a line of queries.jsonl is {"_id": "q1", "text": "…"}'
# Words that TREC's older topics repeat after the tag: <num> Number: 301.
_LABEL = {
    "num": re.compile(r"\s*(?:Number|Topic)\s*:\s*", re.I),
    "title": re.compile(r"\s*Topic\s*:\s*", re.I),
    "desc": re.compile(r"\s*Description\s*:\s*", re.I),
    "narr": re.compile(r"\s*Narrative\s*:\s*", re.I),
}
_ENTITIES = {"&quot;": '"', "&apos;": "'"}


def read_queries(source: Input) -> tuple[Query, ...]:
    """Queries in the order of the file; the form is told from the content.

    Raises
    ------
    FormatError
        A malformed line or topic, a query without id or text, an id that comes twice.
    """
    head = source.head.lstrip()
    if head.startswith(b"{"):
        found = _from_jsonl(source)
    elif head.startswith(b"<"):
        text = read_text(source)
        classic = re.search(r"<top>", text, re.I)
        found = (_from_tops if classic else _from_xml)(text, source.name)
    else:
        found = _from_tsv(source)
    first: dict[str, int | None] = {}
    queries = []
    for query, line in found:
        if query.id in first:
            before = f" (first on line {first[query.id]})" if first[query.id] else ""
            raise FormatError(
                f"query {query.id!r} comes twice{before}",
                "every query id stands for one query",
                file=source.name,
                line=line,
            )
        first[query.id] = line
        queries.append(query)
    if not queries:
        raise FormatError("no query in it", "was the right file given?", file=source.name)
    return tuple(queries)


def records(lines: Iterator[tuple[int, str]], file: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of lines that are not blank, with their line numbers."""
    for number, line in lines:
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (RecursionError, ValueError) as e:
            why = f"{e.msg}, column {e.colno}" if isinstance(e, json.JSONDecodeError) else str(e)
            problem = f"not a JSON record ({why})"
            raise FormatError(problem, file=file, line=number, text=line) from None
        if not isinstance(record, dict):
            problem = "a line that is not a JSON object"
            raise FormatError(problem, file=file, line=number, text=line)
        yield number, record


def id_of(
    record: Mapping[str, Any], names: tuple[str, ...], file: str, line: int
) -> tuple[str, str]:
    """The first of these names that the record has, and the id that stands there, as text."""
    name = next((n for n in names if n in record), names[0])
    place = Place(file, "qrels", np.array([line]))
    ids, bad = ids_of([record.get(name)], name, place)
    for problem in bad.values():
        raise problem
    return name, str(ids[0])


def fields_of(record: Mapping[str, Any], used: set[str]) -> dict[str, Any]:
    """The other members, and those inside `metadata`; a member of the record itself wins."""
    metadata = record.get("metadata")
    inner = metadata if isinstance(metadata, dict) else {}
    own = {k: v for k, v in record.items() if k not in used and (k != "metadata" or v is not inner)}
    return {**inner, **own}


def _from_jsonl(source: Input) -> Iterator[tuple[Query, int | None]]:
    for line, record in records(enumerate(read_lines(source), 1), source.name):
        name = next((n for n in _TEXT_MEMBERS if isinstance(record.get(n), str)), None)
        if name is None:
            problem = "a query without text"
            raise FormatError(problem, _FORM, file=source.name, line=line, text=json.dumps(record))
        id_name, query_id = id_of(record, _ID_MEMBERS, source.name, line)
        yield Query(query_id, record[name], fields_of(record, {id_name, name})), line


def _from_tsv(source: Input) -> Iterator[tuple[Query, int | None]]:
    data = False
    for number, line in enumerate(read_lines(source), 1):
        if not line.strip():
            continue
        query_id, tab, text = line.partition("\t")
        if not tab or not query_id:
            raise FormatError(
                "not `id<TAB>text`",
                "queries are JSON lines, id<TAB>text, or TREC topics",
                file=source.name,
                line=number,
                text=line,
            )
        header = query_id.strip().casefold() in {*QUERY, "_id", "id"}
        if not data and header and text.strip().casefold() in _TEXT_MEMBERS:
            continue
        data = True
        yield Query(query_id, text), number


def _from_tops(text: str, file: str) -> Iterator[tuple[Query, int | None]]:
    """TREC's `<top> <num> … <title> …`, whose inner tags need not be closed."""
    for top in re.finditer(r"<top>(.*?)(?:</top>|(?=<top>)|\Z)", text, re.I | re.S):
        line = text.count("\n", 0, top.start()) + 1
        fields: dict[str, str] = {}
        for tag, inner in re.findall(r"<([A-Za-z][\w-]*)[^>]*>([^<]*)", top[1]):
            label = _LABEL.get(tag.lower())
            fields.setdefault(tag.lower(), _one_line(label.sub("", inner, 1) if label else inner))
        query_id = fields.pop("num", "")
        if not query_id:
            raise FormatError("a topic without <num>", file=file, line=line)
        yield _topic(query_id, fields, file, line), line


def _from_xml(text: str, file: str) -> Iterator[tuple[Query, int | None]]:
    """`<topics><topic number="1"><query>…`; other attributes and elements become fields."""
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as e:
        problem = f"XML that is not well-formed ({e.msg})"
        raise FormatError(problem, file=file, line=e.position[0]) from None
    topics = list(root.iter("topic"))
    if not topics:
        raise FormatError("no <topic> or <top> in it", file=file)
    for i, topic in enumerate(topics, 1):
        fields: dict[str, Any] = dict(topic.attrib)
        for part in topic:
            fields.setdefault(part.tag, _one_line("".join(part.itertext())))
        if not len(topic) and topic.text:
            fields["query"] = _one_line(topic.text)
        name = next((n for n in ("number", "id", "num", "qid") if fields.get(n)), None)
        if name is None:
            hint = 'a topic is <topic number="1"><query>…'
            raise FormatError(f"topic {i} has no number", hint, file=file)
        yield _topic(fields.pop(name), fields, file, None), None


def _topic(query_id: str, fields: dict[str, Any], file: str, line: int | None) -> Query:
    """The text is the query or title; without one, the question or description."""
    for name in ("query", "title", "question", "desc", "description"):
        if fields.get(name):
            return Query(query_id, fields.pop(name), fields)
    raise FormatError(f"topic {query_id!r} has no text", file=file, line=line)


def _one_line(text: str) -> str:
    from xml.sax.saxutils import unescape  # urllib comes with it, 50 ms

    return " ".join(unescape(text, _ENTITIES).split())
