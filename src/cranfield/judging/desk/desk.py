"""The desk where people judge: what is next, what they said, and taking it back."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Literal

from cranfield.errors import UnknownName, UsageError
from cranfield.judging.desk.deal import mirrored
from cranfield.judging.desk.pairs import Pair
from cranfield.judging.desk.progress import Progress
from cranfield.judging.desk.question import Row, Said, question_of
from cranfield.judging.judgment import Wanted
from cranfield.judging.labels import Labels
from cranfield.judging.llm.rubric import Rubric

LONGEST = 24 * 3600.0  # seconds; what took longer was not judging
MOST_REASON = 2_000  # characters


@dataclass(frozen=True)
class Given:
    """What came of a judgment.

    Parameters
    ----------
    outcome : `kept`; `repeated`: it had been sent and kept before; `crossed`: the pair has been
        judged or undone since it was shown, and nothing was kept.
    judgment : what stands now of the pair; None where nothing does.
    """

    outcome: Literal["kept", "repeated", "crossed"]
    judgment: Row | None


@dataclass
class _Own:
    """What one assessor said, as far as it has been read."""

    rows: list[Row] = field(default_factory=list)
    last: int = 0
    now: dict[Pair, Row] = field(default_factory=dict)


class Desk:
    """Queues of pairs in front of a label store. Threads may share it.

    Parameters
    ----------
    queues : as `deal` gives them; for preferences as `turned` does.
    rubric : of grades, or of preferences: it decides what is asked.
    round : a name: only what was judged under it counts as judged, so that pairs are judged again.
    place : written into each row: `web` or `terminal`.
    references : those of the task, written into each row.
    """

    def __init__(
        self,
        labels: Labels,
        queues: Mapping[str, tuple[Pair, ...]],
        rubric: Rubric,
        *,
        round: str | None = None,
        place: str = "web",
        references: Mapping[Pair, str] | None = None,
    ) -> None:
        self.labels, self.queues, self.rubric = labels, queues, rubric
        self.question = question_of(rubric)
        self.round, self.place = round, place
        self._references = references or {}
        self._known = {assessor: _places(pairs) for assessor, pairs in queues.items()}
        self._own = {assessor: _Own() for assessor in queues}
        self._lock = threading.RLock()

    def has(self, assessor: str, pair: Pair) -> bool:
        """Whether a pair is this assessor's to judge. Two documents may stand in either order."""
        return pair in self._known[assessor]

    def said(self, assessor: str) -> Mapping[Pair, Any]:
        """{pair of the queue: the row that says what this assessor thinks of it now}, the earliest
        first. A preference given in the other order is one too, unless both are asked."""
        with self._lock:
            own = self._own_of(assessor)
            new = self.question.history(self.labels, Wanted(("human",), (assessor,)), own.last)
            if new:
                own.rows += new
                own.last = new[-1].id
                known, pair = self._known[assessor], self.question.pair
                rows = self.question.standing(own.rows)
                own.now = {known[pair(r)]: r for r in rows if pair(r) in known}
            if self.round is None:
                return own.now  # never changed, only replaced
            return {p: r for p, r in own.now.items() if self._in_round(r)}

    def item(self, assessor: str, pair: Pair) -> Pair:
        """The pair of the queue that a pair is, in whichever order its documents stand."""
        return self._known[assessor][pair]

    def as_shown(self, assessor: str, pair: Pair) -> Pair:
        """A pair as it is shown: two documents in the order in which they were judged last, in
        whatever round, so that another answer replaces that one; else in that of the queue."""
        with self._lock:
            item = self.item(assessor, pair)
            self.said(assessor)
            row = self._own[assessor].now.get(item)
            return item if row is None else self.question.pair(row)

    def next(
        self, assessor: str, *, skipped: bool = False, after: Pair | None = None
    ) -> Pair | None:
        """The first pair that is not judged; of `skipped` ones the first behind `after`."""
        said = self.said(assessor)
        queue = self.queues[assessor]
        known = self._known[assessor]
        if skipped:
            begin = queue.index(known[after]) + 1 if after in known else 0
            found = next((p for p in queue[begin:] if p in said and said[p].state == "skip"), None)
        else:
            found = next((p for p in queue if p not in said), None)
        return None if found is None else self.as_shown(assessor, found)

    def progress(self, assessor: str, query: str | None = None) -> Progress:
        said = self.said(assessor)
        skips = sum(j.state == "skip" for j in said.values())
        of_query = [p for p in self.queues[assessor] if p[0] == query]
        took = [j.seconds for j in said.values() if j.seconds is not None]
        return Progress(
            len(self.queues[assessor]),
            len(said) - skips,
            skips,
            len(of_query),
            sum(p in said and said[p].state != "skip" for p in of_query),
            median(took) if took else None,
        )

    def give(
        self,
        assessor: str,
        pair: Pair,
        said: Said,
        *,
        ticket: str,
        seen: int,
        seconds: float | None = None,
        reason: str = "",
    ) -> Given:
        """Keep a judgment; it is in the store when this returns.

        Parameters
        ----------
        ticket : drawn anew whenever a pair is shown: what is sent twice is kept once.
        seen : number of the row that stood when the pair was shown, 0 for none.
        seconds : not kept where it cannot be true.

        Raises
        ------
        UnknownName
            The pair is not in this assessor's queue.
        UsageError
            The rubric has no such answer.
        """
        with self._lock:
            before = self.said(assessor)
            if not self.has(assessor, pair):
                raise UnknownName(f"{', '.join(map(repr, pair))} is not in the queue of {assessor}")
            if said not in self.question.answers:
                what = "grade" if self.rubric.grades else "answer"
                scale = ", ".join(map(str, self.question.answers))
                raise UsageError(f"no {what} {said!r}", f"one of {scale}")
            standing = before.get(self._known[assessor][pair])
            if standing is not None and standing.details.get("ticket") == ticket:
                same = self.question.said(standing) == said
                return Given("repeated" if same else "crossed", standing)
            now = 0 if standing is None else standing.id
            if now != seen or pair != self.as_shown(assessor, pair):
                return Given("crossed", standing)
            row = self.question.row(
                pair,
                said,
                {
                    "assessor": assessor,
                    "rubric": self.rubric.version,
                    "reason": reason.strip()[:MOST_REASON],
                    "seconds": _credible(seconds),
                    "details": self._details(pair, ticket),
                },
            )
            return Given("kept", self.question.record(self.labels, row))

    def last(self, assessor: str) -> Any:
        """The row that `undo` would take back: the last that was given at a desk; None without."""
        mine = [j for j in self.said(assessor).values() if "desk" in j.details]
        return max(mine, key=lambda j: j.id, default=None)

    def undo(self, assessor: str, number: int) -> Pair | None:
        """Take a judgment back, unless it is the last no more; its pair, None where that was so.
        What was undone already stays undone, and so does what was said since."""
        with self._lock:
            last = self.last(assessor)
            if last is None or last.id != number:
                return None
            try:
                self.question.undo(self.labels, number)
            except UsageError:  # another process was faster
                return None
            return self.as_shown(assessor, self.question.pair(last))

    def rows(self) -> int:
        """How many rows the table that is written to has."""
        return self.question.last(self.labels)

    def _own_of(self, assessor: str) -> _Own:
        try:
            return self._own[assessor]
        except KeyError:
            raise UnknownName(
                f"no assessor {assessor!r}", f"assessors: {', '.join(self.queues)}"
            ) from None

    def _details(self, pair: Pair, ticket: str) -> dict[str, Any]:
        about: dict[str, Any] = {"desk": self.place, "ticket": ticket}
        if self.rubric.grades:
            about["scale"] = self.rubric.scale[-1]  # a rubric of one's own is kept nowhere else
        about |= {} if self.round is None else {"round": self.round}
        known = self._references.get(pair)
        return about if known is None else {**about, "reference": known}

    def _in_round(self, row: Row) -> bool:
        return row.details.get("round") == self.round


def _places(pairs: tuple[Pair, ...]) -> dict[Pair, Pair]:
    """{pair, in either order of two documents: the pair of the queue that it is}."""
    known = {p: p for p in pairs}
    for p in pairs:
        if len(p) == 3:
            known.setdefault(mirrored(p), p)
    return known


def _credible(seconds: float | None) -> float | None:
    if seconds is None or not math.isfinite(seconds) or not 0 <= seconds <= LONGEST:
        return None
    return round(seconds, 1)
