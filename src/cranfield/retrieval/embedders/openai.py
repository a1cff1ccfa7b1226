"""The embedder `openai`: any address that speaks OpenAI's /v1/embeddings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.data.texts import Cut
from cranfield.errors import InputError, UsageError, clip
from cranfield.kit.address import address, filled, filled_url, shown
from cranfield.kit.http import Client
from cranfield.kit.retry import Backoff


class OpenAIEmbedder:
    """Vectors from a service: OpenAI, vLLM, text-embeddings-inference, llama-server, Ollama, ...

    Parameters
    ----------
    url : the whole address, for example `http://localhost:8080/v1/embeddings`
    model : its name there
    headers : of the request; `{env.NAME}` is a variable of the environment, in the url too
    dimensions : asked for, where the model can shorten its vectors
    query_prefix, document_prefix : put before each text
    query_body, document_body : more members of a request, where the service wants to be told which
        is which, for example {"input_type": "query"} and {"input_type": "document"}
    max_chars : a text is cut after that many characters; by default the service decides
    batch : texts a request
    rate : requests a second at most
    timeout, verify, ca_certs : of the connection
    attempts : how often a request for documents that fails is sent
    """

    name = "openai"
    thread_safe = True

    def __init__(
        self,
        url: str,
        model: str,
        headers: Mapping[str, str] | None = None,
        dimensions: int | None = None,
        query_prefix: str = "",
        document_prefix: str = "",
        query_body: Mapping[str, Any] | None = None,
        document_body: Mapping[str, Any] | None = None,
        max_chars: int | None = None,
        batch: int = 64,
        rate: float | None = None,
        timeout: float = 60.0,
        verify: bool = True,
        ca_certs: str | None = None,
        attempts: int = 4,
    ) -> None:
        if batch < 1:
            raise UsageError("batch is 1 or more")
        self._where = address(url)
        self._url, self._model = filled_url(url), model
        self._prefixes = {"query_prefix": query_prefix, "document_prefix": document_prefix}
        said = {"query_body": dict(query_body or {}), "document_body": dict(document_body or {})}
        self._bodies = {name: filled(body, name) for name, body in said.items()}
        self._said = {name: shown(body) for name, body in said.items() if body}
        self._shorten = Cut(max_chars)
        self._more = {} if dimensions is None else {"dimensions": dimensions}
        self._dimension = dimensions
        self.batch = batch
        if max_chars is not None:
            self.cut = self._shorten.cut
        self._client = Client(
            timeout=timeout,
            headers={"Accept": "application/json", **(headers or {})},
            verify=verify,
            ca_certs=ca_certs,
            rate=rate,
            backoff=Backoff(attempts),
            private={"url": url, **said},
        )
        self.notes = self._client.notes

    @classmethod
    def ready(cls, **options: Any) -> None:
        """Check the options and the environment; ask nothing."""
        cls(**options).close()

    @property
    def dimension(self) -> int:
        """Numbers in a vector: those asked for, else what the service's first vector has."""
        if self._dimension is None:
            self._dimension = self.embed_documents(["dimension"]).shape[1]
        return self._dimension

    @property
    def config(self) -> dict[str, Any]:
        """Address, model, prefixes; no header."""
        return {
            "url": self._where,
            "model": self._model,
            **self._more,
            **self._prefixes,
            **self._said,
            **self._shorten.config(),
        }

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of queries; asked once, since whoever asks for a query asks again."""
        prefix = self._prefixes["query_prefix"]
        more = self._bodies["query_body"]
        return self._embed([prefix + self._shorten(t) for t in texts], more, self._client.send)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of documents; asked again after errors that may go away."""
        prefix = self._prefixes["document_prefix"]
        more = self._bodies["document_body"]
        return self._embed([prefix + self._shorten(t) for t in texts], more, self._client.request)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _embed(self, texts: list[str], more: Mapping[str, Any], send: Any) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        data: dict[str, Any] = {"model": self._model, "input": texts, "encoding_format": "float"}
        data |= {**self._more, **more}
        reply = send("POST", self._url, data=data)
        return vectors_of(reply.json(), len(texts), reply.where)


def vectors_of(answer: Any, n: int, where: str) -> NDArray[np.float32]:
    """The vectors of an answer, in the order of the texts, whatever its own.

    Raises
    ------
    InputError
        Another number of vectors, vectors of different lengths, or what are no finite numbers.
    """
    rows = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(rows, list):
        raise InputError(f"{where}: no list `data` in the answer", f"it is: {clip(repr(answer))}")
    try:
        found = {int(row.get("index", place)): row["embedding"] for place, row in enumerate(rows)}
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InputError(f"{where}: an entry of `data` without index and embedding") from None
    if sorted(found) != list(range(n)) or len(rows) != n:
        raise InputError(f"{where}: {len(rows)} embeddings for {n} texts")
    try:
        with np.errstate(over="ignore"):
            out = np.array([found[i] for i in range(n)], np.float32)
    except (TypeError, ValueError):
        raise InputError(f"{where}: embeddings of different lengths or not of numbers") from None
    if out.ndim != 2 or not math.prod(out.shape):
        raise InputError(f"{where}: an embedding is no list of numbers")
    if not np.isfinite(out).all():
        raise InputError(f"{where}: an embedding with NaN or infinity")
    return out
