"""Dense retrieval by real models."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cranfield import Document, Query
from cranfield.demo import collection
from cranfield.errors import InputError, MissingExtra, UsageError
from cranfield.evaluation.evaluate import evaluate
from cranfield.plugins import system
from cranfield.retrieval.conduct import Settings, conduct
from cranfield.retrieval.dense import Dense
from cranfield.retrieval.embedders.onnx import OnnxEmbedder
from cranfield.testing import check_system


@pytest.fixture
def model(encoder):
    return OnnxEmbedder(encoder(), max_tokens=64)


@pytest.mark.parametrize("more", [{}, {"similarity": "dot"}, {"index": "hnsw"}])
def test_contract(model, more):
    bundled = collection()
    documents = list(bundled.documents())
    check_system(lambda docs: Dense(docs, model, **more), documents, bundled.queries)


def test_shared_words_are_found(model):
    """Token vectors at random, averaged: far from a good model, and far from chance."""
    bundled = collection()
    run = conduct(Dense(bundled.documents(), model), bundled.queries, Settings(k=64)).run
    scores = evaluate(bundled, [run], ["nDCG@10"])
    rng = np.random.default_rng(1)
    shuffled = type(run)(run.queries, run.query, run.docs, rng.random(len(run)))
    assert scores.mean() > evaluate(bundled, [shuffled], ["nDCG@10"]).mean() + 0.1


def test_the_card(model):
    documents = [
        Document("a", "Index", "inverted index"),
        Document("b", "", " \n"),
        Document("c", "", "deadlock " * 100),
    ]
    dense = Dense(documents, model)
    config = dense.config
    assert config["embedder"]["name"] == "onnx" and config["embedder"]["max_tokens"] == 64
    assert config["input"] == {"text": "title + text", "truncated": 1, "blank": 1}
    assert config["dense"] == {"similarity": "cosine", "index": {"name": "exact"}}
    assert config["corpus"]["documents"] == 3
    assert json.loads(json.dumps(config)) == config
    assert dense.notes == (
        "1 of 2 documents are longer than the model reads",
        "1 documents without text are never found",
    )
    assert {doc for doc, _ in dense.search(Query("q", "index"), 9)} == {"a", "c"}
    assert dense.search(Query("q", "  "), 9) == []


def test_equal_documents_have_equal_scores_and_go_by_id(model):
    documents = [Document(i, "", "inverted index") for i in ("b", "c", "a")]
    found = Dense(documents, model).search(Query("q", "index"), 2)
    assert [doc for doc, _ in found] == ["c", "b"]
    assert found[0][1] == found[1][1]


def test_a_warm_cache_gives_the_same_run(encoder, tmp_path):
    folder, bundled = encoder(), collection()

    def lists():
        dense = system(
            "dense",
            documents=bundled.documents(),
            embedder="onnx",
            folder=str(folder),
            cache=tmp_path,
        )
        return [dense.search(q, 20) for q in bundled.queries], dense.config

    cold, warm = lists(), lists()
    assert cold == warm


def test_a_query_that_fails_is_not_empty(model):
    class Down(type(model)):
        def __init__(self):
            pass

        name, dimension, config = "down", 2, {}

        def embed_documents(self, texts):
            return np.ones((len(texts), 2), np.float32)

        def embed_queries(self, texts):
            if "bad" in texts[0]:
                return np.full((1, 2), np.nan, np.float32)
            return np.ones((1, 2), np.float32)

        def cut(self, texts):
            return [False] * len(texts)

    dense = Dense([Document("a", "", "x")], Down())
    done = conduct(dense, [Query("1", "good"), Query("2", "bad")])
    assert done.card.failed == ("2",) and done.run.queries.to_list() == ["1"]
    assert "NaN" in done.errors["2"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"similarity": "l2"}, "cosine or dot"),
        ({"index": "ivf"}, "exact or hnsw"),
        ({"expansion": 9}, "index=hnsw"),
        ({"embedder": "onnx"}, "its parameters: folder"),
        ({"embedder": "onnx", "folder": "x", "speed": 1}, "speed"),
    ],
)
def test_wrong_options(options, told):
    with pytest.raises(UsageError, match=told) as error:
        system("dense", documents=[], **options)
    assert error.value.exit_code == 2


def test_a_package_that_is_not_there_is_named(monkeypatch, encoder):
    folder = encoder()
    import sys

    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match="ONNX folder") as error:
        OnnxEmbedder(folder)
    assert error.value.hint == "pip install 'cranfield[onnx]'"
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtra, match=r"cranfield\[sentence-transformers\]"):
        system("dense", documents=[], embedder="sentence-transformers", model="x")


def test_a_document_twice(model):
    with pytest.raises(InputError, match="comes twice"):
        Dense([Document("a", "", "x"), Document("a", "", "y")], model)
