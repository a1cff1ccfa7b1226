"""How near two collections are, in numbers: cosines of centroids, shares of terms, neighbours.

Samples of different sizes give different figures whatever they are about: the mean of few texts is
noisier, and of many documents one is nearer. So every figure is that of `n` documents and `m`
queries of each collection, the same for all: either the expectation over all such draws, which has
a formula (Hurlbert 1971), or a mean over several of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.data.columns import Floats, Index
from cranfield.stats.resampling import orders
from cranfield.subjects.drawn import Drawn
from cranfield.subjects.vectors import Terms, counted, presence, unit_rows, weighted

DRAWS = 20
BLOCK = 4_000_000  # cosines held at a time


@dataclass(frozen=True, eq=False)
class Space:
    """The terms of several collections, and what each of them weighs.

    Parameters
    ----------
    terms : of all documents and queries, sorted.
    idf : 1 + ln(1 / p), where p is the mean, over the collections, of the share of texts that
        have the term; a collection counts as much as any other, whatever its size.
    """

    terms: tuple[str, ...]
    idf: Floats


@dataclass(frozen=True, eq=False)
class Side:
    """One collection in the common space.

    Parameters
    ----------
    counts : [document, term]; asked : [query, term]; both sparse.
    n, m : documents and queries that a draw has.
    """

    counts: Any
    asked: Any
    space: Space
    n: int
    m: int
    seed: int

    @cached_property
    def documents(self) -> Any:
        return weighted(self.counts, self.space.idf)

    @cached_property
    def queries(self) -> Any:
        return weighted(self.asked, self.space.idf)

    @cached_property
    def about(self) -> Floats:
        """[draw, term]: the mean vector of the documents, of length 1."""
        return unit_rows(_sums(self.documents, self.n, self.seed))

    @cached_property
    def asks(self) -> Floats:
        """[draw, term]: the same of the queries."""
        return unit_rows(_sums(self.queries, self.m, self.seed))

    @cached_property
    def shares(self) -> Floats:
        """[draw, term]: each term's share of all words of the documents drawn."""
        sums = _sums(self.counts, self.n, self.seed)
        whole = sums.sum(axis=1, keepdims=True)
        out = np.divide(sums, whole, out=np.zeros_like(sums), where=whole > 0)
        return np.asarray(out, np.float64)


def sides(
    drawn: Sequence[Drawn],
    terms_of: Terms,
    n: int,
    m: int,
    seed: int,
    advance: Callable[[float], None] = lambda amount: None,
) -> list[Side]:
    """All collections in one space; no figure depends on their order."""

    def seen(texts: Sequence[str]) -> Iterator[str]:
        for text in texts:
            yield text
            advance(1)

    texts = [counted(seen(one.texts), terms_of) for one in drawn]
    asked = [counted(seen(one.asked), terms_of) for one in drawn]
    terms = tuple(sorted({t for one in (*texts, *asked) for t in one.terms}))
    both = [(d.under(terms), q.under(terms)) for d, q in zip(texts, asked, strict=True)]
    share = np.stack(
        [(_frequency(d) + _frequency(q)) / max(1, d.shape[0] + q.shape[0]) for d, q in both]
    )
    share.sort(axis=0)  # so that sums do not depend on the order
    p = share.mean(axis=0)
    idf = 1 - np.log(np.where(p > 0, p, 1.0))
    space = Space(terms, idf)
    return [Side(d, q, space, min(n, d.shape[0]), min(m, q.shape[0]), seed) for d, q in both]


def _frequency(rows: Any) -> Floats:
    return np.asarray(presence(rows).sum(axis=0), np.float64).ravel()


def _sums(rows: Any, n: int, seed: int) -> Floats:
    """[draw, term]: sums over n rows; one draw where that is all of them."""
    size = rows.shape[0]
    if n >= size:
        return np.asarray(rows.sum(axis=0), np.float64).reshape(1, -1)
    return _summed(rows, orders(seed, 0, DRAWS, 1, size)[:, 0, :n])


def _summed(rows: Any, picked: Index) -> Floats:
    """[draw, term]: sums over the rows that each draw picks, [draw, n]."""
    from scipy.sparse import csr_matrix

    draws, n = picked.shape
    at = np.sort(picked, axis=1).ravel()
    shape = (draws, rows.shape[0])
    chosen = csr_matrix((np.ones(at.size), at, np.arange(draws + 1) * n), shape=shape)
    return np.asarray((chosen @ rows).toarray(), np.float64)


def halves(rows: Any, n: int, seed: int) -> float:
    """The mean cosine of the centroids of two draws of n rows that have no row in common: how
    near samples of this size from one source come. There must be 2n rows."""
    order = orders(seed, 0, DRAWS, 1, rows.shape[0])[:, 0, : 2 * n]
    return cosine(unit_rows(_summed(rows, order[:, :n])), unit_rows(_summed(rows, order[:, n:])))


