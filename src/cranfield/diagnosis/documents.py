"""The documents, read once: empty, very long, broken, and in which scripts they are written.

What a file cannot say is guessed from signs, and the findings say so: a script is no language, and
a text that looks as if its bytes had been read in the wrong encoding may mean to look so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from cranfield.diagnosis.finding import Cell, Finding, Rows, Section
from cranfield.diagnosis.material import Examined
from cranfield.diagnosis.prices import without_judgments
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
    with progress("reading documents", collection.n_documents) as advance:
        for document in collection.documents():
            text = f"{document.title} {document.text}".strip()
            lengths.append(len(text))
            if len(longest) < EXAMPLES or len(text) > longest[-1][0]:
                longest = sorted([*longest, (len(text), document.id)], reverse=True)[:EXAMPLES]
            if not text:
                empty.append(document.id)
            else:
                scripts[script_of(text)] += 1
                if sign := _broken(text):
                    broken.append((document.id, sign))
            advance(1)
    size = np.array(lengths or [0])
    limit = max(LONG_LEAST, LONG * float(np.median(size)))
    long_ = [(doc, n) for n, doc in longest if n > limit]
    asked = Counter(script_of(q.text) for q in collection.queries if q.text.strip())
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
        tuple(
            _findings(found, empty, broken, long_, int((size > limit).sum()), limit, scripts, asked)
        ),
    )


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


def _findings(
    found: Examined,
    empty: list[str],
    broken: list[tuple[str, str]],
    long_: list[tuple[str, int]],
    n_long: int,
    limit: float,
    documents: Counter[str],
    queries: Counter[str],
) -> Iterator[Finding]:
    if empty:
        rows = Rows("documents", ("document",), ("text",), tuple((d,) for d in empty))
        price = without_judgments(found, frozenset(empty))
        yield Finding("empty_documents", "caution", {"n": len(empty)}, effect=price, rows=rows)
    if broken:
        rows = Rows("broken", ("document", "where"), ("text", "text"), tuple(broken))
        yield Finding("broken_encoding", "caution", {"n": len(broken)}, "likely", rows=rows)
    if long_:
        rows = Rows("long", ("document", "characters"), ("text", "count"), tuple(long_))
        values = {"n": n_long, "limit": int(limit), "most": long_[0][1]}
        yield Finding("long_documents", "info", values, rows=rows)
    n = max(documents.total(), 1)
    many = [s for s, c in documents.most_common() if c / n >= MIXED and s != "none"]
    if len(many) > 1:
        shares = tuple(f"{s} {documents[s] / n:.0%}" for s in many)
        yield Finding("scripts_mixed", "info", {"scripts": shares}, "likely")
    strange = {s: c for s, c in queries.items() if s not in many and s != "none"}
    if strange and many:
        more: dict[str, Any] = {
            "n": sum(strange.values()),
            "scripts": tuple(sorted(strange)),
            "in": tuple(many),
        }
        yield Finding("query_scripts", "caution", more, "possible")
