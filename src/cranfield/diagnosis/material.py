"""What is checked, read once: documents, judgments, runs, and the first results of each list."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from cranfield.data.collection import Query, TestCollection
from cranfield.data.columns import Floats
from cranfield.data.qrels import Qrels
from cranfield.diagnosis.asked import Asked, Paths, paths_of
from cranfield.errors import UsageError
from cranfield.evaluation.align import Aligned, align, answered_empty
from cranfield.evaluation.holes import Grades, grades_of, levels_of
from cranfield.evaluation.inputs import (
    asked_measures,
    empty_by_card,
    judged_queries,
    judgments_of,
    size_of,
    sources_of,
)
from cranfield.evaluation.lists import Lists, result_lists
from cranfield.evaluation.people import check_people
from cranfield.evaluation.settings import Settings, check, check_threads
from cranfield.evaluation.strata import check_strata
from cranfield.evaluation.subtopics import check_subtopics
from cranfield.formats.readers import IRDS, read_collection
from cranfield.formats.sources import RunSource
from cranfield.kit.parallel import ordered_map
from cranfield.kit.progress import progress
from cranfield.measures import Hits, Judgments, Measure, compute
from cranfield.measures.measure import no_cutoff
from cranfield.scan.judged import JudgedIndex

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Examined:
    """A collection and its runs as every check sees them.

    Parameters
    ----------
    collection : queries and, where there are any, documents.
    given : all judgments; `qrels` are those of queries with a row of grade 0 or more.
    judgments, aligned : the block and, for each run, its hits.
    measures : with `gmax` resolved; the first one decides orders.
    levels : the grades that an unjudged document may have.
    """

    collection: TestCollection
    given: Qrels
    qrels: Qrels
    judgments: Judgments
    sources: tuple[RunSource, ...]
    aligned: tuple[Aligned, ...]
    measures: tuple[Measure, ...]
    levels: Floats
    settings: Settings
    asked: Asked
    threads: int = 1
    paths: Paths = field(default_factory=Paths)
    _lists: dict[int, tuple[Lists, ...]] = field(default_factory=dict, init=False, repr=False)
    _kept: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def keep(self, key: str, make: Callable[[], T]) -> T:
        """What `make` returns, made once: checks share it."""
        if key not in self._kept:
            self._kept[key] = make()
        kept: T = self._kept[key]
        return kept

    @property
    def runs(self) -> tuple[str, ...]:
        return tuple(source.name for source in self.sources)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The judged queries, in the order of the qrels."""
        return tuple(self.qrels.queries.to_list())

    @cached_property
    def grades(self) -> Grades:
        """{query: {document: grade}} of all that is judged."""
        return grades_of(self.qrels)

    @cached_property
    def values(self) -> Floats:
        """[run, query, measure]; a query that a run did not answer has the value of an empty
        list."""
        return self._computed(self.measures)

    @cached_property
    def condensed(self) -> Floats:
        """[run, query, measure] the same without the unjudged documents; NaN for a measure that
        has no such form."""
        able = ["condensed" in m.values and not m.condensed for m in self.measures]
        out = np.full(self.values.shape, np.nan)
        some = [m(condensed=True) for m, ok in zip(self.measures, able, strict=True) if ok]
        if some:
            out[:, :, np.flatnonzero(able)] = self._computed(some)
        return out

    def _computed(self, measures: Iterable[Measure]) -> Floats:
        wanted = list(measures)
        if not self.aligned:
            return np.zeros((0, len(self.queries), len(wanted)))
        return np.stack([compute(wanted, self.judgments, a.hits)[0] for a in self.aligned])

    def lists(self, depth: int) -> tuple[Lists, ...]:
        """For each run, the first `depth` results of every query it answers, judged or not."""
        deep = next((d for d in sorted(self._lists) if d >= depth), None)
        if deep is None:
            self._lists[depth] = self._read_lists(depth)
            return self._lists[depth]
        return tuple({q: rows[:depth] for q, rows in lists.items()} for lists in self._lists[deep])

    def _read_lists(self, depth: int) -> tuple[Lists, ...]:
        judged = set(self.queries)
        total = sum(size_of(s) for s in self.sources) or None
        with progress("reading the first results", total) as advance:

            def read(pair: tuple[RunSource, Aligned]) -> Lists:
                source, found = pair
                lists = result_lists(
                    source,
                    judged | set(found.unlabelled),
                    depth,
                    ties=self.settings.order,
                    single=self.settings.score_width == 32,
                )
                advance(size_of(source))
                return lists

            pairs = zip(self.sources, self.aligned, strict=True)
            return tuple(ordered_map(read, pairs, min(self.threads, len(self.sources) or 1)))

    def hits(self, run: int) -> Hits:
        return self.aligned[run].hits


