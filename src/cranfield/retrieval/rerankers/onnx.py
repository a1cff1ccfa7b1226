"""The reranker `onnx`: a cross-encoder in a local ONNX folder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from cranfield.data.collection import Document, Query
from cranfield.data.texts import text_of
from cranfield.errors import InputError, UsageError
from cranfield.retrieval.onnx import OnnxFolder, files_of


class OnnxCrossEncoder:
    """A model that reads query and document together (Nogueira & Cho 2019); its logit is the score.

    Where the pair is longer than the model takes, tokens go from the end of the longer of the two.

    Parameters
    ----------
    folder, file, max_tokens, threads : see `cranfield.retrieval.onnx.OnnxFolder`
    label : the class that means relevant, of a model with more than two. With one number a pair
        that is the score; with two it is the second less the first, the logit of class 1.
    batch : pairs at once
    """

    name = "onnx"
    thread_safe = True

    def __init__(
        self,
        folder: str | os.PathLike[str],
        file: str | None = None,
        max_tokens: int | None = None,
        label: int | None = None,
        batch: int = 16,
        threads: int = 0,
    ) -> None:
        if batch < 1:
            raise UsageError("batch is 1 or more")
        self._model = OnnxFolder(folder, file, max_tokens, threads)
        self._label, self._batch = label, batch

    @classmethod
    def ready(cls, folder: str | os.PathLike[str], file: str | None = None, **options: Any) -> None:
        """Check that the packages and the model's files are there; load no model."""
        files_of(folder, file)

    @property
    def config(self) -> dict[str, Any]:
        """The model's content and limit, and the class that is read."""
        own = {} if self._label is None else {"label": self._label}
        return {**self._model.config(), **own}

    def score(self, query: Query, documents: Sequence[Document]) -> list[float]:
        """The logit of each document, computed in batches of like length."""
        encoded = self._model.encode(_pairs(query, documents))
        order = sorted(range(len(encoded)), key=lambda i: len(encoded[i].ids))
        out = [0.0] * len(encoded)
        for begin in range(0, len(order), self._batch):
            rows = order[begin : begin + self._batch]
            outputs, _ = self._model.run([encoded[i] for i in rows])
            for i, score in zip(rows, self._scores(outputs, len(rows)), strict=True):
                out[i] = score
        return out

    def cut(self, query: Query, documents: Sequence[Document]) -> list[bool]:
        """Which pairs are longer than `max_tokens`."""
        return self._model.cut(_pairs(query, documents))

    def _scores(self, outputs: dict[str, Any], n: int) -> list[float]:
        logits = outputs.get("logits", next(iter(outputs.values())))
        if logits.shape == (n,):
            logits = logits[:, None]
        if logits.ndim != 2 or len(logits) != n:
            raise InputError(
                f"{self._model.folder}: an output of shape {logits.shape} for {n} pairs",
                "a cross-encoder has one row of logits for each pair",
            )
        classes = logits.shape[1]
        if self._label is not None:
            if not 0 <= self._label < classes:
                raise UsageError(f"label is {self._label}, and the model has {classes} classes")
            return [float(x) for x in logits[:, self._label]]
        if classes > 2:
            raise UsageError(f"the model has {classes} classes", "label= says which is relevant")
        return [float(row[-1]) - (float(row[0]) if classes == 2 else 0.0) for row in logits]


def _pairs(query: Query, documents: Sequence[Document]) -> list[tuple[str, str]]:
    return [(query.text, text_of(document)) for document in documents]
