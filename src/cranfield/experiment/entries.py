"""What the ledger holds, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cranfield.data.card import RunCard
from cranfield.data.scores import Label

NO_BOUNDS = "none"


@dataclass(frozen=True)
class About:
    """What is recorded beside the scores.

    Parameters
    ----------
    qrels, qrels_fingerprint : name or path of the judgments, and what they held.
    paths, fingerprints : of each run, in the order of the scores; a run that was never a file has
        no path.
    cards : configuration, latency and cost of each run.
    command : as it was typed, or `python`.
    seed : of whatever was drawn at random.
    split, split_fingerprint : `dev` or `test`, and the list it stands for; None: all queries.
    note : a sentence of the user's.
    """

    qrels: str
    qrels_fingerprint: str
    paths: tuple[str | None, ...]
    fingerprints: tuple[str, ...]
    cards: tuple[RunCard, ...]
    command: str = "python"
    seed: int | None = None
    split: str | None = None
    split_fingerprint: str | None = None
    note: str | None = None


class Range(NamedTuple):
    """Between which values a recorded mean lies, whatever the unjudged documents are.

    Parameters
    ----------
    holes : such documents among those that the measure reads; None where nobody counted
    low, high : None where no bounds are known
    exact : False where the bounds are outer ones
    """

    holes: int | None
    low: float | None
    high: float | None
    exact: bool


@dataclass(frozen=True)
class RunEntry:
    """One run of a recorded evaluation.

    Parameters
    ----------
    means : {measure: (mean, None where no query counts; number of queries)}.
    latency_median, latency_p95 : milliseconds a query, None where nobody measured.
    cost_mean : a query, in `currency` or the card's own unit.
    ranges : {measure: what holes leave open of the mean}, where that was kept.
    """

    name: str
    path: str | None
    fingerprint: str
    config: Mapping[str, Any]
    means: Mapping[str, tuple[float | None, int]]
    n_returned: int
    judged: float | None
    n_missing: int
    n_empty: int
    n_unlabelled: int
    latency_median: float | None = None
    latency_p95: float | None = None
    cost_mean: float | None = None
    currency: str = ""
    ranges: Mapping[str, Range] = field(default_factory=dict)


@dataclass(frozen=True)
class Entry:
    """One recorded evaluation: `@id`.

    Parameters
    ----------
    at : UTC, ISO 8601.
    versions : of cranfield, numpy and Python.
    n_queries : queries that the means are over at most.
    bounds : the world of the ranges, `closed` or `open`; `none` where none were worked out, None
        where the ledger did not keep any yet.
    """

    id: int
    at: str
    command: str
    versions: Mapping[str, str]
    qrels: str
    qrels_fingerprint: str
    n_queries: int
    measures: tuple[Label, ...]
    settings: Mapping[str, Any]
    seed: int | None
    split: str | None
    split_fingerprint: str | None
    note: str | None
    runs: tuple[RunEntry, ...] = field(default=())
    bounds: str | None = None

    def run(self, name: str) -> RunEntry | None:
        return next((r for r in self.runs if r.name == name), None)

    def card(self, run: RunEntry) -> RunCard:
        """The configuration as a card, to be compared key by key."""
        return RunCard(run.name, run.config)
