"""Several runs made one, by a rule of `fusion_rules`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from cranfield.data.columns import Floats, Ids, Index, encode, join
from cranfield.data.run import Run
from cranfield.errors import InputError, UsageError
from cranfield.retrieval.fusion_rules import NORMS, RULES, Fusion, Lists, Table


def fuse(runs: Sequence[Run], fusion: Fusion | str = "rrf", *, name: str | None = None) -> Run:
    """One run of several.

    Ranks are those of evaluation: by descending score, equal scores by descending document id. A
    query that a run lacks is fused from the others, which a note says.

    Raises
    ------
    UsageError
        Fewer than two runs, or another number of weights.
    InputError
        A document twice for a query, or an infinite score where scores are used.
    """
    how = Fusion(fusion) if isinstance(fusion, str) else fusion
    if len(runs) < 2:
        raise UsageError("fusion needs two runs or more")
    if how.weights is not None and len(how.weights) != len(runs):
        raise UsageError(f"{len(how.weights)} weights for {len(runs)} runs", "one weight a run")
    queries, query_code = encode(join([run.queries for run in runs]))
    docs, doc_code = encode(join([run.docs for run in runs]))
    place = _places(docs)
    n_docs = max(len(docs), 1)
    offset = np.cumsum([0, *(len(run.queries) for run in runs)])
    split = np.cumsum([len(run) for run in runs])[:-1]
    lists, pairs = [], []
    for run, begin, codes in zip(runs, offset[:-1], np.split(doc_code, split), strict=True):
        query = query_code[begin : begin + len(run.queries)][run.query]
        pair = query * n_docs + place[codes]
        _check_once(run, pair, query, queries, docs, codes)
        score = run.score.astype(np.float64)
        if RULES[how.method].uses == "score" and not np.isfinite(score).all():
            hint = "rrf, isr and borda use ranks instead"
            raise InputError(f"run {run.name}: a score is infinite", hint)
        lists.append(Lists(score, _ranks(query, score, pair), query, len(queries)))
        pairs.append(pair)
    rows, row = np.unique(np.concatenate(pairs), return_inverse=True)
    table = _table(lists, np.split(row, split), len(rows), rows // n_docs, how)
    score = RULES[how.method].combine(table, how.constant) if len(rows) else np.zeros(0)
    return _to_run(runs, rows, score, queries, docs, place, how, name)


def _places(docs: list[bytes]) -> Index:
    """The place of every id in the order that breaks ties: descending bytes."""
    order = sorted(range(len(docs)), key=docs.__getitem__, reverse=True)
    place = np.empty(len(docs), np.int64)
    place[order] = np.arange(len(docs))
    return place


def _check_once(
    run: Run, pair: Index, query: Index, queries: list[bytes], docs: list[bytes], codes: Index
) -> None:
    if len(np.unique(pair)) == len(pair):
        return
    counts = Counter(pair.tolist())
    i = next(i for i, p in enumerate(pair.tolist()) if counts[p] > 1)
    where = f"document {docs[codes[i]].decode()!r} for query {queries[query[i]].decode()!r}"
    raise InputError(f"run {run.name}: {where} comes twice", "a run lists it once")


def _ranks(query: Index, score: Floats, pair: Index) -> Floats:
    order = np.lexsort((pair, -score, query))
    ordered = query[order]
    rank = np.empty(len(query))
    rank[order] = np.arange(len(query)) - np.searchsorted(ordered, ordered) + 1
    return rank


def _table(
    lists: Sequence[Lists], rows: Sequence[Index], n: int, query: Index, how: Fusion
) -> Table:
    weight = np.array(how.weights or [1.0] * len(lists))
    value, rank = np.full((n, len(lists)), np.nan), np.full((n, len(lists)), np.nan)
    listed = np.zeros((n, len(lists)))
    normal = NORMS[how.norm or "min-max"][1]
    for i, (own, row) in enumerate(zip(lists, rows, strict=True)):
        if RULES[how.method].uses == "score":
            value[row, i] = weight[i] * normal(own)
        rank[row, i] = own.rank
        listed[:, i] = np.bincount(own.group, minlength=own.n)[query]
    pool = np.bincount(query)[query].astype(np.float64) if n else np.zeros(0)
    return Table(value, rank, weight, pool, listed)


def _to_run(
    runs: Sequence[Run],
    rows: Index,
    score: Floats,
    queries: list[bytes],
    docs: list[bytes],
    place: Index,
    how: Fusion,
    name: str | None,
) -> Run:
    n_docs = max(len(docs), 1)
    query, at = rows // n_docs, rows % n_docs
    order = np.lexsort((at, -score, query))
    if how.depth is not None:
        ordered = query[order]
        order = order[np.arange(len(order)) - np.searchsorted(ordered, ordered) < how.depth]
    by_place = np.argsort(place)
    asked = len(queries)
    notes = [
        f"{run.name} lacks {asked - len(run.queries)} of {asked} queries"
        for run in runs
        if len(run.queries) < asked
    ]
    return Run(
        Ids.of(queries),
        query[order],
        Ids.of([docs[i] for i in by_place[at[order]].tolist()]),
        score[order],
        name=name or f"fused-{how.method}",
        config={"fusion": how.config(), "runs": [run.name for run in runs]},
        notes=tuple(notes),
    )
