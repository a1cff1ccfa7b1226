"""What `topics` finds, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cranfield.data.collection import Query
from cranfield.diagnosis.queries import ALPHA
from cranfield.subjects.clusters import Tried

LARGE = 0.8  # d_z that Cohen (1988) calls large


@dataclass(frozen=True)
class Topic:
    """Queries of one topic.

    Parameters
    ----------
    label : its name, the value of the field.
    terms : the most characteristic first, in the form most often written.
    queries : ids; of a proposed topic those nearest to its centre first.
    examples : texts of the first of them.
    judged : how many of its queries have judgments.
    smallest_p : the smallest two-sided p that a sign or randomisation test on so many judged
        queries can give.
    shows : the smallest effect d_z that they find with power 0.8 at level 0.05, None for fewer
        than two.
    """

    label: str
    terms: tuple[str, ...]
    queries: tuple[str, ...]
    examples: tuple[str, ...]
    judged: int
    smallest_p: float
    shows: float | None

    @property
    def size(self) -> int:
        return len(self.queries)

    @property
    def blind(self) -> bool:
        """Whether no test on its judged queries can reach 0.05."""
        return self.smallest_p > ALPHA

    @property
    def small(self) -> bool:
        """Whether its judged queries show nothing but a large effect."""
        return self.blind or self.shows is None or self.shows > LARGE


@dataclass(frozen=True, eq=False)
class Topics:
    """The topics of a collection.

    Parameters
    ----------
    field : the query field that holds the label.
    proposed : whether by clustering; else the labels were given.
    topics : the largest first.
    unplaced : queries of no topic: nothing in them is shared with another query, or they have no
        label.
    tried : the numbers of topics that were compared.
    queries : all queries, with their label where they have one.
    settings : every choice that decides the result.
    documents, missing : different relevant documents that were read, that the corpus lacks.
    bare : queries without a relevant document, placed by their text alone.
    """

    collection: str
    field: str
    proposed: bool
    topics: tuple[Topic, ...]
    unplaced: tuple[str, ...]
    tried: tuple[Tried, ...]
    queries: tuple[Query, ...]
    settings: Mapping[str, Any]
    documents: int
    missing: int
    bare: int

    @property
    def labels(self) -> dict[str, str]:
        """{query id: label}."""
        return {q: topic.label for topic in self.topics for q in topic.queries}
