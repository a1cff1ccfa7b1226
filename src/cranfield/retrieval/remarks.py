"""What is said of work that was done: resumed, failed, queries that find themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cranfield.data.collection import Query
from cranfield.kit.retry import FINAL
from cranfield.retrieval.journal import Answer, Journal


def resumed(book: Journal, answers: Mapping[str, Answer], asked: Sequence[Query]) -> list[str]:
    """That a journal was of other work, or how many answers of it are used."""
    if book.stale:
        return [f"{book.path} was of other work and is begun anew"]
    known = sum(q.id in answers for q in asked)
    changed = sum(q.id in book.kept and q.id not in answers for q in asked)
    out = [f"resumed: {known} of {len(asked)} queries were answered before"] if known else []
    if changed:
        what = (
            "query has another text and is" if changed == 1 else "queries have other texts and are"
        )
        out.append(f"{changed} {what} asked again")
    return out


def nothing_found(answers: Sequence[Answer]) -> list[str]:
    """That no query found anything, which is rarely what was meant."""
    if any(answer.result for answer in answers):
        return []
    return ["no query found a document; are there documents, and can they hold these words?"]


def self_retrieval(answers: Sequence[Answer]) -> list[str]:
    """A proposal where queries find themselves. That ids coincide by chance, as numbers from 1 do,
    is no reason: the document must come first for one, or be found for half of the queries."""
    first = sum(bool(a.result) and a.result[0][0] == a.query for a in answers)
    found = sum(any(doc == a.query for doc, _ in a.result) for a in answers)
    if not first and 2 * found <= len(answers):
        return []
    return [
        f"{found} of {len(answers)} queries found the document with their own id, {first} of them "
        "in the first place; where queries are documents (as in ArguAna), --exclude-self "
        "(exclude_self=True) leaves it out"
    ]


def failures(failed: Sequence[Answer], attempts: int) -> str:
    """How many queries failed and the first reason. What would fail again in any case, a query
    that a service does not understand, is asked once."""
    n = len(failed)
    what, count = ("query failed", "counts") if n == 1 else ("queries failed", "count")
    once = sum(issubclass(answer.cause, FINAL) for answer in failed)
    if attempts == 1 or once == n:
        times = "once"
    else:
        times = f"up to {attempts} times" if once else f"{attempts} times"
    first = failed[0]
    return (
        f"{n} {what}, asked {times}, and {count} as failed, not as empty: "
        f"{first.query}: {first.error}"
    )
