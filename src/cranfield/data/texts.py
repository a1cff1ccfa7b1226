"""The text of a document as models of language read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cranfield.data.collection import Document
from cranfield.errors import UsageError


def text_of(document: Document) -> str:
    """Title and text with a blank between, as in BEIR (Thakur et al. 2021); the text alone where
    there is no title."""
    return f"{document.title} {document.text}".strip()


@dataclass(frozen=True)
class Cut:
    """Texts cut after `max_chars` characters; None cuts none.

    A server cuts at tokens that it alone knows and rarely says so. What is cut here is counted.
    """

    max_chars: int | None = None

    def __post_init__(self) -> None:
        n = self.max_chars
        if n is not None and (isinstance(n, bool) or not isinstance(n, int) or n < 1):
            raise UsageError(f"max_chars is {n!r}", "1 or more, or leave it out")

    def __call__(self, text: str) -> str:
        return text[: self.max_chars]

    def cut(self, texts: Sequence[str]) -> list[bool]:
        """Which texts are longer."""
        return [self.max_chars is not None and len(text) > self.max_chars for text in texts]

    def config(self) -> dict[str, Any]:
        return {} if self.max_chars is None else {"max_chars": self.max_chars}
