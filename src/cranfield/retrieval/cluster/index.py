"""An index made from a collection, once, and known again; one that was there is only read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from cranfield.data.collection import Document
from cranfield.errors import InputError, ServiceError, UnknownName, UsageError, clip
from cranfield.kit.retry import Backoff
from cranfield.retrieval.cluster.engine import Engine
from cranfield.retrieval.cluster.load import load
from cranfield.retrieval.corpus import Corpus

_SHOWN = 5
_NO_CLUSTER = "the answer has {}, so it is not that of a search cluster"
_NO_CLUSTER_HINT = "does hosts=... name one?"


@dataclass(frozen=True)
class Definition:
    """What an index is made with.

    Parameters
    ----------
    analyzer : of title and text, a built-in one or one that `settings` define
    settings, mappings : as the create-index API takes them; mappings replace ours
    """

    analyzer: str = "english"
    shards: int = 1
    replicas: int = 0
    settings: Mapping[str, Any] | None = None
    mappings: Mapping[str, Any] | None = None

    def body(self) -> dict[str, Any]:
        """The request that makes it. Title and text are analyzed; further texts are kept whole, so
        that they can be filtered by; nothing is taken for a date."""
        settings = {"number_of_shards": self.shards, "number_of_replicas": self.replicas}
        text = {"type": "text", "analyzer": self.analyzer}
        keyword = {
            "match_mapping_type": "string",
            "mapping": {"type": "keyword", "ignore_above": 8191},
        }
        mappings: dict[str, Any] = {
            "date_detection": False,
            "dynamic_templates": [{"fields": keyword}],
            "properties": {"title": text, "text": text},
        }
        return {
            "settings": {**settings, **(self.settings or {})},
            "mappings": dict(self.mappings) if self.mappings is not None else mappings,
        }

    @property
    def digest(self) -> str:
        return digest(self.body())


@dataclass(frozen=True)
class Index:
    """An index that is ready: what a card says of it, and remarks."""

    config: dict[str, Any]
    notes: tuple[str, ...] = ()


def quoted(index: str) -> str:
    """An index, alias, pattern or list of these as part of a path."""
    if not index or any(c.isspace() or c in '/\\"<>|?#' for c in index):
        raise UsageError(f"{index!r} is no name of an index")
    return quote(index, safe=",*-_.")


def digest(value: Any) -> str:
    """SHA-256 of a value as JSON, its first 16 hexadecimal digits."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def existing(engine: Engine, index: str) -> Index:
    """An index that is there and is only read.

    Raises
    ------
    UnknownName
        It is not there.
    """
    try:
        count = _count(engine, quoted(index))
    except UnknownName as e:
        raise UnknownName(
            e.message, "-p create=true makes the index from the documents of the collection"
        ) from None
    config: dict[str, Any] = {"name": index, "documents": count}
    try:
        found = engine.call("GET", f"/{quoted(index)}")
    except UsageError:  # who may only search may not see how it is made
        return Index(config)
    if not found:
        raise UnknownName(f"no index matches {index!r}")
    made = [_made(one) for _, one in sorted(_by_index(found).items())]
    return Index({**config, "definition": digest(made)})


def _count(engine: Engine, path: str) -> int:
    """How many documents are there."""
    reply = engine.call("GET", f"/{path}/_count")
    count = reply.get("count") if isinstance(reply, Mapping) else None
    if not isinstance(count, int):
        raise ServiceError(_NO_CLUSTER.format("no count"), _NO_CLUSTER_HINT)
    return count


def _by_index(reply: Any) -> dict[str, Mapping[str, Any]]:
    """What an answer says of each index."""
    if not isinstance(reply, Mapping) or not all(isinstance(v, Mapping) for v in reply.values()):
        raise ServiceError(_NO_CLUSTER.format("no indices"), _NO_CLUSTER_HINT)
    return dict(reply)


def _made(one: Mapping[str, Any]) -> list[Any]:
    """What of an index decides a ranking."""
    inner = one.get("settings", {}).get("index", {})
    kept = {k: inner.get(k) for k in ("analysis", "similarity", "number_of_shards")}
    return [one.get("mappings"), kept]


