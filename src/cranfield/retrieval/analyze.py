"""Analyzers: text in, the terms of an index out. Each is a value with a name, and says what it
does, so that a run can be made again from its card."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cranfield.errors import MissingExtra, UnknownName
from cranfield.retrieval import tokens

# Lucene's EnglishAnalyzer.ENGLISH_STOP_WORDS_SET, 33 words.
STOP_WORDS = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the their then "
    "there these they this to was will with".split()
)


@dataclass(frozen=True)
class Analyzer:
    """A named function from text to terms.

    Parameters
    ----------
    name : as given to `analyzer(...)` and recorded in a run's card
    about : what it does, in one line
    terms : the function; it may be called from several threads
    config : what decides the terms (stemmer, stop words, versions of word lists)
    """

    name: str
    about: str
    terms: Callable[[str], list[str]]
    config: Mapping[str, Any]

    def __call__(self, text: str) -> list[str]:
        return self.terms(text)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Analyzer({self.name!r}: {self.about})"


_REMEMBERED = 1 << 18  # pieces of text
_LONGEST = 24  # characters of one; longer ones hardly come again


class _ByPiece:
    """A function of text that no blank divides, applied to the pieces between blanks. What it gave
    for a short piece is remembered, since most of a corpus is said again and again."""

    def __init__(self, terms: Callable[[str], list[str]]) -> None:
        self._terms = terms
        self._known: dict[str, list[str]] = {}

    def __call__(self, text: str) -> list[str]:
        known, out = self._known, []
        for piece in tokens.normal(text).split():
            found = known.get(piece)
            if found is None:
                found = self._terms(piece)
                if len(piece) <= _LONGEST and len(known) < _REMEMBERED:
                    known[piece] = found
            out += found
        return out


class _Stemmer:
    """Porter's stemmer (1980) in the form of Snowball. Words of one or two letters are left alone,
    as Porter's program and Lucene do and Snowball does not (`us`)."""

    def __init__(self) -> None:
        try:
            import Stemmer
        except ImportError:
            raise MissingExtra("stemming (PyStemmer)", "bm25") from None
        self._stem = Stemmer.Stemmer("porter").stemWord
        self._lock = threading.Lock()  # a Snowball stemmer serves one thread at a time

    def __call__(self, word: str) -> str:
        if len(word) <= 2:
            return word
        with self._lock:
            return str(self._stem(word))


def _possessive(word: str) -> str:
    """Lucene's EnglishPossessiveFilter."""
    return word[:-2] if word[-2:] in ("'s", "’s", "'S", "’S") else word


def _prose(words: Iterable[str], stem: Callable[[str], str]) -> list[str]:
    lowered = (_possessive(word).lower() for word in words)
    return [stem(word) for word in lowered if word not in STOP_WORDS]


def _whitespace() -> Analyzer:
    def terms(text: str) -> list[str]:
        return text.lower().split()

    return Analyzer("whitespace", "split at blanks, lower case, nothing else", terms, {})


def _standard() -> Analyzer:
    find = tokens.standard().findall

    def terms(text: str) -> list[str]:
        return find(text.lower())

    about = "NFKC, words of Unicode, each ideograph alone, lower case"
    return Analyzer("standard", about, _ByPiece(terms), {"normalization": "NFKC"})


def _english() -> Analyzer:
    find, stem = tokens.standard().findall, _Stemmer()

    def terms(text: str) -> list[str]:
        return _prose(find(text), stem)

    about = "standard words, 's removed, 33 stop words of Lucene removed, Porter's stems"
    return Analyzer("english", about, _ByPiece(terms), _ENGLISH)


_ENGLISH = {"normalization": "NFKC", "stop_words": "lucene", "stemmer": "porter"}


def _cjk(size: int) -> Analyzer:
    find = tokens.scripts(tokens.HAN + tokens.HIRAGANA + tokens.KATAKANA + tokens.HANGUL).finditer

    def terms(text: str) -> list[str]:
        out: list[str] = []
        for match in find(text.lower()):
            run = match[1]
            if run is None:
                out.append(match[2])
            elif size == 1:
                out += run
            else:
                out += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
        return out

    name, what = ("cjk-unigram", "single characters") if size == 1 else ("cjk-bigram", "bigrams")
    about = f"NFKC, {what} of Chinese, Japanese and Korean, words of other scripts, lower case"
    return Analyzer(name, about, _ByPiece(terms), {"normalization": "NFKC"})


def _jieba() -> tuple[Callable[[str], list[str]], dict[str, str]]:
    """Chinese words, and which word list they come from. In search mode a long word comes with the
    words inside it (`数据库系统` also gives `数据库`), which finds more on all three
    collections tried."""
    try:
        import rjieba
    except ImportError:
        raise MissingExtra("Chinese words (rjieba)", "chinese") from None
    from importlib.metadata import version

    words = f"rjieba {version('rjieba')}, search mode"
    return rjieba.cut_for_search, {"normalization": "NFKC", "words": words}


def _chinese() -> Analyzer:
    find, (cut, config) = tokens.scripts().finditer, _jieba()

    def terms(text: str) -> list[str]:
        out: list[str] = []
        for match in find(text.lower()):
            if match[1]:
                out += cut(match[1])
            else:
                out.append(match[2])
        return out

    about = "NFKC, Chinese words by jieba's list, words of other scripts, lower case"
    return Analyzer("chinese", about, _ByPiece(terms), config)


def _mixed() -> Analyzer:
    find, (cut, config), stem = tokens.identifiers().finditer, _jieba(), _Stemmer()
    plain = tokens.standard().findall

    def terms(text: str) -> list[str]:
        out: list[str] = []
        for match in find(text):
            if match[1]:
                out += cut(match[1])
                continue
            word = _possessive(match[2] or match[3])
            if tokens.is_identifier(word):
                out.append(word.lower())
            else:
                out += _prose(plain(word), stem)
        return out

    about = "Chinese words, English as `english`, identifiers whole and not stemmed"
    return Analyzer("mixed", about, _ByPiece(terms), {**_ENGLISH, **config})


_MAKERS: dict[str, Callable[[], Analyzer]] = {
    "whitespace": _whitespace,
    "standard": _standard,
    "english": _english,
    "cjk-bigram": lambda: _cjk(2),
    "cjk-unigram": lambda: _cjk(1),
    "chinese": _chinese,
    "mixed": _mixed,
}
NAMES = tuple(_MAKERS)


def analyzer(name: str | Analyzer) -> Analyzer:
    """An analyzer by its name; one that is one already is handed back.

    >>> analyzer("standard")("Kühlschrank 2.0 不错")
    ['kühlschrank', '2.0', '不', '错']

    Raises
    ------
    UnknownName
        No such analyzer.
    MissingExtra
        It needs a package (`english` and `mixed` a stemmer, `chinese` and `mixed` word lists).
    """
    if isinstance(name, Analyzer):
        return name
    if name not in _MAKERS:
        raise UnknownName(f"no analyzer {name!r}", f"analyzers: {', '.join(NAMES)}")
    return _MAKERS[name]()
