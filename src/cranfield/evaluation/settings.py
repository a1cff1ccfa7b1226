"""The choices that can make two tools print two numbers, named, checked and printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from cranfield.errors import UsageError
from cranfield.scan.order import Ties

NoRelevant = Literal["zero", "skip", "nan"]
Missing = Literal["zero", "skip"]
TieChoice = Literal["docid-desc", "docid-asc", "file", "expected"]

CHOICES: dict[str, tuple[Any, ...]] = {
    "ties": ("docid-desc", "docid-asc", "file", "expected"),
    "score_width": (64, 32),
    "no_relevant": ("zero", "skip", "nan"),
    "missing": ("zero", "skip"),
    "on_duplicate": ("error", "first", "last", "max"),
}


@dataclass(frozen=True)
class Settings:
    """How runs are ordered and which queries count (docs/concepts/conventions.md).

    Parameters
    ----------
    ties : what orders equal scores: document ids descending by bytes (trec_eval), ascending, the
        file, or `expected`, the mean over all orders (for measures with a closed form)
    score_width : hold scores as float64, or as float32 like trec_eval 9 and pytrec_eval
    no_relevant : a query without a relevant document scores `zero` and counts, is left
        out (`skip`), or stays in the table as not defined (`nan`)
    missing : a judged query that the run did not answer scores `zero` or is left out of
        that run's means (`skip`)
    scale : the largest grade of the guidelines, None: the largest in the qrels
    """

    ties: TieChoice = "docid-desc"
    score_width: int = 64
    no_relevant: NoRelevant = "zero"
    missing: Missing = "zero"
    scale: float | None = None

    def __post_init__(self) -> None:
        for name in ("ties", "score_width", "no_relevant", "missing"):
            check(name, getattr(self, name))
        if self.scale is not None and not self.scale > 0:
            raise UsageError(f"scale is {self.scale}", "the largest grade, a number above 0")

    @property
    def order(self) -> Ties:
        """The order that ranks are made in (expectations need none and take the default)."""
        return "docid-desc" if self.ties == "expected" else self.ties

    def shown(self) -> dict[str, Any]:
        """By name, as printed and recorded."""
        return {
            "ties": self.ties,
            "score_width": self.score_width,
            "no_relevant": self.no_relevant,
            "missing": self.missing,
            "scale": self.scale,
        }


def check_threads(threads: object) -> None:
    """UsageError unless `threads` is None or a whole number of 1 or more."""
    whole = isinstance(threads, int) and not isinstance(threads, bool) and threads >= 1
    if threads is not None and not whole:
        raise UsageError(
            f"threads is {threads!r}", "a whole number of 1 or more; None for the processors"
        )


def check(name: str, value: object) -> None:
    """UsageError unless `value` is one of the choices of `name`."""
    allowed = CHOICES[name]
    if value not in allowed:
        raise UsageError(f"{name} is {value!r}", f"{name} is one of {', '.join(map(str, allowed))}")
