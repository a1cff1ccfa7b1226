"""Plain dictionaries {query: {document: number}}, every key and value of them checked.

A run is met with its judgments by looking up the judged documents only; no column of the other
ids is ever made. What is not plain is left to the general readers, which say what is wrong.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Collection, Iterator
from itertools import chain
from typing import Any

import numpy as np

from cranfield.data.columns import Floats, Ids, Index
from cranfield.data.run import Run
from cranfield.formats.rows import Rows
from cranfield.formats.sources import Piece, RunColumns

_PLAIN = (dict, defaultdict, OrderedDict)  # exactly these: a subclass may answer as it likes


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
        if not _is_plain(run):
            return None
        score = np.empty(sum(map(len, run.values())))
        at = 0
        for docs in run.values():  # query by query, so that each is looked at while in the cache
            values = _numbers(docs.values())
            if values is None or not _are_ids(docs):
                return None
            score[at : at + len(docs)] = values
            at += len(docs)
        return None if np.isnan(score).any() else cls(run, score, name)

    def pieces(self) -> Iterator[Callable[[], Piece]]:
        yield self.whole

    def whole(self) -> Piece:
        """As columns, for whoever asks for lines."""
        return RunColumns(Run.from_dict(self.run, name=self.name)).whole()


def plain_qrels(qrels: Any) -> Rows | None:
    """The rows of judgments in dictionaries; None for what is not plain, or not in order."""
    if not _is_plain(qrels):
        return None
    given = list(qrels.values())
    docs = list(chain.from_iterable(given))
    grade = _numbers(list(chain.from_iterable(d.values() for d in given)))
    if grade is None or not np.isfinite(grade).all() or not _are_ids(docs):
        return None
    names = Ids.of(qrels)
    size = np.fromiter(map(len, given), np.int64, len(given))
    query = names.take(np.repeat(np.arange(len(names)), size))
    return Rows(query, Ids.holding(docs), grade)


def _is_plain(outer: Any) -> bool:
    """A dictionary of dictionaries, its own keys checked."""
    return (
        type(outer) in _PLAIN
        and all(type(docs) in _PLAIN for docs in outer.values())
        and _are_ids(outer)
    )


def _numbers(values: Collection[Any]) -> Floats | None:
    """The values, if all are Python numbers (numpy's float64 is one) within float64."""
    try:  # the method refuses whatever is no float, truth values too, as it goes
        return np.fromiter(map(float.conjugate, values), np.float64, len(values))
    except TypeError:
        pass
    if not set(map(type, values)) <= {float, int, np.float64}:
        return None
    try:
        return np.fromiter(values, np.float64, len(values))
    except OverflowError:
        return None


def _are_ids(keys: Collection[Any]) -> bool:
    """Texts that are not empty and have UTF-8 bytes."""
    try:
        joined = "".join(keys)
        if not joined.isascii():
            joined.encode()
    except (TypeError, UnicodeEncodeError):
        return False
    return "" not in keys
