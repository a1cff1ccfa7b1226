"""A whole label store in another place."""

from __future__ import annotations

import os

from cranfield.errors import NoSuchInput
from cranfield.judging.labels import Labels, at_hand
from cranfield.judging.tables import TABLES

# What `judge log` does not write, and a store that is made of its files does not have.
BESIDE = ("parts", "looks", "askings")


def copy_labels(
    source: Labels | str | os.PathLike[str], target: Labels | str | os.PathLike[str]
) -> dict[str, int]:
    """Copy everything that a store holds into one that is empty, with the numbers of the rows:
    judgments, preferences, what models were asked, the parts and the looks; {table: rows}.

    Parameters
    ----------
    source, target : stores, or where they are: files or PostgreSQL, in either direction.

    Raises
    ------
    NoSuchInput
        There is nothing at `source`.
    UsageError
        There is something at `target`.
    """
    with at_hand(source) as old, at_hand(target) as new:
        # the rows that name others are read first, so that none of these is missing should
        # somebody judge meanwhile
        tables = {table: old.database.rows(table, {}) for table in _ORDER}
        if not any(tables.values()):
            raise NoSuchInput(f"{old.name}: no labels yet")
        new.database.fill(tables)
    return {table: len(tables[table]) for table in TABLES}


_ORDER = ("looks", "parts", "judgments", "preferences", "askings")


def beside(labels: Labels) -> dict[str, int]:
    """{table: rows} of what a log of the store's judgments leaves out, where there is any."""
    counts = {table: len(labels.database.rows(table, {})) for table in BESIDE}
    return {table: n for table, n in counts.items() if n}
