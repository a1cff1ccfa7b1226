"""The queries: what may be concluded of each, and which of them can tell runs apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cranfield.data.collection import Query
from cranfield.diagnosis.finding import Cell, Finding, Rows, Section
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.prices import once_judged, without_queries
from cranfield.diagnosis.unanswered import unanswered
from cranfield.evaluation.answers import Kind, concluded
from cranfield.kit.near import near_pairs

REL = 1.0
EVEN = 1e-12
COMPARED = 10_000  # queries up to which texts are compared with one another
LABELS = 50  # different labels from which a field is no type
ALPHA = 0.05
STATUSES = (
    "answerable",
    "answerable_with_holes",
    "no_answer_confirmed",
    "no_answer_suspect",
    "unlabelled",
)


def queries(found: Examined) -> Section | None:
    """Statuses, difficulty, near-duplicates across sides, and types; None where there are neither
    texts nor runs."""
    if not found.runs and not found.collection.queries:
        return None
    status = statuses(found)
    counted = Counter(s for s, _ in status.values())
    facts: list[tuple[str, Cell]] = [(f"status_{s}", counted[s]) for s in STATUSES]
    facts.append(("queries_compared", len(sides(found))))
    tables = tuple(_types(found))
    return Section("queries", tuple(facts), tables, tuple(_findings(found, status, tables)))


def statuses(found: Examined) -> dict[str, tuple[str, tuple[str, ...]]]:
    """{query: (status, unjudged documents in the first k of any run)} of every query that the
    collection, the judgments or a run names; with runs a no-answer query is confirmed where none
    returns an unjudged document, without runs it stays suspect."""
    named = [q.id for q in found.collection.queries]
    named += [*found.queries, *(q for a in found.aligned for q in a.unlabelled)]
    lists = found.lists(found.asked.k) if found.runs else ()
    out = {}
    for query in dict.fromkeys(named):
        judged = found.grades.get(query, {})
        kind: Kind = "unlabelled"
        if judged:
            kind = "answerable" if max(judged.values()) >= REL else "no_answer"
        holes = sorted({d for run in lists for d, _ in run.get(query, ()) if d not in judged})
        open_ = bool(holes) or (kind == "no_answer" and not found.runs)
        out[query] = (concluded(kind, open_), tuple(holes))
    return out


def difficulty(found: Examined) -> dict[str, list[str]]:
    """Answerable queries that tell no runs apart under the first measure: `easy` (every run has
    the best value), `hard` (every run has 0) and `even` (all have the same other value).
    One run alone says nothing."""
    out: dict[str, list[str]] = {"easy": [], "hard": [], "even": []}
    if len(found.runs) < 2:
        return out
    values = found.values[:, :, 0]
    best = float(found.measures[0].definition.range[1])
    for i, query in enumerate(found.queries):
        if max(found.grades[query].values(), default=0) < REL:
            continue
        low, high = float(values[:, i].min()), float(values[:, i].max())
        if low >= best - EVEN:
            out["easy"].append(query)
        elif high <= EVEN and low >= -EVEN:
            out["hard"].append(query)
        elif high - low <= EVEN:
            out["even"].append(query)
    return out


def near_across(
    queries: Sequence[Query], side: Mapping[str, str]
) -> list[tuple[str, str, str, str, float]]:
    """(query, side, other query, side, similarity) of near-duplicates on different sides; queries
    without a side are left out."""
    known = [q for q in queries if q.id in side]
    return [
        (known[i].id, side[known[i].id], known[j].id, side[known[j].id], alike)
        for i, j, alike in near_pairs([q.text for q in known])
        if side[known[i].id] != side[known[j].id]
    ]


def sides(found: Examined) -> dict[str, str]:
    """{query: side}: as the caller knows it; else the field `split` where queries have one, else
    whether it is judged here."""
    known = found.collection.queries
    if len(known) > COMPARED:
        return {}
    if found.asked.sides:
        return {q.id: found.asked.sides[q.id] for q in known if q.id in found.asked.sides}
    named = {q.id: str(q.fields["split"]) for q in known if q.fields.get("split") is not None}
    if named:
        return named
    return {q.id: "judged" if q.id in found.grades else "not judged" for q in known}


def _types(found: Examined) -> Iterator[Rows]:
    """How many judged queries each type has, the smallest p that so many can give, and the
    difference of means that they would show."""
    rows: list[tuple[Cell, ...]] = []
    for name in found.collection.slice_names:
        labels = {
            q.id: str(q.fields[name])
            for q in found.collection.queries
            if q.fields.get(name) is not None and q.id in found.grades
        }
        counts = Counter(labels.values())
        if not 1 < len(counts) <= LABELS:
            continue
        for label, n in counts.items():
            rows.append((f"{name}={label}", n, smallest_p(n), _shows(found, labels, label, n)))
    if rows:
        columns = ("type", "n", "smallest_p", "shows")
        yield Rows("types", columns, ("text", "count", "score", "score"), tuple(rows))


def smallest_p(n: int) -> float:
    """The smallest two-sided p of a sign or randomisation test on n pairs: 2/2^n."""
    return min(1.0, float(2.0 ** (1 - n)))


def _shows(found: Examined, labels: Mapping[str, str], label: str, n: int) -> float | None:
    """The difference that n queries find with power 0.8, given the median standard deviation of
    the differences between the first run and the others over all judged queries."""
    if len(found.runs) < 2 or n < 2 or len(found.queries) < 3:
        return None
    from cranfield.stats.power import detectable

    values = found.values[:, :, 0]
    sd = float(np.median((values[1:] - values[0]).std(axis=1, ddof=1)))
    return detectable(n, sd) if np.isfinite(sd) else None


def _findings(
    found: Examined, status: dict[str, tuple[str, tuple[str, ...]]], tables: tuple[Rows, ...]
) -> Iterator[Finding]:
    suspect = [(q, len(h)) for q, (s, h) in status.items() if s == "no_answer_suspect"]
    if suspect and found.runs:
        rows = Rows("suspect", ("query", "unjudged"), ("text", "count"), tuple(suspect))
        values: dict[str, Any] = {"n": len(suspect), "k": found.asked.k}
        price = once_judged(found, [q for q, _ in suspect])
        yield Finding("no_answer_suspect", "caution", values, effect=price, rows=rows)
    yield from unanswered(found)
    flat = difficulty(found)
    more: dict[str, Any] = {"all": len(found.queries), "measure": str(found.measures[0])}
    if easy := flat["easy"]:
        values = {"n": len(easy), **more}
        price = without_queries(found, easy)
        yield Finding("queries_easy", "info", values, effect=price, rows=_listed(easy))
    if hard := flat["hard"]:
        values = {"n": len(hard), **more}
        price = without_queries(found, hard)
        yield Finding("queries_hard", "caution", values, effect=price, rows=_listed(hard))
    if even := flat["even"]:
        values = {"n": len(even), **more}
        price = without_queries(found, even)
        yield Finding("queries_even", "info", values, effect=price, rows=_listed(even))
    across = near_across(found.collection.queries, sides(found))
    if across:
        rows = Rows(
            "near_across",
            ("query", "side", "other_query", "other_side", "similarity"),
            ("text", "text", "text", "text", "score"),
            tuple(across),
        )
        price = without_queries(found, [q for row in across for q in (row[0], row[2])])
        values = {"n": len(across)}
        yield Finding("near_across", "caution", values, "likely", effect=price, rows=rows)
    small = [r for t in tables for r in t.rows if isinstance(r[2], float) and r[2] > ALPHA]
    if small:
        rows = Rows("small_types", ("type", "n"), ("text", "count"), tuple(r[:2] for r in small))
        yield Finding("types_small", "caution", {"n": len(small), "alpha": ALPHA}, rows=rows)


def _listed(names: list[str]) -> Rows:
    return Rows("queries", ("query",), ("text",), tuple((name,) for name in names))
