"""What a lab knows that a check of its collection should be told."""

from __future__ import annotations

import os
from typing import Any

from cranfield.diagnosis.asked import Earlier
from cranfield.experiment.history import sample_of
from cranfield.experiment.lab import Lab
from cranfield.experiment.sources import shown_path
from cranfield.experiment.splits import read_split


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
        found["recorded"] = Earlier(last.id, last.at, last.qrels_fingerprint)
    if os.path.exists(lab.config.split):
        split = read_split(lab.config.split)
        parts = (("dev", split.dev), ("test", split.test))
        found["sides"] = {query: side for side, part in parts for query in part}
    return found
