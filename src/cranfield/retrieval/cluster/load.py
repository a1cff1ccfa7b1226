"""Documents into an index, in bulk: each is in it afterwards or is named with the reason."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cranfield.data.collection import Document
from cranfield.errors import InputError, ServiceError
from cranfield.kit.progress import progress
from cranfield.kit.retry import Backoff
from cranfield.retrieval.cluster.engine import Engine, reason_of

MOST_BYTES = 4 << 20
MOST_DOCUMENTS = 1000
MOST_ID = 512  # bytes of an id; one that is longer would fail its whole request
_BUSY = (429, 500, 502, 503, 504)  # of one document: the node is busy or a shard is moving


@dataclass
class Loaded:
    """How many documents went in, and (id, reason) of those that the cluster refused."""

    count: int = 0
    rejected: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class _Item:
    id: str
    lines: bytes


def load(
    engine: Engine, index: str, documents: Iterable[Document], backoff: Backoff, total: int | None
) -> Loaded:
    """Send all documents.

    Raises
    ------
    ServiceError
        Some could not be sent, however often it was tried.
    """
    done = Loaded()
    with progress(f"loading {index}", total) as advance:
        for batch in _batches(documents):
            bad = [(item.id, why) for item in batch if (why := _wrong_id(item.id)) is not None]
            good = [item for item in batch if _wrong_id(item.id) is None]
            refused = bad + (_send(engine, index, good, backoff) if good else [])
            done.rejected += refused
            done.count += len(batch) - len(refused)
            advance(len(batch))
    return done


def _wrong_id(doc: str) -> str | None:
    if not doc:
        return "the id is empty"
    return f"the id has more than {MOST_ID} bytes" if len(doc.encode()) > MOST_ID else None


def _batches(documents: Iterable[Document]) -> Iterator[list[_Item]]:
    batch: list[_Item] = []
    size = 0
    for document in documents:
        item = _item(document)
        if batch and (size + len(item.lines) > MOST_BYTES or len(batch) == MOST_DOCUMENTS):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += len(item.lines)
    if batch:
        yield batch


def _item(document: Document) -> _Item:
    clash = {"title", "text"} & set(document.fields)
    if clash:
        raise InputError(f"document {document.id!r} has a further field {min(clash)!r}")
    source = {"title": document.title, "text": document.text, **document.fields}
    action = {"index": {"_id": document.id}}
    try:
        lines = b"".join(
            json.dumps(part, ensure_ascii=False, allow_nan=False).encode() + b"\n"
            for part in (action, source)
        )
    except (TypeError, ValueError) as e:  # a lone surrogate, NaN, something JSON has no word for
        raise InputError(f"document {document.id!r} cannot be sent as JSON: {e}") from None
    return _Item(document.id, lines)


def _send(
    engine: Engine, index: str, batch: list[_Item], backoff: Backoff
) -> list[tuple[str, str]]:
    """Send a batch until each document is in or refused; only what is open is sent again."""
    refused: list[tuple[str, str]] = []
    waiting = batch
    why = ""
    for attempt in range(1, backoff.attempts + 1):
        if attempt > 1:
            backoff.sleep(backoff.pause(batch[0].id, attempt - 1))
        try:
            reply = engine.call(
                "POST", f"/{index}/_bulk", lines=b"".join(item.lines for item in waiting)
            )
        except ServiceError as e:
            why = e.message
            continue
        outcomes = _outcomes(reply, len(waiting))
        again = []
        for item, (status, reason) in zip(waiting, outcomes, strict=True):
            if status in _BUSY:
                again.append(item)
                why = f"document {item.id!r}: {reason}"
            elif status >= 400:
                refused.append((item.id, reason))
        if not again:
            return refused
        waiting = again
    raise ServiceError(
        f"{len(waiting)} documents could not be loaded, tried {backoff.attempts} times: {why}",
        "the same command goes on with the index once the cluster is well",
    )


def _outcomes(reply: Any, count: int) -> list[tuple[int, str]]:
    """(status, reason) of each document of a batch."""
    try:
        items = [item["index"] for item in reply["items"]]
        found = [(int(item["status"]), reason_of(item.get("error"))[1]) for item in items]
    except (KeyError, TypeError, ValueError):
        raise ServiceError("the answer to a bulk request has no items with a status") from None
    if len(found) != count:
        raise ServiceError(f"{count} documents sent, {len(found)} answered for")
    return found
