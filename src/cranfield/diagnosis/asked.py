"""What a check was asked for, and what it was given."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cranfield.diagnosis.copies import NEAR, Near
from cranfield.errors import UsageError
from cranfield.formats.beir import other_splits
from cranfield.formats.readers import IRDS
from cranfield.formats.sources import RunSource

ORDERS = ("auto", "swing", "weight")
MOST_DEPTH = 100  # results of a list that are looked at by their ids


@dataclass(frozen=True)
class Earlier:
    """The last evaluation that a lab recorded by the same judgments.

    Parameters
    ----------
    entry, at : its number and its time.
    fingerprint : of what the judgments held then.
    means : {fingerprint of a run: {full name of a measure: its mean by those judgments}}.
    settings : under which these means were made.
    """

    entry: int
    at: str
    fingerprint: str
    means: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Paths:
    """What was read, as it was named; None for what is no file.

    Parameters
    ----------
    splits : {other split of the collection: its judgments}.
    """

    qrels: str | None = None
    collection: str | None = None
    runs: tuple[str | None, ...] = ()
    splits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """What a check was asked for.

    Parameters
    ----------
    k : depth of judged@k, of the holes and of the work-list.
    pool_depth : of leave-one-out; None for the depth that is found.
    groups : {run: group}, where several runs come from one team.
    documents : whether the documents are read.
    most : rows of a list that is shown in part.
    near : how near-duplicate documents are looked for; None for exact ones only.
    good : the share of the runs, by the mean of the first measure, that are good ones: what they
        agree on is held against the labels.
    sides : {query: side} of a split that is not written in the queries.
    recorded : the last evaluation by these judgments, where a lab has one.
    order : what orders the work-list: `swing`, `weight`, or `auto`, swing where there is a
        comparison.
    """

    k: int = 10
    pool_depth: int | None = None
    groups: Mapping[str, str] = field(default_factory=dict)
    documents: bool = True
    most: int = 20
    near: Near | None = NEAR
    good: float = 0.5
    sides: Mapping[str, str] = field(default_factory=dict)
    recorded: Earlier | None = None
    order: str = "auto"

    def __post_init__(self) -> None:
        if not 1 <= self.k <= MOST_DEPTH:
            raise UsageError(f"k is {self.k}", f"k lies between 1 and {MOST_DEPTH}")
        if self.pool_depth is not None and not 1 <= self.pool_depth <= MOST_DEPTH:
            raise UsageError(f"pool depth {self.pool_depth}", f"it lies between 1 and {MOST_DEPTH}")
        if not 0 < self.good <= 1:
            raise UsageError(f"{self.good:g} of the runs are good", "a share: above 0, at most 1")
        if self.order not in ORDERS:
            raise UsageError(f"order is {self.order!r}", f"one of {', '.join(ORDERS)}")


def paths_of(
    collection: Any, runs: Any, sources: tuple[RunSource, ...], split: str | None
) -> Paths:
    """What a call named, where it is files."""

    def path(given: Any) -> str | None:
        return os.fspath(given) if isinstance(given, (str, os.PathLike)) else None

    several = list(runs) if isinstance(runs, (list, tuple)) else [runs]
    if len(several) != len(sources):
        several = [None] * len(sources)
    name = path(collection)
    folder = name if name is not None and (name.startswith(IRDS) or os.path.isdir(name)) else None
    others = {} if name is None or name.startswith(IRDS) else other_splits(name, split)
    return Paths(name, folder, tuple(map(path, several)), others)
