"""The desk where people judge: what is next, what they said, and taking it back."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Literal

from cranfield.errors import UnknownName, UsageError
from cranfield.judging.desk.pairs import Pair
from cranfield.judging.judgment import Judgment, Wanted
from cranfield.judging.labels import Labels, standing
from cranfield.judging.llm.rubric import Rubric

Said = int | Literal["unsure", "skip"]
LONGEST = 24 * 3600.0  # seconds; what took longer was not judging
MOST_REASON = 2_000  # characters


@dataclass(frozen=True)
class Progress:
    """How far an assessor has come.

    Parameters
    ----------
    total : pairs of theirs; `done` of them graded or unsure, `skipped` put aside.
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
    judgment: Judgment | None


@dataclass
class _Own:
    """What one assessor said, as far as it has been read."""

    rows: list[Judgment] = field(default_factory=list)
    last: int = 0
    now: dict[Pair, Judgment] = field(default_factory=dict)


class Desk:
    """Queues of pairs in front of a label store. Threads may share it.

    Parameters
    ----------
    queues : as `deal` gives them.
    rubric : of grades.
    round : a name: only what was judged under it counts as judged, so that pairs are judged again.
    place : written into each row: `web` or `terminal`.

    Raises
    ------
    UsageError
        The rubric is one of preferences.
    """

    def __init__(
        self,
        labels: Labels,
        queues: Mapping[str, tuple[Pair, ...]],
        rubric: Rubric,
        *,
        round: str | None = None,
        place: str = "web",
    ) -> None:
        if rubric.kind != "grades":
            raise UsageError(f"{rubric.name} is a rubric of preferences", "one that has grades")
        self.labels, self.queues, self.rubric = labels, queues, rubric
        self.round, self.place = round, place
        self._known = {assessor: set(pairs) for assessor, pairs in queues.items()}
        self._own = {assessor: _Own() for assessor in queues}
        self._lock = threading.RLock()

    def has(self, assessor: str, pair: Pair) -> bool:
        """Whether a pair is this assessor's to judge."""
        return pair in self._known[assessor]

    def said(self, assessor: str) -> Mapping[Pair, Judgment]:
        """{pair: what this assessor says of it now}, of their queue, the earliest first."""
        with self._lock:
            own = self._own_of(assessor)
            new = self.labels.history(Wanted(("human",), (assessor,)), after=own.last)
            if new:
                own.rows += new
                own.last = new[-1].id
                known = self._known[assessor]
                own.now = {j.pair: j for j in standing(own.rows) if j.pair in known}
            if self.round is None:
                return own.now  # never changed, only replaced
            return {p: j for p, j in own.now.items() if self._in_round(j)}

    def next(
        self, assessor: str, *, skipped: bool = False, after: Pair | None = None
    ) -> Pair | None:
        """The first pair that is not judged; of `skipped` ones the first behind `after`."""
        said = self.said(assessor)
        queue = self.queues[assessor]
        if not skipped:
            return next((p for p in queue if p not in said), None)
        begin = queue.index(after) + 1 if after in self._known[assessor] else 0
        return next((p for p in queue[begin:] if p in said and said[p].state == "skip"), None)

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
            The rubric has no such grade.
        """
        with self._lock:
            standing_ = self.said(assessor).get(pair)
            if not self.has(assessor, pair):
                raise UnknownName(f"{pair[0]!r}, {pair[1]!r} is not in the queue of {assessor}")
            graded = not isinstance(said, str)
            if said not in ((*self.rubric.scale, "unsure", "skip")):
                scale = ", ".join(map(str, self.rubric.scale))
                raise UsageError(f"no grade {said!r}", f"{scale}, unsure or skip")
            row = Judgment(
                *pair,
                grade=float(said) if graded else None,
                state="graded" if graded else said,  # type: ignore[arg-type]
                assessor=assessor,
                rubric=self.rubric.version,
                reason=reason.strip()[:MOST_REASON],
                seconds=_credible(seconds),
                details=self._details(ticket),
            )
            if standing_ is not None and standing_.details.get("ticket") == ticket:
                same = (standing_.grade, standing_.state) == (row.grade, row.state)
                return Given("repeated" if same else "crossed", standing_)
            if (standing_.id if standing_ is not None else 0) != seen:
                return Given("crossed", standing_)
            return Given("kept", self.labels.record([row])[0])

    def last(self, assessor: str) -> Judgment | None:
        """The judgment that `undo` would take back: the last that was given at a desk."""
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
                self.labels.undo(number)
            except UsageError:  # another process was faster
                return None
            return last.pair

    def _own_of(self, assessor: str) -> _Own:
        try:
            return self._own[assessor]
        except KeyError:
            raise UnknownName(
                f"no assessor {assessor!r}", f"assessors: {', '.join(self.queues)}"
            ) from None

    def _details(self, ticket: str) -> dict[str, Any]:
        about = {"desk": self.place, "ticket": ticket}
        return about if self.round is None else {**about, "round": self.round}

    def _in_round(self, judgment: Judgment) -> bool:
        return judgment.details.get("round") == self.round


def _credible(seconds: float | None) -> float | None:
    if seconds is None or not math.isfinite(seconds) or not 0 <= seconds <= LONGEST:
        return None
    return round(seconds, 1)
