"""What a search system is to Cranfield, and how it makes a run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from cranfield.data.collection import Query
from cranfield.data.columns import Ids
from cranfield.data.run import Run
from cranfield.errors import InputError, UsageError

Result: TypeAlias = Sequence[tuple[str, float]]  # (document id, score), the best first
Filter: TypeAlias = Mapping[str, Any]  # {document field: the value it must have}


@runtime_checkable
class System(Protocol):
    """Anything that answers a query with documents and scores, the best first.

    A system may have more, and needs none of it:

    - ``config``: a mapping that JSON can hold, what makes its runs what they are; it goes into
      the card of a run.
    - ``search_many(queries, k)``: several queries at once, one result for each, in their order.
    - ``takes_filters = True``: `search` takes a keyword ``filters``, {document field: value}, and
      returns only documents that have these values; `search_many` takes a list of them.
    - ``thread_safe = True``: `search` may be called from several threads.
    - ``close()``: called when no more is asked.
    - ``ready(**options)``, a class method: raises what making it with these options is sure to
      raise (a package or a variable of the environment that is missing), at once, without
      documents and without asking a service. It may return a system made of no documents.
      `cranfield experiment --dry-run` calls it.

    An error that `search` raises means that this query failed. It may carry ``retry_after``, the
    seconds a server asks to be left alone.
    """

    name: str

    def search(self, query: Query, k: int) -> Sequence[tuple[str, float]]:
        """At most k (document id, score) pairs, each document once, no score NaN."""


class Ready:
    """For systems that are made of no documents at once and thereby show whether they can be."""

    @classmethod
    def ready(cls, **options: Any) -> Any:
        """A system over nothing."""
        make: Any = cls
        return make((), **options)


def retrieve(
    system: System, queries: Iterable[Query], k: int = 100, *, filters: Sequence[str] = ()
) -> Run:
    """The run of a system over queries; a query without results stays in it as an empty one.

    The first error ends it. `cranfield.retrieval.conduct` asks again, resumes and measures.

    Parameters
    ----------
    k : documents a query
    filters : query fields; a document must have the same value in a field of that name
    """
    asked = list(queries)
    results = [ask(system, query, k, filter_of(query, filters)) for query in asked]
    return to_run(system.name, [q.id for q in asked], results, config_of(system))


def ask(system: System, query: Query, k: int, wanted: Filter | None = None) -> Result:
    """One result, checked.

    Raises
    ------
    UsageError
        A filter for a system that takes none.
    InputError
        More than k documents, one twice, an id that is empty or no Unicode text, or a score that
        is no number.
    """
    if not wanted:
        return checked(system.search(query, k), k, system.name)
    refuse_filters(system)
    return checked(system.search(query, k, filters=wanted), k, system.name)  # type: ignore[call-arg]


def refuse_filters(system: System) -> None:
    """An error if the system takes no filters."""
    if not getattr(system, "takes_filters", False):
        raise UsageError(f"system {system.name!r} takes no filters", "leave the filter out")


def refuse_fields(names: Sequence[str], queries: Sequence[Query]) -> None:
    """An error if no query has one of these fields."""
    for name in names:
        if not any(name in q.fields for q in queries):
            have = ", ".join(dict.fromkeys(n for q in queries for n in q.fields)) or "none"
            raise UsageError(f"no query has a field {name!r} to filter by", f"fields: {have}")


def filter_of(query: Query, fields: Sequence[str]) -> dict[str, Any]:
    """The values of these fields that the query has; one that it lacks filters nothing."""
    return {name: query.fields[name] for name in fields if query.fields.get(name) is not None}


def config_of(system: System) -> dict[str, Any]:
    """What makes the runs of a system what they are, its name first."""
    return {"system": system.name, **dict(getattr(system, "config", None) or {})}


def checked(result: Result, k: int, name: str) -> list[tuple[str, float]]:
    """A result as it must be: see `ask`."""
    found = [(str(doc), float(score)) for doc, score in result]
    problem = None
    if len(found) > k:
        problem = f"{len(found)} documents where {k} were asked for"
    elif any(math.isnan(score) for _, score in found):
        problem = "a score that is no number (NaN)"
    elif len({doc for doc, _ in found}) < len(found):
        problem = "a document twice"
    elif not all(_is_id(doc) for doc, _ in found):
        problem = "a document id that is empty or no Unicode text"
    if problem is not None:
        raise InputError(f"system {name!r} returned {problem}", "check_system shows what it breaks")
    return found


def _is_id(text: str) -> bool:
    """Whether a text can be an id in a file: half of a surrogate pair, as JSON may hold it, has no
    bytes."""
    return text != "" and not any("\ud800" <= c <= "\udfff" for c in text)


def to_run(
    name: str,
    queries: Sequence[str],
    results: Sequence[Result],
    config: Mapping[str, Any] | None = None,
) -> Run:
    """A run from one result a query."""
    sizes = np.fromiter(map(len, results), np.int64, len(results))
    return Run(
        Ids.of(queries),
        np.repeat(np.arange(len(queries)), sizes),
        Ids.of(doc for result in results for doc, _ in result),
        np.fromiter((s for result in results for _, s in result), np.float64, int(sizes.sum())),
        name=name,
        config=config,
    )
