"""How far an assessor has come."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """How far an assessor has come.

    Parameters
    ----------
    total : pairs of theirs; `done` of them decided or unsure, `skipped` put aside.
    query_total, query_done : the same of one query.
    seconds : the median that a judgment took; None before the first.
    """

    total: int
    done: int
    skipped: int
    query_total: int = 0
    query_done: int = 0
    seconds: float | None = None

    @property
    def left(self) -> int:
        """Pairs that were neither judged nor put aside."""
        return self.total - self.done - self.skipped

    @property
    def minutes_left(self) -> float | None:
        return None if self.seconds is None else self.seconds * (self.total - self.done) / 60
