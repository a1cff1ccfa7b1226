"""Which documents to label first."""

from __future__ import annotations

import math

from cranfield.diagnosis.finding import Cell, Hole, Rows, Section
from cranfield.diagnosis.holes import bounded
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.pairs import compared
from cranfield.evaluation.holes import Bounded, labelled, topic_of
from cranfield.kit.progress import progress

WEIGHED = 2_000  # holes whose gain in certainty is worked out; the list itself is whole


def worklist(found: Examined) -> Section | None:
    """The head of the list; `all_holes` has all of it."""
    if not found.runs:
        return None
    every = all_holes(found)
    if not every:
        return None
    columns = ("query", "document", "rank", "runs", "weight", "certainty", "swing")
    kinds = ("text", "text", "count", "count", "score", "score", "score")
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (h.query, h.document, h.rank, h.runs, h.weight, h.certainty, h.swing)
        for h in every[: found.asked.most]
    )
    facts: tuple[tuple[str, Cell], ...] = (
        ("to_label", len(every)),
        ("ordered_by", order_of(found)),
    )
    return Section("worklist", facts, (Rows("worklist", columns, kinds, rows),))


def order_of(found: Examined) -> str:
    """What orders the list: what was asked for, else `swing` where runs are compared and `weight`
    where there is only one."""
    asked = found.asked.order
    if asked != "auto":
        return asked
    return "swing" if compared(found) else "weight"


def all_holes(found: Examined) -> list[Hole]:
    """Every unjudged document in a run's first k, the most urgent first; of queries that nobody
    labelled too, whose scores no label can make certain as there are none."""
    return found.keep("holes", lambda: _all_holes(found))


def _all_holes(found: Examined) -> list[Hole]:
    lists = found.lists(found.asked.k)
    at: dict[tuple[str, str], list[int]] = {}
    places: dict[tuple[str, str], dict[int, int]] = {}
    for number, run in enumerate(lists):
        for query, results in run.items():
            judged = found.grades.get(query, {})
            for rank, (doc, _) in enumerate(results, 1):
                if doc not in judged:
                    at.setdefault((query, doc), []).append(rank)
                    places.setdefault((query, doc), {})[number] = rank
    weight = {key: math.fsum(1 / math.log2(r + 1) for r in ranks) for key, ranks in at.items()}
    swing = _swings(found, places)
    first = swing if order_of(found) == "swing" else weight
    order = sorted(at, key=lambda key: (-round(first[key], 12), -round(weight[key], 12), *key))
    certainty = _certainties(found, order[:WEIGHED])
    return [
        Hole(*key, min(at[key]), len(at[key]), weight[key], certainty.get(key), swing.get(key))
        for key in order
    ]


def _swings(
    found: Examined, places: dict[tuple[str, str], dict[int, int]]
) -> dict[tuple[str, str], float]:
    """How far each document may pull the compared runs apart; empty for fewer than two runs."""
    pairs = compared(found)
    if not pairs:
        return {}
    mine: dict[int, list[tuple[int, int]]] = {}
    for pair in pairs:
        for run in pair:
            mine.setdefault(run, []).append(pair)
    out = {}
    for key, at in places.items():
        some = {pair for run in at for pair in mine.get(run, ())}
        value = {run: 1 / math.log2(rank + 1) for run, rank in at.items()}
        out[key] = math.fsum(abs(value.get(a, 0.0) - value.get(b, 0.0)) for a, b in some)
    return out


def _certainties(found: Examined, some: list[tuple[str, str]]) -> dict[tuple[str, str], float]:
    able = bounded(found)
    if not able:
        return {}
    way = Bounded(able[0][1], found.levels)
    depth = able[0][1].cutoff or found.asked.k
    lists = found.lists(max(depth, found.asked.k))
    wanted: dict[str, set[str]] = {}
    for query, doc in some:
        wanted.setdefault(query, set()).add(doc)
    gained = dict.fromkeys(((q, d) for q, d in some if q in found.grades), 0.0)
    share = 1 / (len(lists) * len(found.queries))
    with progress("weighing labels", len(lists)) as advance:
        for run in lists:
            for query, docs in wanted.items():
                if query not in found.grades:
                    continue
                listed = [doc for doc, _ in run.get(query, ())][:depth]
                if docs.isdisjoint(listed):
                    continue
                topic, names = topic_of(found.grades[query], listed)
                now = way(topic).width
                for hole, doc in enumerate(names):
                    if doc in docs:
                        later = way(labelled(topic, hole, 0.0)).width
                        gained[query, doc] += share * (now - later)
            advance(1)
    return gained
