"""The reranker `sentence-transformers`: any CrossEncoder of that library."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from cranfield.data.collection import Document, Query
from cranfield.data.texts import text_of
from cranfield.errors import MissingExtra, needs_package


class CrossEncoderReranker:
    """A CrossEncoder; what its `predict` returns is the score. Untested: it has never been run
    with the library.

    Parameters
    ----------
    model : a folder, or a name that the library looks up and downloads
    revision : of a name
    max_tokens : of a pair; by default the model's
    batch : pairs at once
    device : `cpu`, `cuda`, ...; by default the library's choice
    """

    name = "sentence-transformers"

    def __init__(
        self,
        model: str,
        revision: str | None = None,
        max_tokens: int | None = None,
        batch: int = 32,
        device: str | None = None,
    ) -> None:
        try:
            from sentence_transformers import CrossEncoder
        except ImportError:
            raise MissingExtra(
                "the reranker sentence-transformers", "sentence-transformers"
            ) from None
        self._model: Any = CrossEncoder(
            model, revision=revision, device=device, max_length=max_tokens
        )
        self._said = {"model": model, **({"revision": revision} if revision else {})}
        self._batch = batch

    @classmethod
    def ready(cls, model: str, **options: Any) -> None:
        """Check that the library is there; load no model."""
        needs_package(
            "sentence_transformers", "the reranker sentence-transformers", "sentence-transformers"
        )

    @property
    def config(self) -> dict[str, Any]:
        """Model, version of the library, limit."""
        limit = getattr(self._model, "max_length", None)
        return {**self._said, "version": version("sentence-transformers"), "max_tokens": limit}

    def score(self, query: Query, documents: Sequence[Document]) -> list[float]:
        """The model's score of each document."""
        pairs = [(query.text, text_of(d)) for d in documents]
        found = self._model.predict(pairs, batch_size=self._batch, show_progress_bar=False)
        return [float(score) for score in found]
