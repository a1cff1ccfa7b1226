"""Sentence encoders in folders, run for real."""

from __future__ import annotations

import json

import numpy as np
import pytest

from cranfield.errors import UsageError
from cranfield.retrieval.embedders.onnx import OnnxEmbedder, pooled
from cranfield.testing import check_embedder

TOKENS = np.arange(12, dtype=np.float32).reshape(2, 3, 2)
MASK = np.array([[1, 1, 1], [1, 1, 0]])


@pytest.mark.parametrize(
    "options",
    [{}, {"pooling": "cls"}, {"pooling": "last"}, {"query_prefix": "query: ", "max_tokens": 16}],
)
def test_contract(encoder, options):
    folder = encoder()
    check_embedder(lambda: OnnxEmbedder(folder, **options), ["deadlock", "倒排索引"])


def test_contract_of_a_model_with_its_own_sentence_vector(encoder):
    folder = encoder(sentence=True)
    check_embedder(lambda: OnnxEmbedder(folder))


@pytest.mark.parametrize(
    ("pooling", "wanted"),
    [("mean", [[2, 3], [7, 8]]), ("cls", [[0, 1], [6, 7]]), ("last", [[4, 5], [8, 9]])],
)
def test_poolings_leave_padding_out(pooling, wanted):
    assert pooled(TOKENS, MASK, pooling).tolist() == wanted


def test_the_pooling_is_that_of_the_folder(encoder):
    folder = encoder()
    assert OnnxEmbedder(folder).config["pooling"] == "mean"
    (folder / "1_Pooling").mkdir()
    said = folder / "1_Pooling" / "config.json"
    said.write_text(json.dumps({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}))
    assert OnnxEmbedder(folder).config["pooling"] == "cls"
    assert OnnxEmbedder(folder, pooling="last").config["pooling"] == "last"
    said.write_text(json.dumps({"pooling_mode_weightedmean_tokens": True}))
    with pytest.raises(UsageError, match="weightedmean"):
        OnnxEmbedder(folder)


def test_prefixes_are_seen_and_said(encoder):
    folder = encoder()
    bare = OnnxEmbedder(folder)
    made = OnnxEmbedder(folder, query_prefix="query: ", document_prefix="passage: ")
    both = made.embed_queries(["index"]), bare.embed_queries(["query: index"])
    assert np.array_equal(*both)
    both = made.embed_documents(["index"]), bare.embed_documents(["passage: index"])
    assert np.array_equal(*both)
    assert made.config["query_prefix"] == "query: "
    assert made.config["fingerprint"] == bare.config["fingerprint"]


@pytest.mark.parametrize("wrong", [{"pooling": "max"}, {"batch": 0}])
def test_wrong_options(encoder, wrong):
    with pytest.raises(UsageError):
        OnnxEmbedder(encoder(), **wrong)
