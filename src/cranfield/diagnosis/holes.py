"""Unjudged documents in the first results: how many there are under each definition in use, and
how far they may move each score."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from cranfield.diagnosis.finding import Cell, Finding, Rows, Section
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.prices import Unpriced
from cranfield.evaluation.holes import Bounded, mean_bound, topics_of
from cranfield.kit.progress import progress
from cranfield.measures import Measure
from cranfield.measures.bounds import Bound, has_bounds

LOW = 0.5  # of judged@k; below it raw scores are about the pool
APART = 0.05
DEEP = 0.8  # judged@k with a pool depth of 0: labels are not a pool


def holes(found: Examined) -> Section | None:
    """judged@k, pool depth and bounds of every run."""
    if not found.runs:
        return None
    rates = list(judge_rates(found))
    ranges = list(ranges_of(found))
    depth = pool_depth(found)
    per_query = _by_query(found)
    facts: tuple[tuple[str, Cell], ...] = (
        ("k", found.asked.k),
        ("holes", int(sum(n for _, n, _ in per_query))),
        ("queries_with_holes", sum(n > 0 for _, n, _ in per_query)),
        ("pool_depth_min", int(min(depth, default=0))),
        ("pool_depth_median", float(np.median(depth or [0]))),
    )
    worst = sorted((r for r in per_query if r[1]), key=lambda r: (-r[1], r[0]))
    tables = (
        Rows(
            "judged",
            ("run", "judged", "n", "empty", "pooled", "elastic", "ir_measures", "unjudged"),
            ("text", "share", "count", "count", "share", "share", "share", "count"),
            tuple(rates),
        ),
        Rows(
            "bounds",
            (
                "run",
                "measure",
                "score",
                "condensed",
                "low",
                "high",
                "open_low",
                "open_high",
                "kind",
            ),
            ("text", "text", "score", "score", "score", "score", "score", "score", "text"),
            tuple(row for row, _ in ranges),
        ),
        Rows(
            "holes_by_query",
            ("query", "documents", "per_run"),
            ("text", "count", "score"),
            tuple(worst[: found.asked.most]),
        ),
    )
    return Section("holes", facts, tables, tuple(_findings(found, rates, ranges, depth)))


def judge_rates(found: Examined) -> Iterator[tuple[Cell, ...]]:
    """For each run judged@k under four definitions, and what they are made of.

    judged : mean over judged queries with a result of judged / min(k, returned); a row below 0
        does not count as judged; `n` queries, `empty` answered with nothing.
    pooled : judged documents in all first k together / documents returned there.
    elastic : as Elastic's notebook: any row counts as judged, and queries without judgments count
        too, with 0; empty results are passed over.
    ir_measures : any row counts, and a judged query that the run lacks counts as 0; None where a
        result is empty, where the tool stops with an error.
    """
    k = found.asked.k
    n = found.judgments.n_queries
    for r, name in enumerate(found.runs):
        aligned = found.aligned[r]
        hits = aligned.hits
        seen = np.minimum(hits.n_ret, k)
        top = hits.rank < k
        judged = np.bincount(hits.query[top & (found.judgments.grade[hits.row] >= 0)], minlength=n)
        rows = np.bincount(hits.query[top], minlength=n)
        some = seen > 0
        strangers = sum(
            bool(rows_) for q, rows_ in found.lists(k)[r].items() if q not in found.grades
        )
        share = rows[some] / seen[some]
        empty = int((aligned.answered & ~some).sum())
        total = int(some.sum()) + strangers
        yield (
            name,
            float((judged[some] / seen[some]).mean()) if some.any() else None,
            int(some.sum()),
            empty,
            float(judged.sum() / seen.sum()) if some.any() else None,
            float(share.sum() / total) if total else None,
            None if empty else float(share.sum() / n),
            int((seen - judged).sum()),
        )


def ranges_of(found: Examined) -> Iterator[tuple[tuple[Cell, ...], Bound | None]]:
    """(a row, its closed bound) for each run and measure."""
    able = [has_bounds(m) for m in found.measures]
    ways = [
        (Bounded(m, found.levels), Bounded(m, found.levels, "open"))
        for m, ok in zip(found.measures, able, strict=True)
        if ok
    ]
    means = found.values.mean(axis=1)
    condensed = found.condensed.mean(axis=1)
    with progress("bounding scores", len(found.runs)) as advance:
        for r, run in enumerate(found.runs):
            topics = list(topics_of(found.judgments, found.hits(r)))
            way = iter(ways)
            for i, measure in enumerate(found.measures):
                score, bare = float(means[r, i]), float(condensed[r, i])
                row: tuple[Cell, ...] = (
                    run,
                    str(measure),
                    score,
                    None if math.isnan(bare) else bare,
                )
                if not able[i] or measure.definition.aggregate != "mean":
                    yield (*row, None, None, None, None, "none"), None
                    continue
                closed, open_ = next(way)
                inside = mean_bound(map(closed, topics))
                wide = mean_bound(map(open_, topics))
                kind = "exact" if inside.exact else "outer"
                yield (*row, inside.low, inside.high, wide.low, wide.high, kind), inside
            advance(1)


def pool_depth(found: Examined) -> list[int]:
    """For each query the largest d such that each run's first d documents are judged; the length
    of the longest list where all of them are. Queries that nobody answered have none."""
    return found.keep("pool depth", lambda: _pool_depth(found))


def _pool_depth(found: Examined) -> list[int]:
    n = found.judgments.n_queries
    depth = np.full(n, np.iinfo(np.int64).max)
    longest = np.zeros(n, np.int64)
    for aligned in found.aligned:
        hits = aligned.hits
        judged = found.judgments.grade[hits.row] >= 0
        query, rank = hits.query[judged], hits.rank[judged]
        first = np.searchsorted(query, np.arange(n))
        place = np.arange(len(query)) - first[query]
        unbroken = np.bincount(query[place == rank], minlength=n)
        depth = np.where(unbroken < hits.n_ret, np.minimum(depth, unbroken), depth)
        longest = np.maximum(longest, hits.n_ret)
    return [int(d) for d in np.minimum(depth, longest)[longest > 0]]


def _by_query(found: Examined) -> list[tuple[str, int, float]]:
    """(query, different unjudged documents in all first k, their mean number a run)."""
    lists = found.lists(found.asked.k)
    rows = []
    for query in found.queries:
        judged = found.grades[query]
        open_ = [d for run in lists for d, _ in run.get(query, ()) if d not in judged]
        rows.append((query, len(set(open_)), len(open_) / len(lists)))
    return rows


def _findings(
    found: Examined,
    rates: list[tuple[Cell, ...]],
    ranges: list[tuple[tuple[Cell, ...], Bound | None]],
    depth: list[int],
) -> Iterator[Finding]:
    k = found.asked.k
    shares = {str(row[0]): row[1] for row in rates if isinstance(row[1], float)}
    widths: dict[str, float] = {}
    for row, bound in ranges:
        if bound is not None:
            widths[str(row[1])] = max(widths.get(str(row[1]), 0.0), bound.width)
    widths = widths or Unpriced("unbounded")
    none = {run: share for run, share in shares.items() if share == 0}
    nothing = tuple(none)
    if nothing:
        values: dict[str, Any] = {"runs": nothing, "n": len(nothing), "k": k}
        rows = Rows("judged_runs", ("run", "judged"), ("text", "share"), tuple(none.items()))
        yield Finding("nothing_judged", "error", values, effect=widths, rows=rows)
    low = {run: share for run, share in shares.items() if 0 < share < LOW}
    if low:
        rows = Rows("judged_runs", ("run", "judged"), ("text", "share"), tuple(low.items()))
        values = {"n": len(low), "k": k, "limit": LOW, "least": min(low.values())}
        yield Finding("judged_low", "warning", values, effect=widths, rows=rows)
    apart = bool(shares) and round(max(shares.values()) - min(shares.values()), 12) > APART
    if apart:
        most, least = max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__)
        values = {"most": most, "least": least, "k": k, "limit": APART}
        values |= {"judged_most": shares[most], "judged_least": shares[least]}
        yield Finding("judged_apart", "warning", values, effect=widths)
    if shares and not (low or nothing or apart) and max(widths.values(), default=0.0) > 0:
        yield Finding("holes_some", "caution", {"k": k}, effect=widths)
    if depth and np.median(depth) == 0 and np.mean(list(shares.values())) >= DEEP:
        yield Finding("pool_shallow", "info", {"k": k}, "likely")


def bounded(found: Examined) -> list[tuple[int, Measure]]:
    """The measures that differences can be bounded for: number and measure."""
    from cranfield.diagnosis.asked import MOST_DEPTH

    return [
        (i, m)
        for i, m in enumerate(found.measures)
        if has_bounds(m)
        and m.definition.aggregate == "mean"
        and m.cutoff is not None
        and m.cutoff <= MOST_DEPTH
    ]
