"""What to do about copies: label all of them alike (`expand`), or keep one of each (`collapse`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from cranfield.data.columns import Ids, join
from cranfield.data.qrels import NO_ITERATION, Qrels
from cranfield.errors import InputError

Policy = Literal["expand", "collapse"]
POLICIES: tuple[Policy, ...] = ("expand", "collapse")
Clusters = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Changed:
    """Judgments after a policy.

    Parameters
    ----------
    added : rows for copies that had none.
    raised : rows whose grade rose to that of a copy (a pooled row that became judged is one).
    removed : rows of copies that left.
    """

    qrels: Qrels
    added: int = 0
    raised: int = 0
    removed: int = 0


def expand(qrels: Qrels, clusters: Clusters) -> Changed:
    """Every member of a cluster gets the greatest grade (of 0 or more) that one of them has for
    the query. Added rows have the source `duplicate` where rows have one.

    Raises
    ------
    InputError
        Judgments of subtopics, preferences, or of several people.
    """
    rows = _rows(qrels, clusters)
    grade = qrels.grade.copy()
    query: list[int] = []
    docs: list[str] = []
    grades: list[float] = []
    raised = 0
    for (q, c), mine in rows.items():
        best = max(float(qrels.grade[r]) for r in mine.values())
        if best < 0:
            continue
        for row in mine.values():
            raised += bool(grade[row] < best)
            grade[row] = best
        new = [doc for doc in clusters[c] if doc not in mine]
        query += [q] * len(new)
        docs += new
        grades += [best] * len(new)
    order = np.argsort(np.concatenate([qrels.query, np.array(query, np.int64)]), kind="stable")

    def with_new(column: Ids | None, value: bytes) -> Ids | None:
        return None if column is None else join([column, Ids.of([value] * len(docs))]).take(order)

    found = replace(
        qrels,
        query=np.concatenate([qrels.query, np.array(query, np.int64)])[order],
        docs=join([qrels.docs, Ids.of(docs)]).take(order),
        grade=np.concatenate([grade, np.array(grades, np.float64)])[order],
        iteration=with_new(qrels.iteration, NO_ITERATION),
        source=with_new(qrels.source, b"duplicate"),
        assessor=with_new(qrels.assessor, b""),
        note=with_new(qrels.note, b""),
    )
    return Changed(found, added=len(docs), raised=raised)


def collapse(qrels: Qrels, clusters: Clusters) -> Changed:
    """One row a query and cluster, of the cluster's first id, with the greatest grade of its
    members. Runs have to be collapsed too: `collapse_list`.

    Raises
    ------
    InputError
        As `expand`.
    """
    rows = _rows(qrels, clusters)
    keep = np.ones(len(qrels), bool)
    grade = qrels.grade.copy()
    names: dict[int, str] = {}
    raised = 0
    for (_, c), mine in rows.items():
        first = min(mine.values())
        best = max(float(qrels.grade[r]) for r in mine.values())
        keep[list(mine.values())] = False
        keep[first] = True
        raised += bool(grade[first] < best)
        grade[first] = best
        if clusters[c][0] not in mine or mine[clusters[c][0]] != first:
            names[first] = clusters[c][0]
    docs = qrels.docs
    if names:
        listed = docs.to_list()
        for row, name in names.items():
            listed[row] = name
        docs = Ids.of(listed)
    found = replace(qrels, grade=grade, docs=docs).take(keep)
    return Changed(found, raised=raised, removed=int((~keep).sum()))


def collapse_list(ranked: Iterable[str], first_of: dict[str, str]) -> list[str]:
    """A ranking in which each cluster stands once, under its first id, where its first copy
    stood. `first_of` is {document: first id of its cluster}."""
    return list(dict.fromkeys(first_of.get(doc, doc) for doc in ranked))


def firsts(clusters: Clusters) -> dict[str, str]:
    """{document: first id of its cluster} of documents in one."""
    return {doc: docs[0] for docs in clusters for doc in docs}


def _rows(qrels: Qrels, clusters: Clusters) -> dict[tuple[int, int], dict[str, int]]:
    """{(query, cluster): {member: its row}} of clusters with a row for the query."""
    if qrels.judged_by_people or qrels.has_subtopics:
        raise InputError(
            f"{qrels.name}: judgments of subtopics, of several people, or preferences cannot be "
            "carried over to copies",
            "judgments with one row a query and document can",
        )
    member = {doc: c for c, docs in enumerate(clusters) for doc in docs}
    found: dict[tuple[int, int], dict[str, int]] = {}
    for row, (q, doc) in enumerate(zip(qrels.query.tolist(), qrels.docs.to_list(), strict=True)):
        if (c := member.get(doc)) is not None:
            found.setdefault((q, c), {})[doc] = row
    return found
