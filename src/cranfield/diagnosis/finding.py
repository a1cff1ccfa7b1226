"""What a check found, as data; sentences, in each language, belong to the report room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from cranfield.errors import UsageError

Severity = Literal["info", "caution", "warning", "error"]
Sure = Literal["certain", "likely", "possible"]
SEVERITIES: tuple[Severity, ...] = ("info", "caution", "warning", "error")
Cell = str | int | float | None


@dataclass(frozen=True)
class Said:
    """A part of a sentence by key, for a value that is said in words."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Rows:
    """A table by key: the report room has the words of its title and of its columns.

    Parameters
    ----------
    kinds : of each column, how a number is shown: `text`, `count`, `score`, `share`, `signed`.
    """

    key: str
    columns: tuple[str, ...]
    kinds: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Finding:
    """One thing that was found.

    Parameters
    ----------
    key : names the sentence; `values` fill it in.
    severity : `info` to know, `caution` to keep in mind, `warning` a comparison may be wrong
        because of it, `error` the numbers mean nothing.
    sure : `certain` where it was counted, `likely` or `possible` where it was guessed from signs.
    effect : {measure: how far it may move the mean of a run, in units of the measure}.
    unpriced : where there is no effect, the key of the reason why; "" where there is one.
    rows : what it is about, or None.
    advice : the key of the sentence that says what to do, "" for the finding's own.
    """

    key: str
    severity: Severity
    values: Mapping[str, Any] = field(default_factory=dict)
    sure: Sure = "certain"
    effect: Mapping[str, float] = field(default_factory=dict)
    rows: Rows | None = None
    advice: str = ""
    unpriced: str = ""

    def at_least(self, severity: Severity) -> bool:
        return SEVERITIES.index(self.severity) >= SEVERITIES.index(severity)


@dataclass(frozen=True)
class Section:
    """What one check looked at: facts (key, value), tables, and findings."""

    key: str
    facts: tuple[tuple[str, Cell], ...] = ()
    tables: tuple[Rows, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Hole:
    """A document to label.

    Parameters
    ----------
    rank : the best one that a run gives it, from 1, None where none returns it.
    runs : how many return it in their first k.
    weight : the sum over these runs of 1/log2(rank + 1), which orders the list of one run.
    certainty : how much narrower the interval of a run's mean would be, under the first measure
        with bounds, averaged over the runs, if the document turned out not to be relevant; None
        far down the list.
    swing : the sum over the pairs of runs that are compared of |1/log2(rank + 1) in one - the same
        in the other|, 0 where it does not return the document: a document that all have at one
        rank can change a score and no comparison. It orders the list where it is there. None for
        fewer than two runs.
    """

    query: str
    document: str
    rank: int | None
    runs: int
    weight: float
    certainty: float | None
    swing: float | None = None


@dataclass(frozen=True)
class CheckResult:
    """Every section of a check.

    Parameters
    ----------
    collection, runs, measures : names.
    settings : every choice that decides a number.
    holes : every document to label, the most urgent first; the section shows the head of it.
    suspects : labels for a second look, in the same form: what orders them is their `weight`, the
        price of the label their `certainty`.
    notes : what readers skipped or recognised, in words.
    """

    collection: str
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    sections: tuple[Section, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    holes: tuple[Hole, ...] = ()
    suspects: tuple[Hole, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All of them, the gravest first."""
        found = [f for section in self.sections for f in section.findings]
        return tuple(sorted(found, key=lambda f: -SEVERITIES.index(f.severity)))

    def section(self, key: str) -> Section | None:
        return next((s for s in self.sections if s.key == key), None)

    def exit_code(self, fail_on: Severity | Literal["never"] = "error") -> int:
        """1 where a finding is as grave as `fail_on` or graver, else 0.

        Raises
        ------
        UsageError
            There is no such severity.
        """
        if fail_on == "never":
            return 0
        if fail_on not in SEVERITIES:
            raise UsageError(f"no severity {fail_on!r}", f"one of {', '.join(SEVERITIES)}, never")
        return int(any(f.at_least(fail_on) for f in self.findings))