def make(
    engine: Engine,
    index: str,
    documents: Iterable[Document],
    definition: Definition,
    backoff: Backoff,
    *,
    skip_rejected: bool = False,
) -> Index:
    """The index of these documents, made now or found as it was made before.

    An index that we did not make, or made of something else, is never touched.

    Raises
    ------
    UsageError
        There is such an index of something else.
    InputError
        Documents were refused, or are not there after loading.
    """
    corpus = Corpus(documents)
    path = quoted(index)
    if "*" in index or "," in index:
        raise UsageError(f"{index!r} names more than one index", "one to be made has one name")
    before = _note_of(engine, index)
    if before is None:
        body = definition.body()
        note = {"definition": definition.digest, "complete": False}
        body["mappings"] = {**body["mappings"], "_meta": {"cranfield": note}}
        engine.call("PUT", f"/{path}", body=body)
    elif before.get("definition") != definition.digest:
        raise _taken(index, "was made with other settings or mappings")
    elif before.get("complete"):
        for _ in corpus:  # to know whether they are the same
            pass
        if before.get("fingerprint") != corpus.fingerprint:
            raise _taken(index, "holds other documents")
        return _ready(index, corpus, definition, before.get("rejected", []), reused=True)
    loaded = load(engine, path, corpus, backoff, None)
    if loaded.rejected and not skip_rejected:
        raise InputError(_rejected(index, loaded.rejected), "-p skip_rejected=true goes on without")
    engine.call("POST", f"/{path}/_refresh")
    engine.call("GET", f"/_cluster/health/{path}", params={"wait_for_status": "yellow"})
    there = _count(engine, path)
    if there != loaded.count:
        raise InputError(f"index {index!r}: {loaded.count} documents sent, {there} are there")
    rejected = [doc for doc, _ in loaded.rejected]
    done = {
        "definition": definition.digest,
        "complete": True,
        "fingerprint": corpus.fingerprint,
        "documents": there,
        "rejected": rejected,
    }
    engine.call("PUT", f"/{path}/_mapping", body={"_meta": {"cranfield": done}})
    remarks = [_rejected(index, loaded.rejected)] if loaded.rejected else []
    ready = _ready(index, corpus, definition, rejected, reused=False)
    return Index(ready.config, (*ready.notes, *remarks))


def _note_of(engine: Engine, index: str) -> Mapping[str, Any] | None:
    """What we noted in an index when we made it; None where there is no index."""
    try:
        found = _by_index(engine.call("GET", f"/{quoted(index)}/_mapping"))
    except UnknownName:
        return None
    one: Mapping[str, Any] = next(iter(found.values()), {})
    note = one.get("mappings", {}).get("_meta", {}).get("cranfield")
    if not isinstance(note, Mapping) or list(found) != [index]:
        raise UsageError(
            f"there is an index {index!r} that was not made here; it is left as it is",
            "without create=true it is searched, never written; or choose another name",
        )
    return note


def _taken(index: str, why: str) -> UsageError:
    return UsageError(
        f"index {index!r} {why}; it is left as it is",
        "choose another name, delete it yourself, or leave create=true out to search it",
    )


def _ready(
    index: str, corpus: Corpus, definition: Definition, rejected: list[str], *, reused: bool
) -> Index:
    config = {
        "name": index,
        "analyzer": definition.analyzer,
        "shards": definition.shards,
        "replicas": definition.replicas,
        "definition": definition.digest,
        "corpus": corpus.config,
    }
    if rejected:
        config["rejected"] = rejected
    done = len(corpus) - len(rejected)
    told = "has them already" if reused else "was made"
    return Index(config, (f"index {index}: {done:,} documents, {told}",))


def _rejected(index: str, rejected: list[tuple[str, str]]) -> str:
    shown = "; ".join(f"{clip(doc, 40)}: {why}" for doc, why in rejected[:_SHOWN])
    more = f"; and {len(rejected) - _SHOWN} more" if len(rejected) > _SHOWN else ""
    what = "document was" if len(rejected) == 1 else "documents were"
    return f"index {index!r}: {len(rejected)} {what} refused: {shown}{more}"
