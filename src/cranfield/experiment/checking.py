"""What a lab knows that a check of its collection should be told."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from cranfield.diagnosis.asked import Earlier
from cranfield.experiment.entries import Entry
from cranfield.experiment.history import sample_of
from cranfield.experiment.lab import Lab
from cranfield.experiment.sources import shown_path
from cranfield.experiment.splits import read_split


def _means(entries: Sequence[Entry], last: Entry) -> dict[str, dict[str, float]]:
    """{run: {measure: mean}} by the judgments of the last evaluation, over all their queries; of
    several evaluations of a run the last counts."""
    means: dict[str, dict[str, float]] = {}
    for entry in entries:
        alike = (entry.qrels_fingerprint, entry.settings) == (last.qrels_fingerprint, last.settings)
        full = {label.text: label.full for label in entry.measures}
        for run in entry.runs if alike and entry.split is None else ():
            known = {full[m]: mean for m, (mean, _) in run.means.items() if mean is not None}
            means.setdefault(run.fingerprint, {}).update(known)
    return means


def known_of(lab: Lab, collection: str) -> dict[str, Any]:
    """Arguments of `cranfield.check`: `recorded`, the last evaluation by these judgments, and
    `sides`, the frozen split. Either is missing where there is none.

    Raises
    ------
    InputError, FormatError
        The split is no split, or its test list is not the one that was frozen.
    """
    there = os.path.exists(collection)
    name = shown_path(collection, lab.config.folder) if there else collection
    found: dict[str, Any] = {}
    same = [e for e in lab.ledger.entries() if e.qrels == name and sample_of(e) is None]
    if same:
        last = same[-1]
        found["recorded"] = Earlier(
            last.id, last.at, last.qrels_fingerprint, _means(same, last), last.settings
        )
    if os.path.exists(lab.config.split):
        split = read_split(lab.config.split)
        parts = (("dev", split.dev), ("test", split.test))
        found["sides"] = {query: side for side, part in parts for query in part}
    return found
