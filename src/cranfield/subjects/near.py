"""What `overlap` finds, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Language = Literal["same", "partly", "unlike", "other"]
Interval = tuple[float, float] | None


@dataclass(frozen=True)
class Figure:
    """A number, and its 95% interval over my queries where it depends on them."""

    value: float
    interval: Interval = None


@dataclass(frozen=True)
class Near:
    """How near a collection is to mine.

    Parameters
    ----------
    name : of the collection.
    rank : from 1; None where its language is `other`.
    nearness : the mean of `queries` and `documents`, which decides the rank.
    first : the share of samples of my queries in which it is the nearest; None where fewer than
        two collections are ranked.
    queries, documents : cosines of the mean tf-idf vectors of both collections' queries and of
        their documents.
    nearest : the mean cosine of my queries to the nearest document there.
    coverage : the mean share of the idf of my queries' terms that its documents have.
    jaccard : weighted Jaccard similarity of the documents' term shares.
    divergence : their Jensen-Shannon divergence in bits; here 0 is the nearest.
    language : whether it is written as mine is: the `same` by all signs, `partly` where it shares
        a part of my scripts, `unlike` where it shares hardly a frequent word, `other` where it
        shares no script.
    scripts : {script: share} there.
    n_documents, n_queries : how many with a text it has; `sampled_` how many were looked at.
    """

    name: str
    rank: int | None
    nearness: Figure
    first: float | None
    queries: Figure
    documents: Figure
    nearest: Figure
    coverage: Figure
    jaccard: Figure
    divergence: Figure
    language: Language
    scripts: Mapping[str, float]
    n_documents: int
    n_queries: int
    sampled_documents: int
    sampled_queries: int


@dataclass(frozen=True)
class Halves:
    """The nearness of two halves of one collection, of so many documents and queries each."""

    nearness: float
    documents: int
    queries: int


@dataclass(frozen=True)
class Overlap:
    """Collections by their nearness to mine.

    Parameters
    ----------
    mine : its name; the other members as for the others.
    others : the nearest first, those in another language last.
    same : (documents, queries) that every figure stands for.
    halves : how near two parts of my own collection are that have nothing in common, at this size
        or, where there is less, at half of mine; None for a single document or query. What the
        other figures can be measured by.
    small : collections with fewer than these, mine among them.
    cut, empty : documents of the samples that were read in part; documents without text.
    settings : every choice that decides a number.
    """

    mine: str
    n_documents: int
    n_queries: int
    sampled_documents: int
    sampled_queries: int
    scripts: Mapping[str, float]
    others: tuple[Near, ...]
    same: tuple[int, int]
    halves: Halves | None
    small: tuple[str, ...]
    cut: int
    empty: int
    settings: Mapping[str, Any]
