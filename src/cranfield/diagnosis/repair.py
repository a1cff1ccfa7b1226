"""What is wrong with the ids of a run or of judgments, put right when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from cranfield.data.columns import Floats, Ids, Index
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import InputError
from cranfield.formats.inputs import Input

What = Literal["columns", "swap", "negate", "queries", "documents"]
RUN_COLUMNS = 6


@dataclass(frozen=True)
class Repair:
    """One thing to put right.

    Parameters
    ----------
    what : `columns`: query and document stand in other columns of the file; `swap`: one stands
        where the other should; `negate`: the scores fall where they should rise; `queries` and
        `documents`: their ids mean others.
    meant : of `queries` and `documents`: the id that is meant by an id.
    columns : of `columns`: those of query, document and score in the file, from 0.
    """

    what: What
    meant: Callable[[str], str] | None = None
    columns: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class Repaired:
    """What was written, counted.

    Parameters
    ----------
    queries, documents : different ids that were changed.
    merged : rows that became the same pair as another; the better one stayed.
    """

    queries: int = 0
    documents: int = 0
    merged: int = 0


def repaired_run(run: Run, repairs: Iterable[Repair]) -> tuple[Run, Repaired]:
    """The run with every repair but `columns` made, and what was changed."""
    names, number, docs, score = run.queries.to_list(), run.query, run.docs.to_list(), run.score
    counts = Repaired()
    for repair in repairs:
        if repair.what == "swap":
            rows = [names[q] for q in number.tolist()]
            names = list(dict.fromkeys(docs))
            place = {name: i for i, name in enumerate(names)}
            number, docs = np.array([place[d] for d in docs], np.int64), rows
        elif repair.what == "negate":
            score = -score
        elif repair.what == "queries" and repair.meant is not None:
            meant = [repair.meant(name) for name in names]
            counts = replace(counts, queries=counts.queries + _differ(names, meant))
            names, number = _renumbered(meant, number)
        elif repair.what == "documents" and repair.meant is not None:
            table = {doc: repair.meant(doc) for doc in dict.fromkeys(docs)}
            counts = replace(counts, documents=counts.documents + _differ(table, table.values()))
            docs = [table[doc] for doc in docs]
    kept = _best(number, docs, score)
    counts = replace(counts, merged=len(docs) - len(kept))
    made = Run(
        Ids.of(names),
        number[kept],
        Ids.of(docs[i] for i in kept.tolist()),
        score[kept],
        name=run.name,
        config=run.config,
    )
    return made, counts


def repaired_qrels(qrels: Qrels, repairs: Iterable[Repair]) -> tuple[Qrels, Repaired]:
    """The judgments with every repair made; of a pair that is judged twice then, the greater grade
    stays."""
    names, number, docs = qrels.queries.to_list(), qrels.query, qrels.docs.to_list()
    counts = Repaired()
    for repair in repairs:
        if repair.what == "swap":
            rows = [names[q] for q in number.tolist()]
            names = list(dict.fromkeys(docs))
            place = {name: i for i, name in enumerate(names)}
            number, docs = np.array([place[d] for d in docs], np.int64), rows
        elif repair.what == "queries" and repair.meant is not None:
            meant = [repair.meant(name) for name in names]
            counts = replace(counts, queries=counts.queries + _differ(names, meant))
            names, number = _renumbered(meant, number)
        elif repair.what == "documents" and repair.meant is not None:
            table = {doc: repair.meant(doc) for doc in dict.fromkeys(docs)}
            counts = replace(counts, documents=counts.documents + _differ(table, table.values()))
            docs = [table[doc] for doc in docs]
    made = replace(qrels, queries=Ids.of(names), query=number, docs=Ids.of(docs))
    plain = not (qrels.has_subtopics or qrels.judged_by_people)
    kept = _best(number, docs, qrels.grade) if plain else np.arange(len(docs))
    counts = replace(counts, merged=len(docs) - len(kept))
    return made.take(kept), counts


def _differ(names: Iterable[str], meant: Iterable[str]) -> int:
    return sum(a != b for a, b in zip(names, meant, strict=True))


def _renumbered(meant: Sequence[str], number: Index) -> tuple[list[str], Index]:
    """Names that may have become the same, each once, and the number of each row."""
    names = list(dict.fromkeys(meant))
    place = {name: i for i, name in enumerate(names)}
    return names, np.array([place[m] for m in meant], np.int64)[number]


def _best(query: Index, docs: Sequence[str], value: Floats) -> Index:
    """The rows to keep, in order: of several with the same query and document the one with the
    greatest value, the first of equal ones."""
    at: dict[tuple[int, str], int] = {}
    values = value.tolist()
    for i, pair in enumerate(zip(query.tolist(), docs, strict=True)):
        before = at.setdefault(pair, i)
        if values[i] > values[before]:
            at[pair] = i
    return np.array(sorted(at.values()), np.int64)


def run_by_columns(path: str, columns: tuple[int, int, int], name: str) -> Run:
    """A file of lines with blanks between the columns, read by these numbers of columns.

    Raises
    ------
    InputError
        A line has no such column, or its score is no number.
    """
    rows = []
    with Input(path).open() as stream:
        for number, line in enumerate(stream, 1):
            cells = line.decode("utf-8", "replace").split()
            if not cells:
                continue
            try:
                query, doc, score = (cells[i] for i in columns)
                rows.append((query, doc, float(score)))
            except (IndexError, ValueError):
                raise InputError(f"{path}, line {number}: not a line of a run") from None
    return Run.from_rows(rows, name=name)
