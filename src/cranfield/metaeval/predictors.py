"""How hard a query will be, before anything is retrieved: from its terms and the collection's
statistics alone (Hauff, Hiemstra & de Jong 2008)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.errors import InputError, UnknownName
from cranfield.stats.arrays import NOISE, vector
from cranfield.stats.rankcorr import kendall_tau


@dataclass(frozen=True)
class TermStatistics:
    """What a collection says about its terms.

    Parameters
    ----------
    documents : N, how many documents there are.
    tokens : |C|, how many terms they hold together.
    document_frequency : {term: documents that hold it}.
    collection_frequency : {term: how often it occurs}.
    """

    documents: int
    tokens: int
    document_frequency: Mapping[str, int]
    collection_frequency: Mapping[str, int]


@dataclass(frozen=True)
class QueryPrediction:
    """What the predictors say of one query.

    Parameters
    ----------
    terms : of the query, repetitions included.
    unknown : those of them that no document holds; they are left out.
    values : {predictor: value}, high for a query that is expected to be easy; None where no term
        is known.
    """

    query: str
    terms: int
    unknown: int
    values: Mapping[str, float | None]


@dataclass(frozen=True)
class Correlation:
    """A predictor against the mean score of each query, which falls as difficulty grows.

    Parameters
    ----------
    predictor, measure : which.
    n : queries with both.
    tau, pearson : None for fewer than two queries, or where either side is constant.
    """

    predictor: str
    measure: str
    n: int
    tau: float | None
    pearson: float | None


@dataclass(frozen=True)
class DifficultyPrediction:
    """Predictors of query difficulty, and how well they did.

    Parameters
    ----------
    queries : one a query, in the order given.
    correlations : one a predictor and measure; empty where no scores were given.
    without_known_terms : queries of which no term occurs in the collection.
    """

    queries: tuple[QueryPrediction, ...]
    correlations: tuple[Correlation, ...]
    without_known_terms: tuple[str, ...]


def count_terms(
    documents: Iterable[Sequence[str]], only: Container[str] | None = None
) -> TermStatistics:
    """The statistics of documents that have been cut into terms, each a sequence of them.

    Queries have to be cut by the same analyzer, or their terms will not be found. With `only`, the
    terms of the queries, no others are counted by themselves, which bounds the memory.
    """
    df: Counter[str] = Counter()
    cf: Counter[str] = Counter()
    n = tokens = 0
    for terms in documents:
        counts = Counter(terms if only is None else [term for term in terms if term in only])
        cf.update(counts)
        df.update(counts.keys())
        n, tokens = n + 1, tokens + len(terms)
    return TermStatistics(n, tokens, df, cf)


def _idf(stats: TermStatistics, term: str) -> float:
    return math.log(stats.documents / stats.document_frequency[term])


def _ictf(stats: TermStatistics, term: str) -> float:
    return math.log(stats.tokens / stats.collection_frequency[term])


def _scq(stats: TermStatistics, term: str) -> float:
    """Similarity of the collection and a query term (Zhao, Scholer & Tsegay 2008)."""
    cf, df = stats.collection_frequency[term], stats.document_frequency[term]
    return (1 + math.log(cf)) * math.log(1 + stats.documents / df)


def _scs(stats: TermStatistics, terms: Sequence[str]) -> float:
    """Simplified clarity score (He & Ounis 2004)."""
    total = 0.0
    for term, count in sorted(Counter(terms).items()):
        share = count / len(terms)
        total += share * math.log2(share * stats.tokens / stats.collection_frequency[term])
    return total


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _deviation(values: Sequence[float]) -> float:
    mean = _mean(values)
    return math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values))


def _over(
    of: Callable[[TermStatistics, str], float], fold: Callable[[Sequence[float]], float]
) -> Callable[[TermStatistics, Sequence[str]], float]:
    return lambda stats, terms: fold([of(stats, t) for t in terms])


PREDICTORS: Mapping[str, Callable[[TermStatistics, Sequence[str]], float]] = {
    "AvIDF": _over(_idf, _mean),
    "MaxIDF": _over(_idf, max),
    "DevIDF": _over(_idf, _deviation),
    "AvICTF": _over(_ictf, _mean),
    "SCS": _scs,
    "SumSCQ": _over(_scq, math.fsum),
    "AvSCQ": _over(_scq, _mean),
    "MaxSCQ": _over(_scq, max),
}


def predict(
    queries: Mapping[str, Sequence[str]],
    statistics: TermStatistics,
    scores: Mapping[str, Mapping[str, float]] | None = None,
    *,
    predictors: Sequence[str] = tuple(PREDICTORS),
) -> DifficultyPrediction:
    """Pre-retrieval predictors of query difficulty, held against what was observed.

    With N documents of |C| terms, df(t) documents that hold t, cf(t) its occurrences, and qtf(t)
    occurrences among the |q| terms of the query that the collection knows:

        AvIDF, MaxIDF, DevIDF   mean, maximum and standard deviation over the terms of ln(N / df)
        AvICTF                  mean of ln(|C| / cf)
        SCS                     Σ qtf/|q| · log2((qtf/|q|) / (cf/|C|))
        SumSCQ, AvSCQ, MaxSCQ   of (1 + ln cf) · ln(1 + N / df)

    Sources: AvIDF, AvICTF and SCS of He & Ounis (2004), MaxIDF of Scholer, Williams & Turpin
    (2004), SCQ of Zhao, Scholer & Tsegay (2008), all as compared by Hauff, Hiemstra & de Jong
    (2008). A term repeated in the query counts as often as it occurs.

    Parameters
    ----------
    queries : {query: its terms}, cut by the analyzer that cut the documents.
    statistics : see `count_terms`.
    scores : {measure: {query: mean score over the runs}}; one less such a mean is the difficulty.
    predictors : which.
    """
    unknown = [name for name in predictors if name not in PREDICTORS]
    if unknown:
        raise UnknownName(f"no predictor {unknown[0]!r}", f"there are: {', '.join(PREDICTORS)}")
    if statistics.documents < 1:
        raise InputError("no document to take the statistics of terms from")
    made = [_predicted(name, terms, statistics, predictors) for name, terms in queries.items()]
    found = [
        _correlated(predictor, measure, made, observed)
        for measure, observed in (scores or {}).items()
        for predictor in predictors
    ]
    lost = tuple(one.query for one in made if one.terms == one.unknown)
    return DifficultyPrediction(tuple(made), tuple(found), lost)


def _predicted(
    query: str, terms: Sequence[str], stats: TermStatistics, predictors: Sequence[str]
) -> QueryPrediction:
    known = [term for term in terms if stats.document_frequency.get(term, 0) > 0]
    values = {name: PREDICTORS[name](stats, known) if known else None for name in predictors}
    return QueryPrediction(query, len(terms), len(terms) - len(known), values)


def _correlated(
    predictor: str, measure: str, made: Sequence[QueryPrediction], observed: Mapping[str, float]
) -> Correlation:
    both = [
        (value, observed[one.query])
        for one in made
        if one.query in observed and (value := one.values[predictor]) is not None
    ]
    x, y = [v for v, _ in both], [s for _, s in both]
    return Correlation(predictor, measure, len(both), kendall_tau(x, y), pearson(x, y))


def pearson(x: ArrayLike, y: ArrayLike) -> float | None:
    """Pearson's r of two vectors; None for fewer than two values, or where one is constant."""
    a, b = vector(x, "values"), vector(y, "values")
    if len(a) != len(b):
        raise InputError(f"{len(a)} values against {len(b)}")
    if len(a) < 2:
        return None
    a, b = a - a.mean(), b - b.mean()
    if min(np.abs(a).max(), np.abs(b).max()) <= NOISE:
        return None
    return float(np.clip(a @ b / math.sqrt(float(a @ a) * float(b @ b)), -1.0, 1.0))
