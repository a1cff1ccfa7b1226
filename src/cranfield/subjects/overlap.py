"""`overlap`: which collections are nearest to one's own, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.data.collection import TestCollection
from cranfield.data.columns import Floats
from cranfield.errors import NothingToEvaluate, UsageError
from cranfield.formats.readers import read_collection
from cranfield.kit.progress import progress
from cranfield.retrieval.analyze import Analyzer
from cranfield.stats.bootstrap import bootstrap_interval, place
from cranfield.stats.resampling import blocks, indices
from cranfield.subjects import figures
from cranfield.subjects.drawn import Drawn, draw
from cranfield.subjects.figures import Side
from cranfield.subjects.language import language
from cranfield.subjects.near import Figure, Halves, Near, Overlap
from cranfield.subjects.telling import Telling

LEAST_DOCUMENTS = 50  # to which larger collections are cut down at most, and
LEAST_QUERIES = 30


def overlap(
    mine: Any,
    others: Any,
    *,
    analyzer: str | Analyzer = "mixed",
    sample: int = 5_000,
    queries: int = 1_000,
    resamples: int = 1_000,
    seed: int = 0,
) -> Overlap:
    """Rank collections by how near they are to one's own queries and documents.

    Figures of one call can be compared with one another. Those of two calls cannot: the weight of
    a term and the size to which samples are cut depend on all collections of a call.

    Parameters
    ----------
    mine, others : BEIR folders, `irds:<id>` or TestCollections; one other or several
    analyzer : what makes terms of a text
    sample, queries : the most documents and queries of each collection that are looked at, drawn
        by a hash of their ids
    resamples : samples of my queries, from which the intervals come
    seed : of all that is drawn

    Returns
    -------
    Overlap

    Raises
    ------
    UsageError
        No other collection; a number that is too small.
    NothingToEvaluate
        A collection without documents or queries that hold a term.
    MissingExtra
        The analyzer needs a package.
    """
    single = isinstance(others, (str, TestCollection)) or hasattr(others, "__fspath__")
    given = [mine, *([others] if single else others)]
    if len(given) < 2:
        raise UsageError("no collection to compare with", "cranfield overlap MINE OTHER...")
    least = (("sample", sample, 1), ("queries", queries, 2), ("resamples", resamples, 100))
    for name, value, low in least:
        if value < low:
            raise UsageError(f"{name} is {value}", f"{low} or more")
    terms_of = Telling(analyzer)
    read = [read_collection(one, judgments=False) for one in given]
    drawn = [draw(one, sample, queries, seed) for one in read]
    names = _names([one.name for one in read], given)
    drawn = [replace(one, name=name) for one, name in zip(drawn, names, strict=True)]
    n = max(LEAST_DOCUMENTS, min(len(one.texts) for one in drawn))
    m = max(LEAST_QUERIES, min(len(one.asked) for one in drawn))
    total = sum(len(one.texts) + len(one.asked) for one in drawn)
    with progress("counting terms", total) as advance:
        sides = figures.sides(drawn, terms_of, n, m, seed, advance)
    for one, side in zip(drawn, sides, strict=True):
        for what, rows in (("documents", side.counts), ("queries", side.asked)):
            if not rows.nnz:
                raise NothingToEvaluate(f"{one.name}: no term in its {what}", "another analyzer?")
    found = _ranked(drawn, sides, resamples, seed)
    return Overlap(
        mine=names[0],
        n_documents=drawn[0].documents,
        n_queries=drawn[0].queries,
        sampled_documents=len(drawn[0].texts),
        sampled_queries=len(drawn[0].asked),
        scripts=drawn[0].scripts,
        others=found,
        same=(n, m),
        halves=_halves(sides[0], seed),
        small=tuple(sorted(o.name for o in drawn if len(o.texts) < n or len(o.asked) < m)),
        cut=sum(one.cut for one in drawn),
        empty=sum(one.empty for one in drawn),
        settings={
            "analyzer": terms_of.name,
            "sample": sample,
            "queries": queries,
            "resamples": resamples,
            "seed": seed,
            "draws": figures.DRAWS,
        },
    )


def _halves(mine: Side, seed: int) -> Halves | None:
    n = min(mine.n, mine.counts.shape[0] // 2)
    m = min(mine.m, mine.asked.shape[0] // 2)
    if not n or not m:
        return None
    both = figures.halves(mine.documents, n, seed) + figures.halves(mine.queries, m, seed)
    return Halves(both / 2, n, m)


def _names(names: Sequence[str], given: Sequence[Any]) -> list[str]:
    """Names that differ: with the folder before where two are alike, then with a number."""
    out = list(names)
    for i, name in enumerate(names):
        if names.count(name) > 1 and not isinstance(given[i], TestCollection):
            out[i] = "/".join(str(given[i]).rstrip("/").split("/")[-2:])
    seen: dict[str, int] = {}
    for i, name in enumerate(out):
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            out[i] = f"{name} ({seen[name]})"
    return out


def _ranked(
    drawn: Sequence[Drawn], sides: Sequence[Side], resamples: int, seed: int
) -> tuple[Near, ...]:
    mine, others = sides[0], sides[1:]
    samples = _samples(mine, others, resamples, seed)
    found = [
        _near(drawn[0], one, mine, side, samples[:, i], resamples, seed)
        for i, (one, side) in enumerate(zip(drawn[1:], others, strict=True))
    ]
    ranked = [i for i, one in enumerate(found) if one.language != "other"]
    whole = samples + np.array([one.documents.value for one in found])
    if len(ranked) > 1:
        best = whole[:, ranked].round(12)
        top = best == best.max(axis=1, keepdims=True)
        share = (top / top.sum(axis=1, keepdims=True)).mean(axis=0)
        for place_, i in enumerate(ranked):
            found[i] = replace(found[i], first=float(share[place_].round(12)))
    found.sort(key=lambda one: (one.language == "other", -one.nearness.value, one.name))
    return tuple(
        replace(one, rank=None if one.language == "other" else i) for i, one in enumerate(found, 1)
    )


def _samples(mine: Side, others: Sequence[Side], resamples: int, seed: int) -> Floats:
    """[sample, other]: the cosine of the queries' centroids in samples of m of my queries."""
    total = mine.asked.shape[0]
    out = []
    for first, count in blocks(resamples, total):
        picked = indices(seed, first, count, total)[:, : mine.m]
        out.append(figures.resampled(mine, others, picked))
    return np.concatenate(out)


