"""Runs as an evaluation takes them, with what the ledger wants to know of each."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from cranfield.data.card import RunCard
from cranfield.data.collection import TestCollection
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.data.scores import RunReport, Scores
from cranfield.errors import NothingToEvaluate
from cranfield.evaluation.inputs import sources_of
from cranfield.formats.card import card_path, read_card
from cranfield.formats.sources import OnDuplicate, RunFile, RunSource
from cranfield.kit.fingerprint import of_file, of_numbers, of_parts, of_stream


@dataclass(frozen=True)
class Given:
    """A run: its source for the kernel, and its path where it is a file."""

    source: RunSource
    path: str | None
    config: Mapping[str, Any]

    def fingerprint(self) -> str:
        """Of the decompressed file; of a run in memory, of its columns by query as they stand."""
        if self.path is not None:
            return of_file(self.path)
        if isinstance(self.source, RunFile):  # standard input or a pipe, kept after reading
            with self.source.source.open() as stream:
                return of_stream(stream)
        lines = self.source.whole().lines
        assert lines is not None  # rows in memory are brought together by query
        counts = b"".join(b"%d," % n for n in lines.size.tolist())
        return of_parts([*lines.names, counts, *lines.docs.to_bytes(), of_numbers(lines.score)])


def given_runs(
    runs: Any, format: str | None, on_duplicate: OnDuplicate, all_errors: bool
) -> list[Given]:
    """What `evaluate` accepts as runs, one by one."""
    sources = sources_of(runs, format, on_duplicate, all_errors)
    if isinstance(runs, (list, tuple)) and len(runs) == len(sources):
        originals: Sequence[Any] = runs
    elif isinstance(runs, Mapping) and list(map(str, runs)) == [s.name for s in sources]:
        originals = list(runs.values())
    else:
        originals = [runs] if len(sources) == 1 else [None] * len(sources)
    found = []
    for source, original in zip(sources, originals, strict=True):
        path = None
        if isinstance(original, (str, os.PathLike)) and os.path.isfile(original):
            path = os.path.abspath(original)
        config = original.config if isinstance(original, Run) and original.config else {}
        found.append(Given(source, path, config))
    return found


def restricted(
    judged: Qrels | TestCollection, queries: Mapping[str, str], what: str
) -> Qrels | TestCollection:
    """The judgments of some queries only; the scale stays that of all.

    Raises
    ------
    NothingToEvaluate
        None of them is judged.
    """
    qrels = judged.qrels if isinstance(judged, TestCollection) else judged
    inside = [q in queries for q in qrels.queries.to_list()]
    if not any(inside):
        raise NothingToEvaluate(f"none of the {len(queries)} {what} queries has judgments")
    kept = qrels.take(np.array(inside, bool)[qrels.query])
    kept = replace(kept, scale=qrels.max_grade)
    return replace(judged, qrels=kept) if isinstance(judged, TestCollection) else kept


def only_strangers(scores: Scores, judged: Qrels) -> Scores:
    """Queries that are judged but on the other side of a split are not reported as unlabelled."""
    known = set(judged.queries.to_list())

    def less(report: RunReport) -> RunReport:
        return replace(report, unlabelled=tuple(q for q in report.unlabelled if q not in known))

    return replace(scores, reports=tuple(map(less, scores.reports)))


def shown_path(path: str, folder: Path) -> str:
    """From the folder of the lab where it lies inside, else whole; with slashes."""
    try:
        return Path(path).resolve().relative_to(folder.resolve()).as_posix()
    except ValueError:
        return Path(path).as_posix()


def card_of(given: Given, config: Mapping[str, Any]) -> RunCard:
    """What is known of a run beside its results; what was said by hand goes above the rest."""
    beside = card_path(given.path) if given.path is not None else None
    if beside is not None:
        card = read_card(beside, given.source.name)
    else:
        card = RunCard(given.source.name, given.config)
    return replace(card, name=given.source.name, config={**card.config, **config})
