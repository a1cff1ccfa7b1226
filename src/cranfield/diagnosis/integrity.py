"""Whether documents, queries, judgments and runs speak of the same things."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from cranfield.diagnosis.asked import MOST_DEPTH
from cranfield.diagnosis.changed import changed
from cranfield.diagnosis.copies import Copies
from cranfield.diagnosis.duplicates import copies_of
from cranfield.diagnosis.finding import Cell, Finding, Rows, Section
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.prices import (
    Unpriced,
    without_judgments,
    without_queries,
    without_results,
)
from cranfield.diagnosis.shingles import normal

STRANGE = 0.5  # share of documents missing from which two corpora are meant
LISTED = 1_000  # rows that a finding lists
NOTHING = Unpriced("untouched")


def integrity(found: Examined) -> Section | None:
    """Ids that lead nowhere, ids that are almost the same, texts that come twice; None where there
    are neither documents nor anything to say."""
    copies = copies_of(found)
    queries = found.collection.queries
    findings = list(changed(found))
    if copies is None and not queries and not findings:
        return None
    facts: list[tuple[str, Cell]] = []
    if copies is not None:
        corpus = set(copies.ids)
        likeness: dict[str, str] = {}
        for doc in corpus:
            likeness.setdefault(folded(doc), doc)
        judged = Counter(found.given.docs.to_list())
        missing = {doc: n for doc, n in judged.items() if doc not in corpus}
        facts += [("judged_documents", len(judged)), ("judged_missing", len(missing))]
        findings += _judged_missing(found, missing, len(judged), likeness)
        findings += _runs_missing(found, corpus, likeness)
        findings += _ids_twice(copies)
        n, table = _alike_rows(corpus)
        if n:
            price = without_judgments(found, {doc for group in alike(corpus) for doc in group})
            findings.append(
                Finding("document_ids_alike", "caution", {"n": n}, "possible", price, table)
            )
        findings += _same_names(found, corpus)
        findings += _query_texts(found, copies)
    if queries:
        findings += _unknown_queries(found)
        findings += _same_queries(found)
    named = {q.id for q in queries} | set(found.given.queries.to_list())
    n, table = _alike_rows(named)
    if n:
        price = without_queries(found, (q for group in alike(named) for q in group))
        findings.append(
            Finding("query_ids_alike", "warning", {"n": n}, "likely", effect=price, rows=table)
        )
    if not facts and not findings:
        return None
    return Section("integrity", tuple(facts), (), tuple(findings))


def folded(name: str) -> str:
    """An id without what a person does not see or does not mean: Unicode form, case, blanks."""
    if not name.isascii():
        name = unicodedata.normalize("NFKC", name)
    return "".join(name.casefold().split())


def _judged_missing(
    found: Examined, missing: dict[str, int], n: int, likeness: dict[str, str]
) -> Iterator[Finding]:
    if not missing:
        return
    rows = tuple((doc, c, likeness.get(folded(doc), "")) for doc, c in sorted(missing.items()))
    values = {"n": len(missing), "all": n, "alike": sum(bool(row[2]) for row in rows)}
    severity: Any = "error" if len(missing) > STRANGE * n else "caution"
    table = Rows("missing", ("document", "rows", "alike"), ("text", "count", "text"), rows[:LISTED])
    price = without_judgments(found, missing)
    yield Finding("judged_missing", severity, values, effect=price, rows=table)


def _runs_missing(found: Examined, corpus: set[str], likeness: dict[str, str]) -> Iterator[Finding]:
    rows: list[tuple[Cell, ...]] = []
    worst = 0.0
    for run, lists in zip(found.runs, found.lists(MOST_DEPTH), strict=True):
        docs = [doc for results in lists.values() for doc, _ in results]
        gone = sorted({doc for doc in docs if doc not in corpus})
        if gone:
            share = sum(doc not in corpus for doc in docs) / len(docs)
            worst = max(worst, share)
            rows.append((run, len(gone), share, gone[0], likeness.get(folded(gone[0]), "")))
    if rows:
        table = Rows(
            "run_missing",
            ("run", "documents", "share", "example", "alike"),
            ("text", "count", "share", "text", "text"),
            tuple(rows),
        )
        values = {"n": len(rows), "depth": MOST_DEPTH, "most": worst}
        severity: Any = "error" if worst > STRANGE else "warning"
        price = without_results(found, lambda _, doc: doc not in corpus)
        yield Finding("run_missing", severity, values, effect=price, rows=table)


def _ids_twice(copies: Copies) -> Iterator[Finding]:
    if len(set(copies.ids)) == len(copies.ids):
        return
    twice = tuple((doc, n) for doc, n in Counter(copies.ids).items() if n > 1)
    table = Rows("ids_twice", ("document", "times"), ("text", "count"), twice[:LISTED])
    yield Finding("ids_twice", "error", {"n": len(twice)}, rows=table)


def alike(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Groups of different names that are the same but for case, blanks or Unicode form."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(folded(name), []).append(name)
    return sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1)


def _alike_rows(names: set[str]) -> tuple[int, Rows]:
    groups = alike(names)
    rows = tuple((", ".join(map(repr, group)),) for group in groups[:LISTED])
    return len(groups), Rows("ids_alike", ("ids",), ("text",), rows)


def _same_names(found: Examined, corpus: set[str]) -> Iterator[Finding]:
    both = tuple(q for q in found.queries if q in corpus)
    if not both:
        return
    lists = found.lists(found.asked.k)
    own = sum(any(any(d == q for d, _ in run.get(q, ())) for run in lists) for q in both)
    values = {"n": len(both), "own": own, "k": found.asked.k}
    table = Rows("queries", ("query",), ("text",), tuple((q,) for q in both[:LISTED]))
    price = without_results(found, lambda query, doc: doc == query) if own else NOTHING
    yield Finding("query_is_id", "info", values, "possible", effect=price, rows=table)


def _query_texts(found: Examined, copies: Copies) -> Iterator[Finding]:
    """Queries whose text is a document of the corpus, and whether runs return it."""
    rows: list[tuple[Cell, ...]] = []
    lists = found.lists(found.asked.k)
    for query in found.collection.queries:
        docs = copies.watched.get(normal(query.text), ())
        if docs:
            back = sum(any(d in docs for d, _ in run.get(query.id, ())) for run in lists)
            rows.append((query.id, docs[0], back))
    if rows:
        table = Rows(
            "query_documents",
            ("query", "document", "runs"),
            ("text", "text", "count"),
            tuple(rows[:LISTED]),
        )
        values = {"n": len(rows), "returned": sum(bool(row[2]) for row in rows), "k": found.asked.k}
        price: dict[str, float] = NOTHING
        if values["returned"]:
            mine = {q.id: copies.watched.get(normal(q.text), ()) for q in found.collection.queries}
            price = without_results(found, lambda query, doc: doc in mine.get(query, ()))
        yield Finding("query_is_document", "caution", values, effect=price, rows=table)


def _unknown_queries(found: Examined) -> Iterator[Finding]:
    known = {q.id for q in found.collection.queries}
    likeness = {folded(q): q for q in known}
    rows: list[tuple[Cell, ...]] = []
    strangers: dict[str, list[str]] = {}
    for name in found.given.queries.to_list():
        if name not in known:
            strangers.setdefault(name, []).append("qrels")
    for run, aligned in zip(found.runs, found.aligned, strict=True):
        for name in aligned.unlabelled:
            if name not in known:
                strangers.setdefault(name, []).append(run)
    for name, where in strangers.items():
        rows.append((name, ", ".join(where[:5]), likeness.get(folded(name), "")))
    if rows:
        table = Rows(
            "unknown", ("query", "where_from", "alike"), ("text", "text", "text"), tuple(rows)
        )
        judged = sum("qrels" in where for where in strangers.values())
        values = {"n": len(rows), "judged": judged}
        price = without_queries(found, strangers)
        yield Finding("unknown_queries", "caution", values, effect=price, rows=table)


def _same_queries(found: Examined) -> Iterator[Finding]:
    groups: dict[str, list[str]] = {}
    for query in found.collection.queries:
        if text := normal(query.text):
            groups.setdefault(text, []).append(query.id)
    rows: list[tuple[Cell, ...]] = []
    again: list[str] = []  # judged ones but for the first of a text
    for text, ids in groups.items():
        if len(ids) > 1:
            again += [q for q in ids if q in found.grades][1:]
            labels = [found.grades[q] for q in ids if q in found.grades]
            unequal = any(one != labels[0] for one in labels)
            rows.append((", ".join(ids), text[:80], "unequal" if unequal else "equal"))
    if rows:
        table = Rows(
            "same_queries",
            ("queries_alike", "text", "agree"),
            ("text", "text", "text"),
            tuple(rows),
        )
        values = {"n": len(rows), "unequal": sum(row[2] == "unequal" for row in rows)}
        price = without_queries(found, again)
        yield Finding("same_queries", "caution", values, effect=price, rows=table)
