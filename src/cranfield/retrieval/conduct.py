"""A system asked query by query, with care: failures are asked again and then recorded, latency
is measured, interrupted work resumes, and nothing counts as an answer that is none."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cranfield.data.card import RunCard
from cranfield.data.collection import Query
from cranfield.data.run import Run
from cranfield.errors import UsageError
from cranfield.kit.retry import Backoff
from cranfield.retrieval import remarks
from cranfield.retrieval.asking import ask_all, ask_rest, kind_of
from cranfield.retrieval.journal import Answer, Journal, fingerprint
from cranfield.retrieval.system import (
    System,
    config_of,
    refuse_fields,
    refuse_filters,
    to_run,
)

# (id of a query, ids of documents): raises where they are of no use
Accept = Callable[[str, Sequence[str]], None]


def _accept_all(query: str, docs: Sequence[str]) -> None:
    pass


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
    accept: Accept | None = None,
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
    accept : is given the id of each query before any is asked, with no documents, and then with
        the documents of each answer as it comes; what it raises ends the work

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
    accept = accept or _accept_all
    for query in asked:
        accept(query.id, ())
    made = {**config_of(system), **settings.config(), **(config or {})}
    answers: dict[str, Answer] = {}
    notes: list[str] = []
    if journal is None:
        for answer in ask_all(system, asked, settings):
            accept(answer.query, answer.docs)
            answers[answer.query] = answer
    else:
        book = Journal(journal, made)
        prints = {q.id: fingerprint(q) for q in asked}
        with book:
            answers = {a.query: a for a in book.kept.values() if a.asked == prints.get(a.query)}
            notes += remarks.resumed(book, answers, asked)
            for answer in answers.values():
                accept(answer.query, answer.docs)
            for answer in ask_rest(system, asked, answers, book, settings):
                accept(answer.query, answer.docs)
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
        raise kind_of(answers.values())(
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
