"""What a reranker is to Cranfield, and a run whose first documents are put in a new order."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

import numpy as np

from cranfield import plugins
from cranfield.data.collection import Document, Query
from cranfield.data.run import Run
from cranfield.data.texts import text_of
from cranfield.errors import InputError, UsageError
from cranfield.retrieval.embed import config_of


@runtime_checkable
class Reranker(Protocol):
    """Anything that says how well documents answer a query.

    It may have more, and needs none of it:

    - ``config``: a mapping that JSON can hold, what decides a score.
    - ``cut(query, documents)``: for each document whether only its beginning is read.
    - ``thread_safe = True``: `score` may be called from several threads.
    - ``close()``: called when no more is asked.
    - ``ready(**options)``, a class method: see `System`.

    The input is the document's title and text (`cranfield.data.texts.text_of`). An error that
    `score` raises means that this query failed.
    """

    name: str

    def score(self, query: Query, documents: Sequence[Document]) -> Sequence[float]:
        """One finite number for each document, in their order; higher is better."""


def make_reranker(name: str, /, **options: Any) -> Reranker:
    """A registered reranker by name, for example `make_reranker("onnx", folder="model")`."""
    made: Reranker = plugins.make(plugins.RERANKERS, name, **options)
    return made


class Rerank:
    """A system that answers with a run's documents, the first `depth` of them by a reranker.

    The documents below follow in the run's order with scores below, so that the set of documents
    stays what it was; `rest=False` drops them. Documents that the reranker scores alike keep the
    run's order, and their scores are set apart by the smallest step that a number can make.

    Parameters
    ----------
    run : equal scores in it are ranked by descending document id, as evaluation ranks them
    documents : read once; only those within `depth` are kept
    reranker : see `Reranker`
    depth : documents of a query that are scored

    Attributes
    ----------
    lists : {query: documents}, the best first

    Raises
    ------
    InputError
        A document within `depth` is not among the documents.
    """

    def __init__(
        self,
        run: Run,
        documents: Iterable[Document],
        reranker: Reranker,
        depth: int = 100,
        *,
        rest: bool = True,
    ) -> None:
        if depth < 1:
            raise UsageError("depth is 1 or more")
        self.name = reranker.name
        self._run, self._reranker, self._depth, self._rest = run, reranker, depth, rest
        self.lists = lists_of(run)
        self._documents = _pick(documents, self.lists, depth, run.name)

    @property
    def thread_safe(self) -> bool:
        """Whether the reranker is."""
        return bool(getattr(self._reranker, "thread_safe", False))

    @property
    def config(self) -> dict[str, Any]:
        """Reranker, depth, and the lists that were reranked by a fingerprint of ids and texts."""
        total = hashlib.sha256()
        for query, docs in self.lists.items():
            total.update("\0".join((query, *docs, "\n")).encode("utf-8", "surrogatepass"))
        for doc in sorted(self._documents):
            text = text_of(self._documents[doc]).encode("utf-8", "surrogatepass")
            total.update(hashlib.sha256(text).digest())
        return {
            "reranker": config_of(self._reranker),
            "depth": self._depth,
            "rest": "below" if self._rest else "dropped",
            "input": {"text": "title + text"},
            "candidates": {"run": self._run.name, "fingerprint": total.hexdigest()[:16]},
        }

    def search(self, query: Query, k: int) -> list[tuple[str, float]]:
        """The run's documents for the query, the first `depth` in their new order."""
        if query.id not in self.lists:
            raise InputError(f"the run {self._run.name!r} has no query {query.id!r}")
        docs = self.lists[query.id]
        candidates = [self._documents[doc] for doc in docs[: self._depth]]
        scores = self._score(query, candidates)
        order = sorted(range(len(scores)), key=lambda i: -scores[i])
        ids = [candidates[i].id for i in order] + (docs[self._depth :] if self._rest else [])
        return list(zip(ids, falling([scores[i] for i in order], len(ids)), strict=True))[:k]

    def cut(self, queries: Iterable[Query]) -> tuple[int, int] | None:
        """How many candidates of these queries the reranker reads only the beginning of, of how
        many; None where it cannot say."""
        if not hasattr(self._reranker, "cut"):
            return None
        cut = of = 0
        for query in queries:
            docs = [self._documents[doc] for doc in self.lists[query.id][: self._depth]]
            cut, of = cut + sum(self._reranker.cut(query, docs)), of + len(docs)
        return cut, of

    def close(self) -> None:
        """Close the reranker."""
        getattr(self._reranker, "close", lambda: None)()

    def _score(self, query: Query, candidates: list[Document]) -> list[float]:
        """Checked scores; a reranker is not troubled with nothing."""
        if not candidates:
            return []
        found = [float(score) for score in self._reranker.score(query, candidates)]
        return checked_scores(found, len(candidates), f"reranker {self.name!r}")


def checked_scores(scores: list[float], n: int, who: str) -> list[float]:
    """Scores as they must be: n of them, all finite."""
    if len(scores) != n:
        raise InputError(f"{who} returned {len(scores)} scores for {n} documents")
    if not all(map(math.isfinite, scores)):
        raise InputError(f"{who} returned a score that is no finite number")
    return scores


def falling(scores: Sequence[float], n: int) -> list[float]:
    """n scores that strictly fall: these (which never rise), equal ones set apart by the smallest
    step, and then whole numbers below the last."""
    out: list[float] = []
    for score in scores:
        out.append(min(score, math.nextafter(out[-1], -math.inf)) if out else score)
    last = out[-1] if out else 0.0
    step = max(1.0, 2 * math.ulp(last))
    return out + [last - step * (i + 1) for i in range(n - len(out))]


def lists_of(run: Run) -> dict[str, list[str]]:
    """{query: documents, the best first}; equal scores by descending id."""
    docs = run.docs.to_list()
    by_id = sorted(range(len(docs)), key=lambda i: docs[i].encode("utf-8", "surrogatepass"))
    rank = np.empty(len(docs), np.int64)
    rank[by_id[::-1]] = np.arange(len(docs))
    order = np.lexsort((rank, -run.score, run.query))
    names = run.queries.to_list()
    bounds = np.searchsorted(run.query[order], np.arange(len(names) + 1)).tolist()
    ranked = [docs[i] for i in order.tolist()]
    return {q: ranked[a:b] for q, (a, b) in zip(names, pairwise(bounds), strict=True)}


def _pick(
    documents: Iterable[Document], lists: Mapping[str, list[str]], depth: int, name: str
) -> dict[str, Document]:
    wanted = {doc for docs in lists.values() for doc in docs[:depth]}
    found = {d.id: d for d in documents if d.id in wanted}
    if lacking := wanted - found.keys():
        raise InputError(
            f"{len(lacking)} documents of the run {name!r} are not in the collection, for example "
            f"{min(lacking)!r}",
            "is it the collection that the run was made on?",
        )
    return found
