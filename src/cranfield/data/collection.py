"""A test collection: queries, judgments and, read only when asked for, documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cranfield.data.qrels import Qrels
from cranfield.errors import UnknownName


@dataclass(frozen=True)
class Query:
    """A query (a topic in TREC's word): its id, its text and any further fields."""

    id: str
    text: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Document:
    """A document: its id, title (may be empty), text and any further fields."""

    id: str
    title: str
    text: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class TestCollection:
    """Queries and judgments in memory, documents behind a function that reads them.

    `documents()` starts a new pass over the corpus each time it is called; it is None where the
    collection came without one.
    """

    __test__ = False  # the name is the field's, not pytest's

    name: str
    queries: tuple[Query, ...]
    qrels: Qrels
    documents: Callable[[], Iterator[Document]] | None = None
    n_documents: int | None = None

    @property
    def slice_names(self) -> tuple[str, ...]:
        """Query fields with text values that can slice the results (`type`, `topic`, ...)."""
        names: dict[str, None] = {}
        for query in self.queries:
            names.update((k, None) for k, v in query.fields.items() if isinstance(v, str))
        return tuple(names)

    def slices(self, field_name: str) -> dict[str, str]:
        """{query id: label} for one field.

        Raises
        ------
        UnknownName
            No query has this field.
        """
        found = {
            q.id: str(q.fields[field_name])
            for q in self.queries
            if q.fields.get(field_name) is not None
        }
        if not found:
            have = ", ".join(self.slice_names) or "none"
            raise UnknownName(
                f"no query has a field {field_name!r}", f"fields that can be used: {have}"
            )
        return found
