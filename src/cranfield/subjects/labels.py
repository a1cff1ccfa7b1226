"""The terms that tell one group of queries from the others, in a form that people write."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cranfield.data.columns import Floats
from cranfield.retrieval import tokens
from cranfield.subjects.vectors import Terms

SHOWN = 8  # terms of a topic
NAMED = 3  # of them, in its name
LETTER = re.compile(r"[^\W\d_]")


def characteristic(vectors: Any, inside: Any, terms: Sequence[str], most: int = SHOWN) -> list[str]:
    """The terms that contribute most to the Kullback-Leibler divergence of a group from all
    queries (as Carpineto et al. 2001 score terms): p_in · ln(p_in / p_all), where p is a term's
    share of the sum of all weights.

    Terms without a letter, single letters and single Chinese characters name nothing; one that
    is a part of another is not listed beside it.

    Parameters
    ----------
    vectors : a sparse matrix [query, term] of weights from 0 on.
    inside : [query], who belongs to the group.
    """
    all_ = _shares(vectors)
    own = _shares(vectors[np.flatnonzero(inside)])
    ratio = np.divide(own, all_, out=np.ones_like(own), where=(own > 0) & (all_ > 0))
    score = own * np.log(ratio)
    found: list[str] = []
    for i in np.argsort(-score, kind="stable").tolist():
        if score[i] <= 0 or len(found) == most:
            break
        term = terms[i]
        if not names_something(term):
            continue
        longer = [j for j, other in enumerate(found) if other in term]
        if longer:
            found[longer[0]] = term
            found = [t for j, t in enumerate(found) if j not in longer[1:]]
        elif not any(term in other for other in found):
            found.append(term)
    return found


def _shares(vectors: Any) -> Floats:
    sums = np.asarray(vectors.sum(axis=0), np.float64).ravel()
    whole = float(sums.sum())
    return sums / whole if whole else sums


def names_something(term: str) -> bool:
    """Whether a term can stand in a name."""
    return len(term) > 1 and LETTER.search(term) is not None


def written(wanted: Iterable[str], texts: Iterable[str], terms_of: Terms) -> dict[str, str]:
    """{term: the word that it is most often made of}: a stem such as `retriev` is shown as
    `retrieval`. A term that no single word gives stays as it is."""
    seen: dict[str, Counter[str]] = {term: Counter() for term in wanted}
    known: dict[str, str | None] = {}
    find = tokens.standard().findall
    for text in texts:
        for word in find(tokens.normal(text)):
            if word not in known:
                found = terms_of(word)
                known[word] = found[0] if len(found) == 1 else None
            term = known[word]
            if term is not None and term in seen:
                seen[term][word.lower()] += 1
    return {
        term: (min(words, key=lambda w: (-words[w], len(w), w)) if words else term).strip("_")
        for term, words in seen.items()
    }


def named(terms: Sequence[str], taken: set[str], number: int) -> str:
    """A name for a group: its first terms, and its number where they are none or taken."""
    name = "/".join(terms[:NAMED]) or str(number)
    return name if name not in taken else f"{name}/{number}"
