"""Texts as sets of shingles: what is compared to find near-duplicates.

A text is normalised (Unicode NFKC, lower case, white space made one blank, stripped). Its shingles
are runs of three words, where each character of a script that is written without blanks (Chinese,
Japanese, Thai, ...) is a word of its own; so English text has word 3-grams, Chinese text character
3-grams, and a mixture both. Shingles are kept as 64-bit hashes: with n of them in two texts the
chance that any two different ones meet is below n²/2^64, 1e-11 for ten thousand.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

import numpy as np

from cranfield.data.columns import Index, Words

Kind = Literal["word", "char"]
KINDS: tuple[Kind, ...] = ("word", "char")
WORDS = 3  # words of a shingle, or characters of an unspaced script
CHARS = 5  # characters of a shingle of kind `char`
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_WORD = re.compile(f"[{_UNSPACED}]|[^\\W{_UNSPACED}]+")
_ONE = re.compile(f"[{_UNSPACED}]")
_REMEMBERED = 1 << 20  # words whose hash is kept
_SEEDS = tuple(
    np.uint64(s)
    for s in (
        0x9E3779B97F4A7C15,
        0xC2B2AE3D27D4EB4F,
        0x165667B19E3779F9,
        0xD6E8FEB86659FD93,
        0xA0761D6478BD642F,
    )
)


def normal(text: str) -> str:
    """NFKC, lower case, white space collapsed, stripped."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.lower().split())


def normal_document(title: str, text: str) -> str:
    """The normal form of title and text, a line end between them."""
    return normal(f"{title}\n{text}")


def units(text: str, kind: Kind = "word") -> tuple[list[str], int]:
    """The words (or characters) of a normal text, and how many make a shingle."""
    if kind == "char":
        dense = len(_ONE.findall(text)) * 2 > len(text)
        return list(text), WORDS if dense else CHARS
    return _WORD.findall(text) or ([text] if text else []), WORDS


def is_unspaced(word: str) -> bool:
    """Whether a word of `units` is a character of a script that is written without blanks."""
    return _ONE.fullmatch(word) is not None


def shingles(text: str, kind: Kind = "word") -> frozenset[tuple[str, ...]]:
    """The shingles of a normal text as they are; one of all words where there are too few. The
    slow and obvious form of `Shingler`."""
    parts, n = units(text, kind)
    if not parts:
        return frozenset()
    return frozenset(tuple(parts[i : i + n]) for i in range(max(1, len(parts) - n + 1)))


def jaccard(a: frozenset[object], b: frozenset[object]) -> float:
    """|a ∩ b| / |a ∪ b|; 1 for two empty sets."""
    return len(a & b) / len(a | b) if a or b else 1.0


class Shingler:
    """Hashed shingles of many texts at a time; the same texts give the same hashes on every
    machine."""

    def __init__(self, kind: Kind = "word") -> None:
        self.kind = kind
        self._known: dict[str, int] = {}

    def __call__(self, texts: Sequence[str]) -> tuple[Words, Index]:
        """(hashes, first): those of text i, distinct and ascending, are
        `hashes[first[i]:first[i + 1]]`. No text may be empty."""
        codes: list[int] = []
        sizes = np.empty(len(texts), np.int64)
        width = np.empty(len(texts), np.int64)
        for i, text in enumerate(texts):
            parts, width[i] = units(text, self.kind)
            sizes[i] = len(parts)
            codes += self._codes(parts)
        word = np.array(codes, np.uint64)
        start = np.cumsum(sizes) - sizes
        long_ = np.minimum(sizes, width)  # the shingle of a shorter text is all of it
        count = sizes - long_ + 1
        owner = np.repeat(np.arange(len(texts)), count)
        at = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count) + start[owner]
        value = long_[owner].astype(np.uint64)
        for j in range(int(long_.max(initial=0))):
            inside = np.flatnonzero(long_[owner] > j)
            value[inside] = mixed(value[inside] * _SEEDS[j] ^ word[at[inside] + j])
        order = np.lexsort((value, owner))
        owner, value = owner[order], value[order]
        new = np.ones(len(value), bool)
        new[1:] = (owner[1:] != owner[:-1]) | (value[1:] != value[:-1])
        first = np.zeros(len(texts) + 1, np.int64)
        np.cumsum(np.bincount(owner[new], minlength=len(texts)), out=first[1:])
        return value[new], first

    def _codes(self, parts: list[str]) -> list[int]:
        known = self._known
        try:
            return [known[part] for part in parts]
        except KeyError:
            pass
        found = []
        for part in parts:
            code = known.get(part)
            if code is None:
                digest = hashlib.blake2b(part.encode("utf-8", "surrogatepass"), digest_size=8)
                code = int.from_bytes(digest.digest(), "little")
                if len(known) < _REMEMBERED:
                    known[part] = code
            found.append(code)
        return found


def mixed(value: Words) -> Words:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014), a bijection of 64-bit words."""
    value = value ^ (value >> np.uint64(30))
    value *= np.uint64(0xBF58476D1CE4E5B9)
    value ^= value >> np.uint64(27)
    value *= np.uint64(0x94D049BB133111EB)
    value ^= value >> np.uint64(31)
    return value
