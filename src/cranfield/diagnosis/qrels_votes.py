"""Which of several grades counts: the policies of a merge."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.data.columns import Floats
from cranfield.measures.hits import Bools

Policy = Literal["error", "first", "last", "max", "min", "majority"]
Tie = Literal["error", "first", "last", "max", "min"]
POLICIES: tuple[Policy, ...] = ("error", "first", "last", "max", "min", "majority")
TIES: tuple[Tie, ...] = ("error", "first", "last", "max", "min")


def several(votes: Floats) -> Bools:
    """[row] whether there are different votes."""
    found: Bools = np.nanmax(votes, axis=0) != np.nanmin(votes, axis=0)
    return found


def decide(votes: Floats, policy: Policy, on_tie: Tie) -> Floats:
    """[row] the grade that is kept of the votes [set, row] (NaN is none; one set at least has
    one); NaN where it is not decided."""
    columns = np.arange(votes.shape[1])
    there = ~np.isnan(votes)
    if policy == "majority":
        # [set, row] how many sets say the same as this one
        count = np.stack([(votes == votes[s]).sum(axis=0) for s in range(len(votes))])
        best = np.where(there & (count == count.max(axis=0)), votes, np.nan)
        return decide(best, on_tie, on_tie)
    if policy == "error":
        # that nobody judged a document, however it is written, is no matter of dispute
        open_ = several(votes) & (np.nanmax(votes, axis=0) >= 0)
        return np.where(open_, np.nan, votes[there.argmax(axis=0), columns])
    if policy == "first":
        return np.asarray(votes[there.argmax(axis=0), columns])
    if policy == "last":
        return np.asarray(votes[len(votes) - 1 - there[::-1].argmax(axis=0), columns])
    return np.asarray((np.nanmax if policy == "max" else np.nanmin)(votes, axis=0))
