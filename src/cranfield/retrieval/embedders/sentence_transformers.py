"""The embedder `sentence-transformers`: any model of that library."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import MissingExtra, needs_package


class SentenceTransformerEmbedder:
    """A SentenceTransformer; its own pooling, and its own prompts where it has any. Untested: it
    has never been run with the library.

    Parameters
    ----------
    model : a folder, or a name that the library looks up and downloads
    revision : of a name
    query_prefix, document_prefix : in place of the model's own prompts
    max_tokens : of an input; by default the model's
    batch : texts at once
    device : `cpu`, `cuda`, ...; by default the library's choice
    """

    name = "sentence-transformers"

    def __init__(
        self,
        model: str,
        revision: str | None = None,
        query_prefix: str | None = None,
        document_prefix: str | None = None,
        max_tokens: int | None = None,
        batch: int = 32,
        device: str | None = None,
    ) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise MissingExtra(
                "the embedder sentence-transformers", "sentence-transformers"
            ) from None
        self._model: Any = SentenceTransformer(model, revision=revision, device=device)
        if max_tokens is not None:
            self._model.max_seq_length = max_tokens
        prompts = dict(getattr(self._model, "prompts", None) or {})
        own_query = prompts.get("query") or ""
        own_document = prompts.get("document") or prompts.get("passage") or ""
        self._query = own_query if query_prefix is None else query_prefix
        self._document = own_document if document_prefix is None else document_prefix
        self._said = {"model": model, **({"revision": revision} if revision else {})}
        self.batch = batch

    @classmethod
    def ready(cls, model: str, **options: Any) -> None:
        """Check that the library is there; load no model."""
        needs_package(
            "sentence_transformers", "the embedder sentence-transformers", "sentence-transformers"
        )

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return int(self._model.get_sentence_embedding_dimension())

    @property
    def config(self) -> dict[str, Any]:
        """Model, version of the library, prefixes, limit."""
        return {
            **self._said,
            "version": version("sentence-transformers"),
            "query_prefix": self._query,
            "document_prefix": self._document,
            "max_tokens": self._model.max_seq_length,
        }

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of queries."""
        return self._embed(texts, self._query)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of documents."""
        return self._embed(texts, self._document)

    def cut(self, texts: Sequence[str]) -> list[bool]:
        """Which documents are longer than the model reads."""
        most = self._model.max_seq_length
        if most is None:
            return [False] * len(texts)
        prefixed = [self._document + text for text in texts]
        return [len(ids) > most for ids in self._model.tokenizer(prefixed)["input_ids"]]

    def _embed(self, texts: Sequence[str], prefix: str) -> NDArray[np.float32]:
        found = self._model.encode(
            [prefix + text for text in texts],
            prompt="",
            batch_size=self.batch,
            show_progress_bar=False,
            convert_to_numpy=True,
        )
        return np.asarray(found, np.float32).reshape(len(texts), -1)
