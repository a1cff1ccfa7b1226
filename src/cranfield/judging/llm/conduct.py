"""Many questions, several at once; every answer is kept as it comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from cranfield.errors import CranfieldError, InputError, ServiceError
from cranfield.judging.llm.answer import Verdict
from cranfield.judging.llm.ask import Answered, Asker, Stopped
from cranfield.judging.llm.meter import Spent
from cranfield.judging.llm.tasks import Task

GIVE_UP = 5  # questions in a row without any answer, each asked several times
REFUSED = 5  # requests that are refused, and nothing else


@dataclass
class Tally:
    """What has come of the questions so far.

    Parameters
    ----------
    asked : questions with a reply, of `tasks`.
    graded, failed : rows by what was read.
    unanswered : questions without a reply; `errors`: what was said of them, and how often.
    unreadable : {why: rows}.
    cut, chars_cut, neutralised : documents shown cut, the characters left off, and documents in
        which something was neutralised.
    ways : {how the answer was asked for: questions}.
    stopped : why the work ended early; None where it did not.
    """

    tasks: int
    asked: int = 0
    graded: int = 0
    failed: int = 0
    unanswered: int = 0
    refused: int = 0
    cut: int = 0
    chars_cut: int = 0
    neutralised: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    unreadable: Counter[str] = field(default_factory=Counter)
    ways: Counter[str] = field(default_factory=Counter)
    stopped: str | None = None

    def record(self) -> dict[str, Any]:
        """For provenance."""
        said = {k: v for k, v in vars(self).items() if k != "stopped"}
        return {k: dict(v) if isinstance(v, Counter) else v for k, v in said.items()}

    def add(self, answered: Answered) -> None:
        self.asked += 1
        self.ways[answered.way] += 1
        self.refused += answered.refused
        for place, verdict in enumerate(answered.verdicts):
            rows = 1 + len(answered.task.alike(place))
            if isinstance(verdict, Verdict):
                self.graded += rows
            else:
                self.failed += rows
                self.unreadable[str(verdict)] += rows
        for shown in answered.call.documents:
            self.cut += shown.cut > 0
            self.chars_cut += shown.cut
            self.neutralised += shown.neutralised > 0


def conduct(
    tasks: Sequence[Task],
    asker: Asker,
    keep: Callable[[Answered], None],
    *,
    at_once: int = 1,
    advance: Callable[[float], None] = lambda amount: None,
    tally: Tally | None = None,
) -> Tally:
    """Ask all questions.

    Parameters
    ----------
    keep : is given every answer, here and not in another thread, before the next is awaited.
    at_once : questions under way.
    advance : is told of each question that is done.
    tally : to count in, for whoever wants to know where the work ends with an error.

    Raises
    ------
    ServiceError, InputError
        The service answers nothing, or refuses everything.
    UsageError
        It refuses access.
    KeyboardInterrupt
        What is under way is awaited and kept first; what waits for another try is not.
    """
    tally = tally or Tally(len(tasks))
    todo = iter(tasks)
    under_way: set[Future[Answered]] = set()
    with ThreadPoolExecutor(at_once) as pool:
        try:
            silent = 0
            for future in _completed(pool, asker, todo, under_way, at_once):
                silent = _settle(future, tally, keep, silent)
                advance(1)
                _give_up(tally, silent)
        except Spent as e:
            asker.stop.set()
            tally.stopped = e.message
            _rest(under_way, tally, keep)
        except BaseException:
            asker.stop.set()
            _rest(under_way, tally, keep)
            raise
    return tally


def _completed(
    pool: ThreadPoolExecutor,
    asker: Asker,
    todo: Iterator[Task],
    under_way: set[Future[Answered]],
    at_once: int,
) -> Iterator[Future[Answered]]:
    """Questions as they are done, so many under way; the first one alone, since it shows what the
    server knows."""
    width = 1
    while True:
        while len(under_way) < width and (task := next(todo, None)) is not None:
            under_way.add(pool.submit(asker, task))
        if not under_way:
            return
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        for future in done:
            under_way.discard(future)
            yield future
        width = at_once


def _settle(
    future: Future[Answered], tally: Tally, keep: Callable[[Answered], None], silent: int
) -> int:
    """Keep an answer; how many questions in a row have had none."""
    try:
        answered = future.result()
    except ServiceError as e:
        tally.unanswered += 1
        tally.errors[e.message] += 1
        return silent + 1
    keep(answered)
    tally.add(answered)
    return 0


def _give_up(tally: Tally, silent: int) -> None:
    if silent >= GIVE_UP:
        said = tally.errors.most_common(1)[0][0]
        raise ServiceError(
            f"{silent} questions in a row had no answer: {said}",
            "answers so far are kept; the same command goes on",
        )
    if tally.refused >= REFUSED and tally.refused == tally.asked:
        said = tally.unreadable.most_common(1)[0][0]
        raise InputError(
            f"the service refuses every request; {said}",
            "is the model's name right, and are the documents short enough (--max-chars)?",
        )


def _rest(under_way: set[Future[Answered]], tally: Tally, keep: Callable[[Answered], None]) -> None:
    """Keep what is still coming: it has been paid for."""
    for future in list(under_way):
        future.cancel()
        if future.cancelled():
            continue
        try:
            answered = future.result()
        except (Stopped, CranfieldError):
            continue
        keep(answered)
        tally.add(answered)
