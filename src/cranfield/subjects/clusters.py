"""Vectors divided into groups, and how many groups there are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.data.columns import Floats, Index
from cranfield.errors import InputError, MissingExtra, UsageError
from cranfield.kit.progress import progress
from cranfield.subjects.vectors import unit_rows

DIMENSIONS = 20
STARTS = 10
COMPARED = 2_000  # vectors up to which the silhouette is taken over all


@dataclass(frozen=True)
class Tried:
    """A number of groups, the mean silhouette of its division, and the standard error of that."""

    k: int
    silhouette: float
    error: float


@dataclass(frozen=True, eq=False)
class Division:
    """Groups of vectors.

    Parameters
    ----------
    labels : the group of each vector, [n]; the largest is 0, of equal ones that with the earliest
        vector first.
    closeness : of each vector to the centre of its group, a cosine, [n].
    tried : every number of groups that was compared.
    """

    labels: Index
    closeness: Floats
    tried: tuple[Tried, ...]


def divide(vectors: Any, k: int | None, most: int, seed: int) -> Division:
    """k-means over the vectors, reduced to 20 dimensions by a singular value decomposition
    (latent semantic analysis, Deerwester et al. 1990) and made of length 1 again.

    Parameters
    ----------
    vectors : a sparse matrix [n, term] with rows of length 1.
    k : how many groups. None for the smallest number from 2 to `most` whose mean silhouette
        (Rousseeuw 1987, distance 1 - cosine) lies within one standard error of the greatest.

    Raises
    ------
    MissingExtra
        scikit-learn is not installed.
    UsageError, InputError
        More groups are asked for than there are different vectors; no two vectors differ.
    """
    n = vectors.shape[0]
    with _one_thread():
        points = _reduced(vectors, seed)
        different = len(np.unique(points.round(9), axis=0))
        if different < 3:
            few = f"{n} queries with {different} different contents cannot be divided into topics"
            raise InputError(few, "give queries with texts, judgments and documents")
        if k is not None and not 2 <= k < min(n, different + 1):
            top = min(n - 1, different)
            raise UsageError(f"{k} topics of {n} queries", f"between 2 and {top}")
        numbers = [k] if k is not None else list(range(2, min(most, different, n - 1) + 1))
        far = _distances(points, seed)
        found = []
        with progress("dividing", len(numbers)) as advance:
            for number in numbers:
                labels = _k_means(points, number, seed)
                found.append((labels, _tried(number, labels, far)))
                advance(1)
    best = max(tried.silhouette for _, tried in found)
    error = next(tried.error for _, tried in found if tried.silhouette == best)
    labels = next(labels for labels, tried in found if tried.silhouette >= best - error)
    labels = _by_size(labels)
    return Division(labels, _closeness(points, labels), tuple(tried for _, tried in found))


@contextmanager
def _one_thread() -> Iterator[None]:
    """Sums in one order, so that every machine finds the same groups."""
    try:
        import sklearn  # noqa: F401
        from threadpoolctl import threadpool_limits
    except ImportError:
        raise MissingExtra("proposing topics (scikit-learn)", "topics") from None
    with threadpool_limits(1):
        yield


def _reduced(vectors: Any, seed: int) -> Floats:
    dimensions = min(DIMENSIONS, *(size - 1 for size in vectors.shape))
    if dimensions < 2:
        return np.asarray(vectors.toarray(), np.float64)
    from sklearn.decomposition import TruncatedSVD

    with np.errstate(divide="ignore", invalid="ignore"):  # shares of a variance that may be 0
        points = TruncatedSVD(dimensions, random_state=seed).fit_transform(vectors)
    return unit_rows(np.asarray(points, np.float64))


def _k_means(points: Floats, k: int, seed: int) -> Index:
    from sklearn.cluster import KMeans

    found = KMeans(k, n_init=STARTS, random_state=seed).fit(points)
    return np.asarray(found.labels_, np.int64)


def _distances(points: Floats, seed: int) -> tuple[Index, Floats]:
    """Which vectors are compared, and the distance 1 - cosine of each to each."""
    n = len(points)
    some = np.arange(n)
    if n > COMPARED:
        some = np.sort(np.random.Generator(np.random.PCG64(seed)).permutation(n)[:COMPARED])
    return some, np.maximum(0.0, 1 - points[some] @ points[some].T)


def _tried(k: int, labels: Index, far: tuple[Index, Floats]) -> Tried:
    some, distances = far
    values = silhouettes(distances, labels[some])
    return Tried(k, math.fsum(values) / len(values), float(values.std(ddof=1)) / len(values) ** 0.5)


def silhouettes(distances: Floats, labels: Index) -> Floats:
    """(b - a) / max(a, b) of each point, [n]: a its mean distance to the others of its group, b
    the least mean distance to another group; 0 for a point alone in its group."""
    n, k = len(labels), int(labels.max()) + 1
    member = np.zeros((n, k))
    member[np.arange(n), labels] = 1
    size = member.sum(axis=0)
    sums = distances @ member
    own = size[labels]
    a = (sums[np.arange(n), labels] - distances.diagonal()) / np.maximum(own - 1, 1)
    mean = np.divide(sums, size, out=np.full_like(sums, np.inf), where=size > 0)
    mean[np.arange(n), labels] = np.inf
    b = mean.min(axis=1)
    wide = np.maximum(a, b)
    usable = (own > 1) & np.isfinite(b) & (wide > 0)
    return np.asarray(np.divide(b - a, wide, out=np.zeros(n), where=usable), np.float64)


def _by_size(labels: Index) -> Index:
    """Groups numbered anew: the largest first, of equal ones that with the earliest vector."""
    groups, first, size = np.unique(labels, return_index=True, return_counts=True)
    order = np.lexsort((first, -size))
    to = np.empty(int(groups.max()) + 1, np.int64)
    to[groups[order]] = np.arange(len(groups))
    return to[labels]


def _closeness(points: Floats, labels: Index) -> Floats:
    centres = np.stack([points[labels == g].mean(axis=0) for g in range(int(labels.max()) + 1)])
    return np.asarray((points * unit_rows(centres)[labels]).sum(axis=1), np.float64)
