"""Counting terms: the simplest system that ranks, for words and for Chinese."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import Any

from cranfield.data.collection import Document, Query
from cranfield.retrieval.corpus import Corpus
from cranfield.retrieval.system import Ready

# Kana, unified ideographs and their extensions, Hangul: written without blanks between words.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0003ffff"
_RUNS = re.compile(f"(?P<cjk>[{_CJK}]+)|(?P<word>[^\\W_{_CJK}]+)")


def tokens(text: str) -> list[str]:
    """Words and numbers, letter case and width apart, and pairs of neighbouring characters where
    no blanks are written: `倒排索引` gives `倒排`, `排索`, `索引`; a single character stands alone.
    """
    found: list[str] = []
    for run in _RUNS.finditer(unicodedata.normalize("NFKC", text).casefold()):
        word = run[0]
        if run["word"] or len(word) == 1:
            found.append(word)
        else:
            found += (word[i : i + 2] for i in range(len(word) - 1))
    return found


class TermCount(Ready):
    """Documents by how many of the query's distinct tokens they hold, then by how often.

    The score is m + f / (f + 1): m distinct tokens of the query occur in title or text, f times
    together. Documents without any are not returned; equal scores stay in corpus order. Rare and
    common tokens count alike and long documents are not held back: it is a step above the
    sequential scan and no more.
    """

    name = "terms"
    thread_safe = True

    def __init__(self, documents: Iterable[Document]) -> None:
        self._corpus = Corpus(documents)
        self._counts = [(d.id, Counter(tokens(f"{d.title}\n{d.text}"))) for d in self._corpus]

    @property
    def config(self) -> dict[str, Any]:
        """The fingerprint of the corpus; there is nothing to set."""
        return {"corpus": self._corpus.config}

    def search(self, query: Query, k: int) -> list[tuple[str, float]]:
        """The k best documents; none for a query without a token."""
        wanted = set(tokens(query.text))
        found = []
        for doc, counts in self._counts:
            matched = [n for token in wanted if (n := counts.get(token, 0))]
            if matched:
                often = sum(matched)
                found.append((doc, len(matched) + often / (often + 1)))
        return sorted(found, key=lambda pair: -pair[1])[:k]
