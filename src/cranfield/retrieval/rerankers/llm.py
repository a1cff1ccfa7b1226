"""The reranker `llm`: a language model is asked of one document at a time."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cranfield.data.collection import Document, Query
from cranfield.data.texts import Cut, text_of
from cranfield.errors import InputError, NoSuchInput, UsageError
from cranfield.kit.chat import Chat, check_top, first_token, likely, shares
from cranfield.kit.http import Client
from cranfield.kit.parallel import ordered_map

PROMPTS = {
    "yes-no": (
        "You judge search results. Does the document answer the query?\n"
        "Query: {query}\n"
        "Document: {document}\n"
        "Say only Yes or No."
    ),
    "grades": (
        "You judge search results. How well does the document answer the query?\n"
        "0: not about it. 1: about it, without the answer. 2: part of the answer. "
        "3: the answer.\n"
        "Query: {query}\n"
        "Document: {document}\n"
        "Say only the number."
    ),
}
_PLACE = re.compile(r"\{(query|document)\}")


class LLMReranker:
    """Relevance as a language model sees it, by an address of OpenAI's /v1/chat/completions.

    The score comes from the probabilities of the model's first token, as the service reports them
    among the `top` most probable: for `yes-no`, P(yes) / (P(yes) + P(no)) (Nogueira et al. 2020);
    for `grades`, the expected grade, from 0 to 3 (Zhuang et al. 2024). Case and blanks around a
    token do not count. A document for which no token is an answer fails, and its query with it.

    Parameters
    ----------
    url : the whole address, for example `http://localhost:8080/v1/chat/completions`
    model : its name there
    scale : `yes-no` or `grades`
    prompt : a file with the places `{query}` and `{document}`, for another prompt than the own one
    max_chars : a document is cut after that many characters
    top : how many of the most probable tokens are asked for
    parallel : documents asked at once
    headers : of the request; `{env.NAME}` is a variable of the environment, in the url too
    rate, timeout, verify, ca_certs : of the connection
    """

    name = "llm"
    thread_safe = True

    def __init__(
        self,
        url: str,
        model: str = "default",
        scale: str = "yes-no",
        prompt: str | os.PathLike[str] | None = None,
        max_chars: int = 2000,
        top: int = 20,
        parallel: int = 1,
        headers: Mapping[str, str] | None = None,
        rate: float | None = None,
        timeout: float = 120.0,
        verify: bool = True,
        ca_certs: str | None = None,
    ) -> None:
        if scale not in PROMPTS:
            raise UsageError(f"no scale {scale!r}", f"scales: {', '.join(PROMPTS)}")
        if parallel < 1:
            raise UsageError("parallel is 1 or more")
        check_top(top)
        self._scale = scale
        self._prompt = PROMPTS[scale] if prompt is None else _read(prompt)
        self._shorten, self._top, self._parallel = Cut(max_chars), top, parallel
        client = Client(
            timeout=timeout,
            headers={"Accept": "application/json", **(headers or {})},
            verify=verify,
            ca_certs=ca_certs,
            rate=rate,
            private={"url": url},
        )
        self._chat, self.notes = Chat(url, model, client), client.notes

    @classmethod
    def ready(cls, **options: Any) -> None:
        """Check the options and the environment; ask nothing."""
        cls(**options).close()

    @property
    def config(self) -> dict[str, Any]:
        """Address, model, scale, prompt, limits; no header."""
        return {
            "url": self._chat.where,
            "model": self._chat.model,
            "scale": self._scale,
            "prompt": self._prompt,
            "top": self._top,
            **self._shorten.config(),
        }

    def score(self, query: Query, documents: Sequence[Document]) -> list[float]:
        """The score of each document; `InputError` where the answer holds none."""
        ask = lambda document: self._one(query, document)  # noqa: E731
        return list(ordered_map(ask, documents, self._parallel))

    def cut(self, query: Query, documents: Sequence[Document]) -> list[bool]:
        """Which documents are longer than `max_chars`."""
        return self._shorten.cut([text_of(d) for d in documents])

    def close(self) -> None:
        """Close the connections."""
        self._chat.close()

    def _one(self, query: Query, document: Document) -> float:
        values = {"query": query.text, "document": self._shorten(text_of(document))}
        said = _PLACE.sub(lambda place: values[place[1]], self._prompt)
        messages = [{"role": "user", "content": said}]
        reply = self._chat.send(self._chat.body(messages, max_tokens=1, top=self._top))
        return expectation(first_token(reply.json(), reply.where), self._scale, reply.where)


def expectation(tokens: Mapping[str, float], scale: str, where: str) -> float:
    """The expected answer over those tokens that are one: from 0 (no) to 1, or to 3."""
    values = {"yes": 1.0, "no": 0.0} if scale == "yes-no" else {str(g): float(g) for g in range(4)}
    found, _ = shares(tokens, values)
    if not found:
        raise InputError(
            f"{where}: the model says neither {' nor '.join(values)}",
            f"its most probable first tokens: {likely(tokens)}",
        )
    return sum(value * share for value, share in found.items())


def _read(path: str | os.PathLike[str]) -> str:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise NoSuchInput(f"the prompt {path} cannot be read ({e})") from None
    if not {"query", "document"} <= set(_PLACE.findall(text)):
        raise UsageError(f"the prompt {path} lacks a place", "it holds {query} and {document}")
    return text
