"""Which words of a query a document holds, without a search engine: the same rule in any language.

A term is a word, of which only the first six letters count where it is written in ASCII, so that
`layer` and `layers` are one; in scripts without blanks it is a pair of neighbouring characters.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from itertools import pairwise

from cranfield.data.collection import Document, Query
from cranfield.diagnosis.documents import script_of
from cranfield.diagnosis.shingles import is_unspaced, normal, units
from cranfield.kit.progress import progress

LETTERS = 6
COMMON = 0.1  # share of documents from which a term says nothing, and
FEW = 5  # documents that must hold it


def terms(text: str) -> frozenset[str]:
    """The terms of a text."""
    found: set[str] = set()
    run: list[str] = []
    for word in [*units(normal(text))[0], ""]:
        if is_unspaced(word):
            run.append(word)
            continue
        found.update(a + b for a, b in pairwise(run))
        if len(run) == 1:
            found.add(run[0])
        run.clear()
        if word:
            found.add(word[:LETTERS] if word.isascii() else word)
    return frozenset(found)


@dataclass(frozen=True)
class Shared:
    """What queries and the documents asked for have in common.

    Parameters
    ----------
    queries : {query: its terms}; documents : {document: those of any query that it holds}.
    count : {term of a query: documents of the whole corpus that hold it}; n : documents.
    scripts : {query or document, each with its kind: script}.
    """

    queries: Mapping[str, frozenset[str]]
    documents: Mapping[str, frozenset[str]]
    count: Mapping[str, int]
    n: int
    scripts: Mapping[tuple[str, str], str]

    def knows(self, query: str, document: str) -> bool:
        return bool(self.queries.get(query)) and document in self.documents

    def coverage(self, query: str, document: str) -> float:
        """The share of a query's terms that the document holds, each weighted by
        log((n + 1)/(documents with it + 1)); 0 to 1."""
        mine = self.queries[query]
        weight = {t: math.log((self.n + 1) / (self.count[t] + 1)) for t in sorted(mine)}
        whole = math.fsum(weight.values())
        held = math.fsum(w for t, w in weight.items() if t in self.documents[document])
        return held / whole if whole else 0.0

    def nothing(self, query: str, document: str) -> bool:
        """Whether they are written in one script and no term is in both but such as are in every
        tenth document."""
        if self.scripts["query", query] != self.scripts["document", document]:
            return False
        both = self.queries[query] & self.documents[document]
        return all(self.count[t] > max(COMMON * self.n, FEW) for t in both)


def shared_terms(
    queries: Iterable[Query], documents: Iterable[Document], wanted: Set[str], n: int | None = None
) -> Shared:
    """One pass over the documents, of which the `wanted` ones are kept; n of them for progress."""
    asked = {q.id: terms(q.text) for q in queries}
    scripts = {("query", q.id): script_of(q.text) for q in queries}
    known = frozenset().union(*asked.values())
    count: Counter[str] = Counter(dict.fromkeys(known, 0))
    kept: dict[str, frozenset[str]] = {}
    size = 0
    with progress("comparing words", n) as advance:
        for document in documents:
            text = f"{document.title}\n{document.text}"
            held = terms(text) & known
            count.update(held)
            size += 1
            if document.id in wanted:
                kept[document.id] = held
                scripts["document", document.id] = script_of(text)
            advance(1)
    return Shared(asked, kept, count, size, scripts)
