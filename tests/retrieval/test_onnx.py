"""Models in folders: what is found, what is cut, what is refused."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from cranfield.errors import InputError, NoSuchInput, UsageError
from cranfield.retrieval.onnx import OnnxFolder


def test_tokens_and_mask(encoder):
    model = OnnxFolder(encoder())
    encoded = model.encode(["deadlock", "deadlock in the database"])
    outputs, mask = model.run(encoded)
    assert outputs["last_hidden_state"].shape == (*mask.shape, 24)
    assert mask.sum(axis=1).tolist() == [len(e.ids) for e in encoded]
    assert encoded[0].ids[0] == 2 and encoded[0].ids[-1] == 3  # [CLS], [SEP]


def test_padding_changes_no_vector(encoder):
    model = OnnxFolder(encoder())
    alone, _ = model.run(model.encode(["死锁"]))
    among, _ = model.run(model.encode(["死锁", "a text that is much longer " * 9]))
    n = alone["last_hidden_state"].shape[1]
    assert np.array_equal(alone["last_hidden_state"][0], among["last_hidden_state"][0, :n])


def test_what_is_longer_is_cut_and_said(encoder):
    model = OnnxFolder(encoder(), max_tokens=8)
    texts = ["short", "index " * 6, "index " * 7]
    lengths = [len(e.ids) for e in model.encode(texts)]
    assert model.cut(texts) == [False, False, True]
    assert lengths[1:] == [8, 8]


@pytest.mark.parametrize(
    ("settings", "limit"),
    [
        ({}, 512),
        ({"max_position_embeddings": 128}, 128),
        ({"max_position_embeddings": 514, "model_type": "xlm-roberta", "pad_token_id": 1}, 512),
    ],
)
def test_the_limit_is_that_of_the_folder(encoder, settings, limit):
    assert OnnxFolder(encoder(**settings)).max_tokens == limit


def test_the_least_limit_counts(encoder):
    folder = encoder(max_position_embeddings=256)
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 10**30}))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 64}))
    assert OnnxFolder(folder).max_tokens == 64
    assert OnnxFolder(folder, max_tokens=32).max_tokens == 32


def test_the_fingerprint_is_of_the_content(encoder, tmp_path):
    folder = encoder()
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    assert OnnxFolder(folder).fingerprint == OnnxFolder(copy).fingerprint
    text = (copy / "tokenizer.json").read_text()
    (copy / "tokenizer.json").write_text(text + "\n")
    assert OnnxFolder(folder).fingerprint != OnnxFolder(copy).fingerprint


def test_the_weights_may_lie_where_exports_put_them(encoder):
    folder = encoder()
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    assert OnnxFolder(folder).file == "onnx/model.onnx"
    (folder / "onnx" / "model.onnx").rename(folder / "onnx" / "model_int8.onnx")
    with pytest.raises(NoSuchInput, match=r"onnx/model_int8\.onnx"):
        OnnxFolder(folder)
    assert OnnxFolder(folder, "onnx/model_int8.onnx").file == "onnx/model_int8.onnx"


def test_what_is_no_model_is_refused(encoder, tmp_path):
    with pytest.raises(NoSuchInput, match="no such folder"):
        OnnxFolder(tmp_path / "nowhere")
    folder = encoder()
    (folder / "model.onnx").write_bytes(b"no model")
    with pytest.raises(InputError, match="is no ONNX model"):
        OnnxFolder(folder)
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(InputError, match="is no tokenizer"):
        OnnxFolder(folder)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(NoSuchInput, match=r"tokenizer\.json: no such file"):
        OnnxFolder(folder)
    for bad in (0, True, "64"):
        with pytest.raises(UsageError, match="max_tokens"):
            OnnxFolder(encoder(f"e{bad}"), max_tokens=bad)


def test_half_a_surrogate_pair_is_read(encoder):
    model = OnnxFolder(encoder())
    assert len(model.encode(["a\ud800b"])) == 1
