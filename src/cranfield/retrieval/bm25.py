"""BM25 in memory, by the library bm25s."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.data.collection import Document, Query
from cranfield.errors import UsageError
from cranfield.kit.files import make_folder, write_whole
from cranfield.kit.progress import progress
from cranfield.retrieval.analyze import Analyzer, analyzer
from cranfield.retrieval.corpus import Corpus
from cranfield.retrieval.postings import METHODS, Builder, Postings, library

FLAT = "flat"


class BM25:
    """Okapi BM25 (Robertson et al. 1994) over titles and texts.

    The defaults are those of Anserini's flat BEIR indexes: title and text joined into one field,
    k1 0.9, b 0.4, Lucene's formula and English analysis.

    Parameters
    ----------
    documents : read once
    k1, b : saturation and length normalisation
    method : `lucene`, `robertson`, `atire`, `bm25l` or `bm25+` (Kamphuis et al. 2020)
    delta : of `bm25l` and `bm25+`
    analyzer : a name of `cranfield.retrieval.analyze.NAMES`, or an Analyzer
    fields : `flat`, or {`title`: weight, `text`: weight}: each field with statistics of its own,
        the weighted scores added; a further name is a field of the documents
    cache : a folder to keep the index in, found again by corpus, analyzer and parameters

    Raises
    ------
    MissingExtra
        bm25s is not installed, or what the analyzer needs.
    UsageError
        A parameter out of its range, or a field that no document has.
    """

    name = "bm25"
    takes_filters = True
    thread_safe = True

    def __init__(
        self,
        documents: Iterable[Document],
        k1: float = 0.9,
        b: float = 0.4,
        method: str = "lucene",
        delta: float = 0.5,
        analyzer: str | Analyzer = "english",
        fields: str | Mapping[str, float] = FLAT,
        cache: str | os.PathLike[str] | None = None,
    ) -> None:
        self._weights = _weights(fields)
        self._score: dict[str, Any] = {
            "method": _method(method),
            "k1": _number("k1", k1, math.inf),
            "b": _number("b", b, 1),
            "delta": _number("delta", delta, math.inf),
        }
        self.analyzer = _analyzer(analyzer)
        self._corpus = Corpus(documents)
        self._fields = self._index() if cache is None else self._cached(Path(cache))
        for name in self._weights or ():
            if name not in ("title", "text"):
                self._corpus.needs(name)

    @classmethod
    def ready(cls, **options: Any) -> BM25:
        """An index of nothing, not kept anywhere, once the packages are there."""
        library()
        options.pop("cache", None)
        return cls((), **options)

    @property
    def config(self) -> dict[str, Any]:
        """Method and parameters, analyzer, fields, and the fingerprint of the corpus."""
        score = dict(self._score)
        if score["method"] not in ("bm25l", "bm25+"):
            del score["delta"]
        return {
            "bm25": score,
            "analyzer": {"name": self.analyzer.name, **self.analyzer.config},
            "fields": FLAT if self._weights is None else dict(self._weights),
            "corpus": self._corpus.config,
        }

    def search(
        self, query: Query, k: int, filters: Mapping[str, Any] | None = None
    ) -> list[tuple[str, float]]:
        """The k best documents that hold a term of the query; equal scores in corpus order.

        Statistics of terms are those of the whole corpus, whatever is filtered.
        """
        terms = self.analyzer(query.text)
        total = np.zeros(len(self._corpus), np.float32)
        found = np.zeros(len(self._corpus), bool)
        for (_, weight), postings in zip(self._weighted, self._fields, strict=True):
            scores, holding = postings.scores(terms)
            total += np.float32(weight) * scores
            found |= holding
        if filters:
            found &= self._corpus.mask(filters)
        rows = best(total, np.flatnonzero(found), k)
        ids = self._corpus.ids
        return [(ids[i], s) for i, s in zip(rows.tolist(), total[rows].tolist(), strict=True)]

    @property
    def _weighted(self) -> list[tuple[str, float]]:
        return [(FLAT, 1.0)] if self._weights is None else list(self._weights.items())

    def _index(self) -> list[Postings]:
        builders = [Builder() for _ in self._weighted]
        with progress("indexing", None) as advance:
            for document in self._corpus:
                for (name, _), builder in zip(self._weighted, builders, strict=True):
                    builder.add(self.analyzer(_text_of(document, name)))
                advance(1)
            return [builder.build(**self._score) for builder in builders]

    def _cached(self, folder: Path) -> list[Postings]:
        """The index from the cache; what is not there is built and put there."""
        make_folder(folder, "a cache")
        documents = list(self._corpus)
        config = {k: v for k, v in self.config.items() if k != "fields"}
        found: list[Postings] = []
        for name, _ in self._weighted:
            said = json.dumps({**config, "field": name, "form": 1}, sort_keys=True)
            path = folder / f"bm25-{hashlib.sha256(said.encode()).hexdigest()[:24]}.npz"
            if path.exists():
                found.append(Postings.from_bytes(path.read_bytes()))
                continue
            builder = Builder()
            with progress("indexing", len(documents)) as advance:
                for document in documents:
                    builder.add(self.analyzer(_text_of(document, name)))
                    advance(1)
                postings = builder.build(**self._score)
            with write_whole(path) as stream:
                stream.write(postings.to_bytes())
            found.append(postings)
        return found


def best(scores: NDArray[Any], rows: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """The k of these rows with the highest scores, the earlier row first where they are equal."""
    if len(rows) > k:
        own = scores[rows]
        least = np.partition(own, len(own) - k)[len(own) - k]
        above, equal = rows[own > least], rows[own == least]
        rows = np.sort(np.concatenate([above, equal[: k - len(above)]]))
    return rows[np.argsort(-scores[rows], kind="stable")]


_analyzer = analyzer  # the parameter of that name hides it


def _text_of(document: Document, field: str) -> str:
    if field == FLAT:
        return f"{document.title}\n{document.text}" if document.title else document.text
    if field in ("title", "text"):
        return str(getattr(document, field))
    value = document.fields.get(field, "")
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


def _weights(fields: str | Mapping[str, float]) -> dict[str, float] | None:
    if fields == FLAT:
        return None
    if isinstance(fields, str):  # a command line's `title=2,text=1`
        parts = [part.partition("=") for part in fields.split(",")]
        try:
            fields = {name.strip(): float(weight or 1) for name, _, weight in parts}
        except ValueError:
            fields = {}
    if not fields or not all(n and _is_weight(w) for n, w in fields.items()):
        raise UsageError("fields are `flat` or names with weights", "for example title=2,text=1")
    return dict(fields)


def _is_weight(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and 0 < value < math.inf


def _method(method: str) -> str:
    if method not in METHODS:
        raise UsageError(f"no BM25 method {method!r}", f"methods: {', '.join(METHODS)}")
    return method


def _number(name: str, value: Any, most: float) -> float:
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not good or not 0 <= value <= most or value == math.inf:
        upper = "" if most == math.inf else f" and at most {most}"
        raise UsageError(f"{name} is {value!r}", f"{name} is a number of 0 or more{upper}")
    return float(value)
