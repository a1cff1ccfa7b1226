"""The documents, read once: empty, very long, broken, and in which scripts they are written.

What a file cannot say is guessed from signs, and the findings say so: a script is no language, and
a text that looks as if its bytes had been read in the wrong encoding may mean to look so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from cranfield.diagnosis.asked import MOST_DEPTH
from cranfield.diagnosis.finding import Cell, Finding, Rows, Section
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.prices import (
    Effect,
    Unpriced,
    without_documents,
    without_judgments,
    without_queries,
)
from cranfield.kit.progress import progress

LONG = 10  # times the median, and
LONG_LEAST = 5_000  # characters
MIXED = 0.01  # share of documents in a second script that counts as a mixture
SAMPLE = 1_000  # characters of a document that its script is told from
EXAMPLES = 10

# the replacement character and C1 controls come from no keyboard; the others are UTF-8 read as
# Latin-1 or as Windows-1252
LOST = re.compile("\ufffd|[\x80-\x84\x86-\x9f]")
MISREAD = re.compile(
    "[\u00c2\u00c3][\u0080-\u00bf]|\u00e2\u20ac[\u2122\u0153\u201c\u201d\u00a6\u00a2]|\u00ef\u00bb\u00bf"
)
SCRIPTS = {
    "Han": re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"),
    "Kana": re.compile("[\u3040-\u30ff]"),
    "Hangul": re.compile("[\uac00-\ud7af\u1100-\u11ff]"),
    "Latin": re.compile("[A-Za-z\u00c0-\u024f]"),
    "Greek": re.compile("[\u0370-\u03ff]"),
    "Cyrillic": re.compile("[\u0400-\u04ff]"),
    "Hebrew": re.compile("[\u0590-\u05ff]"),
    "Arabic": re.compile("[\u0600-\u06ff\u0750-\u077f]"),
    "Devanagari": re.compile("[\u0900-\u097f]"),
    "Thai": re.compile("[\u0e00-\u0e7f]"),
}


def documents(found: Examined) -> Section | None:
    """One pass over the documents; None where there are none or nobody wants them read."""
    collection = found.collection
    if collection.documents is None or not found.asked.documents:
        return None
    lengths: list[int] = []
    empty: list[str] = []
    broken: list[tuple[str, str]] = []
    scripts: Counter[str] = Counter()
    longest: list[tuple[int, str]] = []
    mattering = _mattering(found)
    matter: dict[str, tuple[int, str]] = {}  # length and script of those that scores depend on
    with progress("reading documents", collection.n_documents) as advance:
        for document in collection.documents():
            text = f"{document.title} {document.text}".strip()
            lengths.append(len(text))
            if len(longest) < EXAMPLES or len(text) > longest[-1][0]:
                longest = sorted([*longest, (len(text), document.id)], reverse=True)[:EXAMPLES]
            if document.id in mattering:
                matter[document.id] = len(text), script_of(text)
            if not text:
                empty.append(document.id)
            else:
                scripts[script_of(text)] += 1
                if sign := _broken(text):
                    broken.append((document.id, sign))
            advance(1)
    size = np.array(lengths or [0])
    limit = max(LONG_LEAST, LONG * float(np.median(size)))
    asks = {q.id: script_of(q.text) for q in collection.queries if q.text.strip()}
    asked = Counter(asks.values())
    facts: tuple[tuple[str, Cell], ...] = (
        ("documents", len(lengths)),
        ("length_median", float(np.median(size))),
        ("length_max", int(size.max())),
        ("documents_empty", len(empty)),
        ("documents_broken", len(broken)),
    )
    return Section(
        "documents",
        facts,
        (_scripts(scripts, asked),),
        (
            *_unreadable(found, empty, broken),
            *_long(found, longest, int((size > limit).sum()), limit, matter),
            *_mixed(found, scripts, asks, matter),
        ),
    )


def _mattering(found: Examined) -> frozenset[str]:
    """Documents that are judged or returned; of no others a score depends."""
    if not found.runs:
        return frozenset()
    lists = found.lists(MOST_DEPTH)
    returned = {doc for run in lists for docs in run.values() for doc, _ in docs}
    return frozenset(returned.union(found.qrels.docs.to_list()))


def script_of(text: str) -> str:
    """The script that most letters of the beginning belong to; kana make a text Japanese, whatever
    share of it is Han."""
    if text.isascii():
        return "Latin" if any(map(str.isalpha, text[:SAMPLE])) else "none"
    counts = {name: len(signs.findall(text[:SAMPLE])) for name, signs in SCRIPTS.items()}
    if counts["Kana"] and counts["Kana"] * 10 >= counts["Han"]:
        counts["Kana"] += counts["Han"]
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else "none"


def _broken(text: str) -> str:
    if text.isascii():
        return ""
    for pattern in (LOST, MISREAD):
        if hit := pattern.search(text):
            return repr(text[max(0, hit.start() - 10) : hit.end() + 10])
    return ""


def _scripts(documents: Counter[str], queries: Counter[str]) -> Rows:
    names = sorted({*documents, *queries}, key=lambda s: (-documents[s], s))
    rows = tuple(
        (s, documents[s], documents[s] / max(documents.total(), 1), queries[s]) for s in names
    )
    return Rows(
        "scripts",
        ("script", "documents", "share", "queries"),
        ("text", "count", "share", "count"),
        rows,
    )


def _unreadable(
    found: Examined, empty: list[str], broken: list[tuple[str, str]]
) -> Iterator[Finding]:
    if empty:
        rows = Rows("documents", ("document",), ("text",), tuple((d,) for d in empty))
        price = without_judgments(found, frozenset(empty))
        yield Finding("empty_documents", "caution", {"n": len(empty)}, effect=price, rows=rows)
    if broken:
        rows = Rows("broken", ("document", "where"), ("text", "text"), tuple(broken))
        price = without_judgments(found, {doc for doc, _ in broken})
        yield Finding("broken_encoding", "caution", {"n": len(broken)}, "likely", price, rows)


def _long(
    found: Examined,
    longest: list[tuple[int, str]],
    n: int,
    limit: float,
    matter: Mapping[str, tuple[int, str]],
) -> Iterator[Finding]:
    """Priced by a collection without these documents."""
    some = [(doc, size) for size, doc in longest if size > limit]
    if not some:
        return
    rows = Rows("long", ("document", "characters"), ("text", "count"), tuple(some))
    values = {"n": n, "limit": int(limit), "most": some[0][1]}
    price = _without(found, {doc for doc, (size, _) in matter.items() if size > limit})
    yield Finding("long_documents", "info", values, effect=price, rows=rows)


def _mixed(
    found: Examined,
    documents: Counter[str],
    asks: Mapping[str, str],
    matter: Mapping[str, tuple[int, str]],
) -> Iterator[Finding]:
    """Priced by the means without the queries in other scripts than most, with the scores of each
    script apart; where all queries are in one, by a collection without the other documents."""
    n = max(documents.total(), 1)
    many = [s for s, c in documents.most_common() if c / n >= MIXED and s != "none"]
    scores = _by_script(found, asks)
    if len(many) > 1:
        shares = tuple(f"{s} {documents[s] / n:.0%}" for s in many)
        main = Counter(asks[q] for q in found.queries if q in asks).most_common(1)
        others = [q for q in found.queries if main and asks.get(q, main[0][0]) != main[0][0]]
        if others:
            price = without_queries(found, others)
        else:
            price = _without(
                found, {d for d, (_, s) in matter.items() if s not in ("none", many[0])}
            )
        yield Finding("scripts_mixed", "info", {"scripts": shares}, "likely", price, scores)
    strange = {q: s for q, s in asks.items() if s not in many and s != "none"}
    if strange and many:
        values: dict[str, Any] = {
            "n": len(strange),
            "scripts": tuple(sorted(set(strange.values()))),
            "in": tuple(many),
        }
        price = without_queries(found, strange)
        yield Finding("query_scripts", "caution", values, "possible", price, scores)


def _without(found: Examined, documents: set[str]) -> Effect:
    return without_documents(found, documents) if documents else Unpriced("untouched")


def _by_script(found: Examined, asks: Mapping[str, str]) -> Rows | None:
    """The means of the queries of each script, for the run that is best over all."""
    scripts = np.array([asks.get(q, "none") for q in found.queries])
    names = [s for s, _ in Counter(scripts.tolist()).most_common()]
    if not found.runs or len(names) < 2:
        return None
    best = int(found.values[:, :, 0].mean(axis=1).argmax())
    rows = tuple(
        (s, int((scripts == s).sum()), found.runs[best], str(m), float(value))
        for s in names
        for m, value in zip(
            found.measures, found.values[best, scripts == s].mean(axis=0), strict=True
        )
    )
    columns = ("script", "queries", "run", "measure", "score")
    return Rows("by_script", columns, ("text", "count", "text", "text", "score"), rows)
