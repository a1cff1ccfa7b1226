"""Texts as rows of counts and as tf-idf vectors of length 1; SciPy's sparse matrices are loaded
where they are made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.columns import Floats

Terms = Callable[[str], list[str]]


@dataclass(frozen=True, eq=False)
class Counted:
    """How often each term occurs in each text.

    Parameters
    ----------
    terms : sorted, one a column.
    rows : a sparse matrix [text, term] of counts.
    """

    terms: tuple[str, ...]
    rows: Any

    def under(self, terms: Sequence[str]) -> Any:
        """The same counts with the columns of another, sorted list that holds all its terms."""
        from scipy.sparse import csr_matrix

        place = {term: i for i, term in enumerate(terms)}
        to = np.array([place[term] for term in self.terms], np.int64)
        rows = self.rows
        moved = csr_matrix(
            (rows.data, to[rows.indices] if len(to) else rows.indices, rows.indptr),
            shape=(rows.shape[0], len(terms)),
        )
        moved.sort_indices()
        return moved


def counted(texts: Iterable[str], terms_of: Terms) -> Counted:
    """Texts counted; the columns do not depend on the order of the texts."""
    from scipy.sparse import csr_matrix

    place: dict[str, int] = {}
    columns: list[int] = []
    often: list[int] = []
    first = [0]
    for text in texts:
        found = Counter(terms_of(text))
        columns += [place.setdefault(term, len(place)) for term in found]
        often += found.values()
        first.append(len(columns))
    terms = sorted(place)
    to = np.empty(len(terms), np.int64)
    to[[place[term] for term in terms]] = np.arange(len(terms))
    at = to[np.array(columns, np.int64)] if columns else np.zeros(0, np.int64)
    rows = csr_matrix(
        (np.array(often, np.float64), at, np.array(first)), shape=(len(first) - 1, len(terms))
    )
    rows.sort_indices()
    return Counted(tuple(terms), rows)


def weighted(rows: Any, idf: Floats) -> Any:
    """(1 + ln tf) · idf, each row divided by its length; a row without terms stays 0."""
    out = rows.copy()
    out.data = (1 + np.log(out.data)) * idf[out.indices]
    return unit(out)


def unit(rows: Any) -> Any:
    """Rows of a sparse matrix divided by their Euclidean length; rows of zeros as they are."""
    from scipy.sparse import diags

    length = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    out = diags(np.divide(1, length, out=np.zeros_like(length), where=length > 0)) @ rows
    out = out.tocsr()
    out.sort_indices()
    return out


def unit_rows(rows: Floats) -> Floats:
    """The same for an array."""
    length = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    out = np.divide(rows, length, out=np.zeros_like(rows), where=length > 0)
    return np.asarray(out, np.float64)


def presence(rows: Any) -> Any:
    """1 where a term occurs."""
    out = rows.copy()
    out.data = np.ones_like(out.data)
    return out