def examine(
    collection: Any,
    runs: Any,
    measures: Any,
    asked: Asked,
    *,
    queries: Iterable[Query] | None = None,
    ties: Any = "docid-desc",
    score_width: int = 64,
    scale: float | None = None,
    on_duplicate: Any = "error",
    qrels_format: str | None = None,
    run_format: str | None = None,
    split: str | None = None,
    threads: int | None = None,
) -> Examined:
    """Read what is to be checked.

    Raises
    ------
    UsageError, MeasureError
        The call is wrong.
    InputError, FormatError, NoSuchInput, NothingToEvaluate
        The data are.
    """
    if ties == "expected":
        raise UsageError("ties is 'expected'", "which documents are in the top k needs an order")
    settings = Settings(ties, score_width, "zero", "zero", scale)
    check("on_duplicate", on_duplicate)
    check_threads(threads)
    wanted = [m for _, m in asked_measures(measures)]
    for measure in wanted:
        if measure.lacks_cutoff:
            raise no_cutoff(measure)
    whole = _collection(collection, queries, qrels_format, on_duplicate, split)
    check_people(whole.qrels, wanted)
    check_subtopics(whole.qrels, wanted)
    check_strata(whole.qrels, wanted)
    qrels, _ = judged_queries(whole.qrels)
    judgments = Judgments(len(qrels.queries), qrels.query, qrels.grade)
    top = scale if scale is not None else qrels.max_grade
    some = _empty(runs)
    sources = tuple([] if some else sources_of(runs, run_format, on_duplicate, False))
    if asked.order == "swing" and len(sources) < 2:
        raise UsageError("order is 'swing' and there is no second run", "swing is between runs")
    workers = threads if threads is not None else min(4, os.cpu_count() or 1)
    index = JudgedIndex(qrels)
    with progress("reading runs", sum(size_of(s) for s in sources) or None) as advance:

        def read(source: RunSource) -> Aligned:
            found = align(
                source,
                index,
                ties=settings.order,
                single=score_width == 32,
                k=asked.k,
                threads=workers if len(sources) == 1 else 1,
                advance=advance,
            )
            silent = empty_by_card(source)
            return answered_empty(found, index, silent) if silent else found

        aligned = tuple(ordered_map(read, sources, min(workers, len(sources) or 1)))
    return Examined(
        collection=whole,
        given=whole.qrels,
        qrels=qrels,
        judgments=judgments,
        sources=sources,
        aligned=aligned,
        measures=tuple(m.resolve(top) for m in wanted),
        levels=levels_of(qrels, scale),
        settings=settings,
        asked=asked,
        threads=workers,
        paths=paths_of(collection, runs, sources, split),
    )


def _empty(runs: Any) -> bool:
    return runs is None or (isinstance(runs, (list, tuple)) and not runs)


def _collection(
    given: Any, queries: Iterable[Query] | None, form: Any, on_duplicate: Any, split: str | None
) -> TestCollection:
    """A collection, whose queries and documents may be missing."""
    folder = isinstance(given, (str, os.PathLike)) and (
        os.fspath(given).startswith(IRDS) or os.path.isdir(given)
    )
    if folder or isinstance(given, TestCollection):
        found = read_collection(given, split=split, on_duplicate=on_duplicate)
        known = found.queries if queries is None else tuple(queries)
        return TestCollection(found.name, known, found.qrels, found.documents, found.n_documents)
    qrels, _ = judgments_of(given, form, on_duplicate, False, split)
    return TestCollection(qrels.name, tuple(queries or ()), qrels)
