"""The matrix of an experiment: collections x systems x rerankers x parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cranfield.errors import UnknownName
from cranfield.formats.sources import OnDuplicate


@dataclass(frozen=True)
class PlannedCollection:
    """A collection of the matrix.

    Parameters
    ----------
    path : a folder, whole, or irds:<id>
    split : which qrels of a BEIR folder
    task, domain : what it is about; averages are made by task
    group : collections whose means are averaged to one number, which then counts as one
        collection, as BEIR does with the twelve of CQADupStack
    sample : so many queries in every cell, chosen by the seed; None: all that are judged
    exclude_self : leave out the document with the query's id, as BEIR does
    """

    name: str
    path: str
    split: str | None = None
    task: str | None = None
    domain: str | None = None
    group: str | None = None
    sample: int | None = None
    exclude_self: bool = False


@dataclass(frozen=True)
class PlannedSystem:
    """A system with one choice of parameters.

    Parameters
    ----------
    label : names both
    passages : `size`, `overlap` and `rollup`, where passages are searched and not documents
    filters : query fields; a document must have the query's own value in a field of that name
    collections : only on these
    """

    name: str
    label: str
    system: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    collections: tuple[str, ...] = ()
    passages: Mapping[str, Any] | None = None
    filters: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlannedReranker:
    """A reranker with one choice of parameters and a depth.

    `sample`: only so many of the queries, for one that is slow; it is then held against the
    retriever on the same queries. `collections`, `systems`: only on these, by name.
    """

    name: str
    label: str
    reranker: str
    depth: int = 100
    sample: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    collections: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cell:
    """One run of the matrix: a system on a collection, or a reranker on what a system found."""

    collection: PlannedCollection
    system: PlannedSystem
    reranker: PlannedReranker | None = None

    @property
    def label(self) -> str:
        """The name of the run."""
        own = self.system.label
        return own if self.reranker is None else f"{own}+{self.reranker.label}"

    @property
    def first(self) -> Cell:
        """The cell whose run is reranked; itself where nothing is."""
        return Cell(self.collection, self.system)


@dataclass(frozen=True)
class Plan:
    """A matrix.

    Parameters
    ----------
    file, folder : the cranfield.toml, and where its paths begin
    k : documents a query that a system is asked for
    measures : the first is the one that verdicts are given on
    judged_at : depth of the judge rate
    seed : of samples, pauses and tests
    attempts : how often a query that fails is asked
    runs : folder of the runs
    on_duplicate : what a document judged twice means; of the lab's settings
    """

    file: str
    folder: Path
    collections: tuple[PlannedCollection, ...]
    systems: tuple[PlannedSystem, ...]
    rerankers: tuple[PlannedReranker, ...] = ()
    k: int = 100
    measures: tuple[str, ...] = ("nDCG@10",)
    judged_at: int = 10
    seed: int = 0
    attempts: int = 4
    runs: str = "runs"
    on_duplicate: OnDuplicate = "error"

    def cells(self, only: Sequence[str] = ()) -> tuple[Cell, ...]:
        """All runs, collection by collection, each reranked one after the run that it needs.

        Parameters
        ----------
        only : names of collections, systems and rerankers; of a kind that none is named of, all

        Raises
        ------
        UnknownName
            Nothing in the matrix has such a name.
        """
        return tuple(self._cells(self._chosen(only)))

    def _chosen(self, only: Sequence[str]) -> tuple[set[str], set[str], set[str]]:
        kinds = (
            {c.name for c in self.collections},
            {name for s in self.systems for name in (s.name, s.label)},
            {name for r in self.rerankers for name in (r.name, r.label)},
        )
        stranger = next((name for name in only if not any(name in kind for kind in kinds)), None)
        if stranger is not None:
            have = ", ".join(name for kind in kinds for name in sorted(kind))
            raise UnknownName(f"nothing in the experiment is called {stranger!r}", f"names: {have}")
        a, b, c = (kind & set(only) or kind for kind in kinds)
        return a, b, c

    def _cells(self, chosen: tuple[set[str], set[str], set[str]]) -> Iterator[Cell]:
        collections, systems, rerankers = chosen
        for one in self.collections:
            if one.name not in collections:
                continue
            for system in self.systems:
                if not systems & {system.name, system.label} or not _in(
                    one.name, system.collections
                ):
                    continue
                yield Cell(one, system)
                for second in self.rerankers:
                    fits = _in(one.name, second.collections) and _in(system.name, second.systems)
                    if fits and rerankers & {second.name, second.label}:
                        yield Cell(one, system, second)


def _in(name: str, names: tuple[str, ...]) -> bool:
    return not names or name in names
