"""Whether two collections are written in one language, told from signs."""

from __future__ import annotations

from cranfield.subjects.drawn import Drawn
from cranfield.subjects.near import Language

APART = 0.1  # share of scripts in common below which two collections cannot be compared, and
MIXED = 0.75  # below which only in part
WORDS = 20  # of the most frequent words, whose share among the other's 50 tells a language
ALIKE = 0.25
TOLD = 20  # documents from which it does


def language(mine: Drawn, other: Drawn) -> Language:
    """`other` where two collections share less than a tenth of their scripts, `partly` where less
    than three quarters; `unlike` where of my 20 most frequent words less than a quarter are among
    the other's 50. A script is no language, and a corpus of keywords has no common words: only
    the first keeps a collection from being ranked."""
    shared = sum(min(share, other.scripts.get(s, 0.0)) for s, share in mine.scripts.items())
    if shared < APART:
        return "other"
    if shared < MIXED:
        return "partly"
    told = min(len(mine.texts), len(other.texts)) >= TOLD
    return "unlike" if told and alike(mine, other) < ALIKE else "same"


def alike(mine: Drawn, other: Drawn) -> float:
    """The share of my most frequent words that are frequent there too."""
    words = mine.common[:WORDS]
    return sum(word in other.common for word in words) / len(words) if words else 1.0
