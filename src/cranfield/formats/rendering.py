"""Rows as lines of text, one function a format; what may stand in a row is checked before."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.data.columns import Ids, Index
from cranfield.data.qrels import Qrels, grade_text
from cranfield.data.run import Run
from cranfield.formats.names import Kind, value_name

_QUOTED = re.compile('[",\r\n]')


@dataclass(frozen=True, eq=False)
class Sheet:
    """What is written: one row a judgment or a returned document.

    `names` are all queries (a run's may be without rows), `code` the query of each row. `extra`
    are the further columns of judgments; `rank` and `tag` belong to runs.
    """

    kind: Kind
    names: Ids
    code: Index
    docs: Ids
    value: NDArray[np.float64]
    extra: dict[str, Ids] = field(default_factory=dict)
    rank: Index | None = None
    tag: str = ""

    @classmethod
    def of_qrels(cls, qrels: Qrels, extra: dict[str, Ids]) -> Sheet:
        return cls("qrels", qrels.queries, qrels.query, qrels.docs, qrels.grade, extra)

    @classmethod
    def of_run(cls, run: Run, tag: str) -> Sheet:
        score, rank = run.score, run.ranks()
        return cls("run", run.queries, run.query, run.docs, score, rank=rank, tag=tag)

    @property
    def query(self) -> Iterator[str]:
        """The query id of every row."""
        names = self.names.to_list()
        return (names[code] for code in self.code.tolist())

    def texts(self) -> list[str]:
        """The shortest text of every number that reads back as the same; infinity is `inf`."""
        return list(map(grade_text if self.kind == "qrels" else repr, self.value.tolist()))

    def columns(self) -> dict[str, Ids | NDArray[Any]]:
        """Named columns for Arrow; grades that are all whole become whole numbers."""
        value: NDArray[Any] = self.value
        if self.kind == "qrels" and np.all((value == np.floor(value)) & (abs(value) < 2.0**53)):
            value = value.astype(np.int64)
        ids = {"query": self.names.take(self.code), "doc": self.docs}
        return {**ids, value_name(self.kind): value, **self.extra}


def trec(sheet: Sheet) -> Iterator[str]:
    if sheet.rank is not None:
        rows = zip(sheet.query, sheet.docs, sheet.rank.tolist(), sheet.texts(), strict=True)
        return (f"{q} Q0 {d} {rank} {score} {sheet.tag}\n" for q, d, rank, score in rows)
    second = _iteration(sheet)
    return (
        f"{q} {i} {d} {grade}\n"
        for q, i, d, grade in zip(sheet.query, second, sheet.docs, sheet.texts(), strict=True)
    )


def beir(sheet: Sheet) -> Iterator[str]:
    """BEIR's three columns, or four where column 2 of a TREC file says something."""
    if "iteration" not in sheet.extra:
        yield "query-id\tcorpus-id\tscore\n"
        for q, d, grade in zip(sheet.query, sheet.docs, sheet.texts(), strict=True):
            yield f"{q}\t{d}\t{grade}\n"
        return
    yield "query-id\titeration\tcorpus-id\tscore\n"
    second = _iteration(sheet)
    for q, i, d, grade in zip(sheet.query, second, sheet.docs, sheet.texts(), strict=True):
        yield f"{q}\t{i}\t{d}\t{grade}\n"


def csv(sheet: Sheet) -> Iterator[str]:
    yield ",".join(["query", "doc", value_name(sheet.kind), *sheet.extra]) + "\n"
    for row in zip(sheet.query, sheet.docs, sheet.texts(), *sheet.extra.values(), strict=True):
        yield ",".join(map(_quoted, row)) + "\n"


def jsonl(sheet: Sheet) -> Iterator[str]:
    names = [f', "{name}": ' for name in sheet.extra]
    what = value_name(sheet.kind)
    rows = zip(sheet.query, sheet.docs, _json_numbers(sheet), *sheet.extra.values(), strict=True)
    for q, d, number, *labels in rows:
        more = "".join(n + _json(label) for n, label in zip(names, labels, strict=True))
        yield f'{{"query": {_json(q)}, "doc": {_json(d)}, "{what}": {number}{more}}}\n'


def as_json(sheet: Sheet) -> Iterator[str]:
    """{query: {document: number}}, a query a line; one without rows is an empty object."""
    members: list[list[str]] = [[] for _ in sheet.names]
    rows = zip(sheet.code.tolist(), sheet.docs, _json_numbers(sheet), strict=True)
    for code, doc, number in rows:
        members[code].append(f"{_json(doc)}: {number}")
    yield "{"
    for i, (name, inner) in enumerate(zip(sheet.names, members, strict=True)):
        yield f"{',' if i else ''}\n{_json(name)}: {{{', '.join(inner)}}}"
    yield "\n}\n"


RENDERERS: dict[str, Callable[[Sheet], Iterator[str]]] = {
    "trec": trec,
    "beir": beir,
    "csv": csv,
    "jsonl": jsonl,
    "json": as_json,
}


def _iteration(sheet: Sheet) -> Iterator[str]:
    column = sheet.extra.get("iteration")
    if column is None:
        return ("0" for _ in range(len(sheet.docs)))
    return (text or "0" for text in column)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def _json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _json_numbers(sheet: Sheet) -> list[str]:
    """JSON has no infinity: it is written as the text "inf", which the reader takes as one."""
    if np.isinf(sheet.value).any():
        return [f'"{t}"' if t.endswith("inf") else t for t in sheet.texts()]
    return sheet.texts()
