"""Which of the judgments are left when fewer had been made."""

from __future__ import annotations

import numpy as np

from cranfield.data.columns import Floats, Index
from cranfield.errors import UsageError
from cranfield.stats.resampling import orders

NOT_JUDGED = -1.0  # the grade of a document that was pooled and not judged


def thinned(
    query: Index,
    grade: Floats,
    kept: float,
    *,
    rel: float = 1,
    least_relevant: int = 1,
    least_other: int = 10,
    seed: int = 0,
) -> Floats:
    """The grades with some of them taken away at random (Buckley & Voorhees 2004).

    Of each query the share `kept` of the relevant documents stays, and the same share of the
    others, each rounded to the nearest whole number but not below the least counts. The same seed
    keeps nested sets: what stays at .3 stays at .5.

    Parameters
    ----------
    query, grade : [rows] of judgments; a grade below 0 is no judgment and stays as it is.
    kept : from 0 to 1.
    rel : the least grade that is relevant.
    least_relevant, least_other : documents of a query that stay in any case, as far as it has them.
    seed : of the order in which judgments go.

    Returns
    -------
    [rows]
        The grades, -1 for the judgments taken away.
    """
    if not 0 <= kept <= 1:
        raise UsageError(f"the share of judgments kept lies from 0 to 1, not {kept!r}")
    if least_relevant < 0 or least_other < 0:
        raise UsageError("least counts are whole numbers from 0 on")
    rows = len(grade)
    if rows == 0:
        return grade.copy()
    judged, relevant = grade >= 0, grade >= rel
    group = query * 2 + relevant
    turn = orders(seed, 0, 1, 1, rows)[0, 0]  # rows in random order
    turn = turn[judged[turn]]
    by_group = turn[np.argsort(group[turn], kind="stable")]
    codes = group[by_group]
    first = np.searchsorted(codes, codes, side="left")
    size = np.searchsorted(codes, codes, side="right") - first
    least = np.where(codes % 2 == 1, least_relevant, least_other)
    stay = np.maximum(np.floor(kept * size + 0.5), least)
    gone = by_group[np.arange(len(codes)) - first >= stay]
    out = grade.copy()
    out[gone] = NOT_JUDGED
    return out