def cosine(a: Floats, b: Floats) -> float:
    """The mean cosine of the centroids of two collections over the draws."""
    return _bounded((a * b).sum(axis=1).mean())


def jaccard(a: Floats, b: Floats) -> float:
    """Σ min(p, q) / Σ max(p, q) of term shares, the weighted Jaccard similarity with which Thakur
    et al. (2021) compare the domains of BEIR."""
    high = np.maximum(a, b).sum(axis=1)
    low = np.minimum(a, b).sum(axis=1)
    return _bounded(np.divide(low, high, out=np.ones_like(low), where=high > 0).mean())


def divergence(a: Floats, b: Floats) -> float:
    """The Jensen-Shannon divergence of term shares in bits (Lin 1991): 0 for equal ones, 1 where
    no term is shared."""
    a, b = np.broadcast_arrays(a, b)
    middle = (a + b) / 2

    def relative(p: Floats) -> Floats:
        ratio = np.divide(p, middle, out=np.ones_like(p), where=p > 0)
        return np.asarray((p * np.log2(ratio)).sum(axis=1), np.float64)

    return _bounded(((relative(a) + relative(b)) / 2).mean())


def _bounded(value: Any) -> float:
    """Rounded where a figure is exact but for noise, so that the same is the same."""
    return min(1.0, max(0.0, float(np.round(value, 12)) + 0.0))


def coverage(mine: Side, other: Side) -> Floats:
    """For each of my queries, the share of the idf of its different terms that n documents of the
    other collection are expected to have, [query]; NaN for a query without terms.

    A term that df of N documents have is in a draw of n with 1 - C(N - df, n) / C(N, n).
    """
    size = other.counts.shape[0]
    there = _chance(_frequency(other.counts), size, other.n)
    has = presence(mine.asked)
    whole = np.asarray(has @ mine.space.idf, np.float64)
    found = np.asarray(has @ (mine.space.idf * there), np.float64)
    return np.divide(found, whole, out=np.full_like(found, np.nan), where=whole > 0)


def _chance(df: Floats, size: int, n: int) -> Floats:
    if n >= size:
        return (df > 0).astype(np.float64)
    from scipy.special import gammaln

    rest = size - df
    able = rest >= n
    rest = np.where(able, rest, n)
    none = np.exp(
        gammaln(rest + 1) - gammaln(rest - n + 1) - gammaln(size + 1) + gammaln(size - n + 1)
    )
    return np.asarray(1 - np.where(able, none, 0.0), np.float64)


def nearest(mine: Side, other: Side) -> Floats:
    """For each of my queries, the expected cosine to the nearest of n documents of the other
    collection, [query].

    With the N cosines in descending order, the j-th is the greatest of a draw with
    C(N - j, n - 1) / C(N, n).
    """
    weight = _places(other.counts.shape[0], other.n)
    out = [np.zeros(0)]
    for block in _dense(mine.queries, other.documents):
        block.sort(axis=1)
        out.append(block[:, ::-1][:, : len(weight)] @ weight)
    return np.concatenate(out)


def _places(size: int, n: int) -> Floats:
    """The chance that the j-th best of all is the best of n, for j from 1."""
    weight = np.zeros(size - n + 1)
    left = 1.0
    for j in range(size - n + 1):
        weight[j] = left * n / (size - j)
        left -= weight[j]
        if left < 1e-15:
            break
    return weight


def _dense(rows: Any, columns: Any) -> Iterator[Floats]:
    step = max(1, BLOCK // max(1, columns.shape[0]))
    turned = columns.T.tocsr()
    for first in range(0, rows.shape[0], step):
        yield np.asarray((rows[first : first + step] @ turned).toarray(), np.float64)


def resampled(mine: Side, others: Sequence[Side], drawn: Index) -> Floats:
    """[sample, other]: cosines of the queries' centroids where mine are resampled.

    Parameters
    ----------
    drawn : [sample, m], the queries of each sample.
    """
    count, total = len(drawn), mine.asked.shape[0]
    times = np.bincount(
        (drawn + np.arange(count)[:, None] * total).ravel(), minlength=count * total
    ).reshape(count, total)
    gram = (mine.queries @ mine.queries.T).toarray()
    length = np.sqrt(np.maximum(0.0, ((times @ gram) * times).sum(axis=1)))
    out = np.zeros((count, len(others)))
    for i, other in enumerate(others):
        draws = len(other.asks)
        dots = np.asarray(mine.queries @ other.asks.T)
        sums = (times @ dots)[np.arange(count), np.arange(count) % draws]
        out[:, i] = np.divide(sums, length, out=np.zeros(count), where=length > 0)
    return out
