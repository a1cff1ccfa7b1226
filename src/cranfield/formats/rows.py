"""What every reader of judgments or runs hands on: columns, what was skipped, what is wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from cranfield.data.columns import Floats, Ids, Index
from cranfield.errors import FormatError

BEYOND = "score beyond float64"  # in Rows.skipped, though kept: how many read as infinite


@dataclass(frozen=True, eq=False)
class Rows:
    """One row a judgment or a returned document, in the order of the file.

    Parameters
    ----------
    query, docs : Ids, one a row
    value : float64 array
        The grade or the score; finite for grades, never NaN.
    line : int64 array, optional
        The line (from 1) each row stands on, where lines mean something.
    extra : dict of column name to Ids
        For judgments any of `iteration`, `source`, `assessor`, `note`, `group`, `part`,
        `stratum`.
    empty : list of str
        Queries that the source names without a single row (JSON: `"q7": {}`).
    skipped : Counter
        What was passed over, by kind (`comment`, `header 'topic Q0 …'`), for the reader's notes.
    notes : list of str
        What else the reader should know, in words.
    problems : list of FormatError
        Rows that could not be read; they are not among the rows.
    """

    query: Ids
    docs: Ids
    value: Floats
    line: Index | None = None
    extra: dict[str, Ids] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[FormatError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @classmethod
    def none(cls, problems: list[FormatError]) -> Rows:
        """No rows, only problems."""
        return cls(Ids.of([]), Ids.of([]), np.empty(0), np.empty(0, np.int64), problems=problems)
