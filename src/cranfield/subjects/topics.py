"""`topics`: the queries of a collection divided by what they are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.data.collection import Query, TestCollection
from cranfield.data.columns import Index
from cranfield.diagnosis.queries import smallest_p
from cranfield.errors import InputError, NothingToEvaluate, UsageError
from cranfield.formats.readers import read_collection
from cranfield.retrieval.analyze import Analyzer
from cranfield.stats.power import detectable
from cranfield.subjects.clusters import DIMENSIONS, STARTS, Tried, divide
from cranfield.subjects.labels import characteristic, named, written
from cranfield.subjects.profiles import Profiles, profiles
from cranfield.subjects.telling import Telling
from cranfield.subjects.topic import Topic, Topics

MOST = 12  # topics that are proposed
EACH = 6  # queries of a topic on average, at least: with five no test can reach 0.05
EXAMPLES = 3


def topics(
    collection: Any,
    *,
    k: int | None = None,
    most: int | None = None,
    by: str | None = None,
    field: str = "topic",
    documents: int = 20,
    analyzer: str | Analyzer = "mixed",
    seed: int = 0,
    queries: Iterable[Query] | None = None,
    split: str | None = None,
) -> Topics:
    """Divide the queries of a collection into topics, or describe the topics that they have.

    Each query becomes a vector of its own terms and those of its relevant documents (`profiles`);
    the vectors are divided by k-means (`divide`).

    Parameters
    ----------
    collection : a BEIR folder, `irds:<id>` or a TestCollection
    k : how many topics; None for the smallest number whose mean silhouette lies within one
        standard error of the greatest, from 2 to `most`
    most : the largest number tried; None for a sixth of the queries, at least 2 and at most 12
    by : a query field with labels; describes these and proposes none
    field : the field that a proposed label is put into
    documents : relevant documents read for a query, those of the highest grades
    analyzer : what makes terms of a text
    seed : of the first centres
    queries : instead of those of the collection
    split : which judgments of a BEIR folder

    Returns
    -------
    Topics

    Raises
    ------
    UsageError, UnknownName
        A number of topics that is impossible; the field is there already, or `by` is not.
    InputError, NothingToEvaluate
        No query has a text; nothing divides them.
    MissingExtra
        A package is not installed: scikit-learn to propose topics, others for the analyzer.
    """
    _check(k, most, documents, field, seed)
    found = read_collection(collection, split=split)
    if queries is not None:
        found = replace(found, queries=tuple(queries))
    asked = [q for q in found.queries if q.text.strip()]
    if not asked:
        raise NothingToEvaluate(f"{found.name}: no query has a text", "give --queries")
    if by is None and any(field in q.fields for q in found.queries):
        raise UsageError(
            f"the queries have a field {field!r} already",
            f"--by {field} describes these topics, --field names another for new ones",
        )
    given = None if by is None else found.slices(by)
    terms_of = Telling(analyzer)
    made = profiles(found, asked, terms_of, documents)
    if given is None:
        groups, order, tried = _proposed(made, k, most, seed)
    else:
        groups, order, tried = _given(made, given)
    names = _names(made, groups, order, terms_of, given)
    settings: dict[str, Any] = {"analyzer": terms_of.name, "documents_per_query": documents}
    if by is None:
        settings |= {"k": k, "seed": seed, "dimensions": DIMENSIONS, "starts": STARTS}
    judged = set(found.qrels.queries)
    divided = tuple(
        _topic(made, where, label, terms, judged) for where, (label, terms) in zip(
            order, names, strict=True
        )
    )  # fmt: skip
    return _whole(found, made, by or field, by is None, divided, tried, settings)


def _check(k: int | None, most: int | None, documents: int, field: str, seed: int) -> None:
    for name, value, least in (("k", k, 2), ("most", most, 2), ("documents", documents, 0)):
        if value is not None and value < least:
            raise UsageError(f"{name} is {value}", f"{least} or more")
    if not 0 <= seed < 1 << 32:
        raise UsageError(f"seed is {seed}", "a whole number from 0 to 4294967295")
    if not field or field in ("_id", "id", "text", "metadata"):
        raise UsageError(f"field is {field!r}", "a name such as topic")


def _proposed(
    made: Profiles, k: int | None, most: int | None, seed: int
) -> tuple[Index, list[Index], tuple[Tried, ...]]:
    """The group of each query (-1 for none), the queries of each group, the numbers tried."""
    some = np.flatnonzero(np.diff(made.vectors.indptr) > 0)
    n = len(some)
    if n < 3:
        raise InputError(
            f"{n} of {len(made.queries)} queries share a term with another: nothing to divide",
            "are the relevant documents in the corpus?",
        )
    top = most or min(MOST, max(2, n // EACH))
    division = divide(made.vectors[some], k, top, seed)
    groups = np.full(len(made.queries), -1)
    groups[some] = division.labels
    order = []
    for group in range(int(division.labels.max()) + 1):
        own = np.flatnonzero(division.labels == group)
        near = np.lexsort((own, -division.closeness[own].round(9)))
        order.append(some[own[near]])
    return groups, order, division.tried


def _given(
    made: Profiles, labels: Mapping[str, str]
) -> tuple[Index, list[Index], tuple[Tried, ...]]:
    own = [labels.get(q.id) for q in made.queries]
    sizes: dict[str, int] = {}
    for label in own:
        if label is not None:
            sizes[label] = sizes.get(label, 0) + 1
    ranked = sorted(sizes, key=lambda label: -sizes[label])
    place = {label: i for i, label in enumerate(ranked)}
    groups = np.array([-1 if label is None else place[label] for label in own])
    return groups, [np.flatnonzero(groups == g) for g in range(len(ranked))], ()


def _names(
    made: Profiles,
    groups: Index,
    order: Sequence[Index],
    terms_of: Telling,
    given: Mapping[str, str] | None,
) -> list[tuple[str, tuple[str, ...]]]:
    """(label, terms) of each group."""
    terms = [characteristic(made.vectors, groups == g, made.terms) for g in range(len(order))]
    texts = (text for own in made.texts for text in own)
    form = written({t for some in terms for t in some}, texts, terms_of)
    out: list[tuple[str, tuple[str, ...]]] = []
    taken: set[str] = set()
    for number, (where, some) in enumerate(zip(order, terms, strict=True), 1):
        shown = tuple(dict.fromkeys(form[t] for t in some))
        label = given[made.queries[where[0]].id] if given else named(shown, taken, number)
        taken.add(label)
        out.append((label, shown))
    return out


def _topic(
    made: Profiles, where: Index, label: str, terms: tuple[str, ...], judged: set[str]
) -> Topic:
    own = [made.queries[i] for i in where.tolist()]
    n = sum(q.id in judged for q in own)
    return Topic(
        label,
        terms,
        tuple(q.id for q in own),
        tuple(q.text for q in own[:EXAMPLES]),
        n,
        smallest_p(n),
        detectable(n),
    )


def _whole(
    found: TestCollection,
    made: Profiles,
    field: str,
    proposed: bool,
    divided: tuple[Topic, ...],
    tried: tuple[Tried, ...],
    settings: Mapping[str, Any],
) -> Topics:
    label = {q: topic.label for topic in divided for q in topic.queries}
    return Topics(
        collection=found.name,
        field=field,
        proposed=proposed,
        topics=divided,
        unplaced=tuple(q.id for q in found.queries if q.id not in label),
        tried=tried,
        queries=tuple(
            replace(q, fields={**q.fields, field: label[q.id]}) if q.id in label else q
            for q in found.queries
        ),
        settings=settings,
        documents=made.read,
        missing=made.missing,
        bare=made.bare,
    )
