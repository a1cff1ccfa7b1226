"""The queries that lost and gained most: a mean hides them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cranfield.comparison.outcome import Change
from cranfield.comparison.verdict import DECIMALS
from cranfield.data.scores import Scores


def largest_changes(
    scores: Scores, top: int, *, tie: float = 0.0, texts: Mapping[str, str] | None = None
) -> tuple[Change, ...]:
    """For each run the `top` largest losses against the first run, the worst first, then the
    largest gains, under the first measure; equal changes in the order of the query ids.

    Parameters
    ----------
    tie : changes up to this size are none.
    texts : {query id: text}, where known.
    """
    texts = texts or {}
    found: list[Change] = []
    for r in range(1, len(scores.runs)):
        both = scores.valid[0, :, 0] & scores.valid[r, :, 0]
        base, values = scores.values[0, :, 0], scores.values[r, :, 0]
        d = np.where(both & np.isfinite(base) & np.isfinite(values), values - base, 0.0)
        d = np.round(d, DECIMALS)
        by_id = sorted(np.flatnonzero(np.abs(d) > tie).tolist(), key=lambda q: scores.queries[q])
        ranked = sorted(by_id, key=lambda q: d[q])
        losses = [q for q in ranked if d[q] < 0][:top]
        gains = sorted((q for q in by_id if d[q] > 0), key=lambda q: -d[q])[:top]
        found += [
            Change(
                run=scores.runs[r],
                measure=scores.measures[0].text,
                query=scores.queries[q],
                text=texts.get(scores.queries[q]),
                base_value=float(base[q]),
                value=float(values[q]),
            )
            for q in (*losses, *gains)
        ]
    return tuple(found)
