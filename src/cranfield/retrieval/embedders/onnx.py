"""The embedder `onnx`: a sentence encoder in a local ONNX folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import InputError, UsageError
from cranfield.retrieval.onnx import OnnxFolder, files_of

POOLINGS = ("mean", "cls", "last")
_FLAGS = {"cls_token": "cls", "mean_tokens": "mean", "lasttoken": "last"}


class OnnxEmbedder:
    """A sentence encoder: its own sentence vector where it has one, else its token vectors pooled.

    Parameters
    ----------
    folder, file, max_tokens, threads : see `cranfield.retrieval.onnx.OnnxFolder`
    pooling : `mean` over the tokens, `cls` (the first) or `last`; by default what
        `1_Pooling/config.json` says, else `mean`
    query_prefix, document_prefix : what the model was trained to see before a text, for example
        `query: ` and `passage: ` for the E5 family
    batch : texts at once
    """

    name = "onnx"
    thread_safe = True

    def __init__(
        self,
        folder: str | os.PathLike[str],
        file: str | None = None,
        max_tokens: int | None = None,
        pooling: str | None = None,
        query_prefix: str = "",
        document_prefix: str = "",
        batch: int = 32,
        threads: int = 0,
    ) -> None:
        if batch < 1:
            raise UsageError("batch is 1 or more")
        self._model = OnnxFolder(folder, file, max_tokens, threads)
        self._pooling = _pooling(self._model, pooling)
        self._prefixes = {"query_prefix": query_prefix, "document_prefix": document_prefix}
        self.batch = batch
        self._dimension: int | None = None

    @classmethod
    def ready(cls, folder: str | os.PathLike[str], file: str | None = None, **options: Any) -> None:
        """Check that the packages and the model's files are there; load no model."""
        files_of(folder, file)

    @property
    def dimension(self) -> int:
        """Numbers in a vector, which the model tells with its first one."""
        if self._dimension is None:
            self._dimension = self._embed(["dimension"]).shape[1]
        return self._dimension

    @property
    def config(self) -> dict[str, Any]:
        """The model's content, pooling, prefixes, limit."""
        return {**self._model.config(), "pooling": self._pooling, **self._prefixes}

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts behind the query's prefix."""
        return self._embed([self._prefixes["query_prefix"] + text for text in texts])

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts behind the document's prefix."""
        return self._embed([self._prefixes["document_prefix"] + text for text in texts])

    def cut(self, texts: Sequence[str]) -> list[bool]:
        """Which documents are longer than `max_tokens`."""
        return self._model.cut([self._prefixes["document_prefix"] + text for text in texts])

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        outputs, mask = self._model.run(self._model.encode(texts))
        flat = next((v for v in outputs.values() if v.ndim == 2 and v.shape[0] == len(texts)), None)
        tokens = outputs.get("last_hidden_state", outputs.get("token_embeddings"))
        if tokens is None and flat is not None:
            return np.asarray(flat, np.float32)
        if "sentence_embedding" in outputs:
            return np.asarray(outputs["sentence_embedding"], np.float32)
        if tokens is None:
            tokens = next((v for v in outputs.values() if v.ndim == 3), None)
        if tokens is None:
            raise InputError(
                f"{self._model.folder}: no vectors among the outputs {', '.join(outputs)}",
                "an encoder has last_hidden_state or sentence_embedding",
            )
        return pooled(tokens, mask, self._pooling)


def pooled(tokens: NDArray[Any], mask: NDArray[np.int64], pooling: str) -> NDArray[np.float32]:
    """One vector a text from token vectors of shape (texts, tokens, dimension)."""
    if pooling == "cls":
        return np.asarray(tokens[:, 0], np.float32)
    if pooling == "last":
        return np.asarray(tokens[np.arange(len(tokens)), mask.sum(axis=1) - 1], np.float32)
    total = np.sum(tokens * mask[:, :, None], axis=1, dtype=np.float64)
    return np.asarray(total / np.maximum(mask.sum(axis=1, keepdims=True), 1), np.float32)


def _pooling(model: OnnxFolder, given: str | None) -> str:
    if given is not None:
        if given not in POOLINGS:
            raise UsageError(f"no pooling {given!r}", f"poolings: {', '.join(POOLINGS)}")
        return given
    said = model.setting("1_Pooling/config.json")
    on = [key.removeprefix("pooling_mode_") for key, value in said.items() if value is True]
    known = [_FLAGS[key] for key in on if key in _FLAGS]
    unknown = [k for k in said if k.startswith("pooling_mode_") and said[k] is True and not known]
    if unknown or len(known) > 1:
        raise UsageError(
            f"{model.folder}: its pooling is {', '.join(on)}",
            f"pooling= names one of {', '.join(POOLINGS)}",
        )
    return known[0] if known else "mean"
