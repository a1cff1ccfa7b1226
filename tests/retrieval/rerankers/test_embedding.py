"""The best passage of a document, by an encoder run for real."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield import Document, Query
from cranfield.demo import collection
from cranfield.errors import UsageError
from cranfield.retrieval.embedders.onnx import OnnxEmbedder
from cranfield.retrieval.rerankers.embedding import EmbeddingReranker
from cranfield.testing import check_reranker

QUERY = Query("q", "inverted index")


@pytest.fixture
def model(encoder):
    return OnnxEmbedder(encoder(), max_tokens=32)


@pytest.mark.parametrize("passage", [0, 10, 100])
def test_contract(model, passage):
    documents = list(collection().documents())[:5]
    check_reranker(lambda: EmbeddingReranker(model, passage), QUERY, documents)


def test_the_best_passage_counts(model):
    far, near = "cat dog bird", "inverted index"
    long = Document("long", "", f"{far} {near} {far} {far}")
    whole = EmbeddingReranker(model, 0).score(QUERY, [long])
    parts = EmbeddingReranker(model, 2, 1).score(QUERY, [long])
    exact = EmbeddingReranker(model, 0).score(QUERY, [Document("near", "", near)])
    assert whole[0] < parts[0] == pytest.approx(exact[0]) == pytest.approx(1)


def test_passages_stand_behind_the_title(model):
    titled = Document("d", "Inverted index", "cat dog bird fish")
    bare = Document("d", "", "cat dog bird fish")
    with_title, without = EmbeddingReranker(model, 2).score(QUERY, [titled, bare])
    assert with_title > without


def test_what_is_cut(model):
    long = Document("d", "", "index " * 100)
    assert EmbeddingReranker(model, 0).cut(QUERY, [long]) == [True]
    assert EmbeddingReranker(model, 20).cut(QUERY, [long]) == [False]


def test_vectors_are_kept(model, tmp_path):
    documents = list(collection().documents())[:5]
    first = EmbeddingReranker(model, cache=tmp_path)
    scores = first.score(QUERY, documents)
    first.close()
    model.embed_documents = None  # nothing is left to embed
    again = EmbeddingReranker(model, cache=tmp_path)
    assert np.array_equal(again.score(QUERY, documents), scores)
    again.close()


@pytest.mark.parametrize("wrong", [{"passage": -1}, {"overlap": 100}, {"speed": 1}])
def test_wrong_options(model, wrong):
    with pytest.raises(UsageError):
        EmbeddingReranker(model, **wrong)
