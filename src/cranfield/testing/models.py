"""The contracts of embedders and rerankers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from cranfield.data.collection import Document, Query
from cranfield.retrieval.embed import Embedder
from cranfield.retrieval.rerank import Reranker

ODD = ("a", "死锁 怎么 解决", "\u2603 \U0001f600", "a\0b", "a\ud800b", "word " * 5000, "C++\t\n")
"""Texts that break models; none is blank, since nobody asks for the vector of nothing."""
CLOSE = 1e-4  # of the length of a vector: batches of other shapes add up in another order


def check_embedder(make: Callable[[], Embedder], texts: Sequence[str] = ()) -> None:
    """Hold an embedder to the contract; AssertionError names what it breaks.

    An embedder has a name and gives each text, in order, one vector of `dimension` finite numbers:
    alone or among others nearly the same one, twice the same one, and that of another embedder made
    alike. No text gives no vector. Very long, Chinese and odd texts are embedded too. What it
    declares holds: `config`, `batch`, `cut`, `thread_safe`.
    """
    model = make()
    assert isinstance(model, Embedder), "it has no name, dimension or embed functions"
    assert model.name and not any(c.isspace() for c in model.name), "its name is no single word"
    assert model.dimension >= 1, "its dimension is below 1"
    asked = [*texts, *ODD]
    for what in ("embed_queries", "embed_documents"):
        embed = getattr(model, what)
        vectors = _vectors(embed(asked), len(asked), model.dimension, what)
        assert np.asarray(embed([])).shape == (0, model.dimension), f"{what}([]) is something"
        again = _vectors(embed(asked), len(asked), model.dimension, what)
        assert np.array_equal(vectors, again), f"{what}: two answers to one question"
        other = getattr(make(), what)(asked[:2])
        _assert_near(other, vectors[:2], f"{what}: made alike, it answers otherwise")
        for i, text in enumerate(asked):
            _assert_near(embed([text])[0], vectors[i], f"{what}: text {i} differs among others")
        if getattr(model, "thread_safe", False):
            with ThreadPoolExecutor(4) as pool:
                found = list(pool.map(lambda t, e=embed: e([t])[0], asked))
            for i in range(len(asked)):
                _assert_near(found[i], vectors[i], f"{what}: text {i} differs from threads")
    _check_config(model)
    assert int(getattr(model, "batch", 1)) >= 1, "its batch is below 1"
    if hasattr(model, "cut"):
        _check_flags(model.cut(asked), len(asked))


def check_reranker(
    make: Callable[[], Reranker], query: Query, documents: Sequence[Document]
) -> None:
    """Hold a reranker to the contract; AssertionError names what it breaks.

    A reranker has a name and gives each document, in order, one finite number: twice the same one,
    and nearly the same one whatever documents stand beside it. No document gives no number. What it
    declares holds: `config`, `cut`, `thread_safe`.
    """
    model = make()
    assert isinstance(model, Reranker), "it has no name or no score()"
    assert model.name and not any(c.isspace() for c in model.name), "its name is no single word"
    odd = [Document(f"odd {i}", "", text) for i, text in enumerate(ODD)]
    asked = [*documents, *odd, Document("titled", "标题", ""), Document("blank", "", "")]
    scores = _scores(model, query, asked)
    assert list(model.score(query, [])) == [], "score of nothing is something"
    assert np.array_equal(_scores(model, query, asked), scores), "two answers to one question"
    back = _scores(model, query, asked[::-1])[::-1]
    _assert_near(back, scores, "the order of the documents changes their scores")
    alone = np.array([_scores(model, query, [d])[0] for d in asked])
    _assert_near(alone, scores, "the other documents change a score")
    if getattr(model, "thread_safe", False):
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(lambda d: _scores(model, query, [d])[0], asked))
        _assert_near(np.array(found), scores, "scores from threads are others")
    _check_config(model)
    if hasattr(model, "cut"):
        _check_flags(model.cut(query, asked), len(asked))


def _vectors(vectors: Any, n: int, dimension: int, what: str) -> Any:
    found = np.asarray(vectors)
    assert found.shape == (n, dimension), f"{what}: an array of shape {found.shape} for {n} texts"
    assert np.isfinite(found).all(), f"{what}: NaN or infinity in a vector"
    return found


def _scores(model: Reranker, query: Query, documents: Sequence[Document]) -> Any:
    found = np.array([float(s) for s in model.score(query, documents)])
    assert found.shape == (len(documents),), f"{len(found)} scores for {len(documents)} documents"
    assert np.isfinite(found).all(), "a score is NaN or infinite"
    return found


def _assert_near(found: Any, wanted: Any, said: str) -> None:
    least = CLOSE * max(1.0, float(np.linalg.norm(np.asarray(wanted, np.float64))))
    assert np.allclose(found, wanted, rtol=CLOSE, atol=least), said


def _check_config(model: Any) -> None:
    config = getattr(model, "config", {})
    assert isinstance(config, Mapping), "its config is no mapping"
    assert json.loads(json.dumps(dict(config))) == config, "its config is not what JSON gives back"


def _check_flags(flags: Any, n: int) -> None:
    found = list(flags)
    assert len(found) == n, f"cut says {len(found)} things of {n} texts"
    assert all(isinstance(flag, (bool, np.bool_)) for flag in found), (
        "cut says other than yes or no"
    )
