"""What is compared, opened once: judgments, runs and their cards."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.data.card import RunCard
from cranfield.data.collection import Query, TestCollection
from cranfield.data.qrels import Qrels
from cranfield.errors import UsageError
from cranfield.evaluation.inputs import judgments_of, sources_of
from cranfield.evaluation.settings import check
from cranfield.formats.card import card_path, read_card
from cranfield.formats.readers import IRDS, read_collection
from cranfield.formats.sources import RunColumns, RunSource


@dataclass(frozen=True, eq=False)
class Material:
    """The inputs of a comparison.

    Parameters
    ----------
    qrels : a collection where there is one, else judgments.
    sources : the base and the runs; `paths` are their files, None for what is in memory.
    threads : for reading.
    """

    qrels: Qrels | TestCollection
    queries: tuple[Query, ...]
    sources: tuple[RunSource, ...]
    paths: tuple[str | None, ...]
    threads: int

    @classmethod
    def of(
        cls,
        qrels: Any,
        base: Any,
        runs: Any,
        queries: Iterable[Query] | None,
        options: Mapping[str, Any],
    ) -> Material:
        """Open what `compare` was given; `options` are those of `evaluate`.

        Raises
        ------
        UsageError
            Not one base, or a file that is given twice.
        """
        policy = options.get("on_duplicate", "error")
        check("on_duplicate", policy)
        how = (options.get("run_format"), policy, bool(options.get("all_errors", False)))
        paths = _paths(base), _paths(runs)
        _refuse_twice([path for some in paths for path in some])
        bases = sources_of(base, *how)
        if len(bases) != 1:
            raise UsageError(f"{len(bases)} runs where one base is expected", "give one as base")
        others = sources_of(runs, *how)
        files = [
            path
            for some, found in zip(paths, (bases, others), strict=True)
            for path in (some if len(some) == len(found) else [None] * len(found))
        ]
        if bases[0].name == "run" and files[0] is None:
            bases[0].name = "base"  # a dictionary or a frame has no name of its own
        judged, known = _judged(qrels, options, policy)
        threads = options.get("threads")
        return cls(
            judged,
            tuple(queries) if queries is not None else known,
            tuple(sources_of([*bases, *others], *how)),
            tuple(files),
            threads if threads is not None else min(4, os.cpu_count() or 1),
        )

    def texts(self) -> dict[str, str]:
        """{query id: text}."""
        return {query.id: query.text for query in self.queries if query.text}

    def cards(self) -> list[RunCard]:
        """The card of each run that has one: from the file beside it, else the run's `config`."""
        found = []
        for source, path in zip(self.sources, self.paths, strict=True):
            beside = None if path is None else card_path(path)
            if beside is not None:
                found.append(read_card(beside, source.name))
            elif isinstance(source, RunColumns) and source.run.config:
                found.append(RunCard(source.name, source.run.config))
        return found


def _judged(
    qrels: Any, options: Mapping[str, Any], policy: Any
) -> tuple[Qrels | TestCollection, tuple[Query, ...]]:
    split = options.get("split")
    folder = isinstance(qrels, (str, os.PathLike)) and (
        os.fspath(qrels).startswith(IRDS) or os.path.isdir(qrels)
    )
    if folder or isinstance(qrels, TestCollection):
        collection = read_collection(qrels, split=split, on_duplicate=policy)
        return collection, collection.queries
    errors = bool(options.get("all_errors", False))
    return judgments_of(qrels, options.get("qrels_format"), policy, errors, split)


def _paths(runs: Any) -> list[str | None]:
    """The file of each run given, None for what is in memory."""
    if isinstance(runs, (str, os.PathLike)):
        return [os.fspath(runs)]
    if isinstance(runs, Mapping):
        runs = list(runs.values())
    if isinstance(runs, (list, tuple)) and any(isinstance(r, (str, os.PathLike)) for r in runs):
        return [os.fspath(r) if isinstance(r, (str, os.PathLike)) else None for r in runs]
    return [None] * (len(runs) if isinstance(runs, (list, tuple)) else 1)


def _refuse_twice(paths: Sequence[str | None]) -> None:
    seen: set[str] = set()
    for path in paths:
        if path is None:
            continue
        real = os.path.realpath(path)
        if real in seen:
            raise UsageError(f"{path} is given twice", "a base and other runs, each once")
        seen.add(real)
