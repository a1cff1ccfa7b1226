"""What a measure costs in labels: how far down the rankings, and how much of the collection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cranfield.errors import MeasureError
from cranfield.measures import parse

Need = Literal["until", "first", "first_and_all", "all", "unknown"]
NEEDS: tuple[Need, ...] = ("until", "first", "first_and_all", "all", "unknown")
# Families that read the ranking alone. All others divide by what the collection holds (the number
# of relevant documents, or the gain of the ideal ranking), or read the judgments of all documents.
_RANKING = frozenset(
    "P P_Wu Success RR RR_Wu RBP RBPRes ERR DCG SDCG INST INSQ BPM Judged Unjudged "
    "NERR8 NERR9 NERR10 NERR11".split()
)
_STOPS = frozenset(("RR", "RR_Wu"))


@dataclass(frozen=True)
class Labels:
    """Which documents must be judged for a measure to be exact.

    Parameters
    ----------
    need : "until": each run down to its first relevant document; "first": the first `depth`
        documents of each run; "first_and_all": those, and every relevant document of the
        collection, which the measure divides by; "all": whole rankings and every relevant
        document; "unknown": it is no measure of ours.
    depth : None where `need` sets none.
    """

    need: Need
    depth: int | None = None

    @property
    def rank(self) -> tuple[int, int]:
        """For sorting: the cheapest first."""
        return NEEDS.index(self.need), self.depth or 0


def labels_of(measure: str) -> Labels:
    """The labels that a measure of this name needs."""
    try:
        found = parse(measure)
    except MeasureError:
        return Labels("unknown")
    k = found.cutoff
    if found.family in _RANKING:
        if found.family in _STOPS and k is None:
            return Labels("until")
        if found.family == "P_Wu" and k is None:
            k = 10
        return Labels("first", k) if k is not None else Labels("all")
    return Labels("all") if k is None else Labels("first_and_all", k)
