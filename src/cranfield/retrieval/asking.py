"""Queries asked one after another or several at once: pauses, repeats, and one answer for each."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from cranfield.data.collection import Query
from cranfield.errors import CranfieldError, InputError, MissingExtra, ServiceError, UsageError
from cranfield.kit.parallel import ordered_map
from cranfield.kit.progress import progress
from cranfield.retrieval.journal import Answer, Journal
from cranfield.retrieval.system import Result, System, ask, checked, filter_of

if TYPE_CHECKING:
    from cranfield.retrieval.conduct import Settings


def ask_rest(
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
    yield from ask_all(system, [q for q in rest if q.id not in book.failed], settings)
    again = [q for q in rest if q.id in book.failed]
    found = ask_all(system, again, replace(settings, give_up=len(again) + 1))
    failed = 0
    for n, answer in enumerate(found, 1):
        yield answer
        failed += answer.error is not None
        if failed == n == settings.give_up:
            found.close()
            yield from (book.failed[q.id] for q in again[n:])


def ask_all(
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
                raise kind_of(answers)(
                    f"the first {failed} queries all failed: {answers[-1].error}",
                    "nothing was written; the system may be down or wrongly set up",
                )
            advance(len(answers))


def kind_of(answers: Iterable[Answer]) -> type[CranfieldError]:
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