def _near(
    own: Drawn, other: Drawn, mine: Side, side: Side, samples: Floats, resamples: int, seed: int
) -> Near:
    asks = figures.cosine(mine.asks, side.asks)
    about = figures.cosine(mine.about, side.about)
    low, high = _interval(asks, samples, (mine.m / mine.asked.shape[0]) ** 0.5)
    nearness = Figure((asks + about) / 2, ((low + about) / 2, (high + about) / 2))
    return Near(
        name=other.name,
        rank=None,
        nearness=nearness,
        first=None,
        queries=Figure(asks, (low, high)),
        documents=Figure(about),
        nearest=_mean(figures.nearest(mine, side), resamples, seed),
        coverage=_mean(figures.coverage(mine, side), resamples, seed),
        jaccard=Figure(figures.jaccard(mine.shares, side.shares)),
        divergence=Figure(figures.divergence(mine.shares, side.shares)),
        language=language(own, other),
        scripts=other.scripts,
        n_documents=other.documents,
        n_queries=other.queries,
        sampled_documents=len(other.texts),
        sampled_queries=len(other.asked),
    )


def _interval(value: float, samples: Floats, scale: float) -> tuple[float, float]:
    """value - scale · (quantiles of the samples about their mean): the m out of n bootstrap
    (Bickel, Götze & van Zwet 1997), where samples of m out of n queries spread √(n/m) times as
    much as the figure does. The samples' mean lies below the figure, since queries drawn twice
    make a centroid noisier; taking the spread about that mean removes this."""
    spread = np.sort(samples - samples.mean()) * scale
    high = value - float(spread[place(0.025, len(spread))])
    low = value - float(spread[place(0.975, len(spread))])
    return max(0.0, round(low, 12)), min(1.0, round(high, 12))


def _mean(values: Floats, resamples: int, seed: int) -> Figure:
    """The mean over the queries that have a term, with a percentile bootstrap interval."""
    values = values[~np.isnan(values)].round(12)
    found = bootstrap_interval(values, resamples=resamples, seed=seed)
    mean = float(values.mean().round(12))
    if found.low is None or found.high is None:
        return Figure(mean)
    return Figure(mean, (found.low, found.high))
