"""The reranker `http`: any address with a /rerank of the usual shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.data.collection import Document, Query
from cranfield.data.texts import Cut, text_of
from cranfield.errors import InputError, UsageError, clip
from cranfield.kit.address import address, filled_url
from cranfield.kit.http import Client

SHAPES = ("cohere", "jina", "vllm", "llama-server", "tei")


class HttpReranker:
    """Scores from a service that takes a query with texts and gives each an index and a score.

    Parameters
    ----------
    url : the whole address, for example `http://localhost:8080/v1/rerank`
    shape : of the request: `cohere`, `jina`, `vllm` and `llama-server` send `documents` and
        `model`, `tei` (text-embeddings-inference) sends `texts`. Any of their answers is read.
    model : its name there; `tei` takes none
    headers : of the request; `{env.NAME}` is a variable of the environment, in the url too
    max_chars : a document is cut after that many characters; by default the service decides, and
        `tei` is asked to cut what it cannot take
    batch : documents a request
    rate, timeout, verify, ca_certs : of the connection
    """

    name = "http"
    thread_safe = True

    def __init__(
        self,
        url: str,
        shape: str = "cohere",
        model: str | None = None,
        headers: Mapping[str, str] | None = None,
        max_chars: int | None = None,
        batch: int = 100,
        rate: float | None = None,
        timeout: float = 60.0,
        verify: bool = True,
        ca_certs: str | None = None,
    ) -> None:
        if shape not in SHAPES:
            raise UsageError(f"no shape {shape!r}", f"shapes: {', '.join(SHAPES)}")
        if batch < 1:
            raise UsageError("batch is 1 or more")
        if shape == "tei" and model is not None:
            raise UsageError("the shape tei names no model", "leave model out")
        if shape in ("cohere", "jina") and model is None:
            raise UsageError(f"the shape {shape} needs a model", "model= names it")
        self._url, self._where = filled_url(url), address(url)
        self._shape, self._model = shape, model
        self._shorten, self._batch = Cut(max_chars), batch
        if max_chars is not None:
            self.cut = self._cut
        self._client = Client(
            timeout=timeout,
            headers={"Accept": "application/json", **(headers or {})},
            verify=verify,
            ca_certs=ca_certs,
            rate=rate,
            private={"url": url},
        )
        self.notes = self._client.notes

    @classmethod
    def ready(cls, **options: Any) -> None:
        """Check the options and the environment; ask nothing."""
        cls(**options).close()

    @property
    def config(self) -> dict[str, Any]:
        """Address, shape, model, limit; no header."""
        model = {} if self._model is None else {"model": self._model}
        return {"url": self._where, "shape": self._shape, **model, **self._shorten.config()}

    def score(self, query: Query, documents: Sequence[Document]) -> list[float]:
        """The service's score of each document.

        Raises
        ------
        ServiceError
            No answer, 408, 425, 429 or 5xx, or one that is not JSON.
        InputError
            Another number of results, an index twice or of no document, a score that is no finite
            number.
        """
        texts = [self._shorten(text_of(d)) for d in documents]
        out: list[float] = []
        for begin in range(0, len(texts), self._batch):
            part = texts[begin : begin + self._batch]
            reply = self._client.send("POST", self._url, data=self._request(query.text, part))
            out += scores_of(reply.json(), len(part), reply.where)
        return out

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _cut(self, query: Query, documents: Sequence[Document]) -> list[bool]:
        return self._shorten.cut([text_of(d) for d in documents])

    def _request(self, query: str, texts: list[str]) -> dict[str, Any]:
        if self._shape == "tei":
            return {"query": query, "texts": texts, "raw_scores": True, "truncate": True}
        out: dict[str, Any] = {} if self._model is None else {"model": self._model}
        out |= {"query": query, "documents": texts, "top_n": len(texts)}
        if self._shape == "jina":
            out["return_documents"] = False
        return out


def scores_of(answer: Any, n: int, where: str) -> list[float]:
    """The scores of an answer, in the order of the texts, whatever its own."""
    rows = answer.get("results", answer.get("data")) if isinstance(answer, dict) else answer
    if not isinstance(rows, list):
        raise InputError(
            f"{where}: no list `results` in the answer", f"it is: {clip(repr(answer))}"
        )
    out: dict[int, float] = {}
    for row in rows:
        index, score = _entry(row)
        if index is None or score is None:
            raise InputError(f"{where}: a result without index and score: {clip(repr(row))}")
        if not 0 <= index < n or index in out:
            what = "twice" if index in out else f"for {n} texts"
            raise InputError(f"{where}: a result with index {index} {what}")
        if not abs(score) < float("inf"):  # NaN too
            raise InputError(f"{where}: the score of result {index} is no finite number")
        out[index] = score
    if len(out) != n:
        raise InputError(f"{where}: {len(out)} results for {n} texts")
    return [out[i] for i in range(n)]


def _entry(row: Any) -> tuple[int | None, float | None]:
    if not isinstance(row, dict):
        return None, None
    index, score = row.get("index"), row.get("relevance_score", row.get("score"))
    if isinstance(index, bool) or not isinstance(index, int):
        return None, None
    if isinstance(score, bool) or not isinstance(score, (int, float)):
        return None, None
    return index, float(score)
