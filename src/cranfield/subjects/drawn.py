"""A sample of a collection: texts that are drawn by a hash of their ids in one pass, so that a
corpus of any size takes the memory of the sample."""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cranfield.data.collection import TestCollection
from cranfield.data.texts import text_of
from cranfield.diagnosis.documents import script_of
from cranfield.errors import NothingToEvaluate
from cranfield.kit.progress import progress
from cranfield.retrieval import tokens

CHARS = 2_000  # of a document that are read
READ = 1_000  # documents that they are counted in
COMMON = 50  # the most frequent words, which tell a language


@dataclass(frozen=True)
class Drawn:
    """A sample of a collection.

    Parameters
    ----------
    name : of the collection.
    documents, queries : how many with a text it has.
    texts, asked : of the documents and queries drawn, in the order of their hashes.
    empty : documents without a text.
    cut : documents of the sample that are longer than what is read of them.
    scripts : share of each script in the sample, documents and queries weighing the same.
    common : the words that most of the sampled documents have, the most frequent first.
    """

    name: str
    documents: int
    queries: int
    texts: tuple[str, ...]
    asked: tuple[str, ...]
    empty: int
    cut: int
    scripts: Mapping[str, float]
    common: tuple[str, ...]


class Smallest:
    """The n items with the smallest hashes of what has been offered: the same whatever the
    order."""

    def __init__(self, n: int, seed: int) -> None:
        self._n, self._seed = n, seed
        self._heap: list[tuple[int, str, str]] = []
        self.offered = 0

    def offer(self, name: str, text: str) -> None:
        self.offered += 1
        said = f"{self._seed}\0{name}".encode("utf-8", "surrogatepass")
        place = -int.from_bytes(hashlib.blake2b(said, digest_size=8).digest(), "big")
        if len(self._heap) < self._n:
            heapq.heappush(self._heap, (place, name, text))
        elif place > self._heap[0][0]:
            heapq.heapreplace(self._heap, (place, name, text))

    def texts(self) -> tuple[str, ...]:
        return tuple(text for _, _, text in sorted(self._heap, key=lambda i: (-i[0], i[1])))


def draw(found: TestCollection, documents: int, queries: int, seed: int) -> Drawn:
    """At most so many documents and queries of a collection.

    Raises
    ------
    NothingToEvaluate
        It has no document, or no query, with a text.
    """
    some, asked = Smallest(documents, seed), Smallest(queries, seed)
    empty = 0
    if found.documents is not None:
        with progress(f"reading {found.name}", found.n_documents) as advance:
            for document in found.documents():
                text = text_of(document)
                if text:
                    some.offer(document.id, text[: CHARS + 1])
                else:
                    empty += 1
                advance(1)
    for query in found.queries:
        if query.text.strip():
            asked.offer(query.id, query.text)
    for what, taken in (("document", some), ("query", asked)):
        if not taken.offered:
            raise NothingToEvaluate(
                f"{found.name}: no {what} with a text", "a folder with corpus.jsonl, queries.jsonl"
            )
    texts = some.texts()
    return Drawn(
        name=found.name,
        documents=some.offered,
        queries=asked.offered,
        texts=tuple(text[:CHARS] for text in texts),
        asked=asked.texts(),
        empty=empty,
        cut=sum(len(text) > CHARS for text in texts),
        scripts=_scripts(texts, asked.texts()),
        common=_common(texts[:READ]),
    )


def _scripts(texts: Iterable[str], asked: Iterable[str]) -> dict[str, float]:
    """{script: share}, the largest first."""
    shares: Counter[str] = Counter()
    for side in (texts, asked):
        counts = Counter(script_of(text) for text in side)
        counts.pop("none", None)
        for name, n in counts.items():
            shares[name] += n / counts.total() / 2  # type: ignore[assignment]
    whole = sum(shares.values()) or 1
    return {s: shares[s] / whole for s in sorted(shares, key=lambda s: (-shares[s], s))}


def _common(texts: Iterable[str]) -> tuple[str, ...]:
    find = tokens.standard().findall
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update({w.lower() for w in find(tokens.normal(text)) if w.isalpha()})
    return tuple(sorted(counts, key=lambda w: (-counts[w], w))[:COMMON])
