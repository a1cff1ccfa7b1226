"""A run that is a plain {query: {document: score}}, met with its judgments by looking up the
judged documents only; no column of the other ids is ever made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from cranfield.data.columns import Floats, Index
from cranfield.data.run import Run
from cranfield.formats.sources import Piece, RunColumns


class RunDict:
    """Dictionaries with texts as keys and Python numbers as values, all of them checked.

    Parameters
    ----------
    docs : the inner dictionaries, in order
    score, size : all scores one after the other, and how many each query has
    """

    def __init__(self, run: dict[str, dict[str, float]], score: Floats, name: str) -> None:
        self.run, self.score, self.name = run, score, name
        self.docs = list(run.values())
        self.size: Index = np.fromiter(map(len, self.docs), np.int64, len(self.docs))

    @classmethod
    def of(cls, run: Any, name: str) -> RunDict | None:
        """None for what is not of that form, or not in order: the general reader says what is."""
        if type(run) is not dict or not _are_ids(run):
            return None
        if not all(type(docs) is dict for docs in run.values()):
            return None
        score = np.empty(sum(map(len, run.values())))
        at = 0
        for docs in run.values():  # query by query, so that each is looked at while in the cache
            if not set(map(type, docs.values())) <= {float, int} or not _are_ids(docs):
                return None
            try:
                score[at : at + len(docs)] = np.fromiter(docs.values(), np.float64, len(docs))
            except OverflowError:  # a whole number beyond float64
                return None
            at += len(docs)
        return None if np.isnan(score).any() else cls(run, score, name)

    def pieces(self) -> Iterator[Callable[[], Piece]]:
        yield self.whole

    def whole(self) -> Piece:
        """As columns, for whoever asks for lines."""
        return RunColumns(Run.from_dict(self.run, name=self.name)).whole()


def _are_ids(keys: dict[Any, Any]) -> bool:
    """Texts that are not empty and have UTF-8 bytes."""
    try:
        joined = "".join(keys)
        if not joined.isascii():
            joined.encode()
    except (TypeError, UnicodeEncodeError):
        return False
    return "" not in keys
