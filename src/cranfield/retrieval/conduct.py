"""A system asked query by query, with care: failures are asked again and then recorded, latency
is measured, interrupted work resumes, and nothing counts as an answer that is none."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from cranfield.data.card import RunCard
from cranfield.data.collection import Query
from cranfield.data.run import Run
from cranfield.errors import CranfieldError, InputError, MissingExtra, ServiceError, UsageError
from cranfield.kit.parallel import ordered_map
from cranfield.kit.progress import progress
from cranfield.kit.retry import Backoff
from cranfield.retrieval import remarks
from cranfield.retrieval.journal import Answer, Journal, fingerprint
from cranfield.retrieval.system import (
    Result,
    System,
    ask,
    checked,
    config_of,
    filter_of,
    refuse_fields,
    refuse_filters,
    to_run,
)


@dataclass(frozen=True)
class Settings:
    """How a system is asked.

    Parameters
    ----------
    k : documents a query
    filters : query fields; a document must have the same value in a field of that name
    exclude_self : leave out the document whose id is the query's, as for collections whose
        queries are documents (ArguAna)
    backoff : how often a failing query is asked, with what pauses
    batch : queries a call of `search_many`; the latency of a batch is shared out evenly
    threads : calls at once, for systems that say they are `thread_safe`
    propose : whether to propose `exclude_self` where queries find themselves
    give_up : failed queries in a row, with no answer before them, after which the work ends
    """

    k: int = 100
    filters: Sequence[str] = ()
    exclude_self: bool = False
    backoff: Backoff = field(default_factory=Backoff)
    batch: int = 1
    threads: int = 1
    propose: bool = True
    give_up: int = 10

    def config(self) -> dict[str, Any]:
        """What of it decides the run."""
        out: dict[str, Any] = {"k": self.k}
        if self.filters:
            out["filters"] = list(self.filters)
        if self.exclude_self:
            out["exclude_self"] = True
        if self.batch > 1:
            out["batch"] = self.batch
        return out


@dataclass(frozen=True)
class Conducted:
    """The run, its card, why queries failed, and remarks.

    A failed query is not among the queries of the run and stands in `card.failed`; `errors` has
    the last error of each.
    """

    run: Run
    card: RunCard
    errors: Mapping[str, str]
    notes: tuple[str, ...]


def conduct(
    system: System,
    queries: Iterable[Query],
    settings: Settings | None = None,
    *,
    name: str | None = None,
    config: Mapping[str, Any] | None = None,
    journal: str | os.PathLike[str] | None = None,
    keep: bool = False,
) -> Conducted:
    """Ask a system every query and say how that went.

    Parameters
    ----------
    settings : how; see `Settings`
    name : of the run; by default the system's
    config : what else made the run, for its card
    journal : a file that keeps the answers; with one of the same work, only what it lacks is
        asked, or was given to another text of a query. It is removed when every query was answered.
    keep : leave the journal there, for a caller who removes it when the run has been written

    Raises
    ------
    UsageError
        The system has no `search_many`, takes no filters or must not be called from threads.
    CranfieldError
        No query was answered, or the first `give_up` all failed.
    """
    settings = settings or Settings()
    asked = list(queries)
    _check(system, settings, asked)
    made = {**config_of(system), **settings.config(), **(config or {})}
    answers: dict[str, Answer] = {}
    notes: list[str] = []
    if journal is None:
        for answer in _ask_all(system, asked, settings):
            answers[answer.query] = answer
    else:
        book = Journal(journal, made)
        prints = {q.id: fingerprint(q) for q in asked}
        with book:
            answers = {a.query: a for a in book.kept.values() if a.asked == prints.get(a.query)}
            notes += remarks.resumed(book, answers, asked)
            for answer in _ask_rest(system, asked, answers, book, settings):
                answers[answer.query] = answer
                book.add(replace(answer, asked=prints[answer.query]))
    out = _conclude(name or system.name, asked, answers, made, settings, notes)
    if journal is not None and not out.errors and not keep:
        book.done()
    return out


def _check(system: System, settings: Settings, queries: Sequence[Query]) -> None:
    if settings.k < 1 or settings.batch < 1 or settings.threads < 1:
        raise UsageError("k, batch and threads are 1 or more")
    if settings.batch > 1 and not hasattr(system, "search_many"):
        raise UsageError(f"system {system.name!r} answers one query at a time", "leave batch at 1")
    if settings.threads > 1 and not getattr(system, "thread_safe", False):
        raise UsageError(
            f"system {system.name!r} does not say that it is thread-safe", "leave threads at 1"
        )
    if settings.filters:
        refuse_filters(system)
        refuse_fields(settings.filters, queries)


def _ask_rest(
    system: System,
    asked: Sequence[Query],
    answers: Mapping[str, Answer],
    book: Journal,
    settings: Settings,
) -> Iterator[Answer]:
    """One answer for each query without one. Those that had failed come after the others, so that
    work is not given up for them; when the first `give_up` of them fail again, the rest are left
    as they were."""
    rest = [q for q in asked if q.id not in answers]
    yield from _ask_all(system, [q for q in rest if q.id not in book.failed], settings)
    again = [q for q in rest if q.id in book.failed]
    found = _ask_all(system, again, replace(settings, give_up=len(again) + 1))
    failed = 0
    for n, answer in enumerate(found, 1):
        yield answer
        failed += answer.error is not None
        if failed == n == settings.give_up:
            found.close()
            yield from (book.failed[q.id] for q in again[n:])


def _ask_all(
    system: System, queries: Sequence[Query], settings: Settings
) -> Generator[Answer, None, None]:
    """One answer a query, in their order."""
    failed, answered = 0, False
    batches = _batches(queries, settings.batch)
    with progress("searching", len(queries)) as advance:
        for answers in ordered_map(
            lambda batch: _answer(system, batch, settings), batches, settings.threads
        ):
            for answer in answers:
                answered |= answer.error is None
                failed += answer.error is not None
                yield answer
            if not answered and failed >= settings.give_up:
                raise _kind(answers)(
                    f"the first {failed} queries all failed: {answers[-1].error}",
                    "nothing was written; the system may be down or wrongly set up",
                )
            advance(len(answers))


def _kind(answers: Iterable[Answer]) -> type[CranfieldError]:
    """The error to end with when all of these failed."""
    service = all(issubclass(answer.cause, ServiceError) for answer in answers)
    return ServiceError if service else CranfieldError


def _batches(queries: Sequence[Query], size: int) -> Iterator[list[Query]]:
    rest = iter(queries)
    while batch := list(islice(rest, size)):
        yield batch


def _answer(system: System, batch: list[Query], settings: Settings) -> list[Answer]:
    if len(batch) == 1:
        return [_answer_one(system, batch[0], settings)]
    try:
        results, ms = settings.backoff.call(
            lambda: _timed_many(system, batch, settings), batch[0].id
        )
    except (UsageError, MissingExtra):
        raise
    except Exception:  # one of them may be to blame: find out which
        return [_answer_one(system, query, settings) for query in batch]
    shares = [ms / len(batch)] * len(batch)
    return [_kept(q, r, t, settings) for q, r, t in zip(batch, results, shares, strict=True)]


def _answer_one(system: System, query: Query, settings: Settings) -> Answer:
    try:
        result, ms = settings.backoff.call(lambda: _timed(system, query, settings), query.id)
    except (UsageError, MissingExtra):  # true of every query
        raise
    except CranfieldError as e:
        return Answer(query.id, error=e.message, cause=type(e))
    except Exception as e:
        return Answer(query.id, error=f"{type(e).__name__}: {e}".strip().rstrip(":"))
    return _kept(query, result, ms, settings)


def _timed(system: System, query: Query, settings: Settings) -> tuple[Result, float]:
    begun = time.perf_counter()
    result = ask(system, query, _depth(settings), filter_of(query, settings.filters))
    return result, (time.perf_counter() - begun) * 1000


def _timed_many(system: Any, batch: list[Query], settings: Settings) -> tuple[list[Result], float]:
    k = _depth(settings)
    wanted = [filter_of(q, settings.filters) for q in batch]
    more = {"filters": wanted} if any(wanted) else {}
    begun = time.perf_counter()
    results = list(system.search_many(batch, k, **more))
    ms = (time.perf_counter() - begun) * 1000
    if len(results) != len(batch):
        raise InputError(f"system {system.name!r}: {len(results)} results, {len(batch)} queries")
    return [checked(result, k, system.name) for result in results], ms


def _depth(settings: Settings) -> int:
    return settings.k + settings.exclude_self


def _kept(query: Query, result: Result, ms: float, settings: Settings) -> Answer:
    kept = [pair for pair in result if not settings.exclude_self or pair[0] != query.id]
    return Answer(query.id, tuple(kept[: settings.k]), ms)


def _conclude(
    name: str,
    asked: Sequence[Query],
    answers: Mapping[str, Answer],
    config: dict[str, Any],
    settings: Settings,
    notes: list[str],
) -> Conducted:
    good = [a for q in asked if (a := answers[q.id]).error is None]
    errors = {a.query: a.error for q in asked if (a := answers[q.id]).error is not None}
    if asked and not good:
        raise _kind(answers.values())(
            f"no query was answered; the first error: {next(iter(errors.values()))}",
            "nothing was written; the system may be down or wrongly set up",
        )
    run = to_run(name, [a.query for a in good], [a.result for a in good], config)
    latency = {a.query: round(a.ms, 3) for a in good}
    empty = tuple(a.query for a in good if not a.result)
    card = RunCard(name, config, latency, failed=tuple(errors), empty=empty)
    if settings.propose and not settings.exclude_self:
        notes += remarks.self_retrieval(good)
    if asked:
        notes += remarks.nothing_found(good)
    if errors:
        bad = [a for q in asked if (a := answers[q.id]).error is not None]
        notes.append(remarks.failures(bad, settings.backoff.attempts))
    return Conducted(replace(run, notes=tuple(notes)), card, errors, tuple(notes))
