"""How often the test queries have been looked at, and whether something was tuned on them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.experiment.ledger import Ledger

# Many looks with changing systems are tuning, whatever it is called.
MANY_LOOKS = 5
MANY_SYSTEMS = 3


@dataclass(frozen=True)
class Looks:
    """Looks at a frozen test list, at all its versions.

    Parameters
    ----------
    count : evaluations and comparisons that showed scores of test queries.
    runs, configurations : how many different ones were looked at, by fingerprint; a run that
        never came with a configuration counts as one of its own.
    first, last : when, UTC.
    """

    test: str
    count: int = 0
    runs: int = 0
    configurations: int = 0
    first: str | None = None
    last: str | None = None

    @property
    def tuning(self) -> bool:
        """Suspected: five looks or more, at three different runs or configurations or more."""
        return self.count >= MANY_LOOKS and max(self.runs, self.configurations) >= MANY_SYSTEMS


def looks_of(ledger: Ledger, versions: Sequence[str]) -> Looks:
    """The looks at a test list, given the fingerprints of its versions (the newest last)."""
    marks = ", ".join("?" * len(versions))
    rows = ledger.store.rows(
        f"SELECT at, runs FROM looks WHERE test IN ({marks}) ORDER BY id", tuple(versions)
    )
    seen = [tuple(run) for row in rows for run in json.loads(row["runs"])]
    configured = {fingerprint for _, fingerprint, config in seen if config}
    unknown = {fingerprint for _, fingerprint, _ in seen} - configured
    return Looks(
        test=versions[-1],
        count=len(rows),
        runs=len({fingerprint for _, fingerprint, _ in seen}),
        configurations=len({config for _, _, config in seen if config}) + len(unknown),
        first=rows[0]["at"] if rows else None,
        last=rows[-1]["at"] if rows else None,
    )
