"""Sets of judgments laid side by side: what each says of the same documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.data.columns import Floats, Ids, Index, encode, join
from cranfield.data.qrels import NO_ITERATION, Qrels
from cranfield.errors import InputError


@dataclass(frozen=True, eq=False)
class Laid:
    """What the sets say of the same documents.

    Parameters
    ----------
    queries : distinct ids, in the order in which the sets bring them.
    query : [row] index into `queries`, ascending; within a query rows stand as they first come.
    docs : [row]
    subtopics : [row], where column 2 tells rows apart; else None.
    row : [set, row] where the set has it, -1 where it does not.
    grade : [set, row] NaN where the set does not have it.
    """

    queries: list[str]
    query: Index
    docs: Ids
    subtopics: Ids | None
    row: Index
    grade: Floats


def lay(sets: Sequence[Qrels], what: str) -> Laid:
    """The sets side by side.

    Raises
    ------
    InputError
        Preferences or judgments of several groups, or a document twice for a query.
    """
    for qrels in sets:
        if qrels.judged_by_people:
            raise InputError(
                f"{qrels.name}: preferences, or judgments of several groups, cannot be {what}",
                "judgments with one row a query and document can",
            )
    names, known = encode(join([qrels.queries for qrels in sets]))
    first = np.cumsum([0, *(len(qrels.queries) for qrels in sets)])
    query = np.concatenate([known[at + s.query] for at, s in zip(first, sets, strict=False)])
    docs = join([qrels.docs for qrels in sets])
    different, code = encode(docs)
    subtopics = None
    key = query * len(different) + code
    if any(qrels.has_subtopics for qrels in sets):
        subtopics = join([_iterations(qrels) for qrels in sets])
        values, own = encode(subtopics)
        key = key * len(values) + own
    order = np.argsort(key, kind="stable")
    new = np.ones(len(key), np.bool_)
    new[1:] = key[order[1:]] != key[order[:-1]]
    group = np.cumsum(new) - 1  # of each row in `order`
    lead = order[new]  # the first row of each key
    place = np.empty(len(lead), np.int64)
    by_query = np.lexsort((lead, query[lead]))
    place[by_query] = np.arange(len(lead))
    at = np.empty(len(key), np.int64)
    at[order] = place[group]
    starts = np.cumsum([0, *map(len, sets)])
    row = np.full((len(sets), len(lead)), -1)
    grade = np.full((len(sets), len(lead)), np.nan)
    for s, qrels in enumerate(sets):
        mine = at[starts[s] : starts[s + 1]]
        row[s, mine] = np.arange(len(qrels))
        if np.count_nonzero(row[s] >= 0) < len(qrels):
            _refuse_repeat(qrels, mine)
        grade[s, mine] = qrels.grade
    lead = lead[by_query]
    return Laid(
        [name.decode() for name in names],
        query[lead],
        docs.take(lead),
        None if subtopics is None else subtopics.take(lead),
        row,
        grade,
    )


def _iterations(qrels: Qrels) -> Ids:
    if qrels.iteration is not None:
        return qrels.iteration
    return Ids.of([NO_ITERATION] * len(qrels))


def _refuse_repeat(qrels: Qrels, place: Index) -> None:
    seen: set[int] = set()
    for row, at in enumerate(place.tolist()):
        if at in seen:
            query = qrels.queries[int(qrels.query[row])]
            raise InputError(
                f"{qrels.name}: document {qrels.docs[row]!r} is judged twice for query {query!r}",
                "on_duplicate says which row to keep",
            )
        seen.add(at)
