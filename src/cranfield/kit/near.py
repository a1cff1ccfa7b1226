"""Queries that are the same but for a word or a letter, found without comparing all pairs."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

N = 3  # characters of a gram
THRESHOLD = 0.7  # Jaccard similarity from which two queries are near-duplicates


def normal(text: str) -> str:
    """The text as it is compared and fingerprinted: NFKC, case folded, blanks made one."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def bare(text: str) -> str:
    """The normal text without punctuation, unless nothing else is in it."""
    plain = normal(text)
    kept = "".join(" " if unicodedata.category(c)[0] == "P" else c for c in plain)
    return " ".join(kept.split()) or plain


def grams(text: str) -> frozenset[str]:
    """The character 3-grams of a bare text with a blank at both ends."""
    padded = f" {text} "
    return frozenset(padded[i : i + N] for i in range(max(1, len(padded) - N + 1)))


def similarity(a: str, b: str) -> float:
    """Jaccard similarity of the 3-grams of two texts, 0 to 1; 1 where the bare texts are equal."""
    one, two = grams(bare(a)), grams(bare(b))
    return len(one & two) / len(one | two)


def near_pairs(texts: Sequence[str], threshold: float = THRESHOLD) -> list[tuple[int, int, float]]:
    """(i, j, similarity) of near-duplicates, enough of them to connect all (not every pair of
    equal texts is listed). Empty texts are near to nothing.

    Two sets with Jaccard similarity t or more share one of their first n - ceil(t n) + 1 members
    in any fixed order; the rarest grams come first here, so that few pairs are looked at
    (Chaudhuri, Ganti and Kaushik 2006; Bayardo, Ma and Srikant 2007).
    """
    first: dict[str, int] = {}
    found: list[tuple[int, int, float]] = []
    for i, text in enumerate(map(bare, texts)):
        if text and first.setdefault(text, i) != i:
            found.append((first[text], i, 1.0))
    sets = {i: grams(text) for text, i in first.items()}
    count = Counter(g for s in sets.values() for g in s)
    places: dict[str, list[int]] = {}
    for i in sorted(sets, key=lambda i: (len(sets[i]), i)):
        own = sorted(sets[i], key=lambda g: (count[g], g))
        least = math.ceil(threshold * len(own) - 1e-9)  # 0.28 * 25 is a little more than 7
        prefix = own[: len(own) - least + 1]
        candidates = dict.fromkeys(j for g in prefix for j in places.get(g, ()))
        for j in candidates:
            if len(sets[j]) < least:
                continue
            common = len(sets[i] & sets[j])
            alike = common / (len(own) + len(sets[j]) - common)
            if alike >= threshold:
                found.append((min(i, j), max(i, j), alike))
        for g in prefix:
            places.setdefault(g, []).append(i)
    return sorted(found)


def connected(n: int, pairs: Iterable[tuple[int, int, float]]) -> list[int]:
    """For each of n members the smallest member that it is connected with (union-find)."""
    parent = list(range(n))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, j, _ in pairs:
        a, b = sorted((root(i), root(j)))
        parent[b] = a
    return [root(i) for i in range(n)]
