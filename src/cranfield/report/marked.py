"""Texts of strangers as people are shown them: nothing invisible, and the query's terms marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from cranfield.errors import MissingExtra
from cranfield.kit.unseen import without_unseen
from cranfield.retrieval import tokens
from cranfield.retrieval.analyze import STOP_WORDS, analyzer

_CJK = tokens.HAN + tokens.HIRAGANA + tokens.KATAKANA + tokens.HANGUL
_PART = re.compile("[^.'’·,;_]+")


class Piece(NamedTuple):
    """A stretch of text, marked or not."""

    text: str
    marked: bool


def visible(text: str) -> str:
    """A text in which whatever is not seen is, as `⟨U+202E⟩`, apart from what its script needs
    where it stands (see `cranfield.kit.unseen`); lines end with \\n."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return without_unseen(plain, _shown)[0]


def _shown(unseen: str) -> str:
    code = ord(unseen)
    return "�" if 0xD800 <= code < 0xE000 else f"⟨U+{code:04X}⟩"


class Marker:
    """Finds the terms of one query in texts: words by their English stems where the extra `bm25`
    is installed and by their letters elsewhere, texts without blanks (Chinese) by pairs of
    characters. Stop words count only in a query that has nothing else."""

    def __init__(self, query: str) -> None:
        self._stem = _stems()
        wanted = {key for _, _, key in self._terms(query)}
        self._wanted = {key for key in wanted if key not in STOP_WORDS} or wanted

    def __call__(self, text: str) -> tuple[Piece, ...]:
        """The text, made visible and cut where marks begin and end."""
        shown = visible(text)
        pieces: list[Piece] = []
        done = 0
        for begin, end in self._spans(shown):
            if begin > done:
                pieces.append(Piece(shown[done:begin], False))
            pieces.append(Piece(shown[begin:end], True))
            done = end
        if done < len(shown):
            pieces.append(Piece(shown[done:], False))
        return tuple(pieces)

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Ascending and apart; what touches within a run of characters is one."""
        open_: tuple[int, int] | None = None
        for begin, end, key in self._terms(text):
            if key not in self._wanted:
                continue
            if open_ is not None and begin <= open_[1]:
                open_ = open_[0], max(end, open_[1])
            else:
                if open_ is not None:
                    yield open_
                open_ = begin, end
        if open_ is not None:
            yield open_

    def _terms(self, text: str) -> Iterator[tuple[int, int, str]]:
        """(begin, end, key) of each term, where it stands in the text."""
        for found in tokens.scripts(_CJK).finditer(text):
            begin, end = found.span()
            if found[1] is None:
                for part in _PART.finditer(found[0]):
                    key = self._stem(tokens.normal(part[0]).lower())
                    yield begin + part.start(), begin + part.end(), key
            elif end - begin == 1:
                yield begin, end, tokens.normal(found[0])
            else:
                for i in range(begin, end - 1):
                    yield i, i + 2, tokens.normal(text[i : i + 2])


def _stems() -> Callable[[str], str]:
    try:
        english = analyzer("english")
    except MissingExtra:
        return str
    return lambda word: " ".join(english(word)) or word
