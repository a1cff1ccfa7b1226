"""Passages: documents cut into overlapping pieces, and results of pieces made results of
documents.

The passage n (from 0) of document `d` has the id `d#n`. What stands before the last `#` of a
passage's id is the document's, so that an id may hold a `#` of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from cranfield.data.collection import Document, Query
from cranfield.data.columns import Floats, Ids, encode
from cranfield.data.qrels import Qrels
from cranfield.data.run import Run
from cranfield.errors import InputError, UsageError
from cranfield.retrieval.system import Result, System, config_of
from cranfield.retrieval.tokens import standard

MARK = "#"


def tokens_in(text: str) -> int:
    """How many tokens a text has as passages count them: words of Unicode, each ideograph one."""
    return sum(1 for _ in standard().finditer(text))


def split(documents: Iterable[Document], size: int, overlap: int = 0) -> Iterator[Document]:
    """Passages of at most `size` tokens, each beginning `size - overlap` tokens after the last.

    A passage is cut from the text as it stands, from its first token to the beginning of the
    first token after it, and has the document's title and fields. The last one may be shorter; it
    is left out where the passage before holds all of it. A document without a token in its text
    gives one passage.

    Raises
    ------
    UsageError
        A size below 1, or an overlap that is not below the size.
    """
    if size < 1 or not 0 <= overlap < size:
        raise UsageError(
            f"passages of {size} tokens that overlap by {overlap}",
            "a size of 1 or more, and an overlap below it",
        )
    for document in documents:
        starts = [m.start() for m in standard().finditer(document.text)]
        for n, (first, last) in enumerate(_spans(len(starts), size, overlap)):
            begin = 0 if first == 0 else starts[first]
            end = starts[last] if last < len(starts) else len(document.text)
            text = document.text[begin:end].rstrip()
            yield replace(document, id=f"{document.id}{MARK}{n}", text=text)


def _spans(n: int, size: int, overlap: int) -> Iterator[tuple[int, int]]:
    first = 0
    while True:
        yield first, min(first + size, n)
        if first + size >= n:
            return
        first += size - overlap


def document_of(passage: str) -> str:
    """The id of the document of a passage; an id without a mark is a document's own.

    >>> document_of("d#7#2")
    'd#7'
    """
    return passage.rpartition(MARK)[0] or passage


@dataclass(frozen=True)
class Rollup:
    """How the scores of a document's passages become its score.

    Parameters
    ----------
    how : `max`, the best passage; `first`, the passage that stands first in the document;
        `sum`, the sum of its `top` best passages
    top : of `sum`
    """

    how: str = "max"
    top: int = 3

    def __post_init__(self) -> None:
        if self.how not in _ROLLUPS:
            raise UsageError(f"no roll-up {self.how!r}", f"roll-ups: {', '.join(_ROLLUPS)}")
        if self.top < 1:
            raise UsageError("top is 1 or more")

    def config(self) -> dict[str, Any]:
        return {"how": self.how, **({"top": self.top} if self.how == "sum" else {})}


# Given the scores of a document's passages, descending, and the numbers of the passages.
_ROLLUPS: dict[str, Callable[[Floats, list[int], int], float]] = {
    "max": lambda scores, numbers, top: float(scores[0]),
    "first": lambda scores, numbers, top: float(scores[int(np.argmin(numbers))]),
    "sum": lambda scores, numbers, top: float(np.sum(scores[:top])),
}


def roll_up(run: Run, rollup: Rollup | str = "max", *, k: int | None = None) -> Run:
    """A run of documents from a run of passages.

    Only passages in the run count: `sum` of a document with one retrieved passage is its score,
    and `first` is the earliest one retrieved. An id without a mark is taken for a document's own;
    a note of the run counts the results that have such ids.

    Parameters
    ----------
    k : documents a query; all by default
    """
    how = Rollup(rollup) if isinstance(rollup, str) else rollup
    names = run.queries.to_list()
    results: list[Result] = []
    order = np.lexsort((-run.score, run.query))
    docs, scores = run.docs.take(order).to_list(), run.score[order].astype(np.float64).tolist()
    bounds = np.searchsorted(run.query[order], np.arange(len(names) + 1)).tolist()
    for begin, end in pairwise(bounds):
        found = zip(docs[begin:end], scores[begin:end], strict=True)
        results.append(_rolled(list(found), how)[:k])
    sizes = np.fromiter(map(len, results), np.int64, len(results))
    return replace(
        run,
        query=np.repeat(np.arange(len(names)), sizes),
        docs=Ids.of(doc for result in results for doc, _ in result),
        score=np.fromiter((s for r in results for _, s in r), np.float64, int(sizes.sum())),
        config={**(run.config or {}), "rollup": how.config()},
        notes=(*run.notes, *_unmarked(docs)),
    )


def _unmarked(docs: list[str]) -> list[str]:
    """That some results have no id of a passage, in words."""
    bare = [doc for doc in docs if MARK not in doc]
    if not bare:
        return []
    n, of = len(bare), len(docs)
    have = "has" if n == 1 else "have"
    return [
        f"{n} of {of} results {have} an id without {MARK!r}, no passage of a document: {bare[0]}"
    ]


def _rolled(found: Result, how: Rollup) -> list[tuple[str, float]]:
    """Documents by descending score, equal ones in the order of their first passage in the list."""
    own: dict[str, tuple[list[float], list[int]]] = {}
    for passage, score in found:
        scores, numbers = own.setdefault(document_of(passage), ([], []))
        scores.append(score)
        numbers.append(_number(passage))
    combine = _ROLLUPS[how.how]
    rolled = [(doc, combine(np.array(s), n, how.top)) for doc, (s, n) in own.items()]
    return sorted(rolled, key=lambda pair: -pair[1])


def _number(passage: str) -> int:
    _, mark, number = passage.rpartition(MARK)
    if mark and not number.isdecimal():
        raise InputError(
            f"{passage!r} is no passage: {number!r} is not its number",
            "the passage 2 of document d is d#2",
        )
    return int(number) if mark else 0


def judge_passages(qrels: Qrels, passages: Iterable[str]) -> Qrels:
    """Judgments of passages: each passage of a judged document has the document's grade.

    For evaluating a run of passages as it is. A document's passages all count as relevant then,
    whichever holds the answer.

    Parameters
    ----------
    passages : ids of all passages of the corpus (of those retrieved only, recall would be wrong)
    """
    names, codes = encode(qrels.docs)
    pieces: dict[bytes, list[str]] = {}
    for passage in passages:
        pieces.setdefault(document_of(passage).encode(), []).append(passage)
    own = [pieces.get(name, []) for name in names]
    sizes = np.array([len(own[c]) for c in codes.tolist()], np.int64)
    rows = np.repeat(np.arange(len(qrels)), sizes)
    spread = qrels.take(rows)
    return replace(spread, docs=Ids.of(p for c in codes.tolist() for p in own[c]))


class PassageSearch:
    """A system over passages that answers with documents.

    Parameters
    ----------
    inner : a system whose corpus is `split(documents, ...)`
    rollup : see `Rollup`
    depth : passages asked of it for a query, whatever k is, so that sums do not depend on k
    """

    def __init__(self, inner: System, rollup: Rollup | str = "max", depth: int = 1000) -> None:
        if depth < 1:
            raise UsageError("depth is 1 or more")
        self._inner, self._depth = inner, depth
        self._rollup = Rollup(rollup) if isinstance(rollup, str) else rollup
        self.name = inner.name
        self.takes_filters = getattr(inner, "takes_filters", False)
        self.thread_safe = getattr(inner, "thread_safe", False)

    @property
    def config(self) -> dict[str, Any]:
        """The inner system's, and how passages become documents."""
        inner = {k: v for k, v in config_of(self._inner).items() if k != "system"}
        return {**inner, "rollup": {**self._rollup.config(), "depth": self._depth}}

    def search(
        self, query: Query, k: int, filters: Mapping[str, Any] | None = None
    ) -> list[tuple[str, float]]:
        """The k best documents among those of the first `depth` passages."""
        more = {"filters": filters} if filters else {}
        found = self._inner.search(query, max(k, self._depth), **more)
        return _rolled(found, self._rollup)[:k]

    def close(self) -> None:
        getattr(self._inner, "close", lambda: None)()
