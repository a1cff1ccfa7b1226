"""The sequential scan: every document is looked through for the query's words, nothing is
ranked. The baseline that every search engine has to beat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from cranfield.data.collection import Document, Query
from cranfield.errors import UsageError
from cranfield.retrieval.corpus import Corpus
from cranfield.retrieval.system import Ready


class SequentialScan(Ready):
    """Substring search in corpus order.

    A document matches when its title or text contains `all` of the query's blank-separated terms
    (or `any` of them), letter case apart. Matches come back in the order of the corpus; the score
    is the number of documents from the match to the end of the corpus, so that sorting by score
    gives that order back and no two documents tie.
    """

    name = "sequential-scan"
    takes_filters = True
    thread_safe = True

    def __init__(self, documents: Iterable[Document], match: Literal["all", "any"] = "all") -> None:
        if match not in ("all", "any"):
            raise UsageError(f"match is {match!r}", "match is all or any")
        self.match = match
        self._corpus = Corpus(documents)
        self._texts = [f"{d.title}\n{d.text}".casefold() for d in self._corpus]

    @property
    def config(self) -> dict[str, Any]:
        """The mode, and the fingerprint of the corpus."""
        return {"scan": {"match": self.match}, "corpus": self._corpus.config}

    def search(
        self, query: Query, k: int, filters: Mapping[str, Any] | None = None
    ) -> list[tuple[str, float]]:
        """The first k matches in corpus order; none for a query of blanks only."""
        terms = query.text.casefold().split()
        if not terms:
            return []
        matches = all if self.match == "all" else any
        allowed = self._corpus.mask(filters) if filters else None
        found = []
        for place, text in enumerate(self._texts):
            if (allowed is None or allowed[place]) and matches(term in text for term in terms):
                found.append((self._corpus.ids[place], float(len(self._texts) - place)))
                if len(found) == k:
                    break
        return found
