"""What unjudged documents leave open of recorded scores: written to the ledger and read from it."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import cast

import numpy as np

from cranfield.data.columns import Floats
from cranfield.data.ranges import BoundWorld, OpenEnds, Ranges
from cranfield.data.scores import Scores
from cranfield.experiment.entries import NO_BOUNDS, Entry
from cranfield.experiment.packing import pack, text_of, unpack
from cranfield.kit.store import Store


def kept(store: Store) -> bool:
    """Whether the file has these tables; an older one that may not be written has not."""
    found = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'ranges'"
    return bool(store.rows(found))


def record_ranges(db: sqlite3.Connection, number: int, runs: Sequence[int], scores: Scores) -> None:
    """Add the ranges of an evaluation's runs.

    Parameters
    ----------
    runs : their numbers in the ledger, in the order of the scores
    """
    found, ends = scores.ranges, scores.open_ends
    # without an unjudged document nothing was bounded, and every end is the value itself
    world = None if ends is None else "closed" if found is None else found.world
    asked = ends is not None and ends.asked
    dear = () if found is None else found.dear
    about = (number, world, asked, text_of(dear))
    db.execute("INSERT INTO bounded (evaluation, world, asked, dear) VALUES (?, ?, ?, ?)", about)
    if world is None:
        return
    for r, run in enumerate(runs):
        for i, measure in enumerate(scores.measures):
            holes = scores.holes(measure.full, r)
            low, high, value, exact = _ends(scores, r, i, holes)
            db.execute(
                "INSERT INTO ranges (run, measure, holes, low, high, exact, value) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                (run, i, holes, low, high, exact, value),
            )


def _ends(
    scores: Scores, r: int, i: int, holes: int | None
) -> tuple[float | None, float | None, bytes | None, bool]:
    """(low and high end of the mean, those of all queries, whether they are exact)."""
    found, everyone = scores.ranges, scores._mask("all")
    if found is not None and found.known(i):
        low, high = scores.limits(r, i, everyone)
        value = pack(np.concatenate([found.low[r, :, i], found.high[r, :, i]]))
        return _number(low), _number(high), value, bool(found.exact[r, i])
    if holes == 0 and found is None and scores.measures[i].aggregate == "mean":
        mean = _number(scores.summary(r, i, everyone)[0])
        return mean, mean, None, True
    return None, None, None, True


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def ends_of(
    store: Store, entry: Entry, queries: tuple[str, ...], values: Floats
) -> OpenEnds | None:
    """The ranges of an evaluation, read when they are asked for; None where none were kept.

    Parameters
    ----------
    values : float64 [m, n, s], of its runs, queries and measures
    """
    if entry.bounds is None or entry.bounds == NO_BOUNDS:
        return None
    asked = store.rows("SELECT asked FROM bounded WHERE evaluation = ?", (entry.id,))[0][0]
    holes = {
        (run.name, m.full): run.ranges[m.text].holes or 0
        for run in entry.runs
        for m in entry.measures
        if m.text in run.ranges
    }
    return OpenEnds(partial(_read, store, entry, queries, values), lambda: holes, bool(asked))


def _read(store: Store, entry: Entry, queries: tuple[str, ...], values: Floats) -> Ranges:
    low, high = np.full(values.shape, np.nan), np.full(values.shape, np.nan)
    exact = np.ones((values.shape[0], values.shape[2]), bool)
    for row in store.rows(
        "SELECT r.position, g.measure, g.low, g.exact, g.value FROM ranges g "
        "JOIN runs r ON r.id = g.run WHERE r.evaluation = ?",
        (entry.id,),
    ):
        r, i = row["position"], row["measure"]
        exact[r, i] = bool(row["exact"])
        if row["value"] is not None:
            low[r, :, i], high[r, :, i] = unpack(row["value"]).reshape(2, len(queries))
        elif row["low"] is not None:
            low[r, :, i] = high[r, :, i] = values[r, :, i]
    dear = store.rows("SELECT dear FROM bounded WHERE evaluation = ?", (entry.id,))[0][0]
    names = tuple(run.name for run in entry.runs), queries, tuple(m.full for m in entry.measures)
    world = cast("BoundWorld", entry.bounds)
    return Ranges(world, *names, low, high, exact, tuple(json.loads(dear)))


def joined(parts: Sequence[Scores], names: tuple[str, ...]) -> OpenEnds | None:
    """The ranges of several scores of the same queries and measures as one.

    Parameters
    ----------
    names : of all their runs, as they are called together
    """
    ends = [part.open_ends for part in parts]
    if any(one is None for one in ends):
        return None
    return OpenEnds(
        partial(_join, parts, names),
        partial(_count, parts, names),
        any(one.asked for one in ends if one is not None),
    )


def _join(parts: Sequence[Scores], names: tuple[str, ...]) -> Ranges:
    measures = tuple(m.full for m in parts[0].measures)
    found = [
        part.open_ends.ranges.aligned(part.runs, part.queries, measures)
        for part in parts
        if part.open_ends is not None
    ]
    return Ranges(
        found[0].world,
        names,
        parts[0].queries,
        measures,
        np.concatenate([one.low for one in found]),
        np.concatenate([one.high for one in found]),
        np.concatenate([one.exact for one in found]),
        tuple(dict.fromkeys(name for one in found for name in one.dear)),
    )


def _count(parts: Sequence[Scores], names: tuple[str, ...]) -> dict[tuple[str, str], int]:
    found = {}
    runs = [(part, run) for part in parts for run in part.runs]
    for name, (part, run) in zip(names, runs, strict=True):
        for measure in part.measures:
            holes = part.holes(measure.full, run)
            if holes is not None:
                found[name, measure.full] = holes
    return found
